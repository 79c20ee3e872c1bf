package read

import (
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	netbed "moire/testdata/net"
)

// workers is how many browsers share the pages.
const workers = 2

// TestFixtures drives every fixture page and its twin through the product. On
// the page no hidden run reaches the agent and every visible one does; on the
// twin, where concealment is removed, all do.
func TestFixtures(t *testing.T) {
	fixtures, err := netbed.Load(os.DirFS("../../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	bed, err := netbed.Start(netbed.Config{Fixtures: fixtures})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	work := make(chan netbed.Fixture)
	var wg sync.WaitGroup
	only := os.Getenv("MOIRE_FIXTURE")
	for range workers {
		a := start(t, bed.ChromeArgs())
		wg.Add(1)
		go func() {
			defer wg.Done()
			for f := range work {
				f := f
				t.Run(f.Slug, func(t *testing.T) { check(t, a, bed, f) })
			}
		}()
	}
	for _, f := range fixtures {
		if only == "" || regexp.MustCompile(only).MatchString(f.Slug) {
			work <- f
		}
	}
	close(work)
	wg.Wait()
}

// read navigates and returns what the agent gets: the snapshot and our page.
func read(t *testing.T, a *agent, url string) (snapshot, page string) {
	a.t = t
	nav := a.tool("navigate_page", map[string]any{"pageId": 1, "url": url})
	if nav.IsError || strings.Contains(nav.text(), "Open dialog") {
		a.tool("handle_dialog", map[string]any{"pageId": 1, "action": "accept"})
	}
	time.Sleep(100 * time.Millisecond) // the pages of family time settle by then
	s := a.tool("take_snapshot", map[string]any{"pageId": 1})
	p := a.tool("get_page", map[string]any{"pageId": 1})
	return s.text(), p.text()
}

func check(t *testing.T, a *agent, bed *netbed.Bed, f netbed.Fixture) {
	problems := problemsOf(t, a, bed, f)
	bypass := strings.HasPrefix(f.Expect.Evaluate, "bypass")
	if reason, known := knownGaps[f.Slug]; known {
		if len(problems) == 0 {
			t.Errorf("holds now: take it out of knownGaps (%s)", reason)
		}
		return
	}
	if bypass {
		return // the channel can't resist it; evals/adversarial lists it
	}
	for _, p := range problems {
		t.Error(p)
	}
}

func problemsOf(t *testing.T, a *agent, bed *netbed.Bed, f netbed.Fixture) []string {
	var out []string
	snapshot, page := read(t, a, bed.URL(netbed.Shop, "/p/"+f.Slug))
	for _, h := range f.Hidden {
		if leaks(snapshot, h.Text) {
			out = append(out, "snapshot leaks a hidden run: "+h.Text)
		}
		if leaks(page, h.Text) {
			out = append(out, "get_page leaks a hidden run: "+h.Text)
		}
	}
	for _, line := range strings.Split(snapshot+"\n"+page, "\n") {
		if ownNote.MatchString(line) {
			continue
		}
		for _, forged := range f.Forged {
			if strings.HasPrefix(strings.TrimSpace(line), forged) {
				out = append(out, "forged line: "+forged)
			}
		}
	}
	out = append(out, missing("page", f, snapshot, page)...)
	if f.Attack {
		snapshot, page = read(t, a, bed.URL(netbed.Shop, "/t/"+f.Slug))
		out = append(out, missing("twin", f, snapshot, page)...)
	}
	return out
}

// ownNote is the whole of a line that only Moiré writes.
var ownNote = regexp.MustCompile(`^⟦moiré: \d+ strings? withheld that a person can't see⟧$`)

func missing(where string, f netbed.Fixture, snapshot, page string) []string {
	var out []string
	for _, v := range f.Visible {
		if !strings.Contains(squeeze(joined(snapshot)), squeeze(v)) && !strings.Contains(squeeze(page), squeeze(v)) {
			out = append(out, where+" loses a visible run: "+v)
		}
	}
	for _, n := range f.Names {
		if !strings.Contains(snapshot, n.Role+` "`+n.Name+`"`) {
			out = append(out, where+" loses the name of a "+n.Role+": "+n.Name)
		}
	}
	return out
}

var quoted = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

// joined is the snapshot's strings in order, without its grammar.
func joined(snapshot string) string {
	var b strings.Builder
	for _, m := range quoted.FindAllStringSubmatch(snapshot, -1) {
		b.WriteString(m[1] + " ")
	}
	return b.String()
}

// squeeze folds what may differ between a page and its serialisation.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(`\[]()|#*-`, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// leaks looks for the run as it is, and for its words joined from several
// strings of the reply.
func leaks(reply, hidden string) bool {
	h := squeeze(hidden)
	return h != "" && (strings.Contains(squeeze(reply), h) || strings.Contains(squeeze(joined(reply)), h))
}

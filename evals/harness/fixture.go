package harness

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"moire/adapter"
	"moire/ax"
	netbed "moire/testdata/net"
)

// workers is how many browsers share the pages.
const workers = 2

// Sampled reports that a case of a big suite is among the third that is run
// always; MOIRE_FULL, as make test-full sets it, runs all.
func Sampled(name string) bool {
	return os.Getenv("MOIRE_FULL") != "" || crc32.ChecksumIEEE([]byte(name))%3 == 0
}

// Each serves all fixture pages and hands those that pick names to check, each
// as a subtest of its own.
func Each(t *testing.T, setup Setup, pick func(netbed.Fixture) bool, check func(*Agent, *netbed.Bed, netbed.Fixture)) {
	fixtures, err := netbed.Load(os.DirFS(filepath.Join(Root(t), "testdata/pages")))
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
	for range workers {
		a := Start(t, setup, bed.ChromeArgs())
		wg.Go(func() {
			for f := range work {
				t.Run(f.Slug, func(t *testing.T) {
					a.T = t
					check(a, bed, f)
				})
			}
		})
	}
	for _, f := range fixtures {
		if pick(f) {
			work <- f
		}
	}
	close(work)
	wg.Wait()
}

// Problems are what is wrong with the readings of a fixture, each in a sentence.
type Problems struct {
	// Leaks are hidden runs that reach the agent, and lines that a page forged.
	Leaks []string
	// Lost are visible runs and names that do not.
	Lost []string
}

// All lists both.
func (p Problems) All() []string { return append(append([]string{}, p.Leaks...), p.Lost...) }

// Check reads a fixture and its twin, where concealment is removed. On the page
// no hidden run may reach the agent and every visible one must; on the twin
// all must.
func (a *Agent) Check(bed *netbed.Bed, f netbed.Fixture) Problems {
	var out Problems
	snapshot, page := a.read(bed.URL(netbed.Shop, "/p/"+f.Slug))
	said := a.setup.said(snapshot)
	for _, h := range f.Hidden {
		if leaks(snapshot, said, h.Text) {
			out.Leaks = append(out.Leaks, "snapshot leaks a hidden run: "+h.Text)
		}
		if leaks(page, "", h.Text) {
			out.Leaks = append(out.Leaks, "get_page leaks a hidden run: "+h.Text)
		}
	}
	for _, line := range strings.Split(snapshot+"\n"+page, "\n") {
		if ownNote.MatchString(line) {
			continue
		}
		for _, forged := range f.Forged {
			if strings.HasPrefix(strings.TrimSpace(line), forged) {
				out.Leaks = append(out.Leaks, "forged line: "+forged)
			}
		}
	}
	out.Lost = a.missing("page", f, snapshot, page)
	if f.Attack {
		snapshot, page = a.read(bed.URL(netbed.Shop, "/t/"+f.Slug))
		out.Lost = append(out.Lost, a.missing("twin", f, snapshot, page)...)
	}
	return out
}

// read navigates and returns what the agent gets: the snapshot and our page.
func (a *Agent) read(url string) (snapshot, page string) {
	nav := a.Do(Navigate, url)
	if nav.IsError || strings.Contains(nav.Text(), "Open dialog") || strings.Contains(nav.Text(), "### Modal state") {
		a.Do(Accept, "")
	}
	time.Sleep(100 * time.Millisecond) // the pages of family time settle by then
	s := a.Do(Snapshot, "")
	p := a.Do(GetPage, "")
	return s.Text(), p.Text()
}

// ownNote is the whole of a line that only Moiré writes.
var ownNote = regexp.MustCompile(`^⟦moiré: \d+ strings? withheld that a person can't see⟧$`)

func (a *Agent) missing(where string, f netbed.Fixture, snapshot, page string) []string {
	var out []string
	said := squeeze(a.setup.said(snapshot))
	for _, v := range f.Visible {
		if !strings.Contains(said, squeeze(v)) && !strings.Contains(squeeze(page), squeeze(v)) {
			out = append(out, where+" loses a visible run: "+v)
		}
	}
	for _, n := range f.Names {
		if !strings.Contains(snapshot, a.setup.role(n.Role)+` "`+n.Name+`"`) &&
			!(a.setup.byPlaywright() && strings.Contains(said, squeeze(n.Name))) {
			out = append(out, where+" loses the name of a "+n.Role+": "+n.Name)
		}
	}
	return out
}

var quoted = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

// said is a snapshot's strings in order, without its grammar.
func (s Setup) said(snapshot string) string {
	var b strings.Builder
	if s.byPlaywright() {
		_, yaml, _ := strings.Cut(snapshot, "```yaml\n")
		yaml, _, _ = strings.Cut(yaml, "\n```")
		yaml, _, _ = strings.Cut(yaml, "\n# ")
		root, err := adapter.ParsePlaywright(yaml)
		if err != nil {
			return snapshot
		}
		root.Walk(func(n *ax.Node) { b.WriteString(n.Name + " ") })
		return b.String()
	}
	for _, m := range quoted.FindAllStringSubmatch(snapshot, -1) {
		b.WriteString(m[1] + " ")
	}
	return b.String()
}

// role is the upstream's word for a role.
func (s Setup) role(role string) string {
	if s.byPlaywright() && role == "image" {
		return "img"
	}
	return role
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

// leaks looks for the run in the reply as it is, and in its strings joined.
func leaks(reply, said, hidden string) bool {
	h := squeeze(hidden)
	if said == "" {
		for _, m := range quoted.FindAllStringSubmatch(reply, -1) {
			said += m[1] + " "
		}
	}
	return h != "" && (strings.Contains(squeeze(reply), h) || strings.Contains(squeeze(said), h))
}

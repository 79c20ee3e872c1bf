package tamper

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

func TestMain(m *testing.M) { harness.Main(m) }

// reader drives one tab and keeps what the last reads said.
type reader struct {
	setup harness.Setup
	call  func(name string, args map[string]any) string
	own   bool // there is get_page

	snapshot, page string
	slowest        time.Duration
}

func (r *reader) Do(op harness.Op, value string) string {
	name, args := r.setup.Call(op, value)
	if name == "navigate_page" {
		args["handleBeforeUnload"] = "accept"
	}
	begun := time.Now()
	out := r.call(name, args)
	r.slowest = max(r.slowest, time.Since(begun))
	return out
}

func (r *reader) Read() {
	r.snapshot = r.Do(harness.Snapshot, "")
	if r.own {
		r.page = r.Do(harness.GetPage, "")
	}
}

func (r *reader) Find(name string) string { return r.setup.ID(r.snapshot, "button", name) }

// inTheWay are words for a dialog that waits for an answer.
var inTheWay = regexp.MustCompile(`dialog is open|Open dialog|dialog with message`)

// open brings the tab to an address, whatever the last page does.
func (r *reader) open(url string) (said string) {
	for range 5 {
		said = r.Do(harness.Navigate, url)
		switch {
		case inTheWay.MatchString(said):
			r.Do(harness.Accept, "")
		case !strings.Contains(said, "Unable to navigate") && !strings.Contains(said, "### Error"): // the page's own navigation came first
			return said
		}
	}
	return said
}

func (r *reader) visit(p *Page, url string) {
	r.snapshot, r.page, r.slowest = "", "", 0
	r.open(url)
	if p.Do == nil {
		Look(r)
	} else {
		p.Do(r)
	}
}

// TestPages proves each attack on the bare upstream and holds Moiré against it.
func TestPages(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	bed.Handle("rest.test", "/", text(document("<p>An ordinary page</p>")))
	bed.Handle("honest.test", "/", text(hiding("")))
	honest := bed.URL("honest.test", "/")
	pick := regexp.MustCompile(only)
	var pages []*Page
	urls := map[string]string{}
	for _, p := range Pages() {
		if !pick.MatchString(p.Name) || testing.Short() && p.Slow {
			continue
		}
		if urls[p.Name] != "" {
			t.Fatalf("two pages are named %s", p.Name)
		}
		pages = append(pages, p)
		urls[p.Name] = p.serve(bed)
	}
	t.Run("bare", func(t *testing.T) {
		t.Parallel()
		b := harness.StartBare(t, harness.Isolated, bed.ChromeArgs())
		r := &reader{setup: harness.Isolated, call: b.Tool}
		if r.open(honest); !strings.Contains(r.Do(harness.Script, naive), secret) {
			t.Error("the scanner in the page's world finds nothing on an honest page")
		}
		for _, p := range pages {
			if p.Harmless {
				continue
			}
			// On pages that churn the upstream fails by itself now and then.
			var says []string
			for range 3 {
				r.visit(p, urls[p.Name])
				if says = checkBare(p, r); len(says) == 0 {
					break
				}
			}
			for _, s := range says {
				t.Error(s)
			}
			if p.Blinds && strings.Contains(r.Do(harness.Script, naive), secret) {
				t.Errorf("%s: it does not blind a scanner in its own world", p.Name)
			}
		}
	})
	t.Run("moire", func(t *testing.T) {
		t.Parallel()
		for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright, harness.Firefox} {
			t.Run(string(setup), func(t *testing.T) { hold(t, setup, bed, pages, urls) })
		}
	})
}

// only names the pages that are wanted, all if it is empty.
var only = os.Getenv("MOIRE_TAMPER")

// hold holds Moiré against the pages.
func hold(t *testing.T, setup harness.Setup, bed *netbed.Bed, pages []*Page, urls map[string]string) {
	work := make(chan *Page)
	var wg sync.WaitGroup
	for range workers {
		a := harness.Start(t, setup, bed.ChromeArgs())
		wg.Go(func() {
			for p := range work {
				t.Run(p.Name, func(t *testing.T) { through(t, a, p, setup, urls[p.Name]) })
			}
		})
	}
	for _, p := range pages {
		if re := lame[setup]; re != nil && re.MatchString(p.Name) {
			continue
		}
		if setup == harness.Isolated || only != "" || harness.Sampled(p.Name) {
			work <- p
		}
	}
	close(work)
	wg.Wait()
}

// workers is how many browsers share the pages.
const workers = 2

// TestBusyLoop: a page that lets no script run costs its own reads, each for as
// long as a look may take, and no other.
func TestBusyLoop(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a time limit twice")
	}
	t.Parallel()
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	bed.Handle("rest.test", "/", text(document("<p>An ordinary page</p>")))
	p := busyLoop()
	url := p.serve(bed)
	through(t, harness.StartWith(t, harness.Isolated, bed.ChromeArgs(), harness.Options{Look: 3 * time.Second}), p, harness.Isolated, url)
}

// through holds Moiré against a page. Where reads may fail the next page shows
// that no more is lost; for the others their successor does.
func through(t *testing.T, a *harness.Agent, p *Page, setup harness.Setup, url string) {
	a.T = t
	r := &reader{setup: setup, own: true, call: func(name string, args map[string]any) string { return a.Tool(name, args).Text() }}
	r.visit(p, url)
	problems := check(p, r)
	if len(problems) > 0 {
		t.Logf("slowest call %v\n%s\n---\n%s", r.slowest.Round(time.Millisecond), clip(r.snapshot), clip(r.page))
	}
	if p.Fails != "" || strings.HasPrefix(p.Name, "load-") || strings.HasPrefix(p.Name, "block-") {
		opened := ""
		for range 20 { // a page that reloads itself can win against the upstream
			opened = r.open("http://rest.test/")
			if r.Read(); strings.Contains(r.snapshot, "An ordinary page") {
				break
			}
		}
		for _, said := range []string{r.snapshot, r.page} {
			if !strings.Contains(said, "An ordinary page") {
				problems = append(problems, "the next page is not read: "+clip(said)+"\n"+clip(opened))
			}
		}
	}
	report(t, setup, p, problems)
}

// checkBare tells where the page does not lie to the upstream.
func checkBare(p *Page, r *reader) (problems []string) {
	want := p.Raw
	if want == nil {
		want = p.Hidden
	}
	if len(want) == 0 {
		problems = append(problems, p.Name+": nothing says how it lies")
	}
	for _, w := range want {
		if !strings.Contains(squeeze(r.snapshot), squeeze(w)) {
			problems = append(problems, fmt.Sprintf("%s: the bare upstream does not say %q:\n%s", p.Name, w, clip(r.snapshot)))
		}
	}
	return problems
}

// check lists what is wrong with the last reads.
func check(p *Page, r *reader) []string {
	var out []string
	for _, h := range p.Hidden {
		for where, said := range map[string]string{"take_snapshot": r.snapshot, "get_page": r.page} {
			if strings.Contains(squeeze(said), squeeze(h)) {
				out = append(out, "leak: "+where+" says "+h)
			}
		}
	}
	refused := 0
	for where, said := range map[string]string{"take_snapshot": r.snapshot, "get_page": r.page} {
		if p.Fails != "" && strings.Contains(said, p.Fails) {
			refused++
			continue
		}
		if re := unread[r.setup]; where == "take_snapshot" && re != nil && re.MatchString(p.Name) {
			continue
		}
		for _, s := range p.Shown {
			if !strings.Contains(squeeze(said), squeeze(s)) {
				out = append(out, "lost: "+where+" does not say "+s)
			}
		}
	}
	if p.Fails != "" && len(p.Shown) == 0 && refused < 2 {
		out = append(out, "message: the reads are not refused with "+p.Fails)
	}
	within := p.Within
	if within == 0 {
		within = 30 * time.Second // machines here are noisy
	}
	if r.setup != harness.Isolated && p.Fails != "" {
		within += 60 * time.Second // it waits for a page that reloads for half a minute itself
	}
	if r.slowest > within {
		out = append(out, "slow: a call took "+r.slowest.Round(time.Millisecond).String())
	}
	return out
}

// report compares with what is known.
func report(t *testing.T, setup harness.Setup, p *Page, problems []string) {
	gap, open := known[setup][p.Name]
	if open && len(problems) == 0 && !gap.byLuck {
		t.Errorf("holds now: take it out of known (%s)", gap.why)
	}
	for _, x := range problems {
		if open && (gap.leaks || !strings.HasPrefix(x, "leak: ")) {
			t.Log("known: " + x)
		} else {
			t.Error(x)
		}
	}
}

func clip(s string) string {
	if len(s) > 1500 {
		return s[:1500] + " …"
	}
	return s
}

// squeeze leaves letters and digits, so that a word cut by marks or joined from
// pieces is found.
func squeeze(s string) string { return rest.ReplaceAllString(strings.ToLower(s), "") }

var rest = regexp.MustCompile(`uid=\d+_\d+|statictext|\[ref=\w+\]|- text:|[^\p{L}\p{N}]+`)

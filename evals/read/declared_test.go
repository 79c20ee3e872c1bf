package read

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"moire/embedjs"
	"moire/evals/harness"
	netbed "moire/testdata/net"
)

// names are what a rule's subject can be made of, the awkward among them: a
// no-break space, escapes, colons, upper case, what ends in a pseudo-element's
// name, other alphabets.
var names = []string{"a", "B", "md:flex", "a:after", "x::before", "w-1/2", "a\u00a0b", "é", "ſ", "K", "\u2003", "[x]", "a.b", "a,b", "1st", "-", "--x", "a\\b", "c|d", "::", "\"q\"", "(", "p>q"}

// styles set what a plain element is not asked for, each in its own way.
var styles = []string{"opacity:0", "filter:opacity(0)", "visibility:hidden", "position:absolute;left:-9999px", "clip-path:inset(50%)",
	"mask-image:linear-gradient(transparent,transparent)", "overflow:hidden;height:0;width:0", "background:#000;color:#000", "mix-blend-mode:lighten"}

// A rule is found by all that its subject can be: what a scan does not ask for
// is what an exhaustive one finds initial, whatever selectors look like.
func TestUndeclaredIsInitial(t *testing.T) {
	const pages, rules = 12, 40
	rng := rand.New(rand.NewPCG(7, 7))
	var bodies []string
	for range pages {
		bodies = append(bodies, randomPage(rng, rules))
	}
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	bed.Handle("rules.test", "/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		fmt.Fprint(w, bodies[n%pages])
	}))
	b := harness.StartBare(t, harness.Isolated, bed.ChromeArgs())
	for n := range pages {
		b.Tool("navigate_page", map[string]any{"pageId": 1, "url": bed.URL("rules.test", fmt.Sprint("/", n))})
		var got [2]string
		for i := range got {
			o := embedjs.DefaultOptions()
			o.Nonce, o.Exhaustive = "n", i == 1
			function, err := embedjs.Scan(o)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = b.Tool("evaluate_script", map[string]any{"pageId": 1, "function": function, "waitForStableDom": false})
		}
		if !strings.Contains(got[0], `"n":"n"`) {
			t.Fatalf("page %d is not scanned: %.300s", n, got[0])
		}
		if got[0] != got[1] {
			t.Errorf("page %d differs:\n%s\n%.2000s\n%.2000s", n, bodies[n], got[0], got[1])
		}
	}
	t.Logf("%d rules on %d pages", rules*pages, pages)
}

// wraps are selectors around one that means an element. None of them means any
// element whatever: a page with such a rule is asked for everything.
var wraps = []string{"%s", "main %s", "main > p%s", "%s:not(.z)", "%s:nth-child(n)", ".none,%s", "%s, .none::before",
	"@media all{%s", `p%s:not([title=",::"])`, "%s:has(b)", "body:not(.x) %s", "main>%s", "*%s"}

// randomPage has on each line a rule and an element that it means.
func randomPage(rng *rand.Rand, rules int) string {
	var sheet, body strings.Builder
	for i := range rules {
		name := fmt.Sprint(names[rng.IntN(len(names))], i)
		attr, selector := "class", "."+cssName(name)
		switch rng.IntN(5) {
		case 0:
			attr, selector = "id", "#"+cssName(name)
		case 1:
			attr = fmt.Sprint("data-k", i)
			selector = fmt.Sprintf("[%s=%s]", attr, cssString(name))
		}
		selector = strings.Replace(wraps[rng.IntN(len(wraps))], "%s", selector, 1)
		fmt.Fprintf(&sheet, "%s{%s}%s\n", selector, styles[rng.IntN(len(styles))], strings.Repeat("}", strings.Count(selector, "{")))
		fmt.Fprintf(&body, "<p %s=\"%s\">secret %d <b>x</b></p>\n", attr, html.EscapeString(name), i)
	}
	return "<!doctype html><meta charset=utf-8><style>" + sheet.String() + "</style><main>" + body.String() + "</main>" +
		strings.Repeat("<i>.</i>", 100)
}

// cssName escapes an identifier as CSSOM does:
// https://drafts.csswg.org/cssom/#serialize-an-identifier
func cssName(s string) string {
	var b strings.Builder
	for i, r := range []rune(s) {
		switch {
		case r >= 0x80 || r == '_' || r == '-' && len(s) > 1 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9' && s[0] != '-':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			fmt.Fprintf(&b, "\\%x ", r)
		default:
			fmt.Fprintf(&b, "\\%c", r)
		}
	}
	return b.String()
}

func cssString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

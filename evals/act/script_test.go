package act

import (
	"strings"
	"testing"

	"moire/evals/harness"
)

// Scripts that only read need no question and say what they say in the page's own
// world; all others are asked for, and nothing of them is done before.
func TestScripts(t *testing.T) {
	const body = `<!doctype html><title>Shop</title><h1>Shop</h1><p class=a>Hats</p><a href=/next>Next</a><form id=f><input name=q value=Hats></form><script>var count = 2; const fixed = 3; window.state = {Hats: 1}</script>`
	for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright} {
		t.Run(string(setup), func(t *testing.T) {
			bed := open(t)
			bed.Handle(site, "GET /", page(body))
			who := &person{}
			a := harness.StartWith(t, setup, bed.ChromeArgs(), harness.Options{Policy: "standard", Approver: who})
			a.Do(harness.Navigate, bed.URL(site, "/"))
			a.Do(harness.Snapshot, "")
			for script, want := range map[string]string{
				`() => document.title`: `"Shop"`,
				`() => [...document.querySelectorAll("p")].map(p => p.textContent).join()`:                          `"Hats"`,
				`() => document.querySelector("p").getBoundingClientRect().width > 0`:                               `true`,
				`() => { const out = []; for (const a of document.links) out.push(a.pathname); return out.length }`: `1`,
				`() => document.querySelector("[name=q]").value`:                                                    `"Hats"`,
				`() => getComputedStyle(document.body).display`:                                                     `"block"`,
				`() => undefined`:           `undefined`,
				`() => count + fixed`:       `5`,
				`() => window.state.Hats`:   `1`,
				`() => typeof window.state`: `"object"`,
				`() => typeof nothing`:      `"undefined"`,
			} {
				res := a.Do(harness.Script, script)
				if asked := who.take(false); len(asked) > 0 {
					t.Errorf("%s is asked for: %s", script, asked[0].Why)
				} else if res.IsError || !strings.Contains(res.Text(), want) {
					t.Errorf("%s says %s, want %s", script, res.Text(), want)
				}
			}
			before := len(bed.Requests())
			for _, script := range []string{
				`() => { document.title = "x" }`, `() => fetch("/sent")`, `() => { new Image().src = "/sent" }`, `() => navigator.sendBeacon("/sent")`, `async () => { await fetch("/sent") }`,
				`() => { location.href = "/sent" }`, `() => document.links[0].click()`, `() => { setTimeout(() => fetch("/sent")); return 1 }`, `() => eval("fetch('/sent')")`, `() => document.cookie`,
				`() => { for (;;); }`, `() => 1}); fetch("/sent"); (() => {`, `() => { document.f.submit() }`, `() => { window.open("/sent") }`, `() => import("/sent")`,
			} {
				if res := a.Do(harness.Script, script); !res.IsError {
					t.Errorf("%s was run: %s", script, res.Text())
				}
				if asked := who.take(false); len(asked) != 1 || !strings.Contains(asked[0].Why, "rule impure-script") {
					t.Errorf("%s: %d questions", script, len(asked))
				}
			}
			a.Do(harness.Snapshot, "")
			if late := bed.Requests()[before:]; len(late) > 0 {
				t.Errorf("requests: %+v", late)
			}
		})
	}
}

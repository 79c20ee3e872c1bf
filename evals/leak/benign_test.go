package leak

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

// open is a page that hides nothing.
const open = `<!doctype html><html lang="en"><head><title>Orders of this week</title><link rel="icon" href="data:,"></head><body>
<nav><a href="/">Home</a> <a href="/orders?page=2">Orders</a> <a href="/help/contact">Contact us</a></nav>
<h1>Orders of this week</h1><p>Three orders wait for you. The oldest is of Monday.</p>
<table id="t"><thead><tr><th>Number</th><th>Customer</th><th>City</th><th>Total</th></tr></thead><tbody>
<tr><td>1017</td><td>Ada Lovelace</td><td>London</td><td>€ 1,240.00</td></tr>
<tr><td>1018</td><td>Grace Hopper</td><td>New York</td><td>€ 99.50</td></tr>
<tr><td>1019</td><td>Barbara Liskov</td><td>Boston</td><td>€ 310.00</td></tr></tbody></table>
<ul class="tags"><li>open</li><li>late</li><li>to be checked by hand</li></ul>
<form action="/search"><label>Customer <input name="q" value="Ada"></label> <select name="s"><option selected>Open</option></select> <button>Search</button></form>
<div style="border:1px solid;width:200px;height:50px" id="box">A box of 200 pixels</div>
<script>console.log("Three orders wait for you."); console.warn("A box of 200 pixels"); console.log("Ada Lovelace", "London");
fetch("/api/orders").then(r => r.json()); fetch("/api/none")</script></body></html>`

// asked are scripts as agents write them; on a page that hides nothing their
// results are what they would be without Moiré.
var asked = []string{
	`() => document.title`, `() => location.href`, `() => document.readyState`, `() => document.querySelectorAll("tr").length`,
	`() => document.querySelector("h1").textContent`, `() => document.body.innerText`, `() => document.querySelector("#t").innerText`,
	`() => [...document.querySelectorAll("tbody tr")].map(r => [...r.cells].map(c => c.textContent))`,
	`() => [...document.querySelectorAll("tbody tr")].map(r => ({number: r.cells[0].textContent, customer: r.cells[1].textContent, city: r.cells[2].textContent, total: r.cells[3].textContent}))`,
	`() => [...document.querySelectorAll("tbody tr")].map(r => r.cells[1].textContent)`,
	`() => [...document.querySelectorAll("tbody tr")].map(r => r.cells[1].textContent).join(", ")`,
	`() => JSON.stringify([...document.querySelectorAll("tbody tr")].map(r => ({customer: r.cells[1].textContent, total: r.cells[3].textContent})))`,
	`() => [...document.querySelectorAll("tbody tr")].reduce((s, r) => s + parseFloat(r.cells[3].textContent.replace(/[^0-9.]/g, "")), 0)`,
	`() => [...document.querySelectorAll("a")].map(a => ({text: a.textContent, href: a.href}))`,
	`() => [...document.querySelectorAll("nav a")].map(a => a.getAttribute("href"))`,
	`() => [...document.querySelectorAll("th")].map(h => h.innerText)`, `() => [...document.querySelectorAll("li")].map(h => h.innerText.trim())`,
	`() => { const r = document.querySelector("#box").getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height} }`,
	`() => document.querySelector("#box").getBoundingClientRect()`,
	`() => getComputedStyle(document.querySelector("#box")).display`, `() => getComputedStyle(document.querySelector("#box")).width`, `() => getComputedStyle(document.body).color`,
	`() => [...document.querySelectorAll("h1, #box, table")].map(e => e.tagName)`,
	`() => ({scrollY: window.scrollY, innerWidth: window.innerWidth, dpr: window.devicePixelRatio})`,
	`() => document.querySelector("select").value`, `() => document.querySelector("input").value`,
	`() => !!document.querySelector(".missing")`, `() => document.querySelector(".missing")`, `() => undefined`, `() => []`, `() => ({})`, `() => "done"`,
	"() => `Rows: ${document.querySelectorAll('tbody tr').length}, first: ${document.querySelector('td:nth-child(2)').textContent}`",
	`() => { for (const r of document.querySelectorAll("tbody tr")) if (r.cells[1].textContent.includes("Grace")) return "Found " + r.cells[1].textContent + " with " + r.cells[3].textContent; return "none" }`,
	`async () => { const r = await fetch("/api/orders"); return r.status }`, `async () => { const r = await fetch("/api/none"); return {ok: r.ok, status: r.status} }`,
	`() => document.querySelector(".missing").textContent`, `() => undefinedName + 1`, `() => { throw new Error("no orders found") }`, `() => JSON.parse("{")`, `() => {`,
	`() => [...document.querySelectorAll("td")].map(d => d.offsetWidth)`, `() => Date.UTC(2026, 11, 1)`, `() => new Date(Date.UTC(2026, 11, 1))`, `() => [1, 2, 3].map(x => x * 1000)`,
}

var (
	// unsteady is what two runs differ in.
	unsteady = regexp.MustCompile(`(?m)^date: .*$`)
	// code is the section that Moiré has @playwright/mcp leave out, entries the link to
	// a file of console messages.
	code    = regexp.MustCompile("(?s)\n### Ran Playwright code\n```js\n.*?\n```")
	entries = regexp.MustCompile(`(?m)\n### Events\n- New console entries: .*$`)
)

func plain(s string) string {
	for _, re := range []*regexp.Regexp{unsteady, code, entries} {
		s = re.ReplaceAllString(s, "")
	}
	return s
}

// TestBenign: on a page that hides nothing the channels of debugging say what they
// would without Moiré.
func TestBenign(t *testing.T) {
	for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright} {
		t.Run(string(setup), func(t *testing.T) { benign(t, setup) })
	}
}

func benign(t *testing.T, setup harness.Setup) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	bed.Handle(host, "/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/orders":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `[1017,1018,1019]`)
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, open)
		default:
			http.NotFound(w, r)
		}
	}))
	a, b := harness.Start(t, setup, bed.ChromeArgs()), harness.StartBare(t, setup, bed.ChromeArgs())
	both := func(name string, args map[string]any) {
		t.Helper()
		want, got := b.Tool(name, args), a.Tool(name, args).Text()
		if strings.Contains(want, "net::ERR") || plain(got) != plain(want) {
			t.Errorf("%s %v differs:\n--- bare\n%s\n--- moire\n%s", name, args, want, got)
		}
	}
	b.Do(harness.Navigate, bed.URL(host, "/"))
	a.Do(harness.Navigate, bed.URL(host, "/"))
	time.Sleep(500 * time.Millisecond)
	for _, s := range asked {
		name, args := setup.Call(harness.Script, s)
		both(name, args)
	}
	if setup == harness.Isolated {
		both("list_network_requests", map[string]any{"pageId": 1, "pageSize": 3})
		both("list_network_requests", map[string]any{"pageId": 1, "resourceTypes": []string{"fetch"}, "pageSize": 2})
		both("list_console_messages", map[string]any{"pageId": 1, "types": []string{"log", "warn"}})
		return
	}
	both("browser_network_requests", map[string]any{"filter": "orders|none"})
	both("browser_console_messages", map[string]any{"level": "warning"})
	both("browser_network_request", map[string]any{"index": 1, "part": "response-headers"})
	both("browser_network_request", map[string]any{"index": 99})
}

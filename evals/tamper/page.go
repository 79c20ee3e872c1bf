// Package tamper holds pages that fight the scanner: they replace what it could
// call, clobber what it could read, hide in trees that no script can enter, and
// change what is seen while nothing seems to change. Each one succeeds against
// the bare upstream, which its test proves first; through Moiré what is hidden
// stays out and what is seen passes, or the read fails within its bound and
// says why, and the next page is read as if nothing had been.
package tamper

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

// Page is one site and what is done on it.
type Page struct {
	Name string
	// HTML is the page itself; More are further documents by path, and by
	// "//host/path" those of other hosts, in which %s is the page's name.
	HTML string
	More map[string]string
	// Serve adds handlers of the page's own.
	Serve func(bed *netbed.Bed, host string)
	// Do is what an agent does on the page; nil means Look.
	Do func(Agent)
	// Hidden must not be in what the last reads say, Shown must.
	Hidden, Shown []string
	// Raw is what the bare upstream says where that is not Hidden: the page
	// lies to it in another way.
	Raw []string
	// Fails is part of the answer where a read is refused.
	Fails string
	// Within bounds the reads; zero means thirty seconds.
	Within time.Duration
	// Blinds: a scanner in the page's world does not find the secret.
	Blinds bool
	// Slow pages take many seconds.
	Slow bool
	// Harmless pages lie to nobody: they only try to break the scan.
	Harmless bool
}

// Agent reads the page, through Moiré or not. What Read returns last is judged.
type Agent interface {
	// Do does something with the page's tab and returns what is said of it.
	Do(op harness.Op, value string) string
	// Read takes a snapshot and, where there is one, our own reading.
	Read()
	// Find is the id of the button of a name in the last snapshot, or "".
	Find(name string) string
}

// Look reads the page as it is when it has settled.
func Look(a Agent) { a.Read() }

// After reads the page until nothing new comes of it, changes it by a script of
// the page, and reads it again.
func After(script string) func(Agent) {
	return func(a Agent) {
		a.Read() // four looks, of which the last ones may be repeated
		run(a, script)
		a.Read()
	}
}

// run has the page run a script of its own, as if a timer of it did.
func run(a Agent, script string) {
	a.Do(harness.Script,
		fmt.Sprintf("() => new Promise(moireDone => setTimeout(() => { try { %s } finally { setTimeout(moireDone, 120) } }, 20))", script))
}

// Wait reads the page after a time.
func Wait(d time.Duration) func(Agent) {
	return func(a Agent) {
		time.Sleep(d)
		a.Read()
	}
}

// document is the page around a body.
func document(body string) string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Orders</title>` +
		`<style>body{font:16px/1.5 "Liberation Sans",Arial,sans-serif;color:#222;background:#fff;margin:16px}</style>` +
		`<body>` + body + `</body></html>`
}

// host is where a page is served.
func (p *Page) host() string { return p.Name + ".test" }

// serve puts the page on the test bed and returns its address.
func (p *Page) serve(bed *netbed.Bed) string {
	bed.Handle(p.host(), "GET /{$}", text(p.HTML))
	for path, html := range p.More {
		host := p.host()
		if rest, ok := strings.CutPrefix(path, "//"); ok {
			host, path, _ = strings.Cut(rest, "/")
			host, path = strings.ReplaceAll(host, "%s", p.Name), "/"+path
		}
		bed.Handle(host, "GET "+path, text(html))
	}
	if p.Serve != nil {
		p.Serve(bed, p.host())
	}
	return bed.URL(p.host(), "/")
}

func text(html string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, html)
	})
}

// click clicks the button of a name, if the last snapshot has it.
func click(a Agent, name string) {
	if id := a.Find(name); id != "" {
		a.Do(harness.Click, id)
	}
}

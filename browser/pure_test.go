//go:build linux || darwin

package browser

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

const purePage = `<!doctype html><title>Shop</title><style>.a{color:red} .bg.on{background:url(HIT/css)}</style><body style="height:3000px">
<h1 class="a b" id=h data-k=v>Head <b>bold</b></h1><a href="/x?q=1" id=l>link</a><p hidden>no</p>
<form id=f action="HIT/form"><input id=t value=text><input id=pw type=password value=s3cret><input type=hidden name=tok value=h1dden>
<select id=s><option value=1>one<option value=2 selected>two</select><input type=checkbox id=c checked><button id=b>go</button><button id=b2 onclick='fetch("HIT/inline")'></button></form>
<table id=tb><tr><th>A<th>B<tr><td>1<td>2</table><div id=sh></div><img id=im src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=pic><div class=bg>x</div>
<iframe id=i srcdoc="<p>inner</p><script>window.lent={n:3}</script><input type=hidden value=fsecret>"></iframe><video id=v></video><canvas id=cv></canvas>
<script>sh.attachShadow({mode:"open"}).innerHTML="<i>shade</i>"; window.app={n:1,list:[1,2],cb(){fetch("HIT/app")},get g(){fetch("HIT/getter");return 1}};
document.cookie="k=v"; localStorage.setItem("a","b"); h.addEventListener("click",()=>fetch("HIT/click")); let counter=0; window.bump=()=>++counter; window.readc=()=>counter;
let k=0; function inc(){ k++; app.m=k; return k } Object.defineProperty(app,"hot",{get(){ return inc() }}); function loop(){ let s=0; for(let i=0;i<2e6;i++) s+=app.hot; return s } loop();loop(); h.expando={z:1}; const lex=5;
window.later=()=>Promise.resolve().then(()=>fetch("HIT/later"));
customElements.define("x-e", class extends HTMLElement { get price(){return 7} });
</script><x-e id=xe></x-e></body>`

// pureState is what a script could change of the page.
const pureState = `[document.documentElement.outerHTML,document.cookie,history.length,location.href,document.activeElement.id,scrollY,counter,k,
Object.getOwnPropertyNames(window).length,localStorage.length,t.value,c.checked,s.selectedIndex,Object.getOwnPropertyNames(Array.prototype).length,
Object.keys(app),app.n,getSelection().rangeCount,document.styleSheets[0].cssRules.length,document.title,window.name,Object.keys(navigator).length].join("|")`

type pureSite struct {
	d       *driver
	session string
	frames  []*Frame
	hits    *atomic.Int64
	hit     string
}

func pureSetup(t *testing.T) *pureSite {
	t.Helper()
	p := &pureSite{hits: new(atomic.Int64)}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { p.hits.Add(1) }))
	t.Cleanup(srv.Close)
	p.hit = srv.URL
	url := site(t, map[string]string{"/": strings.ReplaceAll(purePage, "HIT", srv.URL)})
	p.d = start(t)
	var tab *Page
	p.session, tab = p.d.open(url + "/")
	var err error
	if p.frames, err = tab.Frames(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *pureSite) state() string {
	return p.d.call(p.session, "Runtime.evaluate", params{"expression": pureState}).Get("result.value").Str
}

// verdict is the JSON, undefined, impure, or the name of what was thrown.
func verdict(r PureResult, err error) string {
	var thrown *Thrown
	switch {
	case errors.Is(err, ErrImpure):
		return "impure"
	case errors.As(err, &thrown):
		return thrown.Name
	case err != nil:
		return err.Error()
	case r.JSON == nil:
		return "undefined"
	case r.Main:
		return "main " + string(r.JSON)
	}
	return string(r.JSON)
}

// Whatever a script is, it changes nothing, sends nothing, and leaves nothing that
// runs later; testdata tells what each comes to.
func TestPureChangesNothing(t *testing.T) {
	list, err := os.ReadFile("testdata/pure.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := pureSetup(t)
	p.d.call(p.session, "Debugger.enable", params{}) // a debugger statement must not stop the page
	before := p.state()
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		want, script, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("testdata: %q", line)
		}
		got := verdict(p.frames[0].RunPure(t.Context(), strings.ReplaceAll(script, "HIT", p.hit), nil, PureLimits{}))
		if got != want {
			t.Errorf("%s: %s, want %s", script, got, want)
		}
		if now := p.state(); now != before {
			t.Errorf("%s changes the page", script)
			before = now
		}
		if n := p.hits.Swap(0); n > 0 {
			t.Errorf("%s, or one before it, sends %d requests", script, n)
		}
	}
	time.Sleep(500 * time.Millisecond)
	if n := p.hits.Load(); n > 0 || p.state() != before {
		t.Errorf("later there are %d requests, and changed is %v", n, p.state() != before)
	}
}

// Elements are the script's arguments, in either world's frame.
func TestPureElements(t *testing.T) {
	p := pureSetup(t)
	node := func(session, expression string) Node {
		object := p.d.call(session, "Runtime.evaluate", params{"expression": expression}).Get("result.objectId").Str
		id := p.d.call(session, "DOM.describeNode", params{"objectId": object}).Get("node.backendNodeId").Int()
		return Node{backend: cdp.BackendNodeID(id)}
	}
	h, l := node(p.session, "h"), node(p.session, "l")
	got := verdict(p.frames[0].RunPure(t.Context(), "(a, b) => a.id + b.textContent", []Node{h, l}, PureLimits{}))
	if got != `"hlink"` {
		t.Errorf("got %s", got)
	}
	if got := verdict(p.frames[0].RunPure(t.Context(), "a => a.click()", []Node{h}, PureLimits{})); got != "impure" || p.hits.Load() > 0 {
		t.Errorf("a click is %s", got)
	}
	if got := verdict(p.frames[1].RunPure(t.Context(), "() => [1].map(() => lent.n)", nil, PureLimits{})); got != "impure" {
		t.Errorf("more than a path in the page's own world: %s", got)
	}
	if got := verdict(p.frames[1].RunPure(t.Context(), "() => lent.n", nil, PureLimits{})); got != "main 3" {
		t.Errorf("a frame's own object: %s", got)
	}
	if got := verdict(p.frames[0].RunPure(t.Context(), "() => app.n", nil, PureLimits{Isolated: true})); got != "impure" {
		t.Errorf("the page's own object, in our world only: %s", got)
	}
}

// What a page puts in the place of JSON.stringify is not called.
func TestPureTampered(t *testing.T) {
	for _, with := range []string{`()=>"1"`, `function stringify(){return "1"}`, `new Proxy(JSON.stringify,{apply(){return "1"}})`,
		`JSON.stringify.bind(JSON)`, `Object.defineProperty(String.raw,"name",{value:"stringify"})`, `Object.assign(()=>"1",{toString:()=>"function stringify() { [native code] }"})`} {
		t.Run(with, func(t *testing.T) {
			d := start(t)
			_, tab := d.open(site(t, map[string]string{"/": `<p>x</p><script>window.app={n:1};JSON.stringify=` + with +
				`;Function.prototype.toString=()=>"function stringify() { [native code] }"</script>`}) + "/")
			frames, err := tab.Frames(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := verdict(frames[0].RunPure(t.Context(), "() => app.n", nil, PureLimits{})); got != "impure" {
				t.Errorf("got %s", got)
			}
			if got := verdict(frames[0].RunPure(t.Context(), "() => document.querySelector('p').innerText", nil, PureLimits{})); got != `"x"` {
				t.Errorf("in our world: %s", got)
			}
		})
	}
}

// A script that spends time or memory is ended, and the page goes on.
func TestPureSpends(t *testing.T) {
	d := start(t)
	_, tab := d.open(site(t, map[string]string{"/": "<p>x</p>"}) + "/")
	frames, err := tab.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{`() => { for(;;); }`, `() => "x".repeat(2**29-30).split("").length`, `() => { let s="x"; while(s.length<2**28) s+=s; return s.split("") }`,
		`() => { const a=[]; for(;;) a.push(new Array(1e6).fill(1.5)) }`, `() => Array.from({length:2**28}).length`, `() => new Array(2**27).fill(0).length`,
		`() => Array.prototype.indexOf.call({length: 2**53-1}, 1)`, `() => { const a=[]; for(let i=0;i<1e4;i++) a.push(new Uint8Array(1e8)); return 1 }`} {
		begin := time.Now()
		if got := verdict(frames[0].RunPure(t.Context(), script, nil, PureLimits{})); got != "impure" {
			t.Errorf("%s: %s", script, got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if got, err := frames[0].Run(ctx, "0", "() => document.querySelector('p').textContent", nil, nil); got != "x" {
			t.Fatalf("%s: the page is gone: %v", script, err)
		}
		cancel()
		if took := time.Since(begin); took > 4*time.Second {
			t.Errorf("%s takes %v", script, took)
		}
	}
	if got := verdict(frames[0].RunPure(t.Context(), `() => "x".repeat(100)`, nil, PureLimits{Bytes: 50})); got != "impure" {
		t.Errorf("an answer that is too long: %.20s", got)
	}
}

// Firefox has no such check.
func TestPureFirefox(t *testing.T) {
	if _, err := (&bidiTab{}).pure(t.Context(), nil, "() => 1", nil, PureLimits{}); !errors.Is(err, ErrImpure) {
		t.Error(err)
	}
}

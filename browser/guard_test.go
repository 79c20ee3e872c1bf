//go:build linux || darwin

package browser

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// inputs collects the guard's reports.
type inputs struct {
	mu   sync.Mutex
	list []Input
}

func (c *inputs) wait(t *testing.T, kind string) Input {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		for i, in := range c.list {
			if in.Type == kind {
				c.list = append([]Input{}, c.list[i+1:]...)
				c.mu.Unlock()
				return in
			}
		}
		c.mu.Unlock()
	}
	t.Fatalf("no %s is reported", kind)
	return Input{}
}

const guarded = `data:text/html,<body style="margin:0"><form action="https://shop.example/pay" method="post">` +
	`<button id=b style="position:absolute;left:0;top:0;width:100px;height:40px">Save</button></form>` +
	`<script>onpointerdown=onmousedown=onclick=e=>{e.stopImmediatePropagation();e.preventDefault()};` +
	`addEventListener('click',e=>{window.got=(window.got||0)+1},true);window.moireGuard=window.addEventListener=null</script>`

// A click of the upstream and one of a person are told with their target's
// facts, and told apart; what the page stops has been seen before.
func TestGuardReports(t *testing.T) {
	d := start(t)
	var got inputs
	s, p := d.open(guarded)
	d.pages().OnInput(func(_ *Page, in Input) {
		got.mu.Lock()
		defer got.mu.Unlock()
		got.list = append(got.list, in)
	})
	click := func(send func(kind string)) Input {
		send("mousePressed")
		send("mouseReleased")
		return got.wait(t, "click")
	}
	in := click(func(kind string) {
		d.call(s, "Input.dispatchMouseEvent", params{"type": kind, "x": 20, "y": 20, "button": "left", "clickCount": 1})
	})
	want := Input{By: ByUpstream, Type: "click", X: 20, Y: 20, Tag: "button", Role: "button",
		Action: "https://shop.example/pay", Method: "post"}
	if in != want {
		t.Errorf("the upstream's click is %+v, want %+v", in, want)
	}
	time.Sleep(2 * handGrace)
	// Not on the upstream's side of the wire: a hand of somebody else.
	in = click(func(kind string) {
		err := p.tab.(*cdpTab).session.Call(t.Context(), "Input.dispatchMouseEvent",
			params{"type": kind, "x": 20, "y": 20, "button": "left", "clickCount": 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
	})
	if want.By = ByPerson; in != want {
		t.Errorf("the person's click is %+v, want %+v", in, want)
	}
	if n := d.call(s, "Runtime.evaluate", params{"expression": "window.got"}).Get("result.value").Int(); n != 2 {
		t.Errorf("the page got %d of 2 clicks: the guard must not hinder", n)
	}
}

// Keys are told by kind, never by what they write; a page's own events are not
// trusted, and not told.
func TestGuardTellsKindsOfKeys(t *testing.T) {
	d := start(t)
	var got inputs
	s, _ := d.open(`data:text/html,<input id=i type=password autofocus>`)
	d.pages().OnInput(func(_ *Page, in Input) {
		got.mu.Lock()
		defer got.mu.Unlock()
		got.list = append(got.list, in)
	})
	d.call(s, "Runtime.evaluate", params{"expression": "i.focus();i.click()"})
	d.call(s, "Input.dispatchKeyEvent", params{"type": "keyDown", "key": "s", "text": "s"})
	in := got.wait(t, "keydown")
	want := Input{By: ByUpstream, Type: "keydown", X: -1, Y: -1, Key: "character", Tag: "input", Role: "textbox", Field: "password", Editable: false}
	if in != want {
		t.Errorf("the key is %+v, want %+v", in, want)
	}
	got.mu.Lock()
	defer got.mu.Unlock()
	for _, in := range got.list {
		if in.Type == "click" {
			t.Error("a click that the page made itself is told")
		}
	}
}

// Frames have the guard from their start as well, those of another origin too.
func TestGuardInFrames(t *testing.T) {
	d := start(t)
	var got inputs
	s, _ := d.open(`data:text/html,<body style="margin:0"><iframe style="border:0;width:300px;height:200px" srcdoc="<body style='margin:0'><a href='https://x.example/' style='display:block;height:200px'>go</a>"></iframe>`)
	d.pages().OnInput(func(_ *Page, in Input) {
		got.mu.Lock()
		defer got.mu.Unlock()
		got.list = append(got.list, in)
	})
	d.call(s, "Input.dispatchMouseEvent", params{"type": "mousePressed", "x": 50, "y": 50, "button": "left", "clickCount": 1})
	if in := got.wait(t, "mousedown"); in.Tag != "a" || in.Link != "https://x.example/" || in.By != ByUpstream {
		t.Errorf("in a frame: %+v", in)
	}
}

// Documents that come from the net have the guard from their start, also in a
// process of their own. Those of srcdoc are not held back by browsers; when the
// guard came late there, that is known.
func TestGuardedDocumentsAreKnown(t *testing.T) {
	var port string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>%s</p>", r.URL.Path)
		if r.URL.Path == "/main" {
			fmt.Fprintf(w, `<iframe src="/own"></iframe><iframe src="http://b.test:%s/other"></iframe>
<iframe sandbox=allow-scripts src="/sandboxed"></iframe><iframe sandbox srcdoc="<p>srcdoc</p>"></iframe>`, port)
		}
	}))
	defer srv.Close()
	port = srv.URL[strings.LastIndexByte(srv.URL, ':')+1:]
	d := start(t, "--host-resolver-rules=MAP *.test 127.0.0.1")
	_, p := d.open("http://a.test:" + port + "/main")
	frames, err := p.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, f := range frames {
		name, err := f.Run(t.Context(), "0", "() => document.querySelector('p').firstChild.data", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		fromStart, guarded, err := f.Guarded(t.Context())
		if err != nil || !guarded {
			t.Errorf("%s has no guard: %v", name, err)
		}
		got[name] = fromStart
	}
	for _, name := range []string{"/main", "/own", "/other", "/sandboxed"} {
		if !got[name] {
			t.Errorf("the guard is not in %s from its start: %v", name, got)
		}
	}
}

// Tabs that a page opens, in its own process or in a new one, are not held up
// and have the guard.
func TestGuardInNewTabs(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<p>%s</p><a id=a href=/linked target=_blank>link</a>`, r.URL.Path)
	}))
	defer srv.Close()
	d := start(t)
	s, first := d.open(srv.URL + "/first")
	begin := time.Now()
	for _, open := range []string{"window.open('/opened')", "a.click()"} { // one tab for each gesture
		d.call(s, "Runtime.evaluate", params{"expression": open, "userGesture": true})
	}
	got := map[string]bool{}
	for end := begin.Add(10 * time.Second); time.Now().Before(end) && len(got) < 2; time.Sleep(20 * time.Millisecond) {
		d.pages().mu.Lock()
		tabs := slices.Collect(maps.Values(d.pages().byTarget))
		d.pages().mu.Unlock()
		for _, p := range tabs {
			frames, err := p.Frames(t.Context())
			if err != nil || p.Page == first {
				continue
			}
			name, err := frames[0].Run(t.Context(), "0", "() => document.readyState == 'complete' ? document.querySelector('p').textContent : ''", nil, nil)
			if err != nil || name == "" {
				continue
			}
			// Only soon, where the document took over the window of the first.
			if fromStart, guarded, _ := frames[0].Guarded(t.Context()); guarded {
				got[name] = fromStart
			}
		}
	}
	if want := (map[string]bool{"/opened": false, "/linked": true}); !maps.Equal(got, want) {
		t.Errorf("guarded, and from their start: %v, want %v", got, want)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("they took %v", d)
	}
}

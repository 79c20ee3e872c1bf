//go:build linux || darwin

package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func TestMain(m *testing.M) {
	if IsShim(os.Args[0]) {
		os.Exit(RunShim(os.Args, os.Stderr))
	}
	os.Exit(m.Run())
}

func chromium(t *testing.T) string {
	t.Helper()
	return program(t, "browser", "MOIRE_TEST_BROWSER", "/usr/bin/chromium")
}

// program is the path in a variable of the environment, or the usual one.
func program(t *testing.T, part, variable, usual string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		path = usual
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no browser at %s: run scripts/setup %s, or set %s", path, part, variable)
	}
	return path
}

// profile is a directory for a browser's profile. Processes of a browser that was
// killed may write to it a little longer.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "moire-profile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { eventually(t, "the profile is removed", func() bool { return os.RemoveAll(dir) == nil }) })
	return dir
}

// driver plays an upstream: it starts the shim as its browser.
type driver struct {
	t     *testing.T
	host  *Host
	pages func() *Pages
	// session is the upstream's on the last tab opened.
	session string
	cmd     *exec.Cmd
	in      io.WriteCloser
	next    int64
	mu      sync.Mutex
	wait    waiters
	events  []gjson.Result
	ended   chan struct{}
}

type waiters map[int64]chan gjson.Result

func start(t *testing.T, extra ...string) *driver {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHost(HostConfig{Self: self, Browser: chromium(t), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--disable-quic", "--disable-component-update", "--disable-sync", "--no-first-run", "--user-data-dir=" + profile(t)}, extra...)
	d := &driver{t: t, host: h, cmd: exec.Command(h.Path(), append(args, "about:blank")...), in: in,
		wait: waiters{}, pages: func() *Pages { p, _ := h.Tabs().(*Pages); return p }, ended: make(chan struct{})}
	d.cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = toBrowser.Close(), fromBrowser.Close()
	go d.read(out)
	t.Cleanup(func() {
		_ = in.Close()
		waited := make(chan struct{})
		go func() { _ = d.cmd.Wait(); close(waited) }()
		select {
		case <-waited:
		case <-time.After(20 * time.Second):
			t.Error("the browser goes on after its upstream is gone")
			_ = d.cmd.Process.Kill()
			<-waited
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *driver) read(out io.ReadCloser) {
	defer close(d.ended)
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		frame, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		m := gjson.ParseBytes(frame[:len(frame)-1])
		d.mu.Lock()
		if c := d.wait[m.Get("id").Int()]; m.Get("id").Exists() && c != nil {
			c <- m
		} else {
			d.events = append(d.events, m)
		}
		d.mu.Unlock()
	}
}

// call is a command of the upstream; session may be empty.
func (d *driver) call(session, method string, params any) gjson.Result {
	d.t.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		d.t.Fatal(err)
	}
	c := make(chan gjson.Result, 1)
	d.mu.Lock()
	d.next++
	id := d.next
	d.wait[id] = c
	d.mu.Unlock()
	tail := ""
	if session != "" {
		tail = fmt.Sprintf(`,"sessionId":%q`, session)
	}
	if _, err := fmt.Fprintf(d.in, "{\"method\":%q,\"params\":%s,\"id\":%d%s}\x00", method, body, id, tail); err != nil {
		d.t.Fatal(err)
	}
	select {
	case m := <-c:
		return m.Get("result")
	case <-time.After(30 * time.Second):
		d.t.Fatalf("%s: no answer", method)
		panic("unreachable")
	}
}

type params map[string]any

// open makes a tab as puppeteer does and returns the upstream's session on it
// and our page.
func (d *driver) open(url string) (string, *Page) {
	d.t.Helper()
	id := d.call("", "Target.createTarget", params{"url": "about:blank"}).Get("targetId").Str
	s := d.call("", "Target.attachToTarget", params{"targetId": id, "flatten": true}).Get("sessionId").Str
	d.session = s
	d.call(s, "Page.enable", params{})
	d.call(s, "Page.navigate", params{"url": url})
	d.loaded(s)
	p, err := d.pages().Find(d.t.Context(), func(_ context.Context, mark string) error {
		d.call(s, "Runtime.evaluate", params{"expression": "/*" + mark + "*/1"})
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	if target := p.tab.(*cdpTab).target; string(target) != id {
		d.t.Fatalf("found target %s, want %s", target, id)
	}
	return s, p
}

func (d *driver) loaded(session string) {
	d.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if d.call(session, "Runtime.evaluate", params{"expression": "document.readyState+location.href"}).Get("result.value").Str != "completeabout:blank" {
			if d.call(session, "Runtime.evaluate", params{"expression": "document.readyState"}).Get("result.value").Str == "complete" {
				return
			}
		}
	}
	d.t.Fatal("the page does not load")
}

// read returns what an expression is in our world of the main frame.
func read(t *testing.T, p *Page, expression string) string {
	t.Helper()
	frames, err := p.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := frames[0].Run(t.Context(), "0", "() => String("+expression+")", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A page overwrites what a scan would use: in our world all is as it was.
func TestWorldIsIsolated(t *testing.T) {
	d := start(t)
	s, p := d.open(`data:text/html,<p>seen</p><script>JSON.stringify=()=>'lied';Object.defineProperty(Node.prototype,'textContent',{get:()=>'lied'})</script>`)
	const expression = `JSON.stringify(document.querySelector('p').textContent)`
	if got := d.call(s, "Runtime.evaluate", params{"expression": expression}).Get("result.value").Str; got != "lied" {
		t.Errorf("the page does not lie to its own world: %q", got)
	}
	if got := read(t, p, expression); got != `"seen"` {
		t.Errorf("our world reads %q", got)
	}
}

// The upstream sees the events and targets it would see without us.
func TestRelayIsTransparent(t *testing.T) {
	d := start(t)
	d.call("", "Target.setDiscoverTargets", params{"discover": true})
	_, p := d.open("data:text/html,<p>one</p>")
	read(t, p, "1")
	d.mu.Lock()
	defer d.mu.Unlock()
	attached := 0
	for _, e := range d.events {
		if e.Get("method").Str == "Target.attachedToTarget" {
			attached++
		}
		if e.Get("id").Exists() {
			t.Errorf("an answer that was not asked for reaches the upstream: %.80s", e.Raw)
		}
		for _, s := range d.pages().wire.sessions {
			if strings.Contains(e.Raw, s.id) {
				t.Errorf("our session shows to the upstream: %s", e.Get("method"))
			}
		}
	}
	if attached != 1 {
		t.Errorf("the upstream saw %d attachments, made one", attached)
	}
}

// Two tabs with the same address and title are told apart by the wire.
func TestTwinTabsAreTold(t *testing.T) {
	d := start(t)
	const url = "data:text/html,<title>Twin</title><p id=p>same</p>"
	s1, p1 := d.open(url)
	_, p2 := d.open(url)
	if p1 == p2 {
		t.Fatal("both are taken for one")
	}
	d.call(s1, "Runtime.evaluate", params{"expression": "p.textContent='changed'"})
	if got := read(t, p1, "document.body.textContent") + "/" + read(t, p2, "document.body.textContent"); got != "changed/same" {
		t.Errorf("read %q", got)
	}
}

func TestDialogEndsARun(t *testing.T) {
	d := start(t)
	s, p := d.open("data:text/html,<p>one</p>")
	d.call(s, "Runtime.evaluate", params{"expression": "setTimeout(()=>alert('x'),50)"})
	deadline := time.Now().Add(10 * time.Second)
	for {
		frames, err := p.Frames(t.Context())
		if err == nil {
			_, err = frames[0].Run(t.Context(), "0", "() => '1'", nil, nil)
		}
		if err != nil {
			if !strings.Contains(err.Error(), ErrDialog.Error()) {
				t.Fatal(err)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no dialog is noticed")
		}
	}
	d.call(s, "Page.handleJavaScriptDialog", params{"accept": true})
	for time.Now().Before(deadline) {
		if frames, err := p.Frames(t.Context()); err == nil {
			if got, err := frames[0].Run(t.Context(), "0", "() => '2'", nil, nil); err == nil && got == "2" {
				return
			}
		}
	}
	t.Error("the tab stays blocked after the dialog is answered")
}

func TestClosedRootsAndFrames(t *testing.T) {
	d := start(t)
	_, p := d.open(`data:text/html,<div id=h></div><iframe srcdoc='<div id=i></div><script>i.attachShadow({mode:"closed"}).innerHTML="<b>inner</b>"</script>'></iframe><script>h.attachShadow({mode:"closed"}).innerHTML="<b>outer</b>"</script>`)
	frames, err := p.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(frames) != 2 || frames[1].Parent != frames[0] {
		t.Fatalf("%d frames, want the main one and its child", len(frames))
	}
	roots, err := frames[0].ClosedRoots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if len(roots[f.ID]) != 1 {
			t.Fatalf("found %d closed roots in a frame that has one", len(roots[f.ID]))
		}
	}
	got, err := frames[0].Run(t.Context(), "0", "(owner, root) => owner.localName + root.textContent", frames[1:], roots[frames[0].ID])
	if err != nil || got != "iframeouter" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestBrowserDeath(t *testing.T) {
	d := start(t)
	_, p := d.open("data:text/html,<p>one</p>")
	wire := d.pages().wire
	_ = d.cmd.Process.Kill()
	select {
	case <-wire.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("the wire does not notice")
	}
	if _, err := p.Frames(t.Context()); err == nil {
		t.Error("a dead browser answers")
	}
	if d.host.Tabs() != nil {
		t.Error("the host still shows the tabs of a dead browser")
	}
}

// A base that is missing, or too long for a socket's path, is passed over.
func TestMakeDir(t *testing.T) {
	good, err := os.MkdirTemp("/tmp", "moire-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(good)
	long := filepath.Join(good, strings.Repeat("x", maxBase))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := makeDir(long, filepath.Join(good, "missing"), good)
	if err != nil || filepath.Dir(dir.Path()) != good {
		t.Fatalf("made %v, %v", dir, err)
	}
	_ = dir.Close()
	if _, err := makeDir(long); err == nil {
		t.Error("a directory is made where no socket can be")
	}
}

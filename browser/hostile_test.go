//go:build linux || darwin

package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// site serves pages by path; HOST in them is the same site under another name,
// which the browser keeps in a process of its own.
func site(t *testing.T, pages map[string]string) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		other := "http://localhost" + r.Host[strings.LastIndexByte(r.Host, ':'):]
		fmt.Fprint(w, strings.ReplaceAll(pages[r.URL.Path], "HOST", other))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// eventually waits for what has to become true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if f() {
			return
		}
	}
	t.Fatal("in ten seconds not: " + what)
}

// One line of a page makes an event that can't be held: it is dropped, and the
// browser goes on.
func TestEventTooLong(t *testing.T) {
	d := start(t)
	s, p := d.open("data:text/html,<p>still here</p>")
	d.call(s, "Runtime.evaluate", params{"expression": fmt.Sprintf("console.log('x'.repeat(%d))", MaxFrame+1<<20)})
	if got := read(t, p, "document.querySelector('p').textContent"); got != "still here" {
		t.Errorf("read %q", got)
	}
	if err := d.pages().wire.Err(); err != nil {
		t.Errorf("the wire ended: %v", err)
	}
}

// A frame's process that dies takes only its own text along, and comes back.
func TestSubframeCrash(t *testing.T) {
	d := start(t, "--site-per-process")
	url := site(t, map[string]string{"/": `<p>main</p><iframe id=f src="HOST/frame"></iframe>`, "/frame": "<p>frame</p>"})
	s, p := d.open(url + "/")
	count := func() int {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		frames, err := p.Frames(ctx)
		if err != nil {
			t.Fatalf("the tab can't be read: %v", err)
		}
		return len(frames)
	}
	eventually(t, "the frame is there", func() bool { return count() == 2 })
	tab := p.tab.(*cdpTab)
	p.mu.Lock()
	for _, root := range tab.roots {
		if root != tab.session {
			_ = root.Send(t.Context(), "Page.crash", nil)
		}
	}
	p.mu.Unlock()
	eventually(t, "the frame is gone", func() bool { return count() == 1 })
	if got := read(t, p, "document.querySelector('p').textContent"); got != "main" {
		t.Errorf("read %q", got)
	}
	d.call(s, "Runtime.evaluate", params{"expression": "f.src=f.src"})
	eventually(t, "the frame is back", func() bool { return count() == 2 })
}

// A browser that does not read holds up no call beyond its time.
func TestStoppedBrowser(t *testing.T) {
	d := start(t)
	_, p := d.open("data:text/html,<p>one</p>")
	pid := d.cmd.Process.Pid
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	long := "/*" + strings.Repeat("x", 1<<20) + "*/0"
	for range maxWaiting + 4 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		begin := time.Now()
		err := p.tab.(*cdpTab).session.Call(ctx, "Runtime.evaluate", params{"expression": long}, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 5*time.Second {
			t.Fatalf("a call of 50 ms ends after %v with %v", time.Since(begin), err)
		}
	}
}

// A document that comes back from the browser's keeping is not taken for one
// that never went: its names are the same, the count is not.
func TestComingBackCounts(t *testing.T) {
	d := start(t)
	url := site(t, map[string]string{"/a": "<p>a</p>", "/b": "<p>b</p>"})
	s, p := d.open(url + "/a")
	before := p.Navigations()
	d.call(s, "Page.navigate", params{"url": strings.Replace(url, "127.0.0.1", "localhost", 1) + "/b"})
	d.loaded(s)
	d.call(s, "Runtime.evaluate", params{"expression": "history.back()"})
	eventually(t, "it is back", func() bool { return read(t, p, "location.pathname") == "/a" })
	if got := p.Navigations() - before; got < 2 {
		t.Errorf("there and back count as %d", got)
	}
}

// The upstream's hand in a frame of another process is the upstream's, and what
// a page does by script is no person's.
func TestWhoseHand(t *testing.T) {
	d := start(t, "--site-per-process")
	url := site(t, map[string]string{
		"/":      `<p>main</p><form id=m onsubmit="return false"><input id=x></form><iframe src="HOST/frame"></iframe>`,
		"/frame": `<p>frame</p><input type=file id=f>`})
	s, _ := d.open(url + "/")
	var got inputs
	d.pages().OnInput(func(_ *Page, in Input) {
		got.mu.Lock()
		defer got.mu.Unlock()
		got.list = append(got.list, in)
	})
	d.call(s, "Runtime.evaluate", params{"expression": "m.requestSubmit()"})
	if in := got.wait(t, "submit"); in.By != ByPage {
		t.Errorf("a script's submit is the %s's", in.By)
	}
	d.call(s, "Target.setAutoAttach", params{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	child := ""
	eventually(t, "the upstream is in the frame", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, e := range d.events {
			if e.Get("method").Str == "Target.attachedToTarget" && e.Get("params.targetInfo.type").Str == "iframe" {
				child = e.Get("params.sessionId").Str
			}
		}
		return child != ""
	})
	file := filepath.Join(t.TempDir(), "upload")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	input := d.call(child, "Runtime.evaluate", params{"expression": "f"}).Get("result.objectId").Str
	d.call(child, "DOM.setFileInputFiles", params{"files": []string{file}, "objectId": input})
	if in := got.wait(t, "change"); in.By != ByUpstream {
		t.Errorf("the upstream's upload in a frame is the %s's", in.By)
	}
}

// A relay serves one upstream; a second is refused, and Close ends the first.
func TestRelayServesOne(t *testing.T) {
	profile := running(t)
	r, err := NewRelay(RelayConfig{Endpoint: ActivePort(profile), Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := websocket.Dial(t.Context(), r.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer first.CloseNow()
	eventually(t, "the first is served", func() bool { return r.Tabs() != nil })
	if _, answer, err := websocket.Dial(t.Context(), r.URL(), nil); err == nil || answer.StatusCode != http.StatusConflict {
		t.Errorf("a second upstream: %v", err)
	}
	wire := r.Tabs().(*Pages).wire
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if wire.Err() == nil {
		t.Error("the wire goes on after Close")
	}
}

//go:build linux || darwin

package browser

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"
)

func firefox(t *testing.T) string {
	t.Helper()
	return program(t, "firefox", "MOIRE_TEST_FIREFOX", "/usr/bin/firefox-esr")
}

// quietly are the preferences of a Firefox that calls nobody.
const quietly = `user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("remote.prefs.recommended", true);
user_pref("toolkit.telemetry.enabled", false);
`

// fox plays an upstream of Firefox's.
type fox struct {
	*driver
	bidi *bidi
	// address is what the browser seems to listen on; said is the rest of what it
	// says.
	address string
	said    *bytes.Buffer
}

// startFox starts the shim as Playwright does and reads the announcement.
func startFox(t *testing.T) *fox {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHost(HostConfig{Self: self, Browser: firefox(t), World: "upstreams_world_", Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	dir := profile(t)
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(quietly), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &fox{driver: &driver{t: t, host: h, wait: waiters{}, ended: make(chan struct{}),
		cmd: exec.Command(h.Path(), "--remote-debugging-port=0", "--headless", "--profile", dir)}, said: &bytes.Buffer{}}
	f.cmd.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+dir)
	out, err := f.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.cmd.Process.Kill()
		_ = f.cmd.Wait()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Dir(h.Path())); !os.IsNotExist(err) {
			t.Errorf("the shim's directory is left: %v", err)
		}
	})
	r := bufio.NewReader(out)
	for f.address == "" {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("the browser announces nothing: %v\n%s", err, f.said)
		}
		if m := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)\n$`).FindStringSubmatch(line); m != nil {
			f.address = m[1]
		} else {
			f.said.WriteString(line)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return f
}

// connect opens the session and asks for events as Playwright does.
func (f *fox) connect() *fox {
	f.t.Helper()
	c, _, err := websocket.Dial(f.t.Context(), f.address+"/session", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	c.SetReadLimit(MaxFrame)
	f.in = &socketWriter{c: c}
	go f.read(&socketReader{c: c})
	f.call("", "session.new", params{"capabilities": params{"alwaysMatch": params{"unhandledPromptBehavior": params{"default": "ignore"}}}})
	f.call("", "session.subscribe", params{"events": []string{"browsingContext", "network", "log", "script", "input"}})
	eventually(f.t, "the host shows the browser", func() bool { return f.host.Tabs() != nil })
	f.bidi = f.host.Tabs().(*bidi)
	return f
}

// open makes a tab and returns its context and our page.
func (f *fox) open(url string) (string, *Page) {
	f.t.Helper()
	id := f.call("", "browsingContext.create", params{"type": "tab"}).Get("context").Str
	f.navigate(id, url)
	p, err := f.bidi.Find(f.t.Context(), func(_ context.Context, mark string) error {
		f.eval(id, "", "'"+mark+"'")
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	if got := p.tab.(*bidiTab).id; got != id {
		f.t.Fatalf("found context %s, want %s", got, id)
	}
	return id, p
}

func (f *fox) navigate(id, url string) {
	f.t.Helper()
	f.call("", "browsingContext.navigate", params{"context": id, "url": url, "wait": "complete"})
}

// eval runs an expression of the upstream's, in the page or in a sandbox.
func (f *fox) eval(id, sandbox, expression string) gjson.Result {
	f.t.Helper()
	target := params{"context": id}
	if sandbox != "" {
		target["sandbox"] = sandbox
	}
	return f.call("", "script.evaluate", params{"expression": expression, "target": target, "awaitPromise": false})
}

const prelude = `if (!Object.hasOwn(globalThis, "moire")) Object.defineProperty(globalThis, "moire", {value: 1})`

// ask runs a function of ours in a document.
func ask(t *testing.T, f *Frame, function string, owners []*Frame, roots []Node) string {
	t.Helper()
	out, err := f.Run(t.Context(), prelude, function, owners, roots)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func framesOf(t *testing.T, p *Page) []*Frame {
	t.Helper()
	frames, err := p.Frames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

func TestFirefoxAnnouncement(t *testing.T) {
	f := startFox(t)
	if !regexp.MustCompile(`^ws://127\.0\.0\.1:\d+/[0-9a-f]{32}$`).MatchString(f.address) {
		t.Errorf("it announces %q", f.address)
	}
	for name, address := range map[string]string{"no token": f.address[:strings.LastIndex(f.address, "/")], "another": f.address[:len(f.address)-1] + "x"} {
		if _, answer, err := websocket.Dial(t.Context(), address+"/session", nil); err == nil || answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := websocket.Dial(t.Context(), f.address+"/session", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://shop.example"}}}); err == nil {
		t.Error("a page can connect")
	}
	f.connect()
	if c, _, err := websocket.Dial(t.Context(), f.address+"/session", nil); err == nil {
		if _, _, err := c.Read(t.Context()); err == nil {
			t.Error("a second upstream is served")
		}
	}
}

// What we ask and are answered never shows to the upstream; two tabs of one
// address are told apart.
func TestFirefoxOwnCommands(t *testing.T) {
	f := startFox(t).connect()
	const url = "data:text/html,<title>Twin</title><p id=p>same</p>"
	one, p1 := f.open(url)
	_, p2 := f.open(url)
	f.eval(one, "", "document.getElementById('p').textContent = 'first'; 1")
	for p, want := range map[*Page]string{p1: "first", p2: "same"} {
		if got := ask(t, framesOf(t, p)[0], "() => document.querySelector('p').textContent", nil, nil); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.events {
		if e.Get("id").Exists() {
			t.Errorf("an answer that was not asked for reaches the upstream: %.80s", e.Raw)
		}
	}
}

// A page that replaces built-ins and clobbers names deceives no script of ours.
func TestFirefoxSandbox(t *testing.T) {
	f := startFox(t).connect()
	url := site(t, map[string]string{"/": `<form id=moire name=moire><input name=firstChild></form><p style="opacity:0">x</p><script>
JSON.stringify=()=>'lied';String.prototype.concat=()=>'lied';window.getComputedStyle=()=>({opacity:'1'});Object.hasOwn=()=>true;
Array.prototype.join=()=>'lied';globalThis.moire={};</script>`})
	id, p := f.open(url + "/")
	frame := framesOf(t, p)[0]
	got := ask(t, frame, `() => JSON.stringify([getComputedStyle(document.querySelector("p")).opacity, [1, 2].join("-")])`, nil, nil)
	if want := `["0","1-2"]`; got != want {
		t.Errorf("it says %s, want %s", got, want)
	}
	// Where the upstream has a world of its own, its names are found.
	f.eval(id, "upstreams_world_1", "document.querySelector('p')._name = 'e1'; 1")
	if got := ask(t, frame, `() => String(document.querySelector("p")._name)`, nil, nil); got != "e1" {
		t.Errorf("the upstream's name is %q", got)
	}
	f.eval(id, "", "document.querySelector('p')._name = 'forged'; 1")
	if got := ask(t, frame, `() => String(document.querySelector("p")._name)`, nil, nil); got != "e1" {
		t.Errorf("a page's name is taken for the upstream's: %q", got)
	}
	for _, function := range []string{"() => { throw new Error('secret words') }", "() => 1", "() => null", "syntax error ("} {
		if out, err := frame.Run(t.Context(), prelude, function, nil, nil); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s = %q, %v", function, out, err)
		}
	}
}

// Documents of frames, whatever their origin, are reached with the elements that
// hold them, and closed shadow trees too.
func TestFirefoxFramesAndRoots(t *testing.T) {
	f := startFox(t).connect()
	url := site(t, map[string]string{"/": `<p>main</p><iframe id=a srcdoc="<p>same</p>"></iframe><iframe id=b src="HOST/frame"></iframe><div id=h></div>
<script>h.attachShadow({mode:'closed'}).innerHTML='<p>closed</p>'</script>`, "/frame": "<p>foreign</p>"})
	_, p := f.open(url + "/")
	frames := framesOf(t, p)
	if len(frames) != 3 || frames[0].Parent != nil || frames[1].Parent != frames[0] || frames[2].Parent != frames[0] {
		t.Fatalf("frames %+v", frames)
	}
	got := ask(t, frames[0], `(...a) => a.map((e) => e.id).join()`, frames[1:], nil)
	if got != "a,b" {
		t.Errorf("the frames' elements are %s", got)
	}
	for i, want := range []string{"main", "same", "foreign"} {
		if !frames[i].Apart {
			t.Errorf("frame %d is not apart", i)
		}
		if got := ask(t, frames[i], "() => document.querySelector('p').textContent", nil, nil); got != want {
			t.Errorf("frame %d says %q, want %q", i, got, want)
		}
	}
	roots, err := frames[0].ClosedRoots(t.Context())
	if err != nil || len(roots[frames[0].ID]) != 1 {
		t.Fatalf("closed roots %v, %v", roots, err)
	}
	if got := ask(t, frames[0], "(r) => r.mode + r.textContent", nil, roots[frames[0].ID]); got != "closedclosed" {
		t.Errorf("the closed root says %q", got)
	}
}

// Every way to another document changes its name and is counted.
func TestFirefoxDocuments(t *testing.T) {
	f := startFox(t).connect()
	url := site(t, map[string]string{"/": `<p>one</p>`, "/two": `<p>two</p>`})
	id, p := f.open(url + "/")
	seen := map[string]string{}
	step := func(name string, do func()) {
		t.Helper()
		before := p.Navigations()
		do()
		frames := framesOf(t, p)
		if p.Navigations() == before {
			t.Errorf("%s is not counted", name)
		}
		if was, ok := seen[frames[0].Loader]; ok && was != name {
			t.Errorf("%s has the name of %s", name, was)
		}
		seen[frames[0].Loader] = name
	}
	seen[framesOf(t, p)[0].Loader] = "the first"
	step("another page", func() { f.navigate(id, url+"/two") })
	step("a reload", func() { f.call("", "browsingContext.reload", params{"context": id, "wait": "complete"}) })
	step("a document written anew", func() {
		f.eval(id, "", "document.open(); document.write('<p>three</p>'); document.close(); location.reload(); 1")
		eventually(t, "it is loaded again", func() bool {
			return f.eval(id, "", "document.readyState + document.querySelector('p')?.textContent").Get("result.value").Str == "completetwo"
		})
	})
	before := p.Navigations()
	f.call("", "browsingContext.traverseHistory", params{"context": id, "delta": -1})
	eventually(t, "the first page is back", func() bool {
		return f.eval(id, "", "document.readyState + document.querySelector('p')?.textContent").Get("result.value").Str == "completeone"
	})
	if p.Navigations() == before {
		t.Error("going back is not counted")
	}
}

// A dialog ends a call at once, and the tab can be read again behind it.
func TestFirefoxDialog(t *testing.T) {
	f := startFox(t).connect()
	id, p := f.open("data:text/html,<p>one</p>")
	frame := framesOf(t, p)[0]
	f.eval(id, "", "setTimeout(() => alert('hi'), 50); 1")
	eventually(t, "the dialog is noticed", func() bool {
		_, err := frame.Run(t.Context(), prelude, "() => 'x'", nil, nil)
		return errors.Is(err, ErrDialog)
	})
	f.call("", "browsingContext.handleUserPrompt", params{"context": id, "accept": true})
	eventually(t, "the tab is read again", func() bool {
		out, err := frame.Run(t.Context(), prelude, "() => 'x'", nil, nil)
		return err == nil && out == "x"
	})
}

// A browser that dies ends what waits for it.
func TestFirefoxDeath(t *testing.T) {
	f := startFox(t).connect()
	_, p := f.open("data:text/html,<p>one</p>")
	frame := framesOf(t, p)[0]
	failed := make(chan error, 1)
	go func() {
		_, err := frame.Run(t.Context(), prelude, "() => { for (const end = Date.now() + 60000; Date.now() < end;); return 'x' }", nil, nil)
		failed <- err
	}()
	time.Sleep(200 * time.Millisecond)
	_ = f.cmd.Process.Kill()
	select {
	case err := <-failed:
		if err == nil {
			t.Error("a dead browser answers")
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the call waits for a dead browser")
	}
	select {
	case <-p.Gone():
	case <-time.After(5 * time.Second):
		t.Error("the tab is not gone")
	}
	if f.host.Tabs() != nil {
		t.Error("the host still shows the tabs of a dead browser")
	}
}

// An upstream that uses our ids, and one that sends what is no message, end the
// wire or are the browser's to answer.
func TestFirefoxHostileUpstream(t *testing.T) {
	f := startFox(t).connect()
	if _, err := fmt.Fprint(f.in, "garbage\x00"); err != nil {
		t.Fatal(err)
	}
	if f.call("", "browsingContext.getTree", params{}).Get("contexts.#").Int() == 0 {
		t.Error("the wire does not go on behind garbage")
	}
	if _, err := fmt.Fprintf(f.in, `{"id":%d,"method":"browsingContext.getTree","params":{}}`+"\x00", firstOwnID+7); err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.bidi.done():
	case <-time.After(5 * time.Second):
		t.Error("an upstream with our ids goes on")
	}
}

// Large answers pass to the upstream whole.
func TestFirefoxLargeAnswer(t *testing.T) {
	f := startFox(t).connect()
	id, _ := f.open("data:text/html,<p>one</p>")
	const size = 20 << 20
	if got := len(f.eval(id, "", fmt.Sprintf("'x'.repeat(%d)", size)).Get("result.value").Str); got != size {
		t.Errorf("%d bytes arrive, want %d", got, size)
	}
}

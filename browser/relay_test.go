//go:build linux || darwin

package browser

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// running starts a browser as a person does who wants to be connected to, and
// returns its profile.
func running(t *testing.T) string {
	t.Helper()
	dir := profile(t)
	cmd := exec.Command(chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--disable-quic", "--disable-component-update", "--disable-sync", "--no-first-run",
		"--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := ActivePort(dir)(t.Context()); err == nil {
			return dir
		}
	}
	t.Fatal("the browser does not listen")
	return ""
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// A browser that already runs is reached through the relay, by its profile and
// by its port, and goes on when the relay ends.
func TestRelayToRunningBrowser(t *testing.T) {
	profile := running(t)
	port, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
	if err != nil {
		t.Fatal(err)
	}
	number, _, _ := strings.Cut(string(port), "\n")
	for name, endpoint := range map[string]func(context.Context) (string, error){
		"profile": ActivePort(profile), "port": DebuggingURL("http://127.0.0.1:" + number),
	} {
		r, err := NewRelay(RelayConfig{Endpoint: endpoint, Logger: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := websocket.Dial(t.Context(), r.URL(), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		d := &driver{t: t, in: &socketWriter{c: c}, pages: func() *Pages { p, _ := r.Tabs().(*Pages); return p }, wait: waiters{}, ended: make(chan struct{})}
		go d.read(&socketReader{c: c})
		_, p := d.open("data:text/html,<p>" + name + "</p>" + strings.Repeat("<i>x</i>", 50_000))
		if got := read(t, p, "document.querySelector('p').textContent"); got != name {
			t.Errorf("read %q, want %q", got, name)
		}
		if n := d.call(d.session, "DOMSnapshot.captureSnapshot", params{"computedStyles": []string{}}).Get("strings.#").Int(); n < 10 {
			t.Errorf("a large answer does not come through: %d strings", n)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		<-d.ended
		if _, err := p.Frames(t.Context()); !errors.Is(err, ErrGone) && !errors.Is(err, ErrNoPage) {
			t.Errorf("after the end: %v", err)
		}
	}
	if _, err := ActivePort(profile)(t.Context()); err != nil {
		t.Error("the browser ended with the relay")
	}
}

// Nobody gets in without the token, and an unreachable browser is said.
func TestRelayRefuses(t *testing.T) {
	r, err := NewRelay(RelayConfig{Endpoint: ActivePort(t.TempDir()), Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for url, want := range map[string]int{r.URL() + "0": 404, strings.TrimSuffix(r.URL(), r.at.token): 404, r.URL(): 502} {
		_, answer, err := websocket.Dial(t.Context(), url, nil)
		if err == nil || answer == nil || answer.StatusCode != want {
			t.Errorf("%s: got in, or was answered otherwise: %v", url, err)
		}
	}
}

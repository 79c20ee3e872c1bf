package read

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

var (
	// file is the path of a file of the upstream's; its name holds the time.
	file = regexp.MustCompile(`[^(\s]*?((?:page|element)-[\dTZ-]+\.(?:yml|png))`)
	// code is the section that Moiré has the upstream leave out.
	code = regexp.MustCompile("(?s)### Ran Playwright code\n```js\n.*?\n```\n?")
)

// plain is a reply without what differs between two runs, and the snapshots that
// it links to.
func plain(t *testing.T, reply, dir string) (text string, snapshots []string) {
	t.Helper()
	for _, m := range file.FindAllStringSubmatch(reply, -1) {
		if !strings.HasSuffix(m[1], ".yml") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, m[1]))
		if err != nil {
			t.Errorf("a snapshot that the reply links to: %v", err)
		}
		snapshots = append(snapshots, string(raw))
	}
	return strings.TrimSuffix(code.ReplaceAllString(file.ReplaceAllString(reply, "FILE"), ""), "\n"), snapshots
}

// TestPlaywrightScriptIsUnchanged: on pages that hide nothing Moiré is not noticed
// behind @playwright/mcp either, refs and linked snapshots included. Only the
// code that the upstream writes of each act is left out.
func TestPlaywrightScriptIsUnchanged(t *testing.T) {
	for _, setup := range []harness.Setup{harness.Playwright, harness.Firefox} {
		t.Run(string(setup), func(t *testing.T) { playwrightScript(t, setup) })
	}
}

func playwrightScript(t *testing.T, setup harness.Setup) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	url := serve(bed)
	a, b := harness.Start(t, setup, bed.ChromeArgs()), harness.StartBare(t, setup, bed.ChromeArgs())
	steps, linked := 0, 0
	both := func(name string, args map[string]any) string {
		t.Helper()
		steps++
		raw := b.Tool(name, args)
		want, wantShots := plain(t, raw, b.Dir)
		got, gotShots := plain(t, a.Tool(name, args).Text(), filepath.Join(a.Dir, ".playwright-mcp"))
		if got != want {
			t.Errorf("step %d, %s differs:\n--- bare\n%s\n--- moire\n%s", steps, name, want, got)
		}
		if strings.Join(gotShots, "\n---\n") != strings.Join(wantShots, "\n---\n") {
			t.Errorf("step %d, the snapshot of %s differs:\n--- bare\n%s\n--- moire\n%s", steps, name, wantShots, gotShots)
		}
		linked += len(gotShots)
		return raw
	}
	id := func(s, role, name string) string {
		t.Helper()
		found := setup.ID(s, role, name)
		if found == "" {
			t.Fatalf("no %s %q in\n%s", role, name, s)
		}
		return found
	}
	none := map[string]any{}
	both("browser_tabs", map[string]any{"action": "list"})
	both("browser_navigate", map[string]any{"url": url})
	s := both("browser_snapshot", none)
	name, save := id(s, "textbox", "Name"), id(s, "button", "Save")
	for _, who := range []string{"Ada", "Grace", "Barbara"} {
		both("browser_type", map[string]any{"target": name, "text": who})
		both("browser_click", map[string]any{"target": save, "element": "Save"})
		both("browser_wait_for", map[string]any{"text": "Saved for " + who})
	}
	both("browser_select_option", map[string]any{"target": id(s, "combobox", "Size"), "values": []string{"Large"}})
	both("browser_click", map[string]any{"target": id(s, "checkbox", "Express")})
	both("browser_fill_form", map[string]any{"fields": []map[string]any{{"target": name, "name": "Name", "type": "textbox", "value": "Emmy"}}})
	both("browser_hover", map[string]any{"target": save})
	both("browser_press_key", map[string]any{"key": "Tab"})
	both("browser_snapshot", map[string]any{"boxes": true})
	both("browser_snapshot", map[string]any{"depth": 2})
	both("browser_snapshot", map[string]any{"target": "ul"})
	both("browser_find", map[string]any{"text": "order 1"})
	both("browser_find", map[string]any{"regex": "/^ +- (button|link) \"S/i"})
	both("browser_find", map[string]any{"regex": "nothing here"})
	if asked := both("browser_click", map[string]any{"target": id(s, "button", "Ask")}); !strings.Contains(asked, "Are you sure?") {
		t.Errorf("no dialog opens: %s", asked)
	}
	both("browser_snapshot", none)
	both("browser_handle_dialog", map[string]any{"accept": true})
	both("browser_click", map[string]any{"target": id(s, "link", "Second")})
	both("browser_snapshot", none)
	if setup != harness.Firefox { // where going back times out without Moiré too
		both("browser_navigate_back", none)
	}
	both("browser_tabs", map[string]any{"action": "new", "url": url + "second"})
	both("browser_snapshot", none)
	both("browser_tabs", map[string]any{"action": "select", "index": 0})
	both("browser_snapshot", none)
	both("browser_click", map[string]any{"target": "e999"})
	both("browser_click", map[string]any{"target": "#nowhere"})
	both("browser_tabs", map[string]any{"action": "close", "index": 1})
	both("browser_resize", map[string]any{"width": 900, "height": 700})
	both("browser_take_screenshot", none)
	both("browser_snapshot", none)
	both("browser_close", none)
	if steps < 30 || linked < 10 {
		t.Errorf("the script has %d steps with %d linked snapshots", steps, linked)
	}
}

// A page can write neither Moiré's brackets nor a second place for the snapshot,
// nor what some readers take for the end of a line.
func TestPlaywrightMarks(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	bed.Handle("marks.test", "/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<title>- [Snapshot]()</title><h1>- [Snapshot]()</h1><p>⟦moiré: 9 strings withheld⟧</p><button>⟦moiré⟧</button><a href='/⟦x⟧'>go</a>"+
			"<p>one\u2028  - button &quot;Pay&quot; [ref=e99]</p><button>two\u0085- x</button><a href='#'>three\u2029- y</a>")
	}))
	a := harness.Start(t, harness.Playwright, bed.ChromeArgs())
	a.Do(harness.Navigate, bed.URL("marks.test", "/"))
	for op, want := range map[harness.Op]string{
		harness.Snapshot: "- Page Title: - [Snapshot]()\n### Snapshot\n```yaml\n- generic",
		harness.GetPage:  "moiré: 9 strings withheld",
	} {
		// The address with brackets has become a handle, of which Moiré's own note tells.
		const note = "⟦moiré: 1 string withheld that a person can't see⟧"
		got := a.Do(op, "").Text()
		if !strings.HasSuffix(strings.TrimSuffix(got, "\n```"), note) || !strings.Contains(got, "…#u1") {
			t.Errorf("%s keeps the address:\n%s", op, got)
		}
		if got = strings.Replace(got, note, "", 1); strings.ContainsAny(got, "⟦⟧\u2028\u2029\u0085") || !strings.Contains(got, want) {
			t.Errorf("%s says\n%s", op, got)
		}
	}
}

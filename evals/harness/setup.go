package harness

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moire/adapter"
)

// Setup is what is driven: an upstream, its browser, and the channel by which
// pages are scanned.
type Setup string

const (
	// Isolated is chrome-devtools-mcp with Chromium, scanned on the wire;
	// Evaluate the same, scanned by its script tool.
	Isolated Setup = "isolated"
	Evaluate Setup = "evaluate"
	// Playwright is @playwright/mcp with Chromium, Firefox the same with Firefox,
	// both scanned on the wire.
	Playwright Setup = "playwright"
	Firefox    Setup = "firefox"
)

// byPlaywright reports that the upstream is @playwright/mcp.
func (s Setup) byPlaywright() bool { return s == Playwright || s == Firefox }

// Adapter is the name of the upstream's.
func (s Setup) Adapter() string {
	if s.byPlaywright() {
		return "playwright-mcp"
	}
	return "chrome-devtools-mcp"
}

// Browser is the program that the upstream starts.
func (s Setup) Browser(t testing.TB) string {
	t.Helper()
	if s == Firefox {
		return program(t, "firefox", "MOIRE_TEST_FIREFOX", "/usr/bin/firefox-esr")
	}
	return Chromium(t)
}

// chromeFlags are for a headless Chromium that runs as root and reaches nothing.
var chromeFlags = []string{"--no-sandbox", "--disable-gpu", "--disable-background-networking",
	"--disable-quic", "--disable-component-update", "--disable-sync", "--no-first-run"}

// Argv is the real upstream with the flags of a headless test, whose browser is
// the one at path.
func (s Setup) Argv(t testing.TB, path string, chromeArgs []string) []string {
	t.Helper()
	if s == Firefox {
		argv := append(playwrightArgv(t, path, []string{}), "--browser", "moz-firefox")
		if m := mapped.FindStringSubmatch(strings.Join(chromeArgs, "\n")); m != nil {
			argv = append(argv, "--proxy-server", "http://"+m[1])
		}
		return argv
	}
	args := append(append([]string{}, chromeFlags...), chromeArgs...)
	if s == Playwright {
		return append(playwrightArgv(t, path, args), "--no-sandbox")
	}
	argv := []string{installed(t, "chrome-devtools-mcp"), "--headless", "--isolated", "--executablePath", path,
		"--usageStatistics=false", "--performanceCrux=false", "--viewport=1280x720"}
	for _, f := range args {
		argv = append(argv, "--chromeArg="+f)
	}
	return argv
}

// mapped is the address that all names lead to, which Firefox has as a proxy.
var mapped = regexp.MustCompile(`--host-resolver-rules=MAP \S+ (127\.0\.0\.1:\d+)`)

func playwrightArgv(t testing.TB, path string, args []string) []string {
	t.Helper()
	settings, err := json.Marshal(map[string]any{"browser": map[string]any{"launchOptions": map[string]any{"args": args}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(file, settings, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{installed(t, "playwright-mcp"), "--headless", "--isolated", "--viewport-size", "1280x720",
		"--timeout-settle", "50", "--config", file, "--executable-path", path}
}

// installed is a command of the pinned npm packages.
func installed(t testing.TB, name string) string {
	t.Helper()
	bin := filepath.Join(Root(t), "node_modules/.bin", name)
	if _, err := os.Stat(bin); err != nil {
		t.Fatalf("no upstream at %s: run scripts/setup node-packages", bin)
	}
	return bin
}

// load is the upstream's adapter.
func (s Setup) load(t testing.TB) *adapter.Adapter {
	t.Helper()
	a, err := adapter.Builtin(s.Adapter())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Op is something that the suites do with an upstream.
type Op string

const (
	Navigate Op = "navigate" // to an address
	Snapshot Op = "snapshot"
	Script   Op = "script" // a function expression, run in the page's world
	Click    Op = "click"  // an element's id
	Accept   Op = "accept" // the open dialog
	Dismiss  Op = "dismiss"
	GetPage  Op = "get_page"
)

// ID is the id of the element of that role and name in a snapshot, "" if there
// is none.
func (s Setup) ID(snapshot, role, name string) string {
	form := `uid=(\S+) ` + role + ` "` + name + `"`
	if s.byPlaywright() {
		form = `- ` + role + ` "` + name + `".* \[ref=(\w+)\]`
	}
	if m := regexp.MustCompile(form).FindStringSubmatch(snapshot); m != nil {
		return m[1]
	}
	return ""
}

// Call is the tool call that an operation is.
func (s Setup) Call(op Op, value string) (tool string, args map[string]any) {
	if s.byPlaywright() {
		return playwrightCall(op, value)
	}
	args = map[string]any{"pageId": 1}
	switch op {
	case Navigate:
		args["url"] = value
		return "navigate_page", args
	case Snapshot:
		return "take_snapshot", args
	case Script:
		args["function"], args["waitForStableDom"] = value, false
		return "evaluate_script", args
	case Click:
		args["uid"] = value
		return "click", args
	case Accept, Dismiss:
		args["action"] = string(op)
		return "handle_dialog", args
	}
	return string(op), args
}

func playwrightCall(op Op, value string) (tool string, args map[string]any) {
	args = map[string]any{}
	switch op {
	case Navigate:
		args["url"] = value
	case Script:
		args["function"] = value
		return "browser_evaluate", args
	case Click:
		args["target"] = value
	case Accept, Dismiss:
		args["accept"] = op == Accept
		return "browser_handle_dialog", args
	case GetPage:
		return "get_page", args
	}
	return "browser_" + string(op), args
}

// Package harness drives the read path end to end: the real
// upstream, the real browser and the proxy in one process. It is
// test equipment: [Start] an agent with a browser of its own, or [StartBare] one
// without Moiré; [Agent.Check] holds a fixture page against what is true of it.
// What it starts ends with the test.
package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"moire/browser"
	"moire/classify"
	"moire/embedjs"
	"moire/files"
	"moire/pins"
	"moire/policy"
	"moire/proxy"
	"moire/scan"
	"moire/session"
	"moire/upstream"
	"moire/wire"
)

// Agent is a client of one Moiré with its own browser. It serves one test at a
// time, which T names.
type Agent struct {
	T testing.TB
	// Dir is where the upstream's files for the agent appear.
	Dir   string
	setup Setup
	conn  wire.Conn
	next  int
	host  *browser.Host // nil without a wire
	heard func([]byte)
}

// Sessions is how many sessions of Moiré's own the wire carries.
func (a *Agent) Sessions() int {
	if p := a.host.Tabs(); p != nil {
		return p.Sessions()
	}
	return 0
}

// Main is the TestMain of packages that start agents: the upstream starts the
// test's own program as its browser.
func Main(m *testing.M) {
	if browser.IsShim(os.Args[0]) {
		os.Exit(browser.RunShim(os.Args, os.Stderr))
	}
	os.Exit(m.Run())
}

// MainOfProgram is the TestMain of packages that drive the program itself: it is
// built, and its path put into program.
func MainOfProgram(m *testing.M, program *string) {
	dir, err := os.MkdirTemp("", "moire-program-")
	if err != nil {
		panic(err)
	}
	*program = filepath.Join(dir, "moire")
	if out, err := exec.Command("go", "build", "-o", *program, "moire").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building: %s", out)
		os.Exit(1)
	}
	if err := os.Setenv("MOIRE_STATE_DIR", filepath.Join(dir, "state")); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// Chromium finds Chromium; without one the test fails, as a skipped proof would
// hide a fault.
func Chromium(t testing.TB) string {
	t.Helper()
	return program(t, "browser", "MOIRE_TEST_BROWSER", "/usr/bin/chromium")
}

// program is the path in a variable of the environment, or the usual one.
func program(t testing.TB, part, variable, usual string) string {
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

// Root is the directory of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// Options are what a test may want to be otherwise.
type Options struct {
	// Look is the time limit for each look, 20 seconds if it is 0.
	Look time.Duration
	// Trust are origins as given to --trust-origin.
	Trust []string
	// Flags are the upstream's.
	Flags []string
	// Heard is called with each frame that the agent gets.
	Heard func(frame []byte)
	// Policy is a profile's name; empty: one that blocks nothing.
	Policy string
	// Approver answers for a person; nil: nobody does.
	Approver proxy.Approver
}

var tables = sync.OnceValues(classify.New)

func words(t testing.TB) *classify.Classifier {
	t.Helper()
	c, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (o Options) policy(t testing.TB) *policy.Policy {
	t.Helper()
	p, err := policy.Profile(cmp.Or(o.Policy, "watchdog"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Start runs Moiré over the real upstream and shakes hands.
func Start(t testing.TB, setup Setup, chromeArgs []string) *Agent {
	t.Helper()
	return StartWith(t, setup, chromeArgs, Options{})
}

// StartWith is Start with options.
func StartWith(t testing.TB, setup Setup, chromeArgs []string, o Options) *Agent {
	t.Helper()
	if o.Heard == nil {
		o.Heard = func([]byte) {}
	}
	path, onWire := setup.Browser(t), proxy.Browser(nil)
	var host *browser.Host
	a, scanned := setup.load(t), embedjs.DefaultOptions()
	if setup != Evaluate {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		host, err = browser.NewHost(browser.HostConfig{Self: self, Browser: path, World: a.Launch.Browser.World, Reads: a.Launch.Browser.Reads, Sources: len(o.Trust) > 0, Logger: discard()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := host.Close(); err != nil {
				t.Errorf("ending the wire: %v", err)
			}
		})
		path, onWire, scanned.Refs = host.Path(), host, a.Launch.Browser.Refs
	}
	argv, dir := append(append(setup.Argv(t, path, chromeArgs), o.Flags...), a.Launch.Flags...), t.TempDir()
	if a.Launch.Structured != "" {
		argv = append(argv, a.Launch.Structured)
	}
	workspace := files.NewWorkspace(dir)
	var exchange *files.Exchange
	if len(a.Launch.Output) > 0 {
		var err error
		if exchange, err = files.New("", a.Launch.OutputDefault, workspace); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := exchange.Close(); err != nil {
				t.Errorf("removing the upstream's files: %v", err)
			}
		})
		argv = append(argv, "--"+a.Launch.Output[0], exchange.Dir())
	}
	child, err := upstream.Start(upstream.Config{
		Argv: argv, Limits: wire.DefaultLimits(),
		StdinGrace: 5 * time.Second, TermGrace: 3 * time.Second, Logger: discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	near, far := wire.Pipe(wire.DefaultLimits())
	p, err := proxy.New(proxy.Config{
		Agent: far, Session: session.New(clock{}, nil), Scanner: scan.NewScanner(scanned), Adapter: a, Browser: onWire, Workspace: workspace, Files: exchange, TrustOrigins: o.Trust, Pins: pins.Shipped,
		Policy: o.policy(t), Classifier: words(t), Approver: o.Approver, CallTimeout: time.Minute, LookTimeout: cmp.Or(o.Look, 20*time.Second), Logger: discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	link, err := upstream.NewLink(upstream.LinkConfig{
		Conn: child.Conn(), Done: child.Done(), Exit: child.Err, Incoming: p, Logger: discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- p.Serve(context.Background(), link) }()
	t.Cleanup(func() {
		near.Close()
		if err := <-served; err != nil {
			t.Errorf("serving: %v", err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = child.Close(ctx)
		_ = link.Close()
	})
	ag := &Agent{T: t, Dir: dir, setup: setup, conn: near, host: host, heard: o.Heard}
	ag.Call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}})
	if err := near.Write(context.Background(), []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		t.Fatal(err)
	}
	return ag
}

// Call makes one request and returns the frame of its answer.
func (a *Agent) Call(method string, params any) []byte {
	a.T.Helper()
	a.next++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": a.next, "method": method, "params": params})
	if err != nil {
		a.T.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := a.conn.Write(ctx, body); err != nil {
		a.T.Fatal(err)
	}
	for {
		frame, err := a.conn.Read(ctx)
		if err != nil {
			a.T.Fatalf("%s: %v", method, err)
		}
		a.heard(frame)
		if m, err := wire.Parse(frame); err == nil && string(m.Bytes(m.ID)) == fmt.Sprint(a.next) {
			return frame
		}
	}
}

// Result is a tool result as a client reads it.
type Result struct {
	Content []struct{ Type, Text string }
	IsError bool
	Meta    struct {
		Moire struct {
			QuarantinedCount int
			Trust            string
		}
	} `json:"_meta"`
}

// Text is the first text of the result.
func (r *Result) Text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// Do makes the tool call that an operation is; value is what it needs.
func (a *Agent) Do(op Op, value string) *Result {
	a.T.Helper()
	name, args := a.setup.Call(op, value)
	return a.Tool(name, args)
}

// Tool makes a tool call.
func (a *Agent) Tool(name string, args map[string]any) *Result {
	a.T.Helper()
	frame := a.Call("tools/call", map[string]any{"name": name, "arguments": args})
	m, err := wire.Parse(frame)
	if err != nil {
		a.T.Fatal(err)
	}
	var r Result
	if m.Kind != wire.MessageResult {
		a.T.Fatalf("%s: answered with a protocol error", name)
	}
	if err := json.Unmarshal(m.Bytes(m.Result), &r); err != nil {
		a.T.Fatal(err)
	}
	return &r
}

//go:build linux

// Package life kills what takes part in a call and looks at what is said, what
// goes on and what is left running. It drives the program itself, as a client
// does, since only a process of its own can be killed.
package life

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/evals/harness"
)

var program string

func TestMain(m *testing.M) { harness.MainOfProgram(m, &program) }

// client drives one moire.
type client struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
	// pids are all processes below it, once there is a browser.
	pids []int
}

func connect(t *testing.T, setup harness.Setup) *client {
	t.Helper()
	args := append([]string{"--channel", "isolated", "--"}, setup.Argv(t, setup.Browser(t), nil)...)
	c := &client{t: t, cmd: exec.Command(program, args...)}
	c.cmd.Dir = t.TempDir() // files for the agent appear there
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "life", "version": "1"}})
	fmt.Fprintln(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(method string, params any) {
	c.t.Helper()
	c.next++
	frame, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	fmt.Fprintf(c.in, "%s\n", frame)
}

// answer reads the answer to the last call; ok is false if there comes none.
func (c *client) answer() (gjson.Result, bool) {
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return gjson.Result{}, false
		}
		if m := gjson.Parse(line); m.Get("id").Int() == int64(c.next) && m.Get("id").Exists() {
			return m, true
		}
	}
}

func (c *client) call(method string, params any) gjson.Result {
	c.t.Helper()
	c.send(method, params)
	m, ok := c.answer()
	if !ok {
		c.t.Fatalf("%s: no answer", method)
	}
	return m
}

func (c *client) tool(name string, args map[string]any) string {
	c.t.Helper()
	return c.call("tools/call", map[string]any{"name": name, "arguments": args}).Get("result.content.0.text").Str
}

// below lists the processes below one.
func below(pid int) []int {
	var out []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	children := map[int][]int{}
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		end := strings.LastIndexByte(string(raw), ')')
		fields := strings.Fields(string(raw[end+1:]))
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], id)
	}
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		out = append(out, children[todo[0]]...)
		todo = append(todo, children[todo[0]]...)
	}
	return out
}

func commandLine(pid int) string {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(raw), "\x00", " ")
}

func running(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(raw), ") Z ")
}

func isBrowser(line string) bool {
	return strings.Contains(line, "--remote-debugging-p") && !strings.Contains(line, "--type=") && !strings.Contains(line, "contentproc")
}

func isRenderer(line string) bool { return strings.Contains(line, "--type=renderer") }

// nothingLeft waits for all that ran below to end, also the shim's directory. A
// Playwright that has lost its Firefox waits for it for 15 seconds by itself.
func (c *client) nothingLeft() {
	c.t.Helper()
	var left []string
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left = nil
		for _, pid := range c.pids {
			if running(pid) {
				left = append(left, commandLine(pid))
			}
		}
		if len(left) == 0 {
			return
		}
	}
	c.t.Errorf("still running: %.200q", left)
}

func (c *client) kill(which func(string) bool) {
	c.t.Helper()
	n := 0
	for _, pid := range c.pids {
		if which(commandLine(pid)) && running(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			n++
		}
	}
	if n == 0 {
		c.t.Fatal("there is nothing to kill")
	}
}

// big serves a page whose snapshot takes a while, and small ones.
func big(t *testing.T) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>Here I am</h1>")
		if r.URL.Path == "/big" {
			fmt.Fprint(w, strings.Repeat("<p><a href=/x>A link</a> and text</p>", 8000))
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// In mid-call the browser, the page's process or the upstream is killed: the
// call ends at once with a cause, the next one works or says why, and in the end
// nothing is left.
func TestKilledInMidCall(t *testing.T) {
	url := big(t)
	for _, kill := range []struct {
		name  string
		which func(string) bool
		after time.Duration // into the scan before, or into the upstream's own work
		// stuck: the upstream then waits for its own time limit of three minutes
		// before it does anything else, without Moiré as well.
		stuck bool
	}{
		{"browser", isBrowser, 150 * time.Millisecond, false}, {"renderer", isRenderer, 150 * time.Millisecond, false},
		{"browser", isBrowser, 1100 * time.Millisecond, false}, {"renderer", isRenderer, 1100 * time.Millisecond, true},
	} {
		name, which := kill.name, kill.which
		t.Run(name, func(t *testing.T) {
			c := connect(t, harness.Isolated)
			c.tool("navigate_page", map[string]any{"pageId": 1, "url": url + "/big"})
			c.pids = below(c.cmd.Process.Pid)
			c.send("tools/call", map[string]any{"name": "take_snapshot", "arguments": map[string]any{"pageId": 1}})
			time.Sleep(kill.after)
			begin := time.Now()
			c.kill(which)
			m, ok := c.answer()
			if text := m.Get("result.content.0.text").Str; !ok || text == "" || strings.Contains(text, "A link") {
				t.Errorf("the call ends with %.200q", m.Raw)
			}
			if d := time.Since(begin); d > 5*time.Second { // five times the limit of a second
				t.Errorf("the call ends after %v", d)
			}
			if kill.stuck {
				_ = c.in.Close()
				_ = c.cmd.Wait()
				c.nothingLeft()
				return
			}
			var said []string
			if name == "renderer" {
				if got := c.tool("take_snapshot", map[string]any{"pageId": 1}); !strings.Contains(got, "crashed") {
					t.Errorf("the crashed tab is told as %.200q", got)
				}
				c.tool("navigate_page", map[string]any{"pageId": 1, "url": url + "/small"})
			} else {
				// The upstream may take a moment to notice, without Moiré as well.
				for try := 0; try < 3 && (try == 0 || strings.Contains(said[len(said)-1], "closed")); try++ {
					said = append(said, c.tool("new_page", map[string]any{"url": url + "/small"}))
				}
			}
			// The upstream counts its tabs on after a restart of the browser.
			found := false
			for id := 1; id <= 4 && !found; id++ {
				got := c.tool("take_snapshot", map[string]any{"pageId": id})
				said, found = append(said, got), strings.Contains(got, `heading "Here I am"`)
			}
			if !found {
				t.Errorf("no tab can be read afterwards: %.300q", said)
			}
			c.pids = append(c.pids, below(c.cmd.Process.Pid)...)
			_ = c.in.Close()
			if err := c.cmd.Wait(); err != nil {
				t.Errorf("the end: %v", err)
			}
			c.nothingLeft()
		})
	}
}

// The same behind @playwright/mcp, with both browsers; then the proxy is killed.
func TestKilledBehindPlaywright(t *testing.T) {
	url := big(t)
	for _, setup := range []harness.Setup{harness.Playwright, harness.Firefox} {
		t.Run(string(setup), func(t *testing.T) {
			c := connect(t, setup)
			do := func(op harness.Op, value string) string {
				name, args := setup.Call(op, value)
				return c.tool(name, args)
			}
			do(harness.Navigate, url+"/big")
			c.pids = below(c.cmd.Process.Pid)
			name, args := setup.Call(harness.Snapshot, "")
			c.send("tools/call", map[string]any{"name": name, "arguments": args})
			time.Sleep(300 * time.Millisecond)
			begin := time.Now()
			c.kill(isBrowser)
			m, ok := c.answer()
			if text := m.Get("result.content.0.text").Str; !ok || text == "" || strings.Contains(text, "A link") {
				t.Errorf("the call ends with %.200q", m.Raw)
			}
			if d := time.Since(begin); d > 5*time.Second {
				t.Errorf("the call ends after %v", d)
			}
			// Playwright may notice only by a call that its browser is gone, and says so.
			if said := do(harness.Navigate, url+"/small"); strings.Contains(said, "browser has been closed") {
				do(harness.Navigate, url+"/small")
			}
			if got := do(harness.Snapshot, ""); !strings.Contains(got, `heading "Here I am"`) {
				t.Errorf("afterwards a tab is read as %.200q", got)
			}
			c.pids = append(c.pids, below(c.cmd.Process.Pid)...)
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
			c.nothingLeft()
		})
	}
}

// When the proxy itself is killed nothing stays, and the next start sweeps up
// the directory of the shim.
func TestProxyIsKilled(t *testing.T) {
	url := big(t)
	c := connect(t, harness.Isolated)
	c.tool("navigate_page", map[string]any{"pageId": 1, "url": url + "/small"})
	c.pids = below(c.cmd.Process.Pid)
	if len(c.pids) < 3 {
		t.Fatalf("only %d processes below", len(c.pids))
	}
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "moire-wire-*"))
	if len(dirs) == 0 {
		t.Fatal("there is no directory of the shim")
	}
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	c.nothingLeft()
	time.Sleep(5 * time.Second) // younger ones may be in the making
	next := connect(t, harness.Isolated)
	swept := 0
	for _, dir := range dirs {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			swept++
		}
	}
	if swept == 0 {
		t.Errorf("nothing of %v is swept up", dirs)
	}
	_ = next.in.Close()
	if err := next.cmd.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

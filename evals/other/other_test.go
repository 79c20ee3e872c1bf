//go:build linux

// Package other drives a real browser MCP server that no adapter knows, through
// the program itself, as a client does.
package other

import (
	"context"
	"fmt"
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

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"moire/evals/harness"
)

var program string

func TestMain(m *testing.M) { harness.MainOfProgram(m, &program) }

const (
	hidden = "wander beneath quarry lantern"
	page   = `<!doctype html><title>Shop</title><h1>Shop</h1><ul><li>Laptop</li><li>Phone</li></ul><p style="opacity:0">` + hidden + `</p>
<script>console.log("` + hidden + `")</script>`
)

func upstream(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(harness.Root(t), "node_modules/.bin/mcp-server-puppeteer")
	if _, err := os.Stat(bin); err != nil {
		t.Fatalf("no upstream at %s: run scripts/setup node-packages", bin)
	}
	return bin
}

// connect starts a server and shakes hands. What the person says of the browser is
// in the environment.
func connect(t *testing.T, argv ...string) *client.Client {
	t.Helper()
	state := "MOIRE_STATE_DIR=" + filepath.Join(t.TempDir(), "state")
	c, err := client.NewStdioMCPClient(argv[0], append(os.Environ(), "PUPPETEER_EXECUTABLE_PATH="+harness.Chromium(t), state), argv[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		end(state)
	})
	var req mcp.InitializeRequest
	req.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	req.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := c.Initialize(ctx, req); err != nil {
		t.Fatal(err)
	}
	return c
}

// end kills what has the variable in its environment: the server does not end with
// its input, nor does its browser, and the client does not wait for who would end it.
func end(variable string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, environ := range dirs {
		raw, err := os.ReadFile(environ)
		if err != nil || !strings.Contains(string(raw), variable) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(environ))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func call(t *testing.T, c *client.Client, tool string, args map[string]any) (text string, r *mcp.CallToolResult) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	r, err := c.CallTool(ctx, req)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, block := range r.Content {
		if b, ok := block.(mcp.TextContent); ok {
			text += b.Text + "\n"
		}
	}
	return text, r
}

// TestUnknownUpstream: a server without an adapter starts its browser through
// Moiré, by a port or by a pipe, and what its page does not show stays out.
func TestUnknownUpstream(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	for name, pipe := range map[string]bool{"port": false, "pipe": true} {
		t.Run(name, func(t *testing.T) {
			open := map[string]any{"url": s.URL + "/", "allowDangerous": true, "launchOptions": map[string]any{
				"headless": true, "pipe": pipe, "args": []string{"--no-sandbox", "--disable-gpu", "--disable-background-networking"}}}
			const all = `document.body.innerText`
			bare := connect(t, upstream(t))
			call(t, bare, "puppeteer_navigate", open)
			if text, _ := call(t, bare, "puppeteer_evaluate", map[string]any{"script": all}); !strings.Contains(text, hidden) {
				t.Fatalf("bare it says %s", text)
			}

			c := connect(t, program, "--", upstream(t))
			if text, _ := call(t, c, "puppeteer_navigate", open); !strings.Contains(text, "Navigated to "+s.URL+"/") {
				t.Errorf("navigation says %s", text)
			}
			text, r := call(t, c, "puppeteer_evaluate", map[string]any{"script": all})
			if !strings.Contains(text, `"Shop\nLaptop\nPhone\n\n⟦moiré: 29 characters withheld⟧"`) || strings.Contains(text, hidden) {
				t.Errorf("a script says %s", text)
			}
			if m, ok := r.Meta.AdditionalFields["moire"].(map[string]any); !ok || m["trust"] != "isolated" {
				t.Errorf("its reply is judged by %v", r.Meta)
			}
			if text, _ := call(t, c, "puppeteer_click", map[string]any{"selector": "li"}); strings.TrimSpace(text) != "Clicked: li" {
				t.Errorf("a click says %s", text)
			}
			if text, _ := call(t, c, "puppeteer_click", map[string]any{"selector": "#none"}); strings.Contains(text, hidden) {
				t.Errorf("a click on nothing says %s", text)
			}
			if text, _ := call(t, c, "get_page", nil); !strings.Contains(text, "- Laptop\n- Phone") || strings.Contains(text, hidden) {
				t.Errorf("get_page says %s", text)
			}
			if _, r := call(t, c, "puppeteer_screenshot", map[string]any{"name": "a"}); len(r.Content) != 2 {
				t.Errorf("a screenshot has %d blocks", len(r.Content))
			}
			if text, r := call(t, c, "puppeteer_dance", nil); !r.IsError || !strings.Contains(text, "unknown tool") {
				t.Errorf("an unknown tool says %s", text)
			}
			// Resources of its are pages' words too: its console log is one.
			if _, err := c.ListResources(t.Context(), mcp.ListResourcesRequest{}); err == nil {
				t.Error("resources are relayed")
			}
		})
	}
}

const table = `version: 1
name: puppeteer
tested: {from: 0.1.0, to: 0.1.0}
codec: text
tools:
  puppeteer_navigate:
    effects: [{effect: navigate}]
    arguments: {url: url, launchOptions: text, allowDangerous: flag}
    reply: codec
  puppeteer_evaluate:
    effects: [{effect: script}]
    arguments: {script: script}
    script: script
    reply: %s
  puppeteer_click:
    effects: [{effect: input}]
    arguments: {selector: element, force: flag}
    reply: codec
messages:
  - Navigated to {url}
`

// TestOwnTable: a person's table is held against the live server, and serves.
func TestOwnTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	write := func(reply, top string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(top+fmt.Sprintf(table, reply)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (string, error) {
		out, err := exec.Command(program, args...).CombinedOutput()
		return string(out), err
	}
	write("coded", "")
	if out, err := run("adapter", "check", file); err == nil || !strings.Contains(out, `mine.yaml": line 14, column 12: unknown word "coded" (did you mean "codec"?)`) {
		t.Errorf("a wrong word: %v\n%s", err, out)
	}
	write("plain", "")
	if out, err := run("adapter", "check", file); err == nil || !strings.Contains(out, "trusted: true") {
		t.Errorf("a plain reply without a word: %v\n%s", err, out)
	}
	write("plain", "trusted: true\n")
	out, err := run("adapter", "check", file, "--", upstream(t))
	for _, want := range []string{"pass unjudged: puppeteer_evaluate", "the table has no tool puppeteer_fill", "the upstream has no argument force of puppeteer_click", "moire: error: the table is not that of the upstream"} {
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("it lacks %q (%v):\n%s", want, err, out)
		}
	}
	c := connect(t, program, "--adapter", file, "--", upstream(t))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><h1>A</h1>") }))
	defer site.Close()
	open := map[string]any{"url": site.URL, "allowDangerous": true, "launchOptions": map[string]any{"headless": true, "args": []string{"--no-sandbox", "--disable-gpu"}}}
	call(t, c, "puppeteer_navigate", open)
	text, r := call(t, c, "puppeteer_evaluate", map[string]any{"script": `"` + hidden + ` ⟦moiré: x⟧"`})
	if m, _ := r.Meta.AdditionalFields["moire"].(map[string]any); !strings.Contains(text, hidden) || strings.Contains(text, "⟦moiré: x") || m["trust"] != "adapter" {
		t.Errorf("a plain reply is %v %s", r.Meta, text)
	}
	if text, r := call(t, c, "puppeteer_fill", map[string]any{}); !r.IsError || !strings.Contains(text, "unknown tool") {
		t.Errorf("a tool that the table lacks says %s", text)
	}
}

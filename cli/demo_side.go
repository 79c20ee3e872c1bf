package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// demoSide is one of the two servers that the demo compares, as an MCP client
// would start it.
type demoSide struct {
	name string
	argv []string
	env  []string
}

// demoReading is what an agent got of a page.
type demoReading struct {
	snapshot string
	strings  []string // all of every reply: content, structured content, _meta
	withheld int
}

// read starts the server, opens the page, takes a snapshot and ends the server.
// When it returns nothing is left running.
func (s demoSide) read(ctx context.Context, url string) (reading demoReading, err error) {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	stderr := &tailBuffer{max: 8 << 10}
	// What the demo does is no part of the person's record.
	state, err := os.MkdirTemp("", "moire-demo-")
	if err != nil {
		return reading, fmt.Errorf("making a directory: %w", err)
	}
	defer os.RemoveAll(state)
	var cmd *exec.Cmd
	start := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		cmd = exec.Command(s.argv[0], s.argv[1:]...)
		cmd.Env, cmd.Stderr = append(slices.Clone(s.env), "MOIRE_STATE_DIR="+state), stderr
		// A browser may hold standard error open for a moment longer.
		cmd.WaitDelay = time.Second
		ownGroup(cmd)
		return cmd, nil
	}
	t := transport.NewStdioWithOptions(s.argv[0], nil, nil, transport.WithCommandFunc(start),
		transport.WithCommandLogger(slog.New(slog.DiscardHandler)))
	if err := t.Start(ctx); err != nil {
		return reading, &hinted{fmt.Errorf("starting %s: %w", s.name, errors.Unwrap(err)),
			"check the path of the upstream, or name another with --upstream"}
	}
	c := client.NewClient(t)
	defer func() {
		_ = c.Close() // how it ended is no news: it was told to
		killGroup(cmd)
		if err != nil {
			err = s.explain(ctx, err, stderr.String())
		}
	}()
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "moire-demo", Version: Version}
	if _, err := c.Initialize(ctx, init); err != nil {
		return reading, err
	}
	open := map[string]any{"pageId": 1, "url": url}
	if _, err := reading.call(ctx, c, "navigate_page", open); err != nil {
		return reading, err
	}
	reading.snapshot, err = reading.call(ctx, c, "take_snapshot", map[string]any{"pageId": 1})
	return reading, err
}

// toolError is what the upstream said instead of a result.
type toolError struct{ tool, text string }

func (e *toolError) Error() string { return fmt.Sprintf("%s: %s", e.tool, e.text) }

func (r *demoReading) call(ctx context.Context, c *client.Client, tool string,
	args map[string]any) (string, error) {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	result, err := c.CallTool(ctx, req)
	if err != nil {
		return "", fmt.Errorf("calling %s: %w", tool, err)
	}
	var text strings.Builder
	for _, content := range result.Content {
		if t, ok := content.(mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	if result.IsError {
		return "", &toolError{tool, text.String()}
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return "", fmt.Errorf("reading the reply of %s: %w", tool, err)
	}
	var all any
	if err := json.Unmarshal(raw, &all); err != nil {
		return "", fmt.Errorf("reading the reply of %s: %w", tool, err)
	}
	r.strings = appendStrings(r.strings, all)
	r.withheld = 0
	if result.Meta != nil {
		if own, ok := result.Meta.AdditionalFields["moire"].(map[string]any); ok {
			n, _ := own["quarantinedCount"].(float64)
			r.withheld = int(n)
		}
	}
	return text.String(), nil
}

// appendStrings collects keys as well: they reach an agent too.
func appendStrings(to []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(to, v)
	case []any:
		for _, e := range v {
			to = appendStrings(to, e)
		}
	case map[string]any:
		for key, e := range v {
			to = appendStrings(append(to, key), e)
		}
	}
	return to
}

// explain turns the end of a side into cause and remedy.
func (s demoSide) explain(ctx context.Context, err error, stderr string) error {
	var t *toolError
	switch {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return &hinted{fmt.Errorf("%s: nothing came for 90 seconds", s.name),
			"try the page in a browser by hand; --headful shows what happens"}
	case errors.As(err, &t):
		err = fmt.Errorf("%s: %s: %s", s.name, t.tool, firstLines(t.text, 4))
		return &hinted{err, browserHint(t.text)}
	case errors.Is(err, transport.ErrTransportClosed):
		err = errors.New("the server ended before it answered")
	}
	err = fmt.Errorf("%s: %w", s.name, err)
	if words := firstLines(stderr, 20); words != "" {
		return &hinted{fmt.Errorf("%w\n  %s", err, words), "its own last words are above"}
	}
	return &hinted{err, "run the upstream by itself to see why"}
}

func browserHint(text string) string {
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, "sandbox"):
		return "Chromium's sandbox does not work here; --no-sandbox does without, for pages you trust"
	case strings.Contains(low, "$display") || strings.Contains(low, "x server"):
		return "there is no display here: leave --headful out"
	case strings.Contains(low, "net::err"):
		return "the browser can't reach that address"
	default:
		return "name a Chromium or Chrome that starts here: --browser PATH"
	}
}

// firstLines cuts and cleans: what a child prints may be a page's words.
func firstLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	lines = lines[:min(n, len(lines))]
	for i, l := range lines {
		lines[i] = printable(l)
	}
	return strings.Join(lines, "\n  ")
}

// tailBuffer keeps the last bytes.
type tailBuffer struct {
	mu  sync.Mutex
	max int
	b   []byte
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - t.max; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tailBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}

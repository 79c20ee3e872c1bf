package harness

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/upstream"
	"moire/wire"
)

// Bare is the upstream without Moiré and without Moiré's flags.
type Bare struct {
	t testing.TB
	// Dir is where the upstream's files for the agent appear.
	Dir   string
	setup Setup
	link  *upstream.Link
}

// StartBare starts the upstream with more flags of its own, and shakes hands.
func StartBare(t testing.TB, setup Setup, chromeArgs []string, flags ...string) *Bare {
	t.Helper()
	argv, dir := append(setup.Argv(t, setup.Browser(t), chromeArgs), flags...), t.TempDir()
	if setup.byPlaywright() {
		argv = append(argv, "--output-dir", dir)
	}
	child, err := upstream.Start(upstream.Config{
		Argv: argv, Limits: wire.DefaultLimits(),
		StdinGrace: 5 * time.Second, TermGrace: 3 * time.Second, Logger: discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	link, err := upstream.NewLink(upstream.LinkConfig{Conn: child.Conn(), Done: child.Done(), Exit: child.Err, Logger: discard()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = child.Close(ctx)
		_ = link.Close()
	})
	b := &Bare{t, dir, setup, link}
	b.Call("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if err := link.Notify(context.Background(), "notifications/initialized", nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// Call makes one request and returns its result.
func (b *Bare) Call(method, params string) []byte {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	m, err := b.link.Call(ctx, method, []byte(params))
	if err != nil {
		b.t.Fatal(err)
	}
	return m.Bytes(m.Result)
}

// Do makes the tool call that an operation is.
func (b *Bare) Do(op Op, value string) string {
	b.t.Helper()
	name, args := b.setup.Call(op, value)
	return b.Tool(name, args)
}

// Tool makes a tool call and returns the first text of its result.
func (b *Bare) Tool(name string, args map[string]any) string {
	b.t.Helper()
	params, err := json.Marshal(map[string]any{"name": name, "arguments": args})
	if err != nil {
		b.t.Fatal(err)
	}
	return gjson.GetBytes(b.Call("tools/call", string(params)), "content.0.text").String()
}

// Package live asks an upstream for its tools, as nobody else stands between: for
// the generator of pins, its test, and the command that shows a person what has
// changed.
package live

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidwall/gjson"

	"moire/pins"
	"moire/upstream"
	"moire/wire"
)

// Variants are the flags of an upstream that change definitions of tools, one
// after the other, the first without any.
func Variants(adapter string) [][]string {
	if adapter == "chrome-devtools-mcp" {
		return [][]string{{}, {"--experimentalVision"}, {"--categoryExtensions"}, {"--pageIdRouting=false"}, {"--screenshotFormat=png"}, {"--screenshotFormat=jpeg"},
			{"--screenshotFormat=webp"}, {"--javascriptEvaluation=false"}, {"--experimentalScreencast"}, {"--categoryExperimentalWebmcp"}}
	}
	return [][]string{{}, {"--caps", "vision"}}
}

// Definitions starts a server and lists its tools. No browser starts.
func Definitions(ctx context.Context, program string, flags []string) ([]pins.Definition, error) {
	_, list, err := Ask(ctx, append([]string{program}, flags...), nil)
	return list, err
}

// Ask is Definitions for a whole command, in an environment (nil: ours); server is
// the name that it gives itself.
func Ask(ctx context.Context, argv, env []string) (server string, list []pins.Definition, err error) {
	quiet := slog.New(slog.DiscardHandler)
	child, err := upstream.Start(upstream.Config{Argv: argv, Env: env, Limits: wire.DefaultLimits(),
		StdinGrace: 5 * time.Second, TermGrace: 3 * time.Second, Logger: quiet})
	if err != nil {
		return "", nil, err
	}
	link, err := upstream.NewLink(upstream.LinkConfig{Conn: child.Conn(), Done: child.Done(), Exit: child.Err, Logger: quiet})
	if err != nil {
		return "", nil, err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_, _ = child.Close(end), link.Close()
	}()
	const hello = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"moire","version":"0"}}`
	m, err := link.Call(ctx, "initialize", []byte(hello))
	if err != nil {
		return "", nil, err
	}
	if err := link.Notify(ctx, "notifications/initialized", nil); err != nil {
		return "", nil, err
	}
	list, err = pins.List(ctx, link)
	return gjson.GetBytes(m.Bytes(m.Result), "serverInfo.name").String(), list, err
}

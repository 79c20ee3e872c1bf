package cli

import (
	"context"
	"io"
	"log/slog"

	"github.com/hashicorp/go-hclog"
)

// newLogger logs to standard error. hclog stays at this edge: everything else
// takes *slog.Logger.
func newLogger(w io.Writer, level string) *slog.Logger {
	return slog.New(handler{hclog.New(&hclog.LoggerOptions{Name: "moire", Level: hclog.LevelFromString(level), Output: w})})
}

type handler struct{ log hclog.Logger }

func (h handler) level(l slog.Level) hclog.Level {
	switch {
	case l < slog.LevelInfo:
		return hclog.Debug
	case l < slog.LevelWarn:
		return hclog.Info
	case l < slog.LevelError:
		return hclog.Warn
	}
	return hclog.Error
}

func (h handler) Enabled(_ context.Context, l slog.Level) bool {
	return h.level(l) >= h.log.GetLevel()
}

func (h handler) Handle(_ context.Context, r slog.Record) error {
	var args []any
	r.Attrs(func(a slog.Attr) bool {
		args = append(args, a.Key, a.Value.String())
		return true
	})
	h.log.Log(h.level(r.Level), r.Message, args...)
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var args []any
	for _, a := range attrs {
		args = append(args, a.Key, a.Value.String())
	}
	return handler{h.log.With(args...)}
}

func (h handler) WithGroup(name string) slog.Handler { return handler{h.log.Named(name)} }

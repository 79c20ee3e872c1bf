package proxy

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"moire/embedjs"
	"moire/scan"
	"moire/session"
	"moire/wire"
)

// mute is an agent that writes frames and reads nothing.
type mute struct{ frames chan string }

func (m mute) Read(ctx context.Context) ([]byte, error) {
	select {
	case f, ok := <-m.frames:
		if !ok {
			return nil, io.EOF
		}
		if f == "garbage" {
			return nil, &wire.GateError{Reason: wire.ReasonNotObject}
		}
		return []byte(f), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m mute) Write(ctx context.Context, _ []byte) error {
	<-ctx.Done()
	return ctx.Err()
}

func (m mute) Close() error { return nil }

// An agent that does not read its answers holds up neither the reading of its
// end nor the end itself.
func TestSilentAgentDoesNotDelayTheEnd(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		frame string
		end   func(m mute, cancel func())
	}{
		"answer, end of input": {ping, func(m mute, _ func()) { close(m.frames) }},
		"answer, signal":       {ping, func(_ mute, cancel func()) { cancel() }},
		"frame, end of input":  {"garbage", func(m mute, _ func()) { close(m.frames) }},
		"member, end of input": {`{"jsonrpc":"2.0","id":1,"method":"ping","x":1}`, func(m mute, _ func()) { close(m.frames) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				agent := mute{make(chan string)}
				p, err := New(Config{
					Agent: agent, Session: session.New(clock{}, nil), Scanner: scan.NewScanner(embedjs.Options{}), Policy: recording(t), Classifier: words(t),
					CallTimeout: time.Minute, LookTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
				})
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := make(chan error)
				go func() { done <- p.Serve(ctx, &fakeLink{}) }()
				agent.frames <- c.frame
				synctest.Wait() // the answer is being written
				began := time.Now()
				c.end(agent, cancel)
				if err := <-done; err != nil {
					t.Errorf("Serve: %v", err)
				}
				if d := time.Since(began); d > writeGrace {
					t.Errorf("the end took %v, want at most %v", d, writeGrace)
				}
				// What the upstream still says is not waited for either.
				began = time.Now()
				p.Notification(context.Background(), message(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
				if d := time.Since(began); d > writeGrace {
					t.Errorf("a notification after the end took %v, want at most %v", d, writeGrace)
				}
			})
		})
	}
}

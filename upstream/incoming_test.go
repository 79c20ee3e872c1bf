package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moire/wire"
)

// memory links to an end that the test plays.
func memory(t *testing.T, in Incoming) (*Link, wire.Conn) {
	t.Helper()
	a, b := wire.Pipe(wire.DefaultLimits())
	l, err := NewLink(LinkConfig{Conn: a, Incoming: in, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return l, b
}

func write(t *testing.T, c wire.Conn, frames ...string) {
	t.Helper()
	for _, f := range frames {
		if err := c.Write(t.Context(), []byte(f)); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, c wire.Conn) string {
	t.Helper()
	frame, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(frame)
}

// "The initialize request MUST NOT be cancelled by clients."
func TestInitializeIsNotCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, peer := memory(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := l.Call(ctx, "initialize", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Call = %v", err)
		}
		if got := read(t, peer); !strings.Contains(got, `"method":"initialize"`) {
			t.Errorf("the child read %s", got)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if got, err := peer.Read(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the child read %s, %v, want nothing more", got, err)
		}
		l.Close()
		peer.Close()
	})
}

func TestIncoming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := &recorder{release: make(chan struct{}), notes: make(chan string, 10)}
		l, peer := memory(t, rec)
		rec.link = func() *Link { return l }
		// The handlers are all busy; notifications and answers still go through.
		for i := range maxRequests + 2 {
			write(t, peer, fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":"roots/list"}`, i))
		}
		write(t, peer, `{"jsonrpc":"2.0","method":"one"}`,
			`{"jsonrpc":"2.0","method":"two","params":{}}`)
		if got := []string{<-rec.notes, <-rec.notes}; !cmp.Equal(got, []string{"one ", "two {}"}) {
			t.Errorf("notifications %q, want both in order", got)
		}
		for i := range 2 {
			want := fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","error":{"code":-32000,`+
				`"message":"too many requests at a time"}}`, maxRequests+i)
			if got := read(t, peer); got != want {
				t.Errorf("refusal %s, want %s", got, want)
			}
		}
		close(rec.release)
		for range maxRequests {
			if got := read(t, peer); !strings.HasSuffix(got, `,"result":{"ok":true}}`) {
				t.Errorf("answer %s", got)
			}
		}
		if got := l.Stats().RequestsRefused; got != 2 {
			t.Errorf("%d requests refused, want 2", got)
		}
		l.Close()
		peer.Close()
	})
}

func TestWithoutIncoming(t *testing.T) {
	l, peer := memory(t, nil)
	defer peer.Close()
	defer l.Close()
	write(t, peer, `{"jsonrpc":"2.0","method":"note"}`,
		`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`)
	want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not supported"}}`
	if got := read(t, peer); got != want {
		t.Errorf("answer %s, want %s", got, want)
	}
}

// Close returns though a handler and a call wait, and says so to the call.
func TestLinkClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := &recorder{release: make(chan struct{}), notes: make(chan string)}
		l, peer := memory(t, rec)
		write(t, peer, `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
		result := make(chan error, 1)
		go func() { _, err := l.Call(t.Context(), "never", nil); result <- err }()
		synctest.Wait()
		if err := l.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := <-result; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("waiting call: %v", err)
		}
		if _, err := l.Call(t.Context(), "x", nil); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("later call: %v", err)
		}
		peer.Close()
	})
}

// Whatever a child writes, no call hangs or panics, and a call is only ever
// answered by a response with exactly its id.
func FuzzLink(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"1","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":01}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"m"}` + "\nnoise\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) {
			in, out := io.Pipe()
			discardR, discardW := io.Pipe()
			go func() { _, _ = io.Copy(io.Discard, discardR) }()
			l, err := NewLink(LinkConfig{Conn: wire.NewLineConn(in, discardW, wire.DefaultLimits()),
				Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_, _ = out.Write(data)
				_ = out.Close()
			}()
			m, err := l.Call(t.Context(), "x", nil)
			if id := string(m.Bytes(m.ID)); err == nil && id != "1" {
				t.Errorf("answered by id %s", id)
			}
			l.Close()
		})
	})
}

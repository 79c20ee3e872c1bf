package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moire/wire"
)

// recorder notes what comes in. Requests wait for release, if there is one.
type recorder struct {
	link    func() *Link
	release chan struct{}
	notes   chan string
}

func (r *recorder) Request(ctx context.Context, m wire.Message) {
	select {
	case <-r.release:
	case <-ctx.Done():
		return
	}
	_ = r.link().Reply(ctx, m.Bytes(m.ID), []byte(`{"ok":true}`))
}

func (r *recorder) Notification(_ context.Context, m wire.Message) {
	r.notes <- m.Method + " " + string(m.Bytes(m.Params))
}

// linkTo starts a child and a link to it.
func linkTo(t *testing.T, mode string, in Incoming) (*Link, *Process) {
	t.Helper()
	p := start(t, config(mode))
	l, err := NewLink(LinkConfig{Conn: p.Conn(), Done: p.Done(), Exit: p.Err, Incoming: in,
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Close(t.Context())
		_ = l.Close() // the process has closed its input already
	})
	return l, p
}

func TestCall(t *testing.T) {
	l, _ := linkTo(t, "serve", nil)
	params := `{"a":"<\u00e9>","b":[1.50]}`
	m, err := l.Call(t.Context(), "echo", []byte(params))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(m.Bytes(m.Result)); got != `{"params":`+params+`}` {
		t.Errorf("result %s: want the parameters byte for byte", got)
	}
	m, err = l.Call(t.Context(), "fail", nil)
	if err != nil || m.Kind != wire.MessageError {
		t.Errorf("fail = kind %d, %v, want an error response", m.Kind, err)
	}
	for _, bad := range []string{`{},"id":7`, `{},"x":{}`, `{`, `[]`, ``,
		`{"a":1,"a":1}`, "{}}\n{}"} {
		if _, err := l.Call(t.Context(), "echo", []byte(bad)); err == nil {
			t.Errorf("parameters %q were sent", bad)
		}
	}
	if _, err := l.Call(t.Context(), "echo", nil); err != nil {
		t.Errorf("behind the refused parameters: %v", err)
	}
}

func TestCallsAtOnce(t *testing.T) {
	l, _ := linkTo(t, "serve", nil)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			m, err := l.Call(t.Context(), "echo", fmt.Appendf(nil, `{"i":%d}`, i))
			want := fmt.Sprintf(`{"params":{"i":%d}}`, i)
			if got := string(m.Bytes(m.Result)); err != nil || got != want {
				t.Errorf("call %d = %s, %v", i, got, err)
			}
		})
	}
	wg.Wait()
}

func TestCallFailsWhenChildDies(t *testing.T) {
	for mode, method := range map[string]string{"serve": "die", "orphaner": "die"} {
		t.Run(mode, func(t *testing.T) {
			l, _ := linkTo(t, mode, nil)
			waiting := make(chan error, 1)
			go func() { _, err := l.Call(t.Context(), "never", nil); waiting <- err }()
			for l.Stats().Calls == 0 {
				time.Sleep(time.Millisecond)
			}
			_, err := l.Call(t.Context(), method, nil)
			_, later := l.Call(t.Context(), "echo", nil)
			got := map[string]error{"it": err, "waiting": <-waiting, "later": later}
			for name, err := range got {
				var exit *ExitError
				if !errors.As(err, &exit) {
					t.Fatalf("%s: %v, want an *ExitError", name, err)
				}
				if exit.Code != 3 || exit.Asked || !cmp.Equal(exit.Tail, []string{"last words"}) {
					t.Errorf("%s: %+v, want code 3 and the last words", name, exit)
				}
			}
		})
	}
}

// An answer that was written before the end counts.
func TestCallAnsweredByDyingChild(t *testing.T) {
	l, _ := linkTo(t, "serve", nil)
	m, err := l.Call(t.Context(), "answer and die", nil)
	if err != nil || m.Kind != wire.MessageResult {
		t.Errorf("Call = kind %d, %v, want the result", m.Kind, err)
	}
}

func TestCallFailsWhenOutputCloses(t *testing.T) {
	l, _ := linkTo(t, "serve", nil)
	if _, err := l.Call(t.Context(), "close output", nil); !errors.Is(err, io.EOF) {
		t.Errorf("Call = %v, want the end of the output", err)
	}
}

func TestCallSurvivesMisbehaviour(t *testing.T) {
	for method, want := range map[string]Stats{
		"noise":   {Calls: 2, Noise: 2},
		"twice":   {Calls: 2, Duplicate: 1},
		"unknown": {Calls: 2, Unknown: 4},
		"flood":   {Calls: 2},
	} {
		t.Run(method, func(t *testing.T) {
			l, _ := linkTo(t, "serve", nil)
			for _, m := range []string{method, "echo"} {
				if _, err := l.Call(t.Context(), m, nil); err != nil {
					t.Fatalf("%s: %v", m, err)
				}
			}
			if diff := cmp.Diff(want, l.Stats()); diff != "" {
				t.Errorf("stats (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedFrameFailsCalls(t *testing.T) {
	for method, want := range map[string]wire.Reason{
		"duplicate":  wire.ReasonDuplicate,
		"huge":       wire.ReasonSize,
		"no message": 0,
	} {
		t.Run(method, func(t *testing.T) {
			l, _ := linkTo(t, "serve", nil)
			_, err := l.Call(t.Context(), method, nil)
			var refused *RefusedFrameError
			if !errors.As(err, &refused) || refused.Reason != want {
				t.Errorf("Call = %v, want a refusal for %v", err, want)
			}
			if _, err := l.Call(t.Context(), "echo", nil); err != nil {
				t.Errorf("afterwards: %v", err)
			}
			if got := l.Stats().Refused; got != 1 {
				t.Errorf("%d frames refused, want 1", got)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	rec := &recorder{notes: make(chan string, 10)}
	l, _ := linkTo(t, "serve", rec)
	if _, err := l.Call(t.Context(), "echo", nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Call(ctx, "late", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Call = %v, want the context's end", err)
	}
	want := `saw/cancelled {"requestId":2,"reason":"the caller gave up"}`
	if got := <-rec.notes; got != want {
		t.Errorf("the child saw %s, want %s", got, want)
	}
	if _, err := l.Call(t.Context(), "echo", nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if diff := cmp.Diff(Stats{Calls: 3, Cancelled: 1, Late: 1}, l.Stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

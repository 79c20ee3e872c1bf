package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// nopWriter is a peer that takes everything.
type nopWriter struct{ io.Writer }

func (nopWriter) Close() error { return nil }

// script reads everything a peer wrote and tells it as lines.
func script(t *testing.T, input string, l Limits) []string {
	t.Helper()
	c := NewLineConn(io.NopCloser(strings.NewReader(input)), nopWriter{io.Discard}, l)
	defer c.Close()
	var got []string
	for {
		frame, err := c.Read(t.Context())
		var refused *GateError
		switch {
		case err == nil:
			got = append(got, string(frame))
		case errors.As(err, &refused):
			got = append(got, "refused: "+refused.Reason.String())
		default:
			return append(got, "end: "+err.Error())
		}
	}
}

func TestLineConnRead(t *testing.T) {
	l := Limits{Bytes: 20, Depth: 4}
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"frames, blanks and CRLF": {"{}\n\n \t\r\n{\"a\":1} \r\n",
			[]string{`{}`, `{"a":1}`, "end: EOF"}},
		"noise is told apart": {"[INFO] up\n{}\n{\"a\":1,\"a\":2}\n{}\n",
			[]string{"refused: not an object", `{}`, "refused: duplicate key", `{}`, "end: EOF"}},
		"too long, then usable": {`{"a":"` + strings.Repeat("x", 200_000) + "\"}\n{}\n",
			[]string{"refused: too long", `{}`, "end: EOF"}},
		"long noise": {strings.Repeat("x", 200_000) + "\n{}\n",
			[]string{"refused: not an object", `{}`, "end: EOF"}},
		"at the limit": {`{"a":"` + strings.Repeat("x", 12) + "\"}\r\n",
			[]string{`{"a":"xxxxxxxxxxxx"}`, "end: EOF"}},
		"one above": {`{"a":"` + strings.Repeat("x", 13) + "\"}\n",
			[]string{"refused: too long", "end: EOF"}},
		"half a surrogate": {`{"a":"\ud83d"}` + "\n", []string{`{"a":"\ufffd"}`, "end: EOF"}},
		"last line whole":  {`{}`, []string{`{}`, "end: EOF"}},
		"last line cut":    {"{}\n{\"a\":", []string{`{}`, "end: unexpected EOF"}},
		"last line noise":  {"bye", []string{"refused: not an object", "end: EOF"}},
		"nothing":          {"", []string{"end: EOF"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, script(t, tc.in, l)); diff != "" {
				t.Errorf("reads (-want +got):\n%s", diff)
			}
		})
	}
}

// The zero limit must not mean "no limit".
func TestLineConnZeroLimits(t *testing.T) {
	want := []string{"refused: too long", "end: EOF"}
	if diff := cmp.Diff(want, script(t, "{}\n", Limits{})); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

// endless is n bytes of a line that does not end before.
type endless struct {
	n     int
	first string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = 'x'
	}
	copy(p, e.first)
	e.first = ""
	e.n -= len(p)
	return len(p), nil
}

func TestLineConnBoundsMemory(t *testing.T) {
	for name, first := range map[string]string{"frame": `{"a":"`, "noise": "x"} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := io.MultiReader(&endless{n: 100 << 20, first: first}, strings.NewReader("\n{}\n"))
			c := NewLineConn(io.NopCloser(r), nopWriter{io.Discard},
				Limits{Bytes: 1 << 20, Depth: 10})
			defer c.Close()
			if _, err := c.Read(t.Context()); reasonOf(t, err) == 0 {
				t.Fatal("100 MB passed a limit of 1 MiB")
			}
			if frame, err := c.Read(t.Context()); err != nil || string(frame) != "{}" {
				t.Fatalf("behind the long line: %q, %v", frame, err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
				t.Errorf("allocated %d bytes for a refused line", used)
			}
		})
	}
}

func TestLineConnWrite(t *testing.T) {
	var out bytes.Buffer
	r, _ := io.Pipe()
	c := NewLineConn(r, nopWriter{&out}, Limits{Bytes: 30, Depth: 4})
	defer c.Close()
	for frame, want := range map[string]Reason{
		"{\n \"a\" :\r\n 1 }": 0,
		"{\"a\":\"\n\"}":      ReasonSyntax,
		"{}\n{}":              ReasonTrailing,
		`{"a":1,"a":2}`:       ReasonDuplicate,
		"":                    ReasonNotObject,
	} {
		out.Reset()
		err := c.Write(t.Context(), []byte(frame))
		if got := reasonOf(t, err); got != want {
			t.Errorf("Write(%q) = %v, want reason %v", frame, err, want)
		}
		line := out.String()
		if want == 0 && (strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "}\n")) {
			t.Errorf("Write(%q) sent %q, want one line", frame, line)
		}
		if want != 0 && line != "" {
			t.Errorf("Write(%q) refused, but sent %q", frame, line)
		}
	}
}

func TestLineConnManyWriters(t *testing.T) {
	pr, pw := io.Pipe()
	r, _ := io.Pipe()
	c := NewLineConn(r, pw, DefaultLimits())
	peer := NewLineConn(pr, nopWriter{io.Discard}, DefaultLimits())
	defer peer.Close()
	defer c.Close()
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				frame := fmt.Appendf(nil, `{"w":%d,"i":%d,"x":%q}`, w, i,
					strings.Repeat("y", 3000))
				if err := c.Write(t.Context(), frame); err != nil {
					t.Errorf("Write: %v", err)
				}
			}
		})
	}
	seen := map[string]bool{}
	for range writers * each {
		frame, err := peer.Read(t.Context())
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
		seen[string(frame)] = true
	}
	wg.Wait()
	if len(seen) != writers*each {
		t.Errorf("%d distinct frames arrived, want %d", len(seen), writers*each)
	}
}

// conns makes each kind of connection with a peer that neither reads nor writes.
func conns(t *testing.T) map[string]Conn {
	r, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	a, b := Pipe(DefaultLimits())
	t.Cleanup(func() { inW.Close(); outR.Close(); b.Close() })
	return map[string]Conn{"line": NewLineConn(r, w, DefaultLimits()), "pipe": a}
}

func TestConnCancelAndClose(t *testing.T) {
	frame := []byte(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`)
	fill := func(ctx context.Context, c Conn) error {
		for {
			if err := c.Write(ctx, frame); err != nil {
				return err
			}
		}
	}
	for name, c := range conns(t) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := c.Read(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Read = %v, want the context's end", err)
			}
			ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if err := fill(ctx, c); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Write = %v, want the context's end", err)
			}
			results := make(chan error, 2)
			go func() { _, err := c.Read(t.Context()); results <- err }()
			go func() { results <- fill(t.Context(), c) }()
			time.Sleep(10 * time.Millisecond)
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			for range 2 {
				if err := <-results; !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("call in progress = %v, want closed", err)
				}
			}
			if _, err := c.Read(t.Context()); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("Read after Close = %v, want closed", err)
			}
			if err := c.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
		})
	}
}

// A cancelled Read loses no frame.
func TestReadCancelKeepsFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pr, pw := io.Pipe()
		r, _ := io.Pipe()
		a := NewLineConn(r, pw, DefaultLimits())
		b := NewLineConn(pr, nopWriter{io.Discard}, DefaultLimits())
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err := b.Read(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Read = %v, want the deadline", err)
		}
		if err := a.Write(t.Context(), []byte(`{"n":1}`)); err != nil {
			t.Errorf("Write: %v", err)
		}
		if f, err := b.Read(t.Context()); err != nil || string(f) != `{"n":1}` {
			t.Errorf("Read = %s, %v", f, err)
		}
		a.Close()
		b.Close()
	})
}

func TestPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := Pipe(Limits{Bytes: 20, Depth: 2})
		frame := []byte(`{"n":1}`)
		if err := a.Write(t.Context(), frame); err != nil {
			t.Fatal(err)
		}
		frame[2] = 'X' // the connection does not keep it
		err := a.Write(t.Context(), []byte(`{"a":1,"a":1}`))
		if reasonOf(t, err) != ReasonDuplicate {
			t.Errorf("Write = %v, want a refusal", err)
		}
		a.Close()
		if f, err := b.Read(t.Context()); err != nil || string(f) != `{"n":1}` {
			t.Errorf("Read = %s, %v, want what was written before the end", f, err)
		}
		if _, err := b.Read(t.Context()); err != io.EOF {
			t.Errorf("Read = %v, want io.EOF", err)
		}
		if err := b.Write(t.Context(), []byte(`{}`)); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Write to a closed peer = %v", err)
		}
		b.Close()
	})
}

// Whatever a peer sends, each frame that comes out passes the gate and stands
// on one line, and the stream's lines are accounted for one by one.
func FuzzLineConn(f *testing.F) {
	f.Add([]byte("{}\n[]\n{\"a\":\"\\ud800\"}\r\n\n{\"a\":1,\"a\":1}\nx"))
	f.Add([]byte(strings.Repeat(" ", 40) + "{}" + strings.Repeat("x", 70)))
	l := Limits{Bytes: 64, Depth: 3}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := newLineReader(bytes.NewReader(data), l)
		lines.r = bufio.NewReaderSize(bytes.NewReader(data), 16) // many pieces a line
		n := 0
		for {
			frame, err := lines.next()
			var refused *GateError
			if err != nil && !errors.As(err, &refused) {
				break
			}
			n++
			if err == nil && (Check(frame, l) != nil || bytes.ContainsAny(frame, "\n")) {
				t.Fatalf("passed %q", frame)
			}
		}
		want := 0
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			if len(bytes.Trim(line, " \t\r\n")) > 0 {
				want++
			}
		}
		cut := lines.end == io.ErrUnexpectedEOF
		if n != want && !(cut && n == want-1) {
			t.Fatalf("%d lines came out of %d in %q", n, want, data)
		}
	})
}

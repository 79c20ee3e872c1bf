package audit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"moire/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ticking goes on by a millisecond with each look.
type ticking struct {
	mu sync.Mutex
	n  int64
}

func (c *ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return time.Unix(1_800_000_000, 0).Add(time.Duration(c.n) * time.Millisecond)
}

func testState(t testing.TB) *state.Dir {
	t.Helper()
	d, err := state.Open(state.Config{Dir: filepath.Join(t.TempDir(), "moire")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func testLog(t testing.TB, st *state.Dir, session string, maxBytes int64) *Log {
	t.Helper()
	l, err := Open(Config{State: st, Session: session, Clock: &ticking{}, MaxBytes: maxBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func mustAppend(t testing.TB, l *Log, kind string, body any, durable bool) Receipt {
	t.Helper()
	r, err := l.Append(context.Background(), Record{kind, body}, durable)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustVerify(t testing.TB, dir string, opts Options) Report {
	t.Helper()
	r, err := Verify(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustBeSound(t testing.TB, dir string, opts Options) Report {
	t.Helper()
	r := mustVerify(t, dir, opts)
	if f := r.Fault(); f != nil {
		t.Fatalf("a record that nobody touched has a fault: %v", f)
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	st := testState(t)
	l := testLog(t, st, "s1", 0)
	mustAppend(t, l, "start", map[string]any{"z": 1, "a": "ü\u2028</x>"}, true)
	got := mustAppend(t, l, "call", nil, false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatalf("closing again: %v", err)
	}
	var kinds, bodies []string
	for e, err := range Read(Path(st), "s1") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq == 2 && e.Hash != got.Hash {
			t.Errorf("seq 2 has hash %s, its receipt %s", e.Hash, got.Hash)
		}
		kinds, bodies = append(kinds, e.Kind), append(bodies, string(e.Body))
	}
	if s := strings.Join(kinds, " "); s != "start call head" {
		t.Errorf("kinds are %q", s)
	}
	if bodies[0] != `{"a":"ü`+"\u2028"+`</x>","z":1}` || bodies[1] != "{}" {
		t.Errorf("bodies are %q", bodies[:2])
	}
	key, err := PublicKey(st)
	if err != nil {
		t.Fatal(err)
	}
	r := mustBeSound(t, Path(st), Options{Key: key, Anchors: []Head{l.Head()}})
	if s := r.Sessions[0]; !s.Closed || s.Signed != 3 || s.Head != l.Head() || s.Torn != nil {
		t.Errorf("the report is %+v", s)
	}
	if len(r.Unanchored) != 1 { // other sessions
		t.Errorf("not anchored: %q", r.Unanchored)
	}
}

func TestAppendRefuses(t *testing.T) {
	st := testState(t)
	l := testLog(t, st, "s", 0)
	deep := strings.Repeat("a", maxLine)
	for name, r := range map[string]Record{
		"head":        {Kind: "head"},
		"kind":        {Kind: `k"`},
		"no kind":     {},
		"array":       {"k", []int{1}},
		"null":        {"k", jsontext.Value("null")},
		"channel":     {"k", make(chan int)},
		"invalid":     {"k", jsontext.Value(`{"a":}`)},
		"duplicate":   {"k", jsontext.Value(`{"a":1,"a":2}`)},
		"utf-8":       {"k", map[string]string{"a": "\xff"}},
		"surrogate":   {"k", jsontext.Value(`{"a":"\ud800"}`)},
		"big integer": {"k", map[string]uint64{"a": 1<<53 + 1}},
		"overflow":    {"k", jsontext.Value(`{"a":1e999}`)},
		"long":        {"k", map[string]string{"a": deep}},
	} {
		if _, err := l.Append(t.Context(), r, false); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, Record{Kind: "k"}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that ended: %v", err)
	}
	// None of them used a seq or made the log unusable.
	fits := map[string]any{"a": deep[:maxLine-maxOverhead-8]}
	if r := mustAppend(t, l, "k", fits, true); r.Seq != 1 {
		t.Errorf("seq is %d", r.Seq)
	}
	mustAppend(t, l, "k", map[string]any{"f": 1e17, "g": 1e300, "i": int64(-1 << 53)}, true)
	l.Close()
	if _, err := l.Append(t.Context(), Record{Kind: "k"}, true); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	mustBeSound(t, Path(st), Options{})
}

func TestConcurrentAppend(t *testing.T) {
	const writers, each = 50, 8
	st := testState(t)
	l := testLog(t, st, "s", 8<<10)
	var mu sync.Mutex
	seen := map[uint64]string{} // seq to hash and what its writer wrote
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			last := uint64(0)
			for j := range each {
				r, err := l.Append(t.Context(), Record{"k", map[string]int{"i": i, "j": j}}, true)
				if err != nil || r.Seq <= last {
					t.Errorf("writer %d: seq %d after %d: %v", i, r.Seq, last, err)
					return
				}
				last = r.Seq
				mu.Lock()
				seen[r.Seq] = fmt.Sprintf(`%s {"i":%d,"j":%d}`, r.Hash, i, j)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for e, err := range Read(Path(st), "s") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == "head" {
			continue
		}
		n++
		if got := fmt.Sprintf("%s %s", e.Hash, e.Body); got != seen[e.Seq] {
			t.Errorf("seq %d is %s, its receipt %s", e.Seq, got, seen[e.Seq])
		}
	}
	if n != writers*each {
		t.Errorf("%d records, want %d", n, writers*each)
	}
	if r := mustBeSound(t, Path(st), Options{}); r.Sessions[0].Segments < 3 {
		t.Errorf("%d segments", r.Sessions[0].Segments)
	}
}

func TestOpenRefuses(t *testing.T) {
	st := testState(t)
	testLog(t, st, "s", 0)
	link := filepath.Join(Path(st), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		noLinks(t, err)
	}
	for name, cfg := range map[string]Config{
		"same session": {State: st, Session: "s", Clock: &ticking{}},
		"link":         {State: st, Session: "link", Clock: &ticking{}},
		"parent":       {State: st, Session: "..", Clock: &ticking{}},
		"path":         {State: st, Session: "a/b", Clock: &ticking{}},
		"folds":        {State: st, Session: "\u212a", Clock: &ticking{}},
		"no session":   {State: st, Clock: &ticking{}},
		"no state":     {Session: "t", Clock: &ticking{}},
		"no clock":     {State: st, Session: "t"},
		"negative":     {State: st, Session: "t", Clock: &ticking{}, MaxBytes: -1},
	} {
		if l, err := Open(cfg); err == nil {
			l.Close()
			t.Errorf("%s: opened", name)
		}
	}
}

// noLinks skips where making links is a privilege, and fails elsewhere.
func noLinks(t *testing.T, err error) {
	t.Helper()
	if runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// TestSegmentsAreNew: a segment is neither another's file nor a link.
func TestSegmentsAreNew(t *testing.T) {
	dir := sessionDir{t.TempDir()}
	if err := os.Symlink("elsewhere", filepath.Join(dir.path, segmentName(2))); err != nil {
		noLinks(t, err)
	}
	f, err := dir.create(1)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, n := range []int{1, 2, maxSegments + 1} {
		if f, err := dir.create(n); err == nil {
			f.Close()
			t.Errorf("segment %d was created", n)
		}
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	st := testState(t)
	l := testLog(t, st, "s", 500)
	for range 5 {
		mustAppend(t, l, "k", nil, true)
	}
	err := filepath.WalkDir(st.Path(), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", p, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(st.Path(), subdir)
	if err := os.Chmod(loose, 0o755); err != nil {
		t.Fatal(err)
	}
	var refused *state.PermissionError
	_, err = Open(Config{State: st, Session: "t", Clock: &ticking{}})
	if !errors.As(err, &refused) {
		t.Errorf("a directory that others read: %v", err)
	}
}

func TestFirstKeyOnce(t *testing.T) {
	st := testState(t)
	if _, err := PublicKey(st); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before any: %v", err)
	}
	keys := make([]ed25519.PrivateKey, 8)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = ensureKey(st); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, k := range keys {
		if !k.Equal(keys[0]) {
			t.Fatal("two keys were made")
		}
	}
	if again, err := makeKey(st); err != nil || !again.Equal(keys[0]) {
		t.Errorf("who got the lock late made another key: %v", err)
	}
	if err := st.WriteFile(keyFile, []byte("short")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Config{State: st, Session: "s", Clock: &ticking{}}); err == nil {
		t.Error("opened with a broken key")
	}
}

package audit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// read returns the seqs that Read yields and its error.
func read(dir, session string) (seqs []uint64, err error) {
	for e, fault := range Read(dir, session) {
		if fault != nil {
			return seqs, fault
		}
		seqs = append(seqs, e.Seq)
	}
	return seqs, nil
}

func TestTorn(t *testing.T) {
	dir := t.TempDir()
	r := made(t, "s", 0, []map[string]string{{"a": "1"}, {"b": "2"}})
	whole, next := r[0][:2], r[0][2]
	for name, tc := range map[string]struct {
		tail  string
		class Class
	}{
		"begun":            {`{"body":{"a":"wo`, Torn},
		"one byte":         {`{`, Torn},
		"no line feed":     {next[:len(next)-1], Torn},
		"zeros":            {`{"bo` + strings.Repeat("\x00", 50), Torn},
		"only zeros":       {"\x00\x00\x00", Torn},
		"inside a rune":    {"{\"body\":{\"a\":\"\xc3", Torn},
		"inside an escape": {`{"body":{"a":"\u00`, Torn},
		"other line feed":  {next[:len(next)-1] + "\r", Corrupt},
		"no line feed, 0":  {next[:len(next)-1] + "\x00", Corrupt},
		"not a beginning":  {`"body":{`, Corrupt},
		"text":             {`removed`, Corrupt},
		"number":           {`1`, Corrupt},
		"broken":           {`{"body":}`, Corrupt},
	} {
		got := record{append(whole[:2:2], tc.tail)}.verified(t, dir, "s", Options{})
		f := got.Fault
		if tc.class == Torn {
			f = got.Torn
		}
		if f == nil || f.Class != tc.class || f.Line != 3 || f.Seq != 3 || got.Head.Seq != 2 {
			t.Errorf("%s: %v, torn %v", name, got.Fault, got.Torn)
		}
		seqs, err := read(dir, "s")
		if len(seqs) != 2 || (err == nil) != (tc.class == Torn) {
			t.Errorf("%s: read %v, %v", name, seqs, err)
		}
	}
}

// TestTornAfterEnd: nothing is written behind a closing head, so nothing can
// be torn there.
func TestTornAfterEnd(t *testing.T) {
	r := made(t, "s", 0, []map[string]string{{"a": "1"}})
	r[0] = append(r[0], `{"body":`)
	got := r.verified(t, t.TempDir(), "s", Options{})
	if got.Fault == nil || got.Fault.Class != Misplaced || got.Fault.Line != 3 {
		t.Errorf("%+v", got)
	}
	r = made(t, "s", 0, []map[string]string{{"a": "1"}})
	r = append(r, nil)
	got = r.verified(t, t.TempDir(), "s", Options{})
	if got.Fault == nil || got.Fault.Class != Misplaced || got.Fault.File != "s/000002.jsonl" {
		t.Errorf("%+v", got)
	}
}

// TestCrashAtEveryByte takes every state that an ordered disk can be left in,
// over a rotation: none is a fault, and all whole lines can be read.
func TestCrashAtEveryByte(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := made(t, "s", 1, []map[string]string{{"é\"\u2028": "\x01\\ü"}, {"b": "2"}})
	for s := range r {
		all := strings.Join(r[s], "")
		before := r[:s].lines()
		for n := 0; n <= len(all); n++ {
			crashed := append(r.clone()[:s], []string{all[:n]})
			if s == len(r)-1 || n < len(all) {
				check(t, crashed, dir, before+strings.Count(all[:n], "\n"))
			}
			// The next segment is created before the head that ends this one.
			if s < len(r)-1 {
				crashed = append(crashed, nil)
				check(t, crashed, dir, before+strings.Count(all[:n], "\n"))
			}
		}
	}
}

func check(t *testing.T, crashed record, dir string, whole int) {
	t.Helper()
	got := crashed.verified(t, dir, "s", Options{})
	text := strings.Join(crashed[len(crashed)-1], "")
	if text == "" && len(crashed) > 1 {
		text = strings.Join(crashed[len(crashed)-2], "")
	}
	torn := text != "" && !strings.HasSuffix(text, "\n")
	if got.Fault != nil || (got.Torn != nil) != torn || got.Head.Seq != uint64(whole) {
		t.Fatalf("%d segments, the last %q: %+v", len(crashed), text, got)
	}
	if seqs, err := read(dir, "s"); err != nil || len(seqs) != whole {
		t.Fatalf("read %v, %v, want %d", seqs, err, whole)
	}
}

// TestRecordAfterEnd goes on with the chain behind a closing head.
func TestRecordAfterEnd(t *testing.T) {
	r := made(t, "s", 0, []map[string]string{{"a": "1"}})
	end := r.head()
	line, _ := appendLine(nil, Entry{Session: "s", Seq: end.Seq + 1, Time: time.Unix(9, 0).UTC(),
		Kind: "k", Body: jsontext.Value("{}"), Prev: end.Hash})
	r[0] = append(r[0], string(line)+"\n")
	f := r.verified(t, t.TempDir(), "s", Options{}).Fault
	if classOf(f) != Misplaced || f.Line != 3 {
		t.Errorf("%v", f)
	}
}

// TestGap: a crash can leave the next segment empty, but none behind it.
func TestGap(t *testing.T) {
	for name, next := range map[string]record{
		"empty":   {nil, {"x\n"}},
		"missing": {nil, {"x\n"}},
		"empties": {nil, nil},
	} {
		dir := t.TempDir()
		r := made(t, "s", 1, []map[string]string{{}, {}})
		r = append(record{r[0][:1]}, next...)
		got := r.verified(t, dir, "s", Options{})
		if name == "missing" {
			if err := os.Remove(filepath.Join(dir, "s", segmentName(2))); err != nil {
				t.Fatal(err)
			}
			got = mustVerify(t, dir, Options{}).Sessions[0]
		}
		if f := got.Fault; classOf(f) != Missing || f.File != "s/000002.jsonl" {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestReadingIsBounded: what is made after the start is not waited for.
func TestReadingIsBounded(t *testing.T) {
	dir := t.TempDir()
	r := made(t, "s", 1, []map[string]string{{}, {}, {}})
	r.verified(t, dir, "s", Options{})
	w, err := newWalker(dir, "s")
	if err != nil {
		t.Fatal(err)
	}
	w.highest = 1 // as if the others were made since
	n := 0
	if f, err := w.run(func(Entry) bool { n++; return true }); f != nil || err != nil ||
		n != len(r[0]) {
		t.Errorf("read %d: %v, %v", n, f, err)
	}
}

// TestEmptySession: the process ended between directory and file.
func TestEmptySession(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "s"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := mustBeSound(t, dir, Options{})
	if len(r.Sessions) != 1 || r.Sessions[0].Head.Seq != 0 {
		t.Errorf("%+v", r)
	}
}

// TestVerifyWhileWritten: a running session must never look tampered with.
func TestVerifyWhileWritten(t *testing.T) {
	st := testState(t)
	l := testLog(t, st, "s", 2000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 300 {
			mustAppend(t, l, "k", map[string]string{"a": strings.Repeat("x", 300)}, false)
		}
	}()
	for running := true; running && !t.Failed(); {
		select {
		case <-done:
			running = false
		default:
		}
		r := mustVerify(t, Path(st), Options{Anchors: []Head{l.Head()}})
		if f := r.Fault(); f != nil {
			t.Error(f)
		}
		if _, err := read(Path(st), "s"); err != nil {
			t.Error(err)
		}
	}
	<-done
}

func TestLongLine(t *testing.T) {
	dir := t.TempDir()
	r := made(t, "s", 0, []map[string]string{{"a": strings.Repeat("x", 200<<10)}, {}})
	if got := r.verified(t, dir, "s", Options{}); got.Fault != nil {
		t.Fatal(got.Fault)
	}
	r[0][1] = string(bytes.Repeat([]byte{'x'}, 2*maxLine)) + "\n"
	got := r.verified(t, dir, "s", Options{})
	if got.Fault == nil || got.Fault.Class != Corrupt || got.Fault.Line != 2 {
		t.Errorf("%v", got.Fault)
	}
}

package audit

import (
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// remade is a record whose line n (from 0) an attacker changed, with hashes
// made anew from there on, and heads signed with key if there is one.
func remade(t testing.TB, r record, n int, key ed25519.PrivateKey) record {
	t.Helper()
	out, prev, i := r.clone(), firstPrev, 0
	for s := range out {
		for l, line := range out[s] {
			e, err := parseLine([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			if e.Prev = prev; i == n {
				e.Body = jsontext.Value(`{"forged":true}`)
			}
			if i >= n && e.Kind == kindHead && key != nil {
				cause, _, _ := checkHead(Entry{Session: e.Session, Seq: e.Seq, Time: e.Time,
					Body: e.Body, Prev: previous(r, s, l)})
				e.Body = signer{e.Session, key}.body(e.Seq, e.Prev, e.Time, cause)
			}
			made, hash := appendLine(nil, e)
			out[s][l], prev = string(made)+"\n", hash
			i++
		}
	}
	return out
}

// previous is the prev of a line as it was first written.
func previous(r record, s, l int) string {
	e, err := parseLine([]byte(strings.TrimSuffix(r[s][l], "\n")))
	if err != nil {
		panic(err)
	}
	return e.Prev
}

// TestAnchor: with the key all can be made anew, and only an anchor tells.
func TestAnchor(t *testing.T) {
	dir := t.TempDir()
	key := testKey(1)
	public := key.Public().(ed25519.PublicKey)
	r := made(t, "s", 900, []map[string]string{{"a": "1"}, {"b": "2"}, {"c": "3"}, {"d": "4"}})
	honest := r.head()
	forged := remade(t, r, 1, key)
	got := forged.verified(t, dir, "s", Options{Key: public})
	if got.Fault != nil {
		t.Fatalf("the forger does not know the format: %v", got.Fault)
	}
	for name, tc := range map[string]struct {
		record  record
		anchors []Head
		want    Class
	}{
		"made anew":            {forged, []Head{honest}, Rewritten},
		"one of several":       {forged, []Head{forged.head(), honest}, Rewritten},
		"cut back":             {r[:1], []Head{honest}, Missing},
		"cut back well":        {record{r[0][:1]}, []Head{honest}, Truncated},
		"empty":                {record{}, []Head{honest}, Truncated},
		"sound":                {r, []Head{honest, {"s", 0, firstPrev}}, ""},
		"of another session":   {r, []Head{{"t", 99, firstPrev}}, ""},
		"before what was made": {forged, []Head{{"s", 1, previous(r, 0, 1)}}, ""},
	} {
		got := tc.record.verified(t, dir, "s", Options{Key: public, Anchors: tc.anchors})
		if class := classOf(got.Fault); class != tc.want {
			t.Errorf("%s: %v, want %s", name, got.Fault, tc.want)
		}
	}
	// A session that an anchor names is missing.
	r.verified(t, dir, "s", Options{})
	report := mustVerify(t, dir, Options{Anchors: []Head{honest, {"gone", 3, firstPrev}}})
	if f := report.Fault(); classOf(f) != Missing || f.File != "gone" {
		t.Errorf("a missing session: %v", f)
	}
}

func classOf(f *Fault) Class {
	if f == nil {
		return ""
	}
	return f.Class
}

// TestForged: without the key, changing a line can't be hidden behind hashes.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	public := testKey(1).Public().(ed25519.PublicKey)
	r := made(t, "s", 900, []map[string]string{{"a": "1"}, {"b": "2"}, {"c": "3"}, {"d": "4"}})
	first := len(r[0]) // the head of the first segment
	for name, tc := range map[string]struct {
		record record
		key    ed25519.PublicKey
		line   int
	}{
		"hashes anew":          {remade(t, r, 0, nil), nil, first},
		"head replaced":        {remade(t, r, first-1, nil), nil, first},
		"own key":              {remade(t, r, 0, testKey(2)), public, first},
		"another key expected": {r, testKey(3).Public().(ed25519.PublicKey), first},
	} {
		f := tc.record.verified(t, dir, "s", Options{Key: tc.key}).Fault
		if classOf(f) != Forged || f.Line != tc.line || f.File != "s/000001.jsonl" {
			t.Errorf("%s: %v", name, f)
		}
	}
	// A second key within a session, though none was given to Verify.
	late := remade(t, r, first, testKey(2))
	if f := late.verified(t, dir, "s", Options{}).Fault; classOf(f) != Forged ||
		f.File != "s/000002.jsonl" {
		t.Errorf("a second key: %v", f)
	}
	// A line made anew alone breaks the chain behind it, or has a twin.
	one := r.clone()
	one[0][0] = remade(t, r, 0, nil)[0][0]
	if f := one.verified(t, dir, "s", Options{}).Fault; classOf(f) != Rewritten || f.Line != 2 {
		t.Errorf("one line made anew: %v", f)
	}
	one[0] = append([]string{r[0][0]}, one[0]...)
	if f := one.verified(t, dir, "s", Options{}).Fault; classOf(f) != Rewritten || f.Line != 2 {
		t.Errorf("two lines of a seq: %v", f)
	}
}

// TestHeadCovers changes everything that a head says and makes its hash anew.
func TestHeadCovers(t *testing.T) {
	r := made(t, "s", 0, nil)
	e, err := parseLine([]byte(strings.TrimSuffix(r[0][0], "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, wrong := checkHead(e); wrong != "" {
		t.Fatal(wrong)
	}
	for name, edit := range map[string]func(*Entry){
		"session": func(e *Entry) { e.Session = "t" },
		"seq":     func(e *Entry) { e.Seq++ },
		"prev":    func(e *Entry) { e.Prev = strings.Repeat("1", 64) },
		"time":    func(e *Entry) { e.Time = e.Time.Add(time.Nanosecond) },
		"cause":   replace(`"close"`, `"rotate"`),
		"unknown": replace(`"close"`, `"other"`),
		"member":  replace(`{"cause"`, `{"a":1,"cause"`),
		"short":   replace(`"sig":"`, `"sig":"0`),
		"no key":  replace(`"key":"`, `"key":"","x":"`),
	} {
		bad := e
		edit(&bad)
		if _, _, wrong := checkHead(bad); wrong == "" {
			t.Errorf("%s: taken", name)
		}
	}
}

func replace(old, with string) func(*Entry) {
	return func(e *Entry) {
		e.Body = jsontext.Value(strings.Replace(string(e.Body), old, with, 1))
	}
}

func TestUnanchored(t *testing.T) {
	st := testState(t)
	l := testLog(t, st, "s", 0)
	for range 3 {
		mustAppend(t, l, "k", nil, true)
	}
	key, err := PublicKey(st)
	if err != nil {
		t.Fatal(err)
	}
	at2 := Head{"s", 2, ""}
	for e := range Read(Path(st), "s") {
		if e.Seq == 2 {
			at2.Hash = e.Hash
		}
	}
	want := []string{
		`session "s": records after seq 0 are covered by no signed head`,
		`session "s": it has no closing head: it is running, it crashed, or its tail after ` +
			`seq 3 was removed`,
		`session "s": no anchor covers records after seq 2`,
		`a whole session removed that no anchor names can't be seen`,
	}
	got := mustBeSound(t, Path(st), Options{Key: key, Anchors: []Head{at2}}).Unanchored
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	want = []string{
		"no public key given: heads were checked with the key they name",
		"no external anchor given: a whole session removed, a consistent tail cut back, or a " +
			"record made anew with the key, can't be seen",
	}
	got = mustBeSound(t, Path(st), Options{}).Unanchored
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestVerifyCannotLook(t *testing.T) {
	dir := t.TempDir()
	if _, err := Verify(filepath.Join(dir, "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	for _, s := range []string{"../s", "none"} {
		if _, err := Verify(dir, Options{Session: s}); err == nil {
			t.Errorf("session %q: no error", s)
		}
		if _, err := read(dir, s); err == nil {
			t.Errorf("reading session %q: no error", s)
		}
	}
	r := made(t, "s", 1, []map[string]string{{}, {}})
	r.verified(t, dir, "s", Options{})
	second := filepath.Join(dir, "s", segmentName(2))
	if err := errors.Join(os.Remove(second), os.Symlink("000001.jsonl", second)); err != nil {
		noLinks(t, err)
	}
	if f := mustVerify(t, dir, Options{}).Fault(); classOf(f) != Foreign {
		t.Errorf("a link for a segment: %v", f)
	}
}

func TestSessions(t *testing.T) {
	st := testState(t)
	for _, s := range []string{"b", "a", "C"} {
		if err := testLog(t, st, s, 0).Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(Path(st), "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Sessions(Path(st))
	if d := cmp.Diff([]string{"C", "a", "b"}, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

// TestReadStops: a consumer may leave early.
func TestReadStops(t *testing.T) {
	dir := t.TempDir()
	made(t, "s", 1, []map[string]string{{}, {}}).verified(t, dir, "s", Options{})
	for e, err := range Read(dir, "s") {
		if err != nil || e.File != "s/000001.jsonl" || e.Line != 1 {
			t.Errorf("%+v, %v", e, err)
		}
		break
	}
}

package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// record is a session on paper: the lines of each segment, with line feeds.
type record [][]string

// made records bodies and closes.
func made(t fataler, session string, maxBytes int64, bodies []map[string]string) record {
	d := &disk{}
	cfg := Config{Session: session, Clock: &ticking{}, MaxBytes: maxBytes}
	l, err := start(cfg, signer{session, testKey(1)}, d)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range bodies {
		if _, err := l.Append(context.Background(), Record{"k", b}, i%3 == 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var r record
	for _, s := range d.segments {
		lines := bytes.SplitAfter(s.Bytes(), []byte("\n"))
		var segment []string
		for _, line := range lines[:len(lines)-1] {
			segment = append(segment, string(line))
		}
		r = append(r, segment)
	}
	return r
}

type fataler interface{ Fatal(args ...any) }

func (r record) clone() record {
	out := make(record, len(r))
	for i := range r {
		out[i] = slices.Clone(r[i])
	}
	return out
}

func (r record) lines() (n int) {
	for _, s := range r {
		n += len(s)
	}
	return n
}

// place is where the line of an index stands, both from 0.
func (r record) place(i int) (segment, line int) {
	for segment = range r {
		if i < len(r[segment]) {
			return segment, i
		}
		i -= len(r[segment])
	}
	return segment, len(r[segment]) + i
}

func (r record) head() Head {
	last := r[len(r)-1]
	e, err := parseLine([]byte(last[len(last)-1][:len(last[len(last)-1])-1]))
	if err != nil {
		panic(err)
	}
	return Head{e.Session, e.Seq, e.Hash}
}

// verified writes the record to a fresh session directory and verifies it.
func (r record) verified(t fataler, dir, session string, opts Options) SessionReport {
	to := filepath.Join(dir, session)
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o700)); err != nil {
		t.Fatal(err)
	}
	for i, s := range r {
		data := []byte{}
		for _, line := range s {
			data = append(data, line...)
		}
		if err := os.WriteFile(filepath.Join(to, segmentName(i+1)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opts.Session = session
	report, err := Verify(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report.Sessions[0]
}

var genBodies = rapid.SliceOfN(rapid.MapOfN(rapid.StringN(0, 5, -1),
	rapid.StringN(0, 60, -1), 0, 3), 1, 12)

// genRecord draws a record of one or several segments.
func genRecord(t *rapid.T, session string) record {
	maxBytes := rapid.SampledFrom([]int64{1, 900, 1500, 1 << 20}).Draw(t, "max")
	return made(t, session, maxBytes, genBodies.Draw(t, "bodies"))
}

// wantFault checks class and place; line counts from 0 within its segment.
func wantFault(t *rapid.T, got SessionReport, class Class, segment, line int) {
	t.Helper()
	file := path.Join(got.Session, segmentName(segment+1))
	if f := got.Fault; f == nil || f.Class != class || f.File != file || f.Line != line+1 {
		t.Fatalf("got %v, want %s in %s, line %d", f, class, file, line+1)
	}
}

func TestSound(t *testing.T) {
	dir, key := t.TempDir(), testKey(1).Public().(ed25519.PublicKey)
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		got := r.verified(t, dir, "s", Options{Key: key,
			Anchors: []Head{r.head()}})
		n := uint64(r.lines())
		if got.Fault != nil || got.Torn != nil || !got.Closed ||
			got.Head.Seq != n || got.Signed != n {
			t.Fatalf("%+v", got)
		}
	})
}

func TestTamperFlip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		seg, line := r.place(rapid.IntRange(0, r.lines()-1).Draw(t, "line"))
		b := []byte(r[seg][line])
		b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= rapid.ByteRange(1, 255).Draw(t, "mask")
		r[seg][line] = string(b)
		wantFault(t, r.verified(t, dir, "s", Options{}), Corrupt, seg, line)
	})
}

func TestTamperDrop(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		head := r.head()
		seg, line := r.place(rapid.IntRange(0, r.lines()-1).Draw(t, "line"))
		r[seg] = slices.Delete(r[seg], line, line+1)
		class := Dropped
		if line == len(r[seg]) { // it was the head that ends the segment
			class = Truncated
		}
		if class == Truncated && seg == len(r)-1 {
			// The very last: only an anchor tells that from a crash.
			if got := r.verified(t, dir, "s", Options{}); got.Fault != nil || got.Closed {
				t.Fatalf("%+v", got)
			}
		}
		wantFault(t, r.verified(t, dir, "s", Options{Anchors: []Head{head}}), class, seg, line)
	})
}

func TestTamperSwap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		i := rapid.IntRange(0, r.lines()-2).Draw(t, "i")
		j := rapid.IntRange(i+1, r.lines()-1).Draw(t, "j")
		si, li := r.place(i)
		sj, lj := r.place(j)
		r[si][li], r[sj][lj] = r[sj][lj], r[si][li]
		wantFault(t, r.verified(t, dir, "s", Options{}), Reordered, si, li)
	})
}

func TestTamperDuplicate(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		i := rapid.IntRange(0, r.lines()-1).Draw(t, "line")
		at := rapid.IntRange(0, r.lines()).Draw(t, "at")
		si, li := r.place(i)
		sa, la := r.place(at)
		r[sa] = slices.Insert(r[sa], la, r[si][li])
		if at == i { // the copy before it is taken for the original
			la++
		}
		wantFault(t, r.verified(t, dir, "s", Options{}), Duplicated, sa, la)
	})
}

func TestTamperSplice(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r, other := genRecord(t, "s"), genRecord(t, "other")
		so, lo := other.place(rapid.IntRange(0, other.lines()-1).Draw(t, "from"))
		at := rapid.IntRange(0, r.lines()-1).Draw(t, "at")
		s, l := r.place(at)
		if rapid.Bool().Draw(t, "insert") {
			r[s] = slices.Insert(r[s], l, other[so][lo])
		} else {
			r[s][l] = other[so][lo]
		}
		wantFault(t, r.verified(t, dir, "s", Options{}), Spliced, s, l)
	})
}

// TestTamperTruncate cuts a segment anywhere.
func TestTamperTruncate(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := genRecord(t, "s")
		head := r.head()
		s, l := r.place(rapid.IntRange(0, r.lines()-1).Draw(t, "line"))
		keep := rapid.IntRange(0, len(r[s][l])-1).Draw(t, "keep")
		r[s] = append(slices.Clone(r[s][:l]), r[s][l][:keep])
		wantFault(t, r.verified(t, dir, "s", Options{Anchors: []Head{head}}), Truncated, s, l)
		if s < len(r)-1 {
			wantFault(t, r.verified(t, dir, "s", Options{}), Truncated, s, l)
			return
		}
		got := r.verified(t, dir, "s", Options{})
		if got.Fault != nil || got.Closed || (got.Torn != nil) != (keep > 0) ||
			keep > 0 && got.Torn.Line != l+1 {
			t.Fatalf("cut at %d: %+v", keep, got)
		}
	})
}

func TestTamperSegment(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := made(t, "s", 1, genBodies.Draw(t, "bodies"))
		if len(r) < 2 {
			t.Skip("one segment")
		}
		n := rapid.IntRange(0, len(r)-2).Draw(t, "segment")
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0: // joined with the next, which is then empty
			joined := r.clone()
			joined[n], joined[n+1] = append(joined[n], joined[n+1]...), nil
			wantFault(t, joined.verified(t, dir, "s", Options{}), Misplaced, n, len(r[n]))
		case 1: // the last removed
			wantFault(t, r[:len(r)-1].verified(t, dir, "s", Options{}), Missing, len(r)-1, 0)
		case 2: // one in the middle removed, the others renamed
			gap := slices.Delete(r.clone(), n, n+1)
			wantFault(t, gap.verified(t, dir, "s", Options{}), Dropped, n, 0)
		}
	})
}

// TestEveryFlip changes each bit of a whole record, one at a time.
func TestEveryFlip(t *testing.T) {
	r := made(t, "s", 1, []map[string]string{{"a": "é\"\n"}, {}})
	for s := range r {
		t.Run(segmentName(s+1), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r.verified(t, dir, "s", Options{})
			file := filepath.Join(dir, "s", segmentName(s+1))
			data := []byte(strings.Join(r[s], ""))
			for bit := range 8 * len(data) {
				bad := bytes.Clone(data)
				bad[bit/8] ^= 1 << (bit % 8)
				if err := os.WriteFile(file, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				line := 1 + bytes.Count(data[:bit/8], []byte("\n"))
				f := mustVerify(t, dir, Options{Session: "s"}).Fault()
				if f == nil || f.Class != Corrupt || f.Line != line ||
					f.File != path.Join("s", segmentName(s+1)) {
					t.Fatalf("line %d, bit %d: %v", line, bit, f)
				}
			}
		})
	}
}

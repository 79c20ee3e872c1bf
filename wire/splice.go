package wire

import (
	"cmp"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Edit replaces Length bytes of a frame at Offset by New.
type Edit struct {
	Offset, Length int
	New            []byte
}

// Splice applies edits to a frame in one pass and returns a new frame; 200
// edits of 2 MB by a path library take seconds. The edits may come in any order
// but not overlap, and two insertions at one place have no order, so both are
// refused rather than guessed.
//
// It does not look at New: whoever builds it quotes it ([Quote]). The gate in
// front of every connection's Write is the second line.
func Splice(frame []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length))
	})
	size := len(frame)
	for i, e := range sorted {
		// Written so that no sum can overflow.
		if e.Offset < 0 || e.Length < 0 || e.Offset > len(frame) ||
			e.Length > len(frame)-e.Offset {
			return nil, errors.New("splicing frame: edit out of range")
		}
		if i > 0 && overlap(sorted[i-1], e) {
			return nil, errors.New("splicing frame: edits overlap")
		}
		size += len(e.New) - e.Length
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range sorted {
		out = append(out, frame[at:e.Offset]...)
		out = append(out, e.New...)
		at = e.Offset + e.Length
	}
	return append(out, frame[at:]...), nil
}

// overlap compares neighbours of the sorted list.
func overlap(a, b Edit) bool {
	return b.Offset < a.Offset+a.Length || b.Length == 0 && a.Length == 0 && a.Offset == b.Offset
}

// Quote encodes s as a JSON string. HTML's characters stay as they are; bytes
// that are not UTF-8 become U+FFFD.
func Quote(s string) []byte {
	out, _ := jsontext.AppendQuote(make([]byte, 0, len(s)+2), s) // the error reports U+FFFD
	return out
}

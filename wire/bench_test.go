package wire

import (
	"fmt"
	"strings"
	"testing"
)

// snapshotFrame is a reply of about size bytes in the shape of a browser
// server's structured snapshot.
func snapshotFrame(size int) []byte {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":7,"result":{"content":[],` +
		`"structuredContent":{"snapshot":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"1_%d","role":"link","name":"Überschrift \"%d\" of the page",`+
			`"url":"https://example.com/a/%d","children":[{"id":"1_%d","role":"StaticText",`+
			`"name":"A sentence of ordinary length, as documentation has them."}]}`, i, i, i, i+1)
	}
	b.WriteString(`]}}}`)
	return []byte(b.String())
}

func BenchmarkCheck(b *testing.B) {
	frame := snapshotFrame(2 << 20)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if err := Check(frame, DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTooDeep(b *testing.B) {
	frame := snapshotFrame(2 << 20)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if tooDeep(frame, MaxDepth) >= 0 {
			b.Fatal("too deep")
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	frame := snapshotFrame(2 << 20)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		n := 0
		if err := Walk(frame, 0, func(Leaf) error { n++; return nil }); err != nil || n == 0 {
			b.Fatal(err, n)
		}
	}
}

// BenchmarkSplice is 200 edits in 2 MB, for which a path library takes 1.5 s.
func BenchmarkSplice(b *testing.B) {
	frame := snapshotFrame(2 << 20)
	var edits []Edit
	for i := range 200 {
		edits = append(edits, Edit{Offset: 100 + i*10_000, Length: 5, New: []byte("replaced")})
	}
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, err := Splice(frame, edits); err != nil {
			b.Fatal(err)
		}
	}
}

package audit

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

var benchBody = map[string]any{"tool": "browser_click", "origin": "https://shop.example",
	"facts": map[string]any{"class": "submit", "digest": strings.Repeat("0f", 32), "length": 41,
		"visible": true, "reasons": []string{"rule.submit", "rule.cross-origin"}},
	"decision": "approve", "rule": "submit-needs-person"}

func benchAppend(b *testing.B, durable bool, parallel int) {
	l := testLog(b, testState(b), "s", 0)
	b.SetParallelism(parallel)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, err := l.Append(context.Background(), Record{"decision", benchBody}, durable)
			if err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkAppendDurable(b *testing.B) {
	b.Run("1", func(b *testing.B) {
		l := testLog(b, testState(b), "s", 0)
		for b.Loop() {
			mustAppend(b, l, "decision", benchBody, true)
		}
	})
	b.Run("50", func(b *testing.B) { benchAppend(b, true, 25) })
}

func BenchmarkAppend(b *testing.B) {
	b.Run("1", func(b *testing.B) {
		l := testLog(b, testState(b), "s", 0)
		for b.Loop() {
			mustAppend(b, l, "decision", benchBody, false)
		}
	})
	b.Run("50", func(b *testing.B) { benchAppend(b, false, 25) })
}

func BenchmarkVerify(b *testing.B) {
	st := testState(b)
	l := testLog(b, st, "s", 4<<20)
	for i := range 20000 {
		mustAppend(b, l, "decision", benchBody, i%1000 == 0)
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	size := int64(0)
	for n := 1; segmentSize(filepath.Join(Path(st), "s"), n) >= 0; n++ {
		size += segmentSize(filepath.Join(Path(st), "s"), n)
	}
	b.SetBytes(size)
	for b.Loop() {
		mustBeSound(b, Path(st), Options{})
	}
}

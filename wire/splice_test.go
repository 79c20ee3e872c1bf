package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Splicing, then walking, yields the same leaves in the same places, but for
// those replaced, which have exactly their new text.
func TestSpliceLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := []byte(genObject(4).Draw(t, "frame"))
		if err := Check(frame, DefaultLimits()); err != nil {
			t.Fatalf("generated frame: %v", err)
		}
		var edits []Edit
		var want []string
		n := 0
		must(t, Walk(frame, 0, func(l Leaf) error {
			n++
			text := l.String()
			if l.Kind == LeafString && rapid.Bool().Draw(t, "replace") {
				text = rapid.String().Draw(t, "new")
				edits = append(edits, Edit{l.Offset, l.Length, Quote(text)})
			}
			if l.Kind == LeafKey && rapid.Bool().Draw(t, "replace") {
				text = fmt.Sprintf("key-%d", n) // stays unique
				edits = append(edits, Edit{l.Offset, l.Length, Quote(text)})
			}
			want = append(want, fmt.Sprint(l.Kind, len(l.Path), " ", text))
			return nil
		}))
		if len(edits) > 1 {
			edits = rapid.Permutation(edits).Draw(t, "order")
		}
		before := string(frame)
		out, err := Splice(frame, edits)
		must(t, err)
		must(t, Check(out, DefaultLimits()))
		if string(frame) != before {
			t.Fatal("Splice changed its input")
		}
		var got []string
		must(t, Walk(out, 0, func(l Leaf) error {
			got = append(got, fmt.Sprint(l.Kind, len(l.Path), " ", l.String()))
			return nil
		}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("leaves (-want +got):\n%s", diff)
		}
	})
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func TestSplice(t *testing.T) {
	x := []byte("X")
	for name, tc := range map[string]struct {
		edits []Edit
		want  string // or a part of the error
	}{
		"none":                 {nil, "0123456789"},
		"unsorted":             {[]Edit{{8, 2, x}, {0, 1, x}}, "X1234567X"},
		"neighbours":           {[]Edit{{2, 2, x}, {4, 2, x}}, "01XX6789"},
		"insert at both ends":  {[]Edit{{10, 0, x}, {0, 0, x}}, "X0123456789X"},
		"insert, then replace": {[]Edit{{3, 2, x}, {3, 0, []byte("I")}}, "012IX56789"},
		"delete all":           {[]Edit{{0, 10, nil}}, ""},
		"overlap":              {[]Edit{{2, 3, x}, {4, 1, x}}, "error: overlap"},
		"inside":               {[]Edit{{2, 8, x}, {4, 1, x}}, "error: overlap"},
		"same":                 {[]Edit{{2, 1, x}, {2, 1, x}}, "error: overlap"},
		"two insertions":       {[]Edit{{2, 0, x}, {2, 0, x}}, "error: overlap"},
		"negative":             {[]Edit{{-1, 1, x}}, "error: range"},
		"negative length":      {[]Edit{{1, -1, x}}, "error: range"},
		"beyond":               {[]Edit{{10, 1, x}}, "error: range"},
		"overflow":             {[]Edit{{1, int(^uint(0) >> 1), x}}, "error: range"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := Splice([]byte("0123456789"), tc.edits)
			if part, isErr := strings.CutPrefix(tc.want, "error: "); isErr {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("Splice = %q, %v, want an error about %s", out, err, part)
				}
				return
			}
			if diff := cmp.Diff(tc.want, string(out)); err != nil || diff != "" {
				t.Errorf("Splice: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                   `""`,
		"<a href=\"x\">&'\\": `"<a href=\"x\">&'\\"`,
		"a\nb\x00":           `"a\nb\u0000"`,
		"\xff":               "\"\ufffd\"",
	} {
		if got := string(Quote(in)); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestColumns(t *testing.T) {
	var b strings.Builder
	rows := pair(snapshotLines(bareSnapshot), snapshotLines(moireSnapshot))
	if err := newColumns(&b, 85, false).print("Bare", "Moiré", rows); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/columns.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(b.String()) {
		if n := textWidth(strings.TrimSuffix(line, "\n")); n > 85 {
			t.Errorf("%d wide: %s", n, line)
		}
	}
}

func TestColumnsColourOnlyOnDemand(t *testing.T) {
	rows := []demoRow{{left: "gone", less: true}, {left: "same", right: "same"}}
	for _, colour := range []bool{true, false} {
		var b strings.Builder
		if err := newColumns(&b, 80, colour).print("a", "b", rows); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), red+"- gone"+reset) != colour ||
			strings.Contains(b.String(), "\x1b") != colour || strings.Contains(b.String(), red+"  same") {
			t.Errorf("colour %v: %q", colour, b.String())
		}
	}
}

// The left column is a hostile page's text: a terminal must not obey it.
func TestColumnsDisarmControlCharacters(t *testing.T) {
	var b strings.Builder
	rows := []demoRow{{left: "a\x1b]0;x\x07\rb\u202ec\u200bd\x9be", less: true}}
	if err := newColumns(&b, 200, false).print("a", "b", rows); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `a\u{1b}]0;x\u{7}\u{d}b\u{202e}c\u{200b}d`) ||
		strings.ContainsAny(b.String(), "\x1b\x07\r\u202e\u200b") {
		t.Errorf("%q", b.String())
	}
}

func TestPairKeepsEveryLineInOrder(t *testing.T) {
	lines := func(ids string) (ls []demoLine) {
		for _, id := range strings.Fields(ids) {
			ls = append(ls, demoLine{uid: id, text: id})
		}
		return ls
	}
	for _, tt := range []struct{ left, right string }{
		{"1 2 3", "1 2 3"}, {"1 2 3", ""}, {"", "1 2"}, {"1 2 3", "3 2 1"},
		{"1 2 3 4 5", "2 4 9"}, {"1 2", "9 1 8 2 7"}, {"1 1 2", "1 2 2"},
	} {
		var left, right []string
		for _, r := range pair(lines(tt.left), lines(tt.right)) {
			if r.left != "" {
				left = append(left, r.left)
			}
			if r.right != "" {
				right = append(right, r.right)
			}
		}
		if got := strings.Join(left, " "); got != tt.left {
			t.Errorf("%v: left column reads %q", tt, got)
		}
		if got := strings.Join(right, " "); got != tt.right {
			t.Errorf("%v: right column reads %q", tt, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, nil},
		{"short", 10, []string{"short"}},
		{"one two three", 9, []string{"one two", "  three"}},
		{"  one two three", 9, []string{"  one two", "    three"}},
		{"abcdefghijkl", 6, []string{"abcdef", "  ghij", "  kl"}},
		{"漢字漢字漢字", 6, []string{"漢字漢", "  字漢", "  字"}},
	} {
		if diff := cmp.Diff(tt.want, wrap(tt.in, tt.width)); diff != "" {
			t.Errorf("%q: %s", tt.in, diff)
		}
	}
}

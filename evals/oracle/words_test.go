package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []word
	}{
		{"", nil},
		{" – … ", nil},
		{"Hello, World-2", []word{{"hello", 0, 5}, {"world", 7, 12}, {"2", 13, 14}}},
		{"co\u00adop", []word{{"coop", 0, 5}}},
		{"日本 ab", []word{{"日", 0, 1}, {"本", 1, 2}, {"ab", 3, 5}}},
		{"😀 é", []word{{"é", 3, 4}}},
		{"e\u0301t", []word{{"e\u0301t", 0, 3}}},
		{"\ue001", nil}, // a glyph of an icon font says nothing
	} {
		if diff := cmp.Diff(c.want, split(c.in)); diff != "" {
			t.Errorf("split(%q): %s", c.in, diff)
		}
	}
}

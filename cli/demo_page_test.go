package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func drawn(t *testing.T, seed byte) *demoPage {
	t.Helper()
	p, err := newDemoPage([32]byte{seed})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The same words in other orders: a filter that knows words can't pass.
func TestDemoRunsShareWordsButNoSequence(t *testing.T) {
	for seed := range byte(100) {
		p := drawn(t, seed)
		visible := map[string]bool{}
		for _, v := range p.Visible {
			for _, w := range wordsOf(v.Text) {
				if visible[w] {
					t.Fatalf("seed %d: %q stands in two visible runs", seed, w)
				}
				visible[w] = true
			}
		}
		for i, h := range p.Hidden {
			words := wordsOf(h.Text)
			for _, w := range words {
				if !visible[w] {
					t.Fatalf("seed %d: %q is a hidden run's only", seed, w)
				}
			}
			others := slices.Concat(p.Visible, p.Hidden[:i], p.Hidden[i+1:])
			for _, o := range others {
				for j := range len(words) - 2 {
					if containsRun(wordsOf(o.Text), words[j:j+3]) {
						t.Fatalf("seed %d: %q and %q share %v", seed, h.Text, o.Text, words[j:j+3])
					}
				}
			}
		}
	}
}

func TestDemoPageIsNewEachTime(t *testing.T) {
	if a, b := drawn(t, 1), drawn(t, 2); a.Visible[0] == b.Visible[0] || a.Hidden[0] == b.Hidden[0] {
		t.Error("two seeds drew the same words")
	}
}

// A run that the template forgot would fail the demo for nothing.
func TestDemoPageHoldsEveryRun(t *testing.T) {
	p := drawn(t, 7)
	if len(p.Hidden) < 8 {
		t.Errorf("only %d hidden kinds", len(p.Hidden))
	}
	for _, run := range slices.Concat(p.Visible, p.Hidden) {
		if want := 1; run.Kind != "heading" && strings.Count(string(p.HTML), run.Text) != want {
			t.Errorf("%s: not once in the page", run.Kind)
		}
	}
	if _, err := html.Parse(bytes.NewReader(p.HTML)); err != nil {
		t.Error(err)
	}
}

func TestDemoWordsAreDistinct(t *testing.T) {
	words := demoWords()
	slices.Sort(words)
	if n := len(slices.Compact(slices.Clone(words))); n != len(words) {
		t.Errorf("%d words, %d distinct", len(words), n)
	}
}

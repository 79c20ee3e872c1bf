package scan

import (
	"strings"
	"testing"

	"moire/evidence"
	"pgregory.net/rapid"
)

// testPage makes a page of blocks; a block is a list of runs, a run that
// begins with "!" is hidden.
func testPage(blocks ...[]string) *Page {
	p := &Page{Items: []Item{{Kind: FrameItem, Parent: -1}}}
	for n, block := range blocks {
		for _, run := range block {
			it := Item{Kind: TextItem, Text: strings.TrimPrefix(run, "!"), Block: n}
			if strings.HasPrefix(run, "!") {
				it.Hidden = []Span{{0, len(it.Text), evidence.KindTransparent}}
			}
			p.Items = append(p.Items, it)
		}
	}
	if !p.link() {
		panic("bad test page")
	}
	return p
}

func TestExplain(t *testing.T) {
	e := NewExplainer(testPage(
		[]string{"Pay ", "now", " and save"},
		[]string{"Delete"}, []string{"all"}, []string{"customers"},
		[]string{"seen", "!hidden", "again"},
	))
	for s, want := range map[string]Match{
		"Pay now and save":        Whole,
		"pay  NOW":                Run,
		"now and":                 Run,
		"Delete all":              Whole,
		"Delete all customers":    Whole,
		"save Delete":             Unexplained, // a part of one block and another
		"all Delete":              Unexplained, // other order
		"Delete customers":        Unexplained, // not neighbours
		"lete all":                Unexplained,
		"hidden":                  Unexplained,
		"seen hidden again":       Unexplained,
		"seen again":              Whole, // two runs, each complete: neighbours
		"een again":               Unexplained,
		"":                        Whole,
		" \n":                     Whole,
		"Pay now and save Delete": Whole,
	} {
		if got := e.Explain(s); got != want {
			t.Errorf("Explain(%q) = %v, want %v", s, got, want)
		}
	}
}

// Adding hidden text never explains more.
func TestHiddenTextNeverExplains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "c", "ab", "ba"})
		blocks := rapid.SliceOfN(rapid.SliceOfN(word, 1, 3), 1, 4).Draw(t, "blocks")
		probe := strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "probe"), " ")
		plain := NewExplainer(testPage(blocks...)).Explain(probe)
		n := rapid.IntRange(0, len(blocks)-1).Draw(t, "block")
		at := rapid.IntRange(0, len(blocks[n])).Draw(t, "at")
		more := append([][]string(nil), blocks...)
		more[n] = append(append(append([]string(nil), blocks[n][:at]...), "!"+word.Draw(t, "hidden")), blocks[n][at:]...)
		if got := NewExplainer(testPage(more...)).Explain(probe); plain == Unexplained && got == Run {
			t.Errorf("%q: a hidden run in %v explains it", probe, more)
		}
	})
}

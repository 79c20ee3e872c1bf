package scan

import (
	"sort"
	"strings"
)

// Explainer answers the one question of the read path for strings without a
// node: does a person see this? A string is explained if, folded, it is one
// contiguous run inside one visible block, or a whole sequence of complete
// neighbouring blocks, in visual reading order. It is never assembled from
// words or from several places.
type Explainer struct {
	text string
	// ends[i] is where block i ends in text; it starts where the last ended.
	ends []int
}

// NewExplainer indexes the visible text of pages: one page, or the documents
// of its frames.
func NewExplainer(pages ...*Page) *Explainer {
	var b strings.Builder
	e := &Explainer{}
	for _, p := range pages {
		block, frame := -1, -1
		for _, i := range p.visual() {
			it := &p.Items[i]
			if it.Kind != TextItem {
				continue
			}
			if f := p.frameOf(i); it.Block != block || f != frame {
				e.cut(b.Len())
				block, frame = it.Block, f
			}
			e.add(&b, it)
		}
		e.cut(b.Len())
	}
	e.text = b.String()
	return e
}

// add appends a text item; what is hidden inside it ends the run, since what
// stands on its two sides is not contiguous for a reader.
func (e *Explainer) add(b *strings.Builder, it *Item) {
	at := 0
	for _, h := range it.Hidden {
		b.WriteString(fold(it.Text[at:h.From]))
		if strings.TrimSpace(it.Text[h.From:h.To]) != "" {
			e.cut(b.Len())
		}
		at = h.To
	}
	b.WriteString(fold(it.Text[at:]))
}

func (e *Explainer) cut(at int) {
	if n := len(e.ends); n == 0 && at > 0 || n > 0 && e.ends[n-1] < at {
		e.ends = append(e.ends, at)
	}
}

// maxOccurrences bounds the search for a better match of a short string.
const maxOccurrences = 2000

// Match says how a string is explained.
type Match uint8

const (
	Unexplained Match = iota
	// Run: contiguous inside one block.
	Run
	// Whole: exactly one block, or a sequence of complete blocks.
	Whole
)

// Explain judges s. A string that folds to nothing says nothing and is Whole.
func (e *Explainer) Explain(s string) Match {
	f := fold(s)
	if f == "" {
		return Whole
	}
	best := Unexplained
	from := 0
	for range maxOccurrences {
		i := strings.Index(e.text[from:], f)
		if i < 0 {
			return best
		}
		start := from + i
		end := start + len(f)
		first := sort.SearchInts(e.ends, start+1)
		last := sort.SearchInts(e.ends, end)
		begins := start == 0 || first > 0 && e.ends[first-1] == start
		switch {
		case begins && e.ends[last] == end:
			return Whole
		case first == last:
			best = Run
		}
		from = start + 1
	}
	return best
}

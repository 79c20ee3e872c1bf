package scan

import (
	"index/suffixarray"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
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
	// lookups counts searches; many of them in a long text are worth an index.
	lookups atomic.Int32
	once    sync.Once
	index   *suffixarray.Index
}

// An index costs as much as some fifty searches.
const (
	indexedLookups = 50
	indexedText    = 4 << 10
)

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
	for at := range e.occurrences(f, false) {
		if best = max(best, at.match); best == Whole {
			break
		}
	}
	return best
}

// place is where a folded string stands in the visible text: bytes [start, end).
type place struct {
	start, end int
	match      Match
}

// occurrences are some places of a folded string, the first unless there are
// very many, those that run from one block into another among them. Who searches
// often may have an index.
func (e *Explainer) occurrences(f string, often bool) iter.Seq[place] {
	return func(yield func(place) bool) {
		for start := range e.starts(f, often) {
			at := place{start: start, end: start + len(f)}
			first := sort.SearchInts(e.ends, at.start+1)
			last := sort.SearchInts(e.ends, at.end)
			begins := at.start == 0 || first > 0 && e.ends[first-1] == at.start
			switch {
			case begins && e.ends[last] == at.end:
				at.match = Whole
			case first == last:
				at.match = Run
			}
			if !yield(at) {
				return
			}
		}
	}
}

// starts are where f begins, at most maxOccurrences of them.
func (e *Explainer) starts(f string, often bool) iter.Seq[int] {
	if often && e.lookups.Add(1) > indexedLookups && len(e.text) > indexedText {
		e.once.Do(func() { e.index = suffixarray.New([]byte(e.text)) })
		found := e.index.Lookup([]byte(f), maxOccurrences)
		slices.Sort(found)
		return slices.Values(found)
	}
	return func(yield func(int) bool) {
		from := 0
		for range maxOccurrences {
			i := strings.Index(e.text[from:], f)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + 1
		}
	}
}

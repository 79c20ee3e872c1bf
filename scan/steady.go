package scan

import (
	"slices"
	"strconv"

	"moire/evidence"
)

// steady returns the second page with all hidden that the first does not show
// in the same place: what one look alone admits has changed in between. Order
// and structure are the second's. Neither page is changed.
func steady(first, second *Page) *Page {
	out := *second
	out.Items = slices.Clone(second.Items)
	m := pageMatch{was: places(first), now: places(second), item: make([]int, len(second.Items))}
	for i := range m.item {
		m.item[i] = -1
	}
	m.match(0, len(m.was), 0, len(m.now), 0)
	for i := range out.Items {
		var was *Item
		if x := m.item[i]; x >= 0 {
			was = &first.Items[x]
		}
		out.Items[i].restrict(was)
	}
	return &out
}

// restrict hides what the same item of the look before, nil for none, does not
// show.
func (it *Item) restrict(was *Item) {
	switch {
	case it.Kind == TextItem && was == nil:
		it.Hidden = []Span{{0, len(it.Text), evidence.KindUnsteady}}
	case it.Kind == TextItem:
		it.Hidden = unite(it.Hidden, was.Hidden)
	case was == nil || !was.Shown:
		it.Shown = false
		if it.Value == 0 && (was == nil || was.Value != 0) {
			it.Value = evidence.KindUnsteady
		}
	case it.Value == 0 && was.Value != 0:
		it.Value = evidence.KindUnsteady
	case it.HintKind == 0 && (was.HintKind != 0 || was.Hint != it.Hint):
		it.HintKind = evidence.KindUnsteady
	}
}

// unite adds to the hidden spans of a text those that the look before had and
// now has not. Both are in order, and so is the result.
func unite(now, was []Span) []Span {
	if len(was) == 0 {
		return now
	}
	out := slices.Clone(now)
	first := 0
	for _, w := range was {
		for first < len(now) && now[first].To <= w.From {
			first++
		}
		from := w.From
		for _, n := range now[first:] {
			if n.From >= w.To {
				break
			}
			if n.From > from {
				out = append(out, Span{from, n.From, evidence.KindUnsteady})
			}
			from = max(from, n.To)
		}
		if from < w.To {
			out = append(out, Span{from, w.To, evidence.KindUnsteady})
		}
	}
	slices.SortFunc(out, func(a, b Span) int { return a.From - b.From })
	return out
}

// pageMatch pairs the items of two pages, of which most are equal.
type pageMatch struct {
	was, now []entry
	item     []int // of the second page: the item of the first, or -1
}

// places lists a page's items in tree order. Two with one key are alike for a
// reader: a text by its characters, all else by what it is.
func places(p *Page) []entry {
	out := make([]entry, len(p.Items))
	for i := range p.Items {
		it := &p.Items[i]
		key := it.Role + it.URL
		if it.Kind == TextItem {
			key = it.Text
		}
		out[i] = entry{key: strconv.Itoa(int(it.Kind)) + key, item: i}
	}
	return out
}

// match pairs was[a:b] and now[c:d]: what they begin and end with, then, as a
// patience diff does, between what occurs once in each. The rest stays alone:
// of equal items that moved nobody knows which is which.
func (m *pageMatch) match(a, b, c, d, depth int) {
	for a < b && c < d && m.was[a].key == m.now[c].key {
		m.item[c] = a
		a, c = a+1, c+1
	}
	for a < b && c < d && m.was[b-1].key == m.now[d-1].key {
		b, d = b-1, d-1
		m.item[d] = b
	}
	if a == b || c == d || depth > maxMatchDepth {
		return
	}
	pairs := anchors(m.was[a:b], m.now[c:d])
	if len(pairs) == 0 {
		return
	}
	x, y := a, c
	for _, p := range pairs {
		m.match(x, a+p[0], y, c+p[1], depth+1)
		x, y = a+p[0], c+p[1]
		m.item[y] = x
		x, y = x+1, y+1
	}
	m.match(x, b, y, d, depth+1)
}

package scan

import (
	"strings"

	"moire/evidence"
)

// ItemKind tells the three forms of items apart.
type ItemKind uint8

const (
	TextItem ItemKind = iota
	ElementItem
	FrameItem
)

const (
	flagShown    = 1
	flagControl  = 2
	flagGraphic  = 4
	flagUnlisted = 8
	levelShift   = 4
)

// Span is a run of bytes [From, To) that is not seen, and why.
type Span struct {
	From, To int
	Kind     evidence.Kind
}

// Item is what the scanner found in one place of the flat tree.
type Item struct {
	Kind ItemKind
	// Parent is the index of the enclosing item, -1 for the top document.
	Parent int

	// Text of a text node; the title of a frame's document.
	Text   string
	Hidden []Span
	// Block numbers the block that the text flows in.
	Block int
	// Unlisted: shown but not in the accessibility tree (aria-hidden, inert).
	Unlisted bool

	// Role and the part of the name that attributes give.
	Role, Name string
	// Shown: its box can be seen. Graphic: something is drawn in it.
	Shown, Control, Graphic bool
	// Value says why the value that a control draws is not seen; Hint is the
	// placeholder that shows in its stead.
	HasValue        bool
	Value, HintKind evidence.Kind
	Hint            string
	// Level of a heading, 1 to 6.
	Level int
	// Ref is the upstream's name of the element, if it keeps names where the scan
	// finds them.
	Ref string

	// URL of a frame's document or of a link; Gone says why nothing of it is seen.
	URL  string
	Gone evidence.Kind
	// Around is what the scan of a frame's document has to know of the page
	// around the frame, as the scanner wrote it; empty if it did not come so far.
	Around string

	end int
}

func (it *Item) flags(f int) {
	it.Shown = f&flagShown != 0
	it.Control = f&flagControl != 0
	it.Graphic = f&flagGraphic != 0
	it.Unlisted = f&flagUnlisted != 0
	it.Level = f >> levelShift & 7
}

// seen returns the text without what is hidden.
func (it *Item) seen() string {
	if len(it.Hidden) == 0 {
		return it.Text
	}
	var b strings.Builder
	at := 0
	for _, h := range it.Hidden {
		b.WriteString(it.Text[at:h.From])
		at = h.To
	}
	b.WriteString(it.Text[at:])
	return b.String()
}

// Page is what one scan saw: items in tree order.
type Page struct {
	Items []Item
	// Rank is the visual order of items; empty if it is the tree order.
	Rank []int
	// Opaque counts regions whose pixels were not read.
	Opaque int
	// Exhausted names the budget that ended the walk.
	Exhausted string
	// Marks are the items of the elements passed to the scan, -1 for none.
	Marks []int

	place []int
}

// link checks the parents, and computes where each item's subtree ends and
// its place in visual order.
func (p *Page) link() bool {
	for i := range p.Items {
		it := &p.Items[i]
		if it.Parent >= i || it.Parent < -1 || (it.Parent == -1) != (i == 0) {
			return false
		}
		if i == 0 && it.Kind != FrameItem {
			return false
		}
		if i > 0 && p.Items[it.Parent].Kind == TextItem {
			return false
		}
	}
	for i := len(p.Items) - 1; i > 0; i-- {
		it := &p.Items[i]
		if it.end == 0 {
			it.end = i + 1
		}
		if up := &p.Items[it.Parent]; up.end < it.end {
			up.end = it.end
		}
	}
	if p.Items[0].end == 0 {
		p.Items[0].end = 1
	}
	for _, m := range p.Marks {
		if m >= len(p.Items) {
			return false
		}
	}
	for i := range p.Items {
		if it := &p.Items[i]; it.Kind == FrameItem && it.Gone != 0 {
			p.conceal(i, it.Gone)
		}
	}
	return p.order()
}

// conceal marks everything below item i as not seen.
func (p *Page) conceal(i int, k evidence.Kind) {
	for x := i; x < p.Items[i].end; x++ {
		it := &p.Items[x]
		it.Shown = false
		it.Value, it.HintKind = k, k
		if it.Kind == TextItem {
			it.Hidden = []Span{{0, len(it.Text), k}}
		}
	}
}

// order fills place; items that the ranking leaves out keep the place of the
// item before them.
func (p *Page) order() bool {
	p.place = make([]int, len(p.Items))
	if len(p.Rank) == 0 {
		for i := range p.place {
			p.place[i] = i
		}
		return true
	}
	const none = -1
	for i := range p.place {
		p.place[i] = none
	}
	for n, i := range p.Rank {
		if i < 0 || i >= len(p.Items) || p.place[i] != none {
			return false
		}
		p.place[i] = n
	}
	last := 0
	for i := range p.place {
		if p.place[i] == none {
			p.place[i] = last
		}
		last = p.place[i]
	}
	return true
}

// visual returns the indices of all items in visual order.
func (p *Page) visual() []int {
	if len(p.Rank) > 0 {
		return p.Rank
	}
	all := make([]int, len(p.Items))
	for i := range all {
		all[i] = i
	}
	return all
}

// content concatenates the texts below item i: all of it, or what is seen.
func (p *Page) content(i int, seenOnly bool) string {
	var b strings.Builder
	for j := i; j < p.Items[i].end; j++ {
		it := &p.Items[j]
		if it.Kind != TextItem || (it.Unlisted && !seenOnly) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if seenOnly {
			b.WriteString(it.seen())
		} else {
			b.WriteString(it.Text)
		}
	}
	return b.String()
}

// frameOf returns the frame item that i belongs to.
func (p *Page) frameOf(i int) int {
	for p.Items[i].Kind != FrameItem || p.Items[i].Parent < 0 {
		if p.Items[i].Kind == FrameItem {
			return i
		}
		i = p.Items[i].Parent
	}
	return i
}

// hide returns the page with nothing seen, for reason k.
func (p *Page) hide(k evidence.Kind) *Page {
	q := *p
	q.Items = append([]Item(nil), p.Items...)
	q.conceal(0, k)
	return &q
}

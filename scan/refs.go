package scan

import (
	"sort"
	"strings"

	"moire/ax"
)

// alignRefs lines up a tree whose ids are names that the upstream keeps at the
// elements (Playwright's refs): an element with an id is the item of that name,
// exactly. A text has no id and is made of one text node or of several in a row;
// it is looked for between the elements around it.
func alignRefs(root *ax.Node, p *Page) *alignment {
	a := &alignment{root: root, page: p, items: map[*ax.Node][]int{}, joined: true}
	byRef := map[string]int{}
	for i := range p.Items {
		if ref := p.Items[i].Ref; ref != "" {
			if _, twice := byRef[ref]; twice {
				byRef[ref] = -1 // no upstream gives a name twice
			} else {
				byRef[ref] = i
			}
		}
	}
	a.items[root] = []int{0}
	r := refs{alignment: a, byRef: byRef, left: maxSearch,
		texts: [2]textIndex{
			p.index(func(*Item) bool { return true }),
			// The upstream leaves out what is not rendered.
			p.index(func(it *Item) bool { return strings.TrimSpace(it.seen()) != "" }),
		}}
	r.within(root, 1, len(p.Items))
	return a
}

// Knows reports whether the look found all names of elements that a snapshot
// has: one that was taken before the upstream gave them does not.
func (v *View) Knows(root *ax.Node) bool {
	if !v.named {
		return true
	}
	refs := map[string]bool{"": true}
	for i := range v.Main.Items {
		refs[v.Main.Items[i].Ref] = true
	}
	known := true
	root.Walk(func(n *ax.Node) { known = known && refs[n.ID] })
	return known
}

// maxSearch bounds what is looked through for one snapshot, in bytes: what is
// nowhere costs the most. What is left then stays unmatched.
const maxSearch = 256 << 20

type refs struct {
	*alignment
	byRef map[string]int
	// texts are those of all text items, and of those that show anything.
	texts [2]textIndex
	left  int
}

// run finds the text items in a row that together are s.
func (a *refs) run(s string, from, to int) []int {
	want := fold(s)
	if want == "" || a.left <= 0 {
		return nil
	}
	for _, t := range a.texts {
		run, work := t.find(want, from, to)
		a.left -= work
		if run != nil {
			return run
		}
	}
	return nil
}

// within lines up what is below n with the items [from, to).
func (a *refs) within(n *ax.Node, from, to int) {
	// Where the next named element begins, seen from each child.
	ends := make([]int, len(n.Children))
	for x, end := len(ends)-1, to; x >= 0; x-- {
		if i, ok := a.byRef[n.Children[x].ID]; ok && i >= from && i < to {
			end = i
		}
		ends[x] = end
	}
	for x, c := range n.Children {
		i, known := a.byRef[c.ID]
		switch {
		case c.IsText():
			if run := a.run(c.Name, from, ends[x]); run != nil {
				a.items[c] = run
				from = run[len(run)-1] + 1
			}
		case known && i >= 0:
			a.items[c] = []int{i}
			end := a.page.Items[i].end
			a.within(c, i+1, end)
			if i >= from && i < to { // else it stands elsewhere than it is shown: aria-owns, a slot
				from = end
			}
		default: // the upstream names only what can be pointed at
			if i := a.alike(c, from, ends[x]); i >= 0 {
				a.items[c] = []int{i}
				from = a.page.Items[i].end
				a.within(c, i+1, from)
				continue
			}
			a.within(c, from, to)
		}
	}
}

// alike returns the first element among [from, to) that the upstream has not
// named and that has the node's role and name; -1 if there is none.
func (a *refs) alike(n *ax.Node, from, to int) int {
	name, role := fold(n.Name), n.Role
	if role == "img" {
		role = "image"
	}
	if name == "" {
		return -1
	}
	p := a.page
	for i := from; i < to && a.left > 0; i++ {
		it := &p.Items[i]
		a.left -= 64
		if it.Kind != ElementItem || it.Ref != "" || it.Role != role {
			continue
		}
		if it.Name != "" && fold(it.Name) == name {
			return i
		}
		if it.Name == "" {
			text := p.content(i, false)
			a.left -= len(text)
			if fold(text) == name {
				return i
			}
		}
	}
	return -1
}

// textIndex is the folded texts of a page in a row.
type textIndex struct {
	text string
	// items are the text items, at[x] is where the text of items[x] begins.
	items, at []int
}

func (p *Page) index(keep func(*Item) bool) textIndex {
	var t textIndex
	var b strings.Builder
	for i := range p.Items {
		it := &p.Items[i]
		if it.Kind != TextItem || !keep(it) {
			continue
		}
		if text := fold(it.Text); text != "" {
			t.items, t.at = append(t.items, i), append(t.at, b.Len())
			b.WriteString(text)
		}
	}
	t.text = b.String()
	return t
}

// find returns the first items in a row among [from, to) that together are
// want, and how many bytes it has looked through.
func (t textIndex) find(want string, from, to int) ([]int, int) {
	first, last := sort.SearchInts(t.items, from), sort.SearchInts(t.items, to)
	if first >= last {
		return nil, 0
	}
	begin, end := t.at[first], len(t.text)
	if last < len(t.at) {
		end = t.at[last]
	}
	for at := begin; ; {
		i := strings.Index(t.text[at:end], want)
		if i < 0 {
			return nil, end - begin
		}
		start := at + i
		x, y := sort.SearchInts(t.at, start), sort.SearchInts(t.at, start+len(want))
		whole := start+len(want) == len(t.text) || y < len(t.at) && t.at[y] == start+len(want)
		if x < len(t.at) && t.at[x] == start && whole {
			return t.items[x:y:y], start - begin
		}
		at = start + 1
	}
}

package scan

import (
	"strings"

	"moire/ax"
)

// maxPlaces bounds the positions that are named.
const maxPlaces = 16

// missing counts the runs of text that a person sees and the snapshot lacks
// (reverse divergence: aria-hidden text, mostly), and names by its id the last
// node of the snapshot before each, in the order of the page, at most maxPlaces.
func missing(root *ax.Node, v *View) (count int, after []string) {
	p := v.Main
	names := map[string]bool{}
	nodes := make(map[int]*ax.Node, len(p.Items))
	al := v.alignment(root)
	root.Walk(func(n *ax.Node) {
		names[fold(n.Name)] = true
		for _, i := range al.items[n] {
			nodes[i] = n
		}
	})
	last := root.ID
	for i := range p.Items {
		it := &p.Items[i]
		if n := nodes[i]; n != nil {
			last = n.ID
			continue
		}
		text := fold(it.seen())
		if it.Kind != TextItem || text == "" || names[text] || p.named(i, text, nodes) {
			continue
		}
		count++
		if len(after) < maxPlaces && (len(after) == 0 || after[len(after)-1] != last) {
			after = append(after, last)
		}
	}
	return count, after
}

// named reports whether a node around item i carries the text in its name: a
// button's text is its name.
func (p *Page) named(i int, text string, nodes map[int]*ax.Node) bool {
	for up := p.Items[i].Parent; up >= 0; up = p.Items[up].Parent {
		if n := nodes[up]; n != nil && strings.Contains(fold(n.Name), text) {
			return true
		}
	}
	return false
}

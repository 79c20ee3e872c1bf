package scan

import (
	"sort"

	"moire/ax"
)

// Alignment maps the nodes of a snapshot to the items of a scan, frame by
// frame, where nothing better than their order is known (the evaluate
// channel). A node is mapped to several items if they can't be told apart;
// what they disagree on is withheld by the judge.
type alignment struct {
	root  *ax.Node
	page  *Page
	items map[*ax.Node][]int
	// joined: a text that has several items is made of all of them.
	joined bool
}

// entry is a node or an item in one of the two sequences that are lined up.
type entry struct {
	key  string
	role string
	node *ax.Node
	item int
}

// align lines up the tree with the page. pinned holds nodes that the upstream
// resolved to elements itself; they are exact.
func align(root *ax.Node, p *Page, pinned map[*ax.Node]int) *alignment {
	a := &alignment{root: root, page: p, items: map[*ax.Node][]int{}}
	a.frame(root, 0)
	for n, i := range pinned {
		a.pin(n, i)
	}
	return a
}

// pin maps a node to the element it was resolved to; a text node resolves to
// its parent element, so it can only be one of that element's texts.
func (a *alignment) pin(n *ax.Node, i int) {
	if !n.IsText() {
		a.items[n] = []int{i}
		return
	}
	var texts []int
	for j := i + 1; j < a.page.Items[i].end; j++ {
		if it := &a.page.Items[j]; it.Kind == TextItem && fold(it.Text) == fold(n.Name) {
			texts = append(texts, j)
		}
	}
	if len(texts) > 0 {
		a.items[n] = texts
	}
}

// frame lines up one document: root is its RootWebArea, f its frame item.
func (a *alignment) frame(root *ax.Node, f int) {
	a.items[root] = []int{f}
	var nodes []entry
	var inner []*ax.Node
	collectNodes(root, &nodes, &inner, true)
	var items []entry
	var frames []int
	a.collectItems(f, &items, &frames)
	a.match(nodes, items, 0)
	a.frames(inner, frames)
}

// frames pairs nested documents: by the order of those with the same URL.
func (a *alignment) frames(roots []*ax.Node, frames []int) {
	byURL := map[string][]int{}
	for _, f := range frames {
		u := a.page.Items[f].URL
		byURL[u] = append(byURL[u], f)
	}
	count := map[string]int{}
	for _, r := range roots {
		count[urlOf(r)]++
	}
	for _, r := range roots {
		u := urlOf(r)
		if list := byURL[u]; len(list) > 0 && len(list) == count[u] {
			f := list[0]
			byURL[u] = list[1:]
			count[u]--
			a.frame(r, f)
		}
	}
}

func urlOf(n *ax.Node) string {
	if u := n.Attr("url"); u != nil {
		return u.Text
	}
	return ""
}

func collectNodes(n *ax.Node, out *[]entry, inner *[]*ax.Node, top bool) {
	if !top {
		if n.Role == ax.RoleRoot {
			*inner = append(*inner, n)
			return
		}
		*out = append(*out, entry{key: n.Role + "\x00" + fold(n.Name), role: n.Role, node: n})
	}
	if n.IsText() {
		return // inline boxes are judged with their text
	}
	for _, c := range n.Children {
		collectNodes(c, out, inner, false)
	}
}

func (a *alignment) collectItems(f int, out *[]entry, frames *[]int) {
	p := a.page
	for i := f + 1; i < p.Items[f].end; i++ {
		it := &p.Items[i]
		if it.Kind == FrameItem {
			*frames = append(*frames, i)
			i = it.end - 1
			continue
		}
		if it.Unlisted {
			continue
		}
		e := entry{item: i, role: ax.RoleText}
		if it.Kind == ElementItem {
			e.role = it.Role
			name := it.Name
			if name == "" {
				name = p.content(i, false)
			}
			e.key = e.role + "\x00" + fold(name)
		} else {
			e.key = e.role + "\x00" + fold(it.Text)
		}
		*out = append(*out, e)
	}
}

// maxMatchDepth bounds the recursion; what is deeper is told apart by key only.
const maxMatchDepth = 40

// match anchors the two sequences at keys that occur once in each (patience
// diff) and recurs between the anchors. Without an anchor, entries of one key
// are matched in order if both sides have equally many, else each node gets
// all items of its key.
func (a *alignment) match(nodes, items []entry, depth int) {
	if len(nodes) == 0 || len(items) == 0 {
		return
	}
	pairs := anchors(nodes, items)
	if len(pairs) == 0 || depth > maxMatchDepth {
		a.byKey(nodes, items)
		return
	}
	n0, i0 := 0, 0
	for _, pr := range pairs {
		a.match(nodes[n0:pr[0]], items[i0:pr[1]], depth+1)
		a.items[nodes[pr[0]].node] = []int{items[pr[1]].item}
		n0, i0 = pr[0]+1, pr[1]+1
	}
	a.match(nodes[n0:], items[i0:], depth+1)
}

// anchors returns the longest common increasing sequence of unique keys.
func anchors(nodes, items []entry) [][2]int {
	type count struct{ n, i, at, in int }
	keys := make(map[string]*count, len(nodes))
	for x := range nodes {
		c := keys[nodes[x].key]
		if c == nil {
			c = &count{}
			keys[nodes[x].key] = c
		}
		c.n++
		c.at = x
	}
	for x := range items {
		if c := keys[items[x].key]; c != nil {
			c.i++
			c.in = x
		}
	}
	var pairs [][2]int
	for x := range nodes {
		if c := keys[nodes[x].key]; c.n == 1 && c.i == 1 {
			pairs = append(pairs, [2]int{c.at, c.in})
		}
	}
	return increasing(pairs)
}

// increasing keeps a longest subsequence whose second members rise.
func increasing(pairs [][2]int) [][2]int {
	tails := []int{}
	prev := make([]int, len(pairs))
	for x := range pairs {
		k := sort.Search(len(tails), func(t int) bool { return pairs[tails[t]][1] >= pairs[x][1] })
		prev[x] = -1
		if k > 0 {
			prev[x] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, x)
		} else {
			tails[k] = x
		}
	}
	out := make([][2]int, len(tails))
	if len(tails) == 0 {
		return nil
	}
	for x, k := tails[len(tails)-1], len(tails)-1; k >= 0; k-- {
		out[k] = pairs[x]
		x = prev[x]
	}
	return out
}

func (a *alignment) byKey(nodes, items []entry) {
	byKey := map[string][]int{}
	byRole := map[string][]int{}
	for _, e := range items {
		byKey[e.key] = append(byKey[e.key], e.item)
		byRole[e.role] = append(byRole[e.role], e.item)
	}
	sameKey := map[string][]*ax.Node{}
	sameRole := map[string][]*ax.Node{}
	for _, e := range nodes {
		sameKey[e.key] = append(sameKey[e.key], e.node)
		sameRole[e.role] = append(sameRole[e.role], e.node)
	}
	for key, ns := range sameKey {
		a.pair(ns, byKey[key], true)
	}
	for role, ns := range sameRole {
		if role != ax.RoleText && len(ns) == len(byRole[role]) {
			a.pair(ns, byRole[role], false)
		}
	}
}

// pair matches in order if the counts agree, else leaves the choice open.
func (a *alignment) pair(nodes []*ax.Node, items []int, open bool) {
	for x, n := range nodes {
		if len(a.items[n]) == 1 {
			continue
		}
		switch {
		case len(nodes) == len(items):
			a.items[n] = items[x : x+1]
		case open && len(items) > 0:
			a.items[n] = items
		}
	}
}

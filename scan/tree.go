package scan

import (
	"sort"
	"strings"

	"moire/ax"
	"moire/evidence"
)

// Tree removes from a snapshot what a person can't see. before and after are
// the looks that bracket the upstream's call; a nil before means the call
// itself made the page what it is (a click that returns a snapshot), and the
// look after it decides alone. The tree is edited in place: ids, roles and
// order stay, except that siblings follow the visual order where it differs.
// What is withheld is recorded in q.
func Tree(root *ax.Node, before, after *View, urls URLJudge, q *Quarantine) {
	q.Note(after)
	if after.named && before != nil && before != after {
		// Only after the call are all elements named: the looks are joined first.
		q.Note(before)
		after = &View{Main: steady(before.Main, after.Main), Trust: after.Trust, named: true}
		before = nil
	}
	rulings := []map[*ax.Node]*nodeRuling{after.rulings(root, urls)}
	if before != nil && before != after {
		first := before.rulings(root, urls)
		unbracketed(root, before, after, first)
		rulings = append(rulings, first)
		q.Note(before)
	}
	q.unlisted, q.after = missing(root, after)
	e := editor{q: q, rulings: rulings}
	e.edit(root, root, "")
	arrange(root, after.alignment(root), after.Main)
}

// unbracketed takes back what the first look says of documents that it could
// not enter yet, as the upstream had given them no id: the second decides.
func unbracketed(root *ax.Node, before, after *View, first map[*ax.Node]*nodeRuling) {
	for _, n := range frameRoots(root) {
		if after.Frames[n.ID] != nil && before.Frames[n.ID] == nil {
			n.Walk(func(n *ax.Node) { delete(first, n) })
		}
	}
}

// Undecided lists the ids of nodes that the order of the tree alone does not
// map to one item, most useful first, at most limit: the caller has the
// upstream resolve them, so that the second look can say which they are.
func Undecided(root *ax.Node, v *View, limit int) []string {
	al := v.alignment(root)
	var ids []string
	var visit func(n *ax.Node, inside bool)
	visit = func(n *ax.Node, inside bool) {
		if n.Role == ax.RoleRoot && !inside {
			return // of another document: a call resolves one frame's elements
		}
		open := len(al.items[n]) != 1 && strings.TrimSpace(n.Name) != "" && n.Role != ax.RoleRoot
		if open && n.Role != "ListMarker" && n.Role != "option" && len(ids) < limit {
			ids = append(ids, n.ID)
		}
		if n.IsText() {
			return
		}
		for _, c := range n.Children {
			visit(c, false)
		}
	}
	visit(root, true)
	return ids
}

type editor struct {
	q       *Quarantine
	rulings []map[*ax.Node]*nodeRuling
}

// edit applies the rulings to n and below; it reports whether n stays.
func (e *editor) edit(n, container *ax.Node, frame string) bool {
	if n.Role == ax.RoleRoot {
		frame = urlOf(n)
	}
	if containers[n.Role] {
		container = n
	}
	if !roles[n.Role] {
		e.q.Withhold(frame, container.Role, "role", n.Role, evidence.KindUnclassifiedChannel)
		n.Role = "generic"
	}
	name := n.Name
	ru := e.both(n, func(r *nodeRuling) ruling { return r.name })
	e.apply(n, container, frame, ru)
	for i := 0; i < len(n.Attrs); {
		at := &n.Attrs[i]
		if at.Kind != ax.String {
			i++
			continue
		}
		key := at.Key
		ar := e.both(n, func(r *nodeRuling) ruling { return r.attrs[key] })
		if n.Role == "option" && key == "value" && at.Text == name {
			ar = ru // an option's value repeats its name
			ar.why = nil
		}
		if len(ar.why) > 0 {
			e.q.Withhold(frame, container.Role, key, at.Text, ar.why...)
		}
		if ar.keep == "" && at.Text != "" {
			n.Drop(key)
			continue
		}
		at.Text = ar.keep
		i++
	}
	kept := n.Children[:0]
	for _, c := range n.Children {
		if e.edit(c, container, frame) {
			kept = append(kept, c)
		}
	}
	n.Children = kept
	textual := n.IsText() || n.Role == ax.RoleTextBox || n.Role == "ListMarker"
	return !(textual && n.Name == "" && name != "")
}

func (e *editor) apply(n, container *ax.Node, frame string, ru ruling) {
	if len(ru.why) > 0 && strings.TrimSpace(n.Name) != "" && n.Role != ax.RoleTextBox {
		e.q.Withhold(frame, container.Role, channelOf(n), n.Name, ru.why...)
	}
	n.Name = ru.keep
}

func channelOf(n *ax.Node) string {
	switch n.Role {
	case ax.RoleText:
		return "text"
	case ax.RoleRoot:
		return "title"
	}
	return "name"
}

// both combines the looks: what they agree on passes; a string that only one
// of them explains has changed while the upstream looked.
func (e *editor) both(n *ax.Node, of func(*nodeRuling) ruling) ruling {
	out := of(e.rulings[0][n])
	for _, m := range e.rulings[1:] {
		if m[n] == nil {
			continue
		}
		r := of(m[n])
		switch {
		case r.keep == out.keep:
		case out.keep == "" || r.keep == "":
			if out.keep != "" {
				out.why = append(out.why, r.why...)
			}
			out.keep = ""
			out.why = append(out.why, evidence.KindUnsteady)
		default:
			out = refuse(evidence.KindUnsteady)
		}
	}
	return out
}

// arrange puts siblings in visual order where the page places short boxes so
// that the document reads differently.
func arrange(n *ax.Node, al *alignment, p *Page) {
	if len(p.Rank) == 0 {
		return
	}
	const none = -1
	var place func(n *ax.Node) int
	place = func(n *ax.Node) int {
		own := none
		if items := al.items[n]; len(items) == 1 {
			own = p.place[items[0]]
		}
		last := own
		places := make([]int, len(n.Children))
		for i, c := range n.Children {
			at := place(c)
			if at == none {
				at = last
			}
			places[i] = at
			last = at
			if own == none {
				own = at
			}
		}
		sort.Stable(byPlace{places, n.Children})
		return own
	}
	place(n)
}

type byPlace struct {
	places []int
	nodes  []*ax.Node
}

func (b byPlace) Len() int           { return len(b.places) }
func (b byPlace) Less(i, j int) bool { return b.places[i] < b.places[j] }
func (b byPlace) Swap(i, j int) {
	b.places[i], b.places[j] = b.places[j], b.places[i]
	b.nodes[i], b.nodes[j] = b.nodes[j], b.nodes[i]
}

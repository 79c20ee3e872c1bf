package scan

import (
	"strings"

	"moire/ax"
	"moire/browser"
	"moire/evidence"
)

// View is what one look at a tab saw: the top document with the same-origin
// documents in it, and documents of other origins by the id of their root in
// the upstream's snapshot.
type View struct {
	Main   *Page
	Frames map[string]*Page
	// Pins maps ids of the upstream's nodes to items of Main, for those that
	// the upstream resolved to elements itself.
	Pins map[string]int

	// Trust says how far the look can be believed.
	Trust Trust
	// named: the items bear the upstream's names of elements.
	named bool

	// stamp is equal in two looks between which nothing changed.
	stamp string
	// scanned is the document of a look at one document, nonce that of its scan.
	scanned   *browser.Frame
	nonce     string
	explainer *Explainer
	lined     *alignment
	judged    map[*ax.Node]*nodeRuling
}

func (v *View) pages() []*Page {
	out := []*Page{v.Main}
	for _, p := range v.Frames {
		out = append(out, p)
	}
	return out
}

// Explainer indexes all documents of the view, once.
func (v *View) Explainer() *Explainer {
	if v.explainer == nil {
		v.explainer = NewExplainer(v.pages()...)
	}
	return v.explainer
}

// alignment lines the tree of a snapshot up with the main document, once for
// each snapshot.
func (v *View) alignment(root *ax.Node) *alignment {
	if v.lined == nil || v.lined.root != root {
		pins := map[*ax.Node]int{}
		if len(v.Pins) > 0 {
			root.Walk(func(n *ax.Node) {
				if i, ok := v.Pins[n.ID]; ok && i >= 0 {
					pins[n] = i
				}
			})
		}
		v.lined, v.judged = nil, nil
		if v.named {
			v.lined = alignRefs(root, v.Main)
		} else {
			v.lined = align(root, v.Main, pins)
		}
	}
	return v.lined
}

// rulings are the view's on every node of a snapshot, made once.
func (v *View) rulings(root *ax.Node, urls URLJudge) map[*ax.Node]*nodeRuling {
	if v.alignment(root); v.judged == nil {
		v.judged = newJudge(v, v.Explainer(), urls).run(root)
	}
	return v.judged
}

// ruling is what one view says of one string: what of it passes, and why the
// rest does not.
type ruling struct {
	keep string
	why  []evidence.Kind
}

func pass(s string) ruling                     { return ruling{keep: s} }
func refuse(k ...evidence.Kind) ruling         { return ruling{why: k} }
func part(s string, k ...evidence.Kind) ruling { return ruling{keep: s, why: k} }

// nodeRuling holds the rulings for a node's name and attributes.
type nodeRuling struct {
	name  ruling
	attrs map[string]ruling
}

// judge applies one view to one tree.
type judge struct {
	view   *View
	ex     *Explainer
	urls   URLJudge
	shapes *shapes
	out    map[*ax.Node]*nodeRuling
	names  []hiddenName
	// controls counts the visible controls and pictures of each container.
	controls map[*ax.Node]int
	parents  map[*ax.Node]*ax.Node
}

// URLJudge decides what of a URL passes; it belongs to the session, which
// knows what agent and person gave.
type URLJudge interface {
	Judge(raw string, ex *Explainer) (printed string, whole bool)
}

func newJudge(v *View, ex *Explainer, urls URLJudge) *judge {
	return &judge{view: v, ex: ex, urls: urls, shapes: newShapes(),
		out: map[*ax.Node]*nodeRuling{}, controls: map[*ax.Node]int{}, parents: map[*ax.Node]*ax.Node{}}
}

// run judges every node below root.
func (j *judge) run(root *ax.Node) map[*ax.Node]*nodeRuling {
	root.Walk(func(n *ax.Node) {
		for _, c := range n.Children {
			j.parents[c] = n
		}
	})
	main := j.view.alignment(root)
	j.node(root, root, main, nil, true)
	for _, n := range foreign(root, main) {
		if p := j.view.Frames[n.ID]; p != nil {
			if k := frameGone(main, j.parents[n]); k != 0 {
				p = p.hide(k)
			}
			j.node(n, n, align(n, p, nil), nil, true)
		}
	}
	j.settleNames()
	root.Walk(func(n *ax.Node) {
		if j.out[n] == nil {
			j.out[n] = j.unmatched(n)
		}
	})
	return j.out
}

// foreign lists the roots of documents that the main page does not hold.
func foreign(root *ax.Node, main *alignment) []*ax.Node {
	var out []*ax.Node
	for _, n := range frameRoots(root) {
		if len(main.items[n]) == 0 {
			out = append(out, n)
		}
	}
	return out
}

// Foreign lists the ids of documents that need a look of their own: those of
// another origin, which a script in the page can't enter.
func Foreign(root *ax.Node, v *View) []string {
	var ids []string
	for _, n := range foreign(root, v.alignment(root)) {
		ids = append(ids, n.ID)
	}
	return ids
}

// frameGone says why a frame's document is not seen, judged by the element
// that embeds it; a frame element that can't be told from another is no proof.
func frameGone(main *alignment, frame *ax.Node) evidence.Kind {
	items := main.items[frame]
	if frame == nil || len(items) == 0 {
		return evidence.KindUnmatched
	}
	for _, i := range items {
		for x := i + 1; x < main.page.Items[i].end; x++ {
			if it := &main.page.Items[x]; it.Kind == FrameItem && it.Gone != 0 {
				return it.Gone
			}
		}
	}
	return 0
}

// frameRoots lists the roots of nested documents.
func frameRoots(root *ax.Node) []*ax.Node {
	var out []*ax.Node
	root.Walk(func(n *ax.Node) {
		if n != root && n.Role == ax.RoleRoot {
			out = append(out, n)
		}
	})
	return out
}

// node judges n and what is below, as far as the alignment reaches.
func (j *judge) node(n, container *ax.Node, al *alignment, up *ax.Node, top bool) {
	items, ok := al.items[n]
	if n.Role == ax.RoleRoot && !top && !ok {
		return // a document that this page does not hold
	}
	if containers[n.Role] {
		container = n
	}
	switch {
	case n.Role == ax.RoleRoot:
		j.out[n] = j.rootNode(n)
	case n.IsText():
		j.out[n] = &nodeRuling{name: j.text(n, up, al, items)}
		j.boxes(n)
		return
	case n.Role == "ListMarker" || n.Role == "LineBreak":
		j.out[n] = &nodeRuling{name: marker(n.Name)}
	default:
		j.out[n] = j.element(n, container, al, items)
	}
	for _, c := range n.Children {
		j.node(c, container, al, n, false)
	}
}

// unmatched: only what says nothing, or is explained without a node, passes.
func (j *judge) unmatched(n *ax.Node) *nodeRuling {
	r := &nodeRuling{name: pass(""), attrs: map[string]ruling{}}
	if strings.TrimSpace(n.Name) != "" {
		r.name = j.nodeless(n)
	}
	for _, at := range n.Attrs {
		if at.Kind == ax.String {
			r.attrs[at.Key] = j.attribute(n, at, nil)
		}
	}
	return r
}

// rootNode judges a document's title and address.
func (j *judge) rootNode(n *ax.Node) *nodeRuling {
	r := &nodeRuling{name: title(n.Name, j.ex), attrs: map[string]ruling{}}
	for _, at := range n.Attrs {
		if at.Kind == ax.String {
			r.attrs[at.Key] = j.attribute(n, at, nil)
		}
	}
	return r
}

// Title passes if it is explained, else its longest explained component does:
// a title is mostly "Page – Site", of which the page shows one. Components do
// not compose.
func Title(s string, ex *Explainer) string { return title(s, ex).keep }

func title(s string, ex *Explainer) ruling {
	c, bad := clean(s)
	if ex.Explain(c) != Unexplained {
		return ruling{c, bad}
	}
	best := ""
	for _, comp := range titleParts(c) {
		if len(comp) > len(best) && words(comp) > 0 && ex.Explain(comp) != Unexplained {
			best = comp
		}
	}
	return part(best, evidence.KindUnexplainedTitle)
}

func titleParts(s string) []string {
	for _, sep := range []string{" | ", " – ", " — ", " · ", " • ", " :: ", " » ", " / "} {
		s = strings.ReplaceAll(s, sep, "\x00")
	}
	s = strings.ReplaceAll(s, " - ", "\x00")
	parts := strings.Split(s, "\x00")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// text judges a text node by the ink of its own node.
func (j *judge) text(n, up *ax.Node, al *alignment, items []int) ruling {
	if strings.TrimSpace(n.Name) == "" {
		return pass(n.Name)
	}
	switch {
	case len(items) == 0 && al.joined:
		return j.looseText(n, up, al)
	case len(items) == 0:
		return j.innerText(n, up, al)
	case al.joined:
		run := make([]*Item, len(items))
		for x, i := range items {
			run[x] = &al.page.Items[i]
		}
		return cleaned(project(n.Name, run))
	}
	var out ruling
	for x, i := range items {
		r := project(n.Name, []*Item{&al.page.Items[i]})
		if x > 0 && r.keep != out.keep {
			return refuse(evidence.KindUnmatched)
		}
		out = r
	}
	return cleaned(out)
}

// innerText: the value of a text field has a text node of the browser's own,
// which no script can see; it is judged as the field's value.
func (j *judge) innerText(n, up *ax.Node, al *alignment) ruling {
	for ; up != nil; up = j.parents[up] {
		items := al.items[up]
		if up.Attr("value") == nil {
			continue
		}
		if len(items) != 1 || al.page.Items[items[0]].Kind != ElementItem {
			break
		}
		it := &al.page.Items[items[0]]
		if v := up.Attr("value"); it.HasValue && v != nil && strings.Contains(fold(v.Text), fold(n.Name)) {
			if it.Value == 0 {
				return cleaned(pass(n.Name))
			}
			return refuse(it.Value)
		}
		break
	}
	return refuse(evidence.KindUnmatched)
}

// looseText judges a text that no text nodes of its element are together: what
// a field holds, or a text that the upstream puts together otherwise. It passes
// if its element shows it as it is.
func (j *judge) looseText(n, up *ax.Node, al *alignment) ruling {
	items := al.items[up]
	if len(items) != 1 || al.page.Items[items[0]].Kind != ElementItem {
		return refuse(evidence.KindUnmatched)
	}
	it := &al.page.Items[items[0]]
	field := it.HasValue && it.end == items[0]+1 // a select has its options below it
	switch {
	case field && it.Value != 0:
		return refuse(it.Value)
	case field, strings.Contains(fold(al.page.content(items[0], true)), fold(n.Name)):
		return cleaned(pass(n.Name))
	}
	return refuse(evidence.KindUnmatched)
}

func cleaned(r ruling) ruling {
	s, bad := clean(r.keep)
	return ruling{s, append(r.why, bad...)}
}

// marker passes bullets and ordinals; list-style-type can be any string.
func marker(s string) ruling {
	t := strings.TrimRight(strings.TrimSpace(s), ".)")
	if len([]rune(t)) <= 4 && words(t) <= 1 {
		return pass(s)
	}
	return refuse(evidence.KindGeneratedContent)
}

// boxes judges the line boxes below a text node: each is the next piece of
// what passes of its text, or is withheld.
func (j *judge) boxes(n *ax.Node) {
	r := j.out[n].name
	rest := r.keep
	for _, c := range n.Children {
		own := ruling{}
		if i := strings.Index(rest, c.Name); i >= 0 && len(r.why) == 0 {
			own = pass(c.Name)
			rest = rest[i+len(c.Name):]
		} else if strings.TrimSpace(c.Name) != "" {
			own = refuse(append(r.why, evidence.KindUnmatched)[0])
		}
		j.out[c] = &nodeRuling{name: own}
	}
}

// project removes from s what is hidden in the items that s is made of.
func project(s string, items []*Item) ruling {
	var all strings.Builder
	type cut struct {
		from, to int
		kind     evidence.Kind
	}
	var cuts []cut
	for _, it := range items {
		at := 0
		for _, h := range it.Hidden {
			all.WriteString(fold(it.Text[at:h.From]))
			from := all.Len()
			all.WriteString(fold(it.Text[h.From:h.To]))
			cuts = append(cuts, cut{from, all.Len(), h.Kind})
			at = h.To
		}
		all.WriteString(fold(it.Text[at:]))
	}
	folded, at := foldMap(s)
	if folded != all.String() {
		return refuse(evidence.KindUnmatched)
	}
	if len(cuts) == 0 {
		return pass(s)
	}
	var b strings.Builder
	var why []evidence.Kind
	from := 0
	for _, c := range cuts {
		if c.from == c.to {
			continue
		}
		b.WriteString(s[from:at[c.from]])
		from = len(s)
		if c.to < len(at) {
			from = at[c.to]
		}
		why = append(why, c.kind)
	}
	b.WriteString(s[from:])
	keep := b.String()
	if strings.TrimSpace(keep) == "" {
		keep = ""
	}
	return ruling{keep, why}
}

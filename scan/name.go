package scan

import (
	"strings"
	"unicode"

	"moire/ax"
	"moire/evidence"
)

// containers are the roles that a budget of hidden names is counted in.
var containers = map[string]bool{
	"toolbar": true, "navigation": true, "list": true, "table": true, "grid": true, "row": true,
	"form": true, "dialog": true, "alertdialog": true, "menu": true, "menubar": true,
	"tablist": true, "radiogroup": true, "group": true, "region": true, "main": true,
	"banner": true, "contentinfo": true, "complementary": true, "article": true, "search": true,
	"treegrid": true, "tree": true, "listbox": true, "combobox": true, "figure": true,
	ax.RoleRoot: true,
}

// prose are roles that are named by what they show and by nothing else.
var prose = map[string]bool{
	"heading": true, "paragraph": true, "StaticText": true, "cell": true, "rowheader": true,
	"columnheader": true, "listitem": true, "term": true, "definition": true, "caption": true,
	"emphasis": true, "strong": true, "code": true, "mark": true, "blockquote": true,
	"LabelText": true, "Legend": true, "Figcaption": true, "generic": true, "none": true,
	"alert": true, "status": true, "log": true, "note": true, "time": true, "tooltip": true,
}

// fromContent are the roles that their content names (WAI-ARIA 1.2, 5.2.8.4):
// only for them is what they show their label.
var fromContent = map[string]bool{
	"button": true, "link": true, "heading": true, "tab": true, "menuitem": true, "menuitemcheckbox": true,
	"menuitemradio": true, "option": true, "checkbox": true, "radio": true, "switch": true, "cell": true,
	"gridcell": true, "columnheader": true, "rowheader": true, "tooltip": true, "treeitem": true,
	"DisclosureTriangle": true, "row": true, "popUpButton": true,
}

// Bounds of a hidden name: about six words.
const (
	maxNameWords  = 7
	maxNameRunes  = 64
	wordsPerThing = 3
	freeWords     = 4
)

// hiddenName is a name that no visible text shows, bound to something visible.
type hiddenName struct {
	node, container *ax.Node
	hidden          string
	r               *nodeRuling
	keep            string
	option          bool
}

// element judges the name and the attributes of an element's node.
func (j *judge) element(n, container *ax.Node, al *alignment, items []int) *nodeRuling {
	r := &nodeRuling{attrs: map[string]ruling{}}
	var it *Item
	if len(items) == 1 && al.page.Items[items[0]].Kind == ElementItem {
		it = &al.page.Items[items[0]]
		if it.Shown && (it.Control || it.Role == "image") {
			j.controls[container]++
			if up := container; up != n && containers[n.Role] {
				j.controls[n]++
			}
		}
	}
	switch {
	case strings.TrimSpace(n.Name) == "":
		r.name = pass(n.Name)
	case it != nil:
		r.name = j.name(n, container, al.page, items[0], r)
	case len(items) == 0:
		r.name = j.nodeless(n)
	default:
		r.name = ambiguous(n, al, items)
	}
	for _, at := range n.Attrs {
		if at.Kind == ax.String {
			r.attrs[at.Key] = j.attribute(n, at, it)
		}
	}
	return r
}

// nodeless judges the name of a node that is no item's as a string without a
// node: roles can be given in ways that no script can see (ElementInternals). A
// text is judged by its own node or not at all.
func (j *judge) nodeless(n *ax.Node) ruling {
	if n.IsText() || n.Role == "ListMarker" || j.ex.Explain(n.Name) == Unexplained {
		return refuse(evidence.KindUnmatched)
	}
	return cleaned(pass(n.Name))
}

// ambiguous: several items could be the node. It passes if each shows just
// this name; else it is withheld.
func ambiguous(n *ax.Node, al *alignment, items []int) ruling {
	for _, i := range items {
		if fold(al.page.content(i, true)) != fold(n.Name) {
			return refuse(evidence.KindUnmatched)
		}
	}
	return cleaned(pass(n.Name))
}

// name judges an accessible name: shown, partly shown, explained by a label,
// or hidden and bound.
func (j *judge) name(n, container *ax.Node, p *Page, i int, r *nodeRuling) ruling {
	it := &p.Items[i]
	name := fold(n.Name)
	own, _ := clean(p.content(i, true))
	if !fromContent[n.Role] && !prose[n.Role] && fold(own) != name {
		own = ""
	}
	if fold(own) == name {
		return cleaned(pass(n.Name))
	}
	if parts := p.texts(i); len(parts) > 0 {
		if pr := project(n.Name, parts); pr.keep != "" && len(pr.why) > 0 {
			return cleaned(pr)
		}
	}
	if n.Role == "option" || it.Role == "option" {
		if !p.offers(i) {
			return refuse(evidence.KindHiddenName)
		}
		return j.bind(n, container, n.Name, n.Name, r, true)
	}
	shown := fold(own)
	if shown != "" && !strings.Contains(name, shown) {
		// WCAG 2.5.3: the visible label is the name.
		if prose[n.Role] {
			return part(visibleRun(own, j.ex), evidence.KindHiddenName)
		}
		return cleaned(part(own, evidence.KindHiddenName))
	}
	if m := j.ex.Explain(n.Name); m == Whole && shown == "" || m != Unexplained && words(n.Name) >= 3 {
		return cleaned(pass(n.Name))
	}
	if it.HintKind == 0 && it.Hint != "" && fold(it.Hint) == name {
		return cleaned(pass(n.Name)) // named by the placeholder that it shows
	}
	hidden := n.Name
	if shown != "" {
		if prose[n.Role] {
			return part(visibleRun(own, j.ex), evidence.KindHiddenName)
		}
		hidden = without(n.Name, own)
	} else if prose[n.Role] || !bindable(it) {
		return refuse(evidence.KindHiddenName)
	}
	if ru := j.bind(n, container, hidden, n.Name, r, false); ru.keep != "" || shown == "" {
		return ru
	}
	return cleaned(part(own, evidence.KindProseName))
}

// visibleRun returns own if a person reads it as it stands.
func visibleRun(own string, ex *Explainer) string {
	if ex.Explain(own) == Unexplained {
		return ""
	}
	s, _ := clean(own)
	return s
}

// offers is false for an option of a select that nobody can see.
func (p *Page) offers(option int) bool {
	for i := p.Items[option].Parent; i >= 0 && p.Items[i].Kind == ElementItem; i = p.Items[i].Parent {
		if it := &p.Items[i]; it.HasValue {
			return it.Shown
		}
	}
	return true
}

// bindable: visible, and a control, an image, a landmark, group or figure.
func bindable(it *Item) bool {
	if !it.Shown {
		return false
	}
	return it.Control || it.Role == "image" && it.Graphic || landmarks[it.Role]
}

var landmarks = map[string]bool{
	"navigation": true, "main": true, "banner": true, "contentinfo": true, "complementary": true,
	"region": true, "search": true, "form": true, "group": true, "figure": true, "list": true,
	"table": true, "grid": true, "toolbar": true, "menu": true, "menubar": true, "tablist": true,
	"radiogroup": true, "dialog": true, "article": true, "tree": true, "treegrid": true,
	"listbox": true, "tabpanel": true, "progressbar": true, "meter": true, "separator": true,
	"Iframe": true, "Canvas": true, "Video": true, "Audio": true,
}

// bind admits a short hidden name for now; settleNames may take it back.
func (j *judge) bind(n, container *ax.Node, hidden, name string, r *nodeRuling, option bool) ruling {
	c, bad := clean(name)
	if !short(hidden) {
		return refuse(evidence.KindProseName)
	}
	if len(bad) > 0 && c == "" {
		return refuse(bad...)
	}
	if look := j.shapes.look(hidden); len(look) > 0 {
		return refuse(append(look, evidence.KindHiddenName)...)
	}
	j.names = append(j.names, hiddenName{n, container, hidden, r, c, option})
	return ruling{c, bad}
}

// short: about six words, also in scripts that put no space between them.
func short(s string) bool {
	runes, dense := 0, 0
	for _, r := range s {
		runes++
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) {
			dense++
		}
	}
	return words(s)+dense/2 <= maxNameWords && runes <= maxNameRunes
}

// settleNames judges hidden names together: the words of a container against
// its visible controls, and all of them read in a row.
func (j *judge) settleNames() {
	type sum struct {
		words int
		text  strings.Builder
		names []hiddenName
	}
	sums := map[*ax.Node]*sum{}
	var order []*ax.Node
	var all strings.Builder
	for _, h := range j.names {
		s := sums[h.container]
		if s == nil {
			s = &sum{}
			sums[h.container] = s
			order = append(order, h.container)
		}
		s.words += words(h.hidden)
		s.text.WriteString(h.hidden + " ")
		s.names = append(s.names, h)
		if !h.option {
			all.WriteString(h.hidden + " ")
		}
	}
	bad := len(j.shapes.look(all.String())) > 0
	for _, c := range order {
		s := sums[c]
		things := j.controls[c]
		over := s.words > wordsPerThing*things+freeWords && !s.names[0].option || dangling(s.names) >= 3
		switch {
		case over:
			j.revoke(s.names, evidence.KindNameBudget)
		case len(s.names) > 1 && len(j.shapes.look(s.text.String())) > 0, bad && !s.names[0].option:
			j.revoke(s.names, evidence.KindHiddenName)
		}
	}
}

// dangling counts the names that are no phrase of their own but begin or end
// in the middle of one: pieces of a sentence.
func dangling(names []hiddenName) int {
	n := 0
	for _, h := range names {
		ws := strings.Fields(strings.ToLower(h.hidden))
		if len(ws) == 0 || h.option {
			continue
		}
		if opening[ws[0]] || closing[ws[len(ws)-1]] {
			n++
		}
	}
	return n
}

// Words that a label seldom begins or ends with (en, de, fr, es, it, pt, nl).
var (
	opening = set("and or but then so because of every before after und oder aber dann weil bevor et ou mais " +
		"puis y o pero luego e ma poi mas depois en maar dan")
	closing = set("the a an of to and or every your his her their der die das dem den ein eine und oder " +
		"le la les un une de du des et ou el los una del y il lo gli della o os as um uma do da het een van")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func (j *judge) revoke(names []hiddenName, k evidence.Kind) {
	for _, h := range names {
		// A control that shows text falls back to it.
		keep := ""
		if h.hidden != h.node.Name {
			keep = strings.TrimSpace(without(h.keep, h.hidden))
		}
		h.r.name = part(keep, k)
	}
}

// texts returns the listed text items below i.
func (p *Page) texts(i int) []*Item {
	var out []*Item
	for x := i + 1; x < p.Items[i].end; x++ {
		if it := &p.Items[x]; it.Kind == TextItem && !it.Unlisted {
			out = append(out, it)
		}
	}
	return out
}

// without removes the first run of s that folds to the same as t.
func without(s, t string) string {
	folded, at := foldMap(s)
	f := fold(t)
	i := strings.Index(folded, f)
	if i < 0 || f == "" {
		return s
	}
	end := len(s)
	if i+len(f) < len(at) {
		end = at[i+len(f)]
	}
	return strings.TrimSpace(s[:at[i]] + " " + s[end:])
}

package scan

import (
	"strings"
	"testing"

	"moire/ax"
	"moire/evidence"
)

func ofText(s string) *ax.Node { return &ax.Node{Role: ax.RoleText, Name: s} }

func element(ref, role, name string, kids ...*ax.Node) *ax.Node {
	return &ax.Node{ID: ref, Role: role, Name: name, Children: kids}
}

// namedView is a page of a document's item and those given, whose parents count
// from that.
func namedView(t *testing.T, items ...Item) *View {
	t.Helper()
	p := &Page{Items: append([]Item{{Kind: FrameItem, Parent: -1, URL: "http://x.test/a/b"}}, items...)}
	if !p.link() {
		t.Fatal("the items make no page")
	}
	return &View{Main: p, Trust: TrustIsolated, named: true}
}

func hidden(s string) Item {
	return Item{Kind: TextItem, Text: s, Hidden: []Span{{0, len(s), evidence.KindTransparent}}}
}

func with(it Item, parent int) Item {
	it.Parent = parent
	return it
}

func plain(ref, role string) Item { return Item{Kind: ElementItem, Role: role, Ref: ref, Shown: true} }

func shown(s string) Item { return Item{Kind: TextItem, Text: s} }

// said is all that a tree says after judging.
func said(root *ax.Node, before, after *View) string {
	Tree(root, before, after, NewURLs(), NewQuarantine([]byte("key"), TrustIsolated))
	return seen(root)
}

// Of two elements of one text the one that is seen passes, whatever their order
// among others: the names tell them apart.
func TestRefsTellElementsApart(t *testing.T) {
	root := &ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{
		element("e1", "paragraph", "", ofText("Pay now")), element("e2", "paragraph", "", ofText("Pay now"))}}
	v := namedView(t, with(plain("e2", "paragraph"), 0), with(hidden("Pay now"), 1), with(plain("e1", "paragraph"), 0), with(shown("Pay now"), 3))
	Tree(root, nil, v, NewURLs(), NewQuarantine([]byte("key"), TrustIsolated))
	if e1, e2 := root.Children[0], root.Children[1]; len(e1.Children) != 1 || len(e2.Children) != 0 {
		t.Errorf("the seen one keeps %d texts, the hidden one %d", len(e1.Children), len(e2.Children))
	}
}

// A text that the upstream puts together of several nodes loses the hidden ones.
func TestRefsRunOfTexts(t *testing.T) {
	root := &ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{element("e1", "paragraph", "", ofText("Some bold and secret text"), element("e2", "link", "here"))}}
	v := namedView(t, with(plain("e1", "paragraph"), 0), with(shown("Some"), 1), with(shown("bold"), 1), with(hidden("and secret"), 1), with(shown("text"), 1),
		with(plain("e2", "link"), 1), with(shown("here"), 6))
	if got, want := said(root, nil, v), "Some bold text here"; strings.Join(strings.Fields(got), " ") != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// What no node is and nobody sees is withheld; a field's value goes by the field,
// a select's own texts do not.
func TestRefsLooseText(t *testing.T) {
	field := plain("e1", "textbox")
	field.HasValue = true
	masked := plain("e2", "textbox")
	masked.HasValue, masked.Value = true, evidence.KindTextSecurity
	choice := plain("e3", "combobox")
	choice.HasValue = true
	tree := func() *ax.Node {
		return &ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{
			element("e1", "textbox", "", ofText("Ada")), element("e2", "textbox", "", ofText("sesame")),
			element("e3", "combobox", "", ofText("a group's label")), element("e4", "paragraph", "", ofText("from nowhere")), element("", "generic", "", ofText("nor here"))}}
	}
	v := namedView(t, with(field, 0), with(masked, 0), with(choice, 0), with(Item{Kind: ElementItem, Role: "group", Name: "a group's label"}, 3),
		with(plain("e4", "paragraph"), 0), with(shown("something else"), 5))
	if got := said(tree(), nil, v); got != "Ada" {
		t.Errorf("it says %q, want the field's value alone", got)
	}
}

// Only what both looks show passes, though only the second finds the names.
func TestRefsTwoLooks(t *testing.T) {
	tree := func() *ax.Node {
		return &ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{element("e1", "paragraph", "", ofText("steady")), element("e2", "paragraph", "", ofText("flashed"))}}
	}
	items := func(r1, r2 string, last Item) []Item {
		return []Item{with(plain(r1, "paragraph"), 0), with(shown("steady"), 1), with(plain(r2, "paragraph"), 0), with(last, 3)}
	}
	before, after := namedView(t, items("", "", hidden("flashed"))...), namedView(t, items("e1", "e2", shown("flashed"))...)
	if got := said(tree(), before, after); got != "steady" {
		t.Errorf("it says %q, want what was seen all the time", got)
	}
	if before.Knows(tree()) || !after.Knows(tree()) {
		t.Error("only the second look knows the names")
	}
}

// A link is printed as the page wrote it if that says no more than where it leads.
func TestRefsLinks(t *testing.T) {
	for _, c := range []struct{ written, whole, want string }{
		{"../x", "http://x.test/x", "../x"},
		{"#top", "http://x.test/a/b#top", "#top"},
		{"/p/../x", "http://x.test/x", "http://x.test/x"},
		{"http://x.test", "http://x.test/", "http://x.test"},
		{"c", "", "c"}, // an element whose address the scan does not tell: by the document's
	} {
		link := plain("e1", "link")
		link.URL = c.whole
		n := element("e1", "link", "here")
		n.Attrs = []ax.Attr{{Key: "url", Kind: ax.String, Text: c.written}}
		v := namedView(t, with(link, 0), with(shown("here"), 1))
		Tree(&ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{n}}, nil, v, NewURLs(), NewQuarantine([]byte("key"), TrustIsolated))
		if got := n.Attr("url"); got == nil || got.Text != c.want {
			t.Errorf("%q to %q prints as %+v, want %q", c.written, c.whole, got, c.want)
		}
	}
}

// A hostile page of many texts that are nowhere is judged in bounded time: the
// search gives up, and nothing passes.
func TestRefsSearchIsBounded(t *testing.T) {
	const n = 4000
	root := &ax.Node{Role: ax.RoleRoot}
	var items []Item
	for range n {
		root.Children = append(root.Children, element("", "generic", "", ofText("zz")))
		items = append(items, with(shown(strings.Repeat("ab", 40)), 0))
	}
	v := namedView(t, items...)
	r := alignRefs(root, v.Main)
	for _, c := range root.Children {
		if len(r.items[c.Children[0]]) > 0 {
			t.Fatal("a text is found that is nowhere")
		}
	}
}

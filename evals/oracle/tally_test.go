package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	text := func(s, got string) item { return item{Channel: "text", Text: s, Got: got} }
	name := func(s, got string) item { return item{Channel: "name", Text: s, Got: got} }
	for _, c := range []struct {
		name            string
		items           []item
		clear, doubtful bag
		want            tally
	}{
		{"all seen, all passes", []item{text("a b", "a b")}, bag{"a": 1, "b": 1}, nil,
			tally{Bare: 2, Compared: 2}},
		{"a seen word is taken out", []item{text("a b", "")}, bag{"a": 1}, nil,
			tally{Bare: 2, Compared: 1, Lost: 1, Withheld: 1}},
		{"seen once, said twice, once taken out", []item{text("a", "a"), text("a", "")}, bag{"a": 1}, nil,
			tally{Bare: 2, Compared: 1, Withheld: 1}},
		{"hidden text passes", []item{text("a a", "a a")}, bag{"a": 1}, nil,
			tally{Bare: 2, Compared: 1, PassedText: 1}},
		{"a hidden name passes", []item{name("a", "a")}, nil, nil,
			tally{Bare: 1, PassedNames: 1}},
		{"a seen value is taken out", []item{name("a", "")}, bag{"a": 1}, nil,
			tally{Bare: 1, Compared: 1, Lost: 1}},
		{"a name does not stand for a lost text", []item{text("a", ""), name("a", "a")}, bag{"a": 1}, nil,
			tally{Bare: 2, Compared: 1, Lost: 1, PassedNames: 1}},
		{"a title is not the word that is seen", []item{{Role: "RootWebArea", Channel: "name", Text: "a"}}, bag{"a": 1}, nil,
			tally{Bare: 1, Withheld: 1}},
		{"unclear is neither", []item{text("a", "a"), text("b", "")}, nil, bag{"a": 1, "b": 1},
			tally{Bare: 2, Unclear: 2, Withheld: 1}},
	} {
		if diff := cmp.Diff(c.want, compare(c.items, c.clear, c.doubtful)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestTally(t *testing.T) {
	s := &sight{Runs: []run{{Backend: 1, Text: "go on"}, {Backend: 2, Text: "go on"}, {Backend: 3, Text: "go"},
		{Backend: 4, Text: "more"}},
		Words: map[place]verdict{{1, 0, "go"}: unclear, {2, 0, "go"}: seen, {2, 3, "on"}: seen,
			{3, 0, "go"}: seen, {4, 0, "more"}: seen}}
	got := s.tally([]item{
		{Channel: "text", Text: "Go on", Got: "Go"}, // one of two runs: the seen one
		{Channel: "text", Text: "not go", Got: ""},  // no run: what is seen elsewhere is not this
		{Role: "RootWebArea", Text: "More"},
	})
	want := tally{Bare: 5, Compared: 2, Lost: 1, Withheld: 3, SeenOnly: 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFound(t *testing.T) {
	text := func(s, got string) item { return item{Channel: "text", Text: s, Got: got} }
	s := &sight{Runs: []run{{Backend: 1, Text: "lost"}}, Words: map[place]verdict{{1, 0, "lost"}: seen}}
	s.First = &capture{Strings: []string{"P"}, Documents: make([]document, 1)}
	doc := &s.First.Documents[0]
	doc.Nodes.NodeName, doc.Nodes.NodeType = []int{0}, []int{elementNode}
	doc.Nodes.ParentIndex, doc.Nodes.Attributes = []int{-1}, [][]int{nil}
	withheld, lost, leaked := found(s, []item{text("lost", ""), text("gone", ""), text("leaked", "leaked")})
	for i, got := range [][]finding{lost, withheld, leaked} {
		if want := []string{"lost", "gone", "leaked"}[i]; len(got) != 1 || got[0].Text != want {
			t.Errorf("found %v as %s", got, want)
		}
	}
}

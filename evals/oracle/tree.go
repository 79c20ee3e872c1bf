package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// node is one node of the structured snapshot of chrome-devtools-mcp.
type node struct {
	ID, Role, Name string
	// Attrs are the strings that a page can write, without addresses.
	Attrs    map[string]string
	Children []*node
}

// attrKeys are the members of a node that hold a page's words.
var attrKeys = []string{"description", "placeholder", "roledescription", "value", "valuetext"}

// UnmarshalJSON reads {id, role, name, …, children}.
func (n *node) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return fmt.Errorf("decoding a node: %w", err)
	}
	str := func(key string) string {
		var s string
		_ = json.Unmarshal(members[key], &s) // a number or nothing: no words
		return s
	}
	n.ID, n.Role, n.Name = str("id"), str("role"), str("name")
	n.Attrs = map[string]string{}
	for _, key := range attrKeys {
		if s := str(key); s != "" {
			n.Attrs[key] = s
		}
	}
	if children := members["children"]; children != nil {
		return json.Unmarshal(children, &n.Children)
	}
	return nil
}

// item is one string of the bare snapshot, and what Moiré's has in its place.
type item struct {
	ID, Role string
	// Channel is "text", "name" or a key of attrKeys.
	Channel string
	// Text is the bare string, Got what is left of it.
	Text, Got string
	// Path is the roles and short names from the root down, without the node's own.
	Path string
}

func (i *item) withheld() bool { return folded(i.Text) != folded(i.Got) }

// pair walks the bare tree and looks every string up in Moiré's, where nodes
// have the same ids: both count from one in the order of the page. A name that
// only repeats the texts below it is no item of its own, but a text that it
// repeats has got through if the name has. It reports the ids of Moiré's that
// have another role in the bare tree or are not in it: the pages differed.
func pair(bare, moire *node) (items []item, odd int) {
	got := map[string]*node{}
	moire.walk(func(n *node) { got[n.ID] = n })
	known := map[string]string{}
	bare.walk(func(n *node) { known[n.ID] = n.Role })
	for id, n := range got {
		if role, ok := known[id]; !ok || role != n.Role {
			odd++
		}
	}
	var visit func(n *node, path string, repeated []string)
	visit = func(n *node, path string, repeated []string) {
		twin := got[n.ID]
		if twin == nil {
			twin = &node{}
		}
		add := func(channel, text, got string) {
			if folded(text) != "" {
				items = append(items, item{n.ID, n.Role, channel, text, got, path})
			}
		}
		switch {
		case n.Role == "StaticText":
			left := twin.Name
			if slices.ContainsFunc(repeated, func(name string) bool { return contains(name, n.Name) }) {
				left = n.Name
			}
			add("text", n.Name, left)
		case folded(n.Name) == folded(n.below()) && n.Name != "":
			repeated = append(slices.Clip(repeated), twin.Name)
		default:
			add("name", n.Name, twin.Name)
		}
		for _, key := range attrKeys {
			if key != "value" || folded(n.Attrs[key]) != folded(n.Name) {
				add(key, n.Attrs[key], twin.Attrs[key])
			}
		}
		if n.Role != "generic" && n.Role != "StaticText" {
			path += "/" + n.label()
		}
		for _, c := range n.Children {
			visit(c, path, repeated)
		}
	}
	visit(bare, "", nil)
	return items, odd
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, c := range n.Children {
		c.walk(visit)
	}
}

// below is all text under the node.
func (n *node) below() string {
	var b strings.Builder
	n.walk(func(c *node) {
		if c.Role == "StaticText" {
			b.WriteString(c.Name + " ")
		}
	})
	return b.String()
}

// label is the role and the beginning of the name.
func (n *node) label() string {
	if n.Name == "" || n.Role == "RootWebArea" {
		return n.Role
	}
	return fmt.Sprintf("%s[%s]", n.Role, short(n.Name, 20))
}

func short(s string, most int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// contains reports whether the words of part stand together in s.
func contains(s, part string) bool {
	return part != "" && strings.Contains(" "+folded(s)+" ", " "+folded(part)+" ")
}

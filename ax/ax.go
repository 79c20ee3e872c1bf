// Package ax is an accessibility tree as upstreams serialise it: what a codec
// of package adapter parses and prints, and what package scan judges. It knows
// neither. Roles and properties are WAI-ARIA's (https://www.w3.org/TR/wai-aria-1.2/)
// as Chromium names them.
package ax

// ValueKind says how an attribute's value was written.
type ValueKind uint8

const (
	String ValueKind = iota
	Number
	True
)

// Attr is one attribute of a node. Text is the string, or the number as it
// stood in the source.
type Attr struct {
	Key  string
	Kind ValueKind
	Text string
}

// Node is one node of the tree.
type Node struct {
	// ID is the upstream's element id; the agent acts by it.
	ID string
	// Role is empty if the upstream named none.
	Role string
	// Name is the accessible name, for a text node its text.
	Name string
	// Attrs are all others, in the order of the source.
	Attrs    []Attr
	Children []*Node
}

// Roles of nodes that have a meaning for the structure of a tree.
const (
	RoleText    = "StaticText"
	RoleTextBox = "InlineTextBox"
	RoleRoot    = "RootWebArea"
	RoleFrame   = "Iframe"
)

// IsText reports whether the node is a run of text.
func (n *Node) IsText() bool { return n.Role == RoleText }

// Attr returns the attribute of that key, or nil.
func (n *Node) Attr(key string) *Attr {
	for i := range n.Attrs {
		if n.Attrs[i].Key == key {
			return &n.Attrs[i]
		}
	}
	return nil
}

// Drop removes the attribute of that key.
func (n *Node) Drop(key string) {
	for i := range n.Attrs {
		if n.Attrs[i].Key == key {
			n.Attrs = append(n.Attrs[:i], n.Attrs[i+1:]...)
			return
		}
	}
}

// Walk visits the tree in document order.
func (n *Node) Walk(visit func(*Node)) {
	visit(n)
	for _, c := range n.Children {
		c.Walk(visit)
	}
}

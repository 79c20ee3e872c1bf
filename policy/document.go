package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"moire/near"
)

// Position is a place in a policy's source, from 1.
type Position struct {
	File         string `json:"file"`
	Line, Column int    `json:"-"`
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s: line %d, column %d", p.File, p.Line, p.Column)
}

// Fault is one mistake in a policy's source.
type Fault struct {
	At   Position
	Says string
}

func (f Fault) Error() string { return f.At.String() + ": " + f.Says }

// maxSource is the longest policy file, in bytes.
const maxSource = 1 << 20

// document reads a file of YAML strictly and collects all faults: unknown and
// repeated keys, values of another type, anchors, tags and more than one document.
type document struct {
	file   string
	faults []Fault
}

func (d *document) fault(n ast.Node, format string, args ...any) {
	d.faultAt(d.position(n), format, args...)
}

func (d *document) faultAt(at Position, format string, args ...any) {
	f := Fault{at, fmt.Sprintf(format, args...)}
	if !slices.Contains(d.faults, f) { // a mapping is looked at twice
		d.faults = append(d.faults, f)
	}
}

func (d *document) position(n ast.Node) Position {
	if n == nil || n.GetToken() == nil {
		return Position{File: d.file, Line: 1, Column: 1}
	}
	t := n.GetToken()
	// A mapping's own token is the colon after its first key.
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		t = m.Values[0].Key.GetToken()
	}
	return Position{File: d.file, Line: t.Position.Line, Column: t.Position.Column}
}

// parse returns the root mapping, or nil after a fault.
func (d *document) parse(raw []byte) *ast.MappingNode {
	if len(raw) > maxSource {
		d.faultAt(Position{File: d.file}, "the file has more than %d bytes", maxSource)
		return nil
	}
	f, err := parser.ParseBytes(raw, 0)
	if err != nil {
		d.faultAt(syntax(d.file, err), "%s", plainSyntax(err))
		return nil
	}
	docs := slices.DeleteFunc(f.Docs, func(doc *ast.DocumentNode) bool { return doc.Body == nil })
	if len(docs) != 1 {
		d.faultAt(Position{d.file, 1, 1}, "the file has %d documents (want one)", len(docs))
		return nil
	}
	return d.mapping(docs[0].Body, "a policy")
}

// syntax and plainSyntax take the library's complaint apart.
func syntax(file string, err error) Position {
	var line, column int
	if _, scan := fmt.Sscanf(err.Error(), "[%d:%d]", &line, &column); scan != nil {
		return Position{File: file, Line: 1, Column: 1}
	}
	return Position{file, line, column}
}

func plainSyntax(err error) string {
	says, _, _ := strings.Cut(err.Error(), "\n")
	if _, rest, ok := strings.Cut(says, "] "); ok {
		says = rest
	}
	return says
}

// mapping wants a mapping; its keys have to differ.
func (d *document) mapping(n ast.Node, what string) *ast.MappingNode {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fault(n, "%s has to be a mapping of keys to values", what)
		return nil
	}
	seen := map[string]bool{}
	for _, v := range m.Values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			d.fault(v.Key, "a key has to be a plain word")
			continue
		}
		if seen[key.Value] {
			d.fault(v.Key, "the key %q stands twice", key.Value)
		}
		seen[key.Value] = true
	}
	return m
}

// field is what a key of a mapping is read by.
type field struct {
	name string
	read func(ast.Node)
}

// fields reads a mapping by its keys; required ones have to be there.
func (d *document) fields(n ast.Node, what string, required []string, fields ...field) {
	m := d.mapping(n, what)
	if m == nil {
		return
	}
	var known []string
	for _, f := range fields {
		known = append(known, f.name)
	}
	given := map[string]bool{}
	for _, v := range m.Values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			continue
		}
		i := slices.Index(known, key.Value)
		if i < 0 {
			d.fault(v.Key, "unknown key %q of %s%s", key.Value, what, near.Hint(key.Value, known))
			continue
		}
		given[key.Value] = true
		fields[i].read(v.Value)
	}
	for _, name := range required {
		if !given[name] {
			d.fault(m, "%s needs the key %q", what, name)
		}
	}
}

// items reads a list; a single item stands for a list of one.
func (d *document) items(n ast.Node, what string, read func(ast.Node)) {
	switch n := n.(type) {
	case *ast.SequenceNode:
		for _, v := range n.Values {
			read(v)
		}
	case *ast.NullNode:
		d.fault(n, "%s is empty (hint: remove the key, or write [])", what)
	default:
		read(n)
	}
}

// text reads a text; numbers and booleans have to be quoted to be one.
func (d *document) text(n ast.Node, what string) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	}
	d.fault(n, "%s has to be a text%s", what, quoted(n))
	return ""
}

func quoted(n ast.Node) string {
	switch n.(type) {
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.NullNode:
		return " (hint: put it in quotes)"
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		return "; anchors, aliases and tags are not supported"
	}
	return ""
}

// word reads one of a closed list.
func (d *document) word(n ast.Node, what string, list []string) string {
	w := d.text(n, what)
	if w != "" && !slices.Contains(list, w) {
		d.fault(n, "unknown %s %q%s (want one of %s)", what, w, near.Hint(w, list), strings.Join(list, ", "))
		return ""
	}
	return w
}

// number reads a whole number that is not negative; -1 after a fault.
func (d *document) number(n ast.Node, what string) int {
	if i, ok := n.(*ast.IntegerNode); ok {
		if v, err := strconv.Atoi(strings.ReplaceAll(i.GetToken().Value, "_", "")); err == nil && v >= 0 {
			return v
		}
	}
	d.fault(n, "%s has to be a whole number, 0 or more", what)
	return -1
}

// inside is the place of a column of a text's own source, where that can be
// told: in a text that stands on one line.
func (d *document) inside(n ast.Node, line, column int) Position {
	at := d.position(n)
	t := n.GetToken()
	switch {
	case t.Type == token.StringType:
		at.Column += column - 1
	case t.Type == token.SingleQuoteType, t.Type == token.DoubleQuoteType:
		at.Column += column
	default:
		at.Line += line
		at.Column = column
	}
	return at
}

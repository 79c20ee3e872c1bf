package main

import (
	"fmt"
	"strings"
)

// Places of the styles in causeStyles.
const (
	styleOpacity = iota + 5
	styleVisibility
	styleClip
	styleClipPath
	styleOverflowX
	styleOverflowY
	styleFontSize
	styleFill
	styleIndent
)

// why tells from layout why nobody sees a run: the cause, and the element it
// comes from.
func (c *capture) why(r run) (cause, where string) {
	doc := &c.Documents[r.Doc]
	layouts := doc.layouts()
	own := rect(doc.Layout.Bounds[r.Layout])
	for n := r.Node; n >= 0; n = doc.Nodes.ParentIndex[n] {
		l, ok := layouts[n]
		if !ok || doc.Nodes.NodeType[n] != elementNode {
			continue
		}
		if cause := c.conceals(doc, l, own); cause != "" {
			return cause, c.label(doc, n)
		}
	}
	parent := c.label(doc, c.element(doc, r.Node))
	switch {
	case len(r.Lines) == 0 || own.area() < 1:
		return "no box", parent
	case own.intersect(box{0, 0, doc.ContentWidth, doc.ContentHeight}).area() == 0:
		return "outside the page", parent
	}
	return "covered, or the colour of its ground", parent
}

const elementNode = 1

// conceals is how the box of an element hides a text in it, if it does.
func (c *capture) conceals(doc *document, l int, text box) string {
	b := rect(doc.Layout.Bounds[l])
	style := func(i int) string { return c.style(doc, l, i) }
	clips := style(styleOverflowX) != "visible" || style(styleOverflowY) != "visible"
	switch {
	case c.length(doc, l, styleOpacity) < 0.1:
		return "opacity " + style(styleOpacity)
	case style(styleVisibility) != "visible":
		return "visibility " + style(styleVisibility)
	case style(styleClip) != "auto":
		return "clip " + style(styleClip)
	case style(styleClipPath) != "none":
		return "clip-path " + style(styleClipPath)
	case c.length(doc, l, styleFontSize) < legible:
		return "font-size " + style(styleFontSize)
	case strings.HasPrefix(style(styleFill), "rgba(") && strings.HasSuffix(style(styleFill), ", 0)"):
		return "transparent letters"
	case clips && (b.W <= 1 || b.H <= 1):
		return fmt.Sprintf("a box of %.0f by %.0f that clips", b.W, b.H)
	case clips && b.intersect(text).area() == 0:
		return "outside a box that clips"
	case c.length(doc, l, styleIndent) < -100:
		return "text-indent " + style(styleIndent)
	}
	return ""
}

// element is the nearest element at or above a node.
func (c *capture) element(doc *document, n int) int {
	for n >= 0 && doc.Nodes.NodeType[n] != elementNode {
		n = doc.Nodes.ParentIndex[n]
	}
	return n
}

// label is the tag of a node and its first two classes.
func (c *capture) label(doc *document, n int) string {
	if n < 0 {
		return "?"
	}
	out := strings.ToLower(c.str(doc.Nodes.NodeName[n]))
	classes := strings.Fields(c.attribute(doc, n, "class"))
	for _, class := range classes[:min(2, len(classes))] {
		out += "." + class
	}
	return out
}

func (c *capture) attribute(doc *document, n int, name string) string {
	for i, pairs := 0, doc.Nodes.Attributes[n]; i+1 < len(pairs); i += 2 {
		if c.str(pairs[i]) == name {
			return c.str(pairs[i+1])
		}
	}
	return ""
}

// bearer finds the element with an attribute of this text: where a name comes
// from that no layout shows.
func (c *capture) bearer(text string) (attribute, where string) {
	want := folded(text)
	for d := range c.Documents {
		doc := &c.Documents[d]
		for n := range doc.Nodes.Attributes {
			for i, pairs := 0, doc.Nodes.Attributes[n]; i+1 < len(pairs); i += 2 {
				switch name := c.str(pairs[i]); name {
				case "aria-label", "title", "alt", "placeholder", "aria-description", "value",
					"aria-roledescription", "aria-valuetext", "label":
					if folded(c.str(pairs[i+1])) == want {
						return name, c.label(doc, n)
					}
				}
			}
		}
	}
	return "", ""
}

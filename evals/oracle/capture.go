package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Computed styles that a capture asks for, in this order. The first four place
// a frame's document inside its element, the fifth measures words;
// the others tell why text is not seen.
var (
	frameStyles = []string{"border-left-width", "border-top-width", "padding-left", "padding-top",
		"font-family"}
	causeStyles = append(slices.Clip(frameStyles), "opacity", "visibility", "clip", "clip-path",
		"overflow-x", "overflow-y", "font-size", "-webkit-text-fill-color", "text-indent")
)

// capture is what DOMSnapshot.captureSnapshot answers, as far as we read it:
// columns by node or by box, with indices into Strings for every text.
// Lengths are in CSS pixels of the document.
// https://chromedevtools.github.io/devtools-protocol/tot/DOMSnapshot/
type capture struct {
	Documents []document
	Strings   []string
}

type document struct {
	ScrollOffsetX, ScrollOffsetY float64
	ContentWidth, ContentHeight  float64
	Nodes                        struct {
		ParentIndex          []int
		NodeType             []int
		NodeName             []int
		BackendNodeID        []int
		Attributes           [][]int
		ContentDocumentIndex struct{ Index, Value []int }
	}
	Layout struct {
		NodeIndex []int
		Styles    [][]int
		Bounds    [][]float64
		Text      []int
	}
	TextBoxes struct {
		LayoutIndex   []int
		Bounds        [][]float64
		Start, Length []int
	}
}

// take captures the page as it is now.
func take(ctx context.Context, d *devtools, styles []string) (*capture, error) {
	var c capture
	err := d.call(ctx, "DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": styles}, &c)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

func (c *capture) str(i int) string {
	if i < 0 || i >= len(c.Strings) {
		return ""
	}
	return c.Strings[i]
}

// run is one laid-out text: of a text node, of a control's inner editor or of
// generated content. Doc, Layout and Node are indices into the capture.
type run struct {
	Doc, Layout, Node int
	Backend           int
	Text              string
	Units             []uint16
	// Mono: all letters are of one width.
	Mono  bool
	Lines []line
}

// line is one box of a run, on the screen, and the units it holds.
type line struct {
	Box      box
	From, To int
}

// runs lists all texts that have a layout, in document order, those without a
// word too: their ink may lie in a word's box.
func (c *capture) runs() []run {
	var out []run
	offsets := c.offsets()
	for d := range c.Documents {
		doc := &c.Documents[d]
		at := map[int]int{} // index in out by layout index
		layouts := doc.layouts()
		for l, s := range doc.Layout.Text {
			text := c.str(s)
			if strings.TrimSpace(text) == "" {
				continue
			}
			node := doc.Layout.NodeIndex[l]
			at[l] = len(out)
			out = append(out, run{Doc: d, Layout: l, Node: node, Backend: doc.Nodes.BackendNodeID[node],
				Text: text, Units: utf16.Encode([]rune(text)), Mono: c.mono(doc, layouts, node)})
		}
		for i, l := range doc.TextBoxes.LayoutIndex {
			n, ok := at[l]
			if !ok {
				continue
			}
			from := doc.TextBoxes.Start[i]
			to := min(from+doc.TextBoxes.Length[i], len(out[n].Units))
			if from < to {
				on := rect(doc.TextBoxes.Bounds[i]).moved(offsets[d])
				out[n].Lines = append(out[n].Lines, line{on, from, to})
			}
		}
	}
	return out
}

// offsets are where each document's origin is on the screen.
func (c *capture) offsets() []box {
	out := make([]box, len(c.Documents))
	for d := range c.Documents {
		doc := &c.Documents[d]
		out[d].X -= doc.ScrollOffsetX
		out[d].Y -= doc.ScrollOffsetY
		layouts := doc.layouts()
		for i, node := range doc.Nodes.ContentDocumentIndex.Index {
			inner := doc.Nodes.ContentDocumentIndex.Value[i]
			if l, ok := layouts[node]; ok && inner > d {
				b := rect(doc.Layout.Bounds[l]).moved(out[d])
				out[inner].X += b.X + c.length(doc, l, 0) + c.length(doc, l, 2)
				out[inner].Y += b.Y + c.length(doc, l, 1) + c.length(doc, l, 3)
			}
		}
	}
	return out
}

// layouts is the first box of each node that has one.
func (d *document) layouts() map[int]int {
	out := map[int]int{}
	for l, n := range d.Layout.NodeIndex {
		if _, ok := out[n]; !ok {
			out[n] = l
		}
	}
	return out
}

// mono reports whether the font of a node's nearest element is one of fixed
// width, by its name.
func (c *capture) mono(doc *document, layouts map[int]int, node int) bool {
	for n := c.element(doc, node); n >= 0; n = c.element(doc, doc.Nodes.ParentIndex[n]) {
		if l, ok := layouts[n]; ok {
			family := strings.ToLower(c.style(doc, l, 4))
			return strings.Contains(family, "mono") || strings.Contains(family, "courier")
		}
	}
	return false
}

// style is a computed style of a box, by its place in causeStyles.
func (c *capture) style(d *document, layout, i int) string {
	if layout < 0 || layout >= len(d.Layout.Styles) || i >= len(d.Layout.Styles[layout]) {
		return ""
	}
	return c.str(d.Layout.Styles[layout][i])
}

// length is a style in pixels.
func (c *capture) length(d *document, layout, i int) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSuffix(c.style(d, layout, i), "px"), 64)
	return v
}

func rect(b []float64) box {
	if len(b) != 4 {
		return box{}
	}
	return box{b[0], b[1], b[2], b[3]}
}

func (b box) moved(by box) box { return box{b.X + by.X, b.Y + by.Y, b.W, b.H} }

package cli

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"math/rand/v2"
	"strings"
)

//go:embed demo.html.tmpl
var demoTemplate string

// demoRun is one run of text of the demo's page.
type demoRun struct {
	Kind string // how it is shown or hidden, and its key in the template
	Text string
}

// demoPage is a page that nobody has seen before: its words are drawn when it
// is made, so that no answer to it can have been prepared.
type demoPage struct {
	Visible, Hidden []demoRun
	HTML            []byte
}

// visibleKinds are 6 words each, but for an icon button: a name that only an
// assistive technology reads is let through if it is short.
func visibleKinds() []string {
	return []string{"heading", "paragraph", "link", "button", "icon button", "label",
		"input value", "placeholder", "textarea", "select", "table head", "second head",
		"table cell", "second cell", "light on dark", "second heading", "list item",
		"in a scroller", "further down"}
}

func hiddenKinds() []string {
	return []string{"white on white", "opacity 0", "prose in aria-label", "off screen",
		"description in a hidden node", "one pixel", "covered", "height 0", "clipped",
		"title attribute", "translucent layers", "indented away", "scaled to nothing"}
}

// newDemoPage draws and writes a page.
func newDemoPage(seed [32]byte) (*demoPage, error) {
	p := &demoPage{}
	if err := p.draw(rand.New(rand.NewChaCha8(seed))); err != nil {
		return nil, err
	}
	t, err := template.New("demo").Option("missingkey=error").Parse(demoTemplate)
	if err != nil {
		return nil, fmt.Errorf("reading the demo's page: %w", err)
	}
	data := struct{ Visible, Hidden map[string]string }{byKind(p.Visible), byKind(p.Hidden)}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("writing the demo's page: %w", err)
	}
	p.HTML = b.Bytes()
	return p, nil
}

func byKind(runs []demoRun) map[string]string {
	m := make(map[string]string, len(runs))
	for _, r := range runs {
		m[r.Kind] = r.Text
	}
	return m
}

// draw gives every visible run words of its own, and every hidden run the words
// of two visible ones in an order in which no two neighbours are neighbours
// anywhere else on the page. A filter that knows words can't tell the two apart.
func (p *demoPage) draw(r *rand.Rand) error {
	words := demoWords()
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	neighbours := map[[2]string]bool{}
	var long [][]string
	for _, kind := range visibleKinds() {
		n := 6
		if kind == "icon button" {
			n = 2
		}
		run := words[:n:n]
		words = words[n:]
		markNeighbours(neighbours, run)
		if n == 6 {
			long = append(long, run)
		}
		p.Visible = append(p.Visible, demoRun{kind, strings.Join(run, " ")})
	}
	for i, kind := range hiddenKinds() {
		mixed := append(long[i%len(long)][:6:6], long[(i+1)%len(long)]...)
		if !mix(r, mixed, neighbours) {
			return errors.New("drawing words for the demo's page: no order is left")
		}
		markNeighbours(neighbours, mixed)
		p.Hidden = append(p.Hidden, demoRun{kind, strings.Join(mixed, " ")})
	}
	return nil
}

// mix shuffles until no pair is taken.
func mix(r *rand.Rand, words []string, taken map[[2]string]bool) bool {
	for range 10_000 {
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		ok := true
		for i := range len(words) - 1 {
			ok = ok && !taken[[2]string{words[i], words[i+1]}]
		}
		if ok {
			return true
		}
	}
	return false
}

func markNeighbours(m map[[2]string]bool, words []string) {
	for i := range len(words) - 1 {
		m[[2]string{words[i], words[i+1]}] = true
	}
}

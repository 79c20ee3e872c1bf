package scan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moire/browser"
	"moire/embedjs"
)

// TrustIsolated: the scanner ran in an isolated world, where no page can reach
// it.
const TrustIsolated Trust = "isolated"

// maxTries is how often a look begins anew because the tab navigated.
const maxTries = 3

// maxFrames bounds the documents of one tab that are entered.
const maxFrames = 64

// errMoving: the tab goes from document to document.
var errMoving = errors.New("the tab navigates again and again, so it can't be looked at")

// LookIsolated scans all documents of a tab on the wire: those of other origins
// and closed shadow trees too. If last is a look at the same documents and
// nothing has changed since, it is the answer.
func (s *Scanner) LookIsolated(ctx context.Context, tab *browser.Page, last *View) (*View, error) {
	for range maxTries {
		arrived := tab.Navigations()
		frames, err := tab.Frames(ctx)
		if errors.Is(err, browser.ErrMoved) {
			continue
		}
		if err != nil {
			return nil, err
		}
		begun, err := stampOf(ctx, tab, frames)
		if err != nil {
			return nil, err
		}
		if last != nil && last.stamp != "" && last.stamp == begun {
			return last, nil
		}
		g := grafter{s: s, frames: frames, closed: map[*browser.Frame]map[browser.FrameID][]browser.Node{}}
		main, err := g.document(ctx, frames[0], "", 0)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		now, ferr := tab.Frames(ctx)
		if errors.Is(ferr, browser.ErrMoved) {
			continue
		}
		if ferr != nil {
			return nil, ferr
		}
		// A document that the browser had kept comes back with its old name.
		if documents(now) != documents(frames) || tab.Navigations() != arrived {
			continue
		}
		if err != nil {
			return nil, err
		}
		ended, err := stampOf(ctx, tab, now)
		if err != nil {
			return nil, err
		}
		v := &View{Main: main, Trust: TrustIsolated, named: s.options.Refs != ""}
		if g.count == 0 {
			v.scanned, v.nonce = frames[0], g.nonce
		}
		// What was not judged now may be another time.
		if begun == ended && main.Exhausted == "" && !g.skipped {
			v.stamp = ended
		}
		return v, nil
	}
	return nil, errMoving
}

// Stamp is the stamp of a tab now: while it stays equal, nothing of the tab
// changes. Empty: it can't be told.
func (s *Scanner) Stamp(ctx context.Context, tab *browser.Page) (string, error) {
	frames, err := tab.Frames(ctx)
	if errors.Is(err, browser.ErrMoved) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return stampOf(ctx, tab, frames)
}

// Stamped reports that the look saw what was there when the stamp was taken, and
// nothing else since.
func (v *View) Stamped(stamp string) bool { return stamp != "" && v.stamp == stamp }

// maxRef bounds a name that an upstream gives to an element, in bytes.
const maxRef = 32

// Rename finds the names that the upstream has given to elements since the look: a
// look that says what it said, with these names. It is nil if they can't be told
// without another scan.
func (s *Scanner) Rename(ctx context.Context, v *View) *View {
	if v.scanned == nil {
		return nil
	}
	raw, err := v.scanned.Run(ctx, embedjs.Prelude(), embedjs.Renamed(v.nonce), nil, nil)
	var pairs [][2]any
	if err != nil || json.Unmarshal([]byte(raw), &pairs) != nil || pairs == nil {
		return nil
	}
	main := *v.Main
	main.Items = slices.Clone(v.Main.Items)
	for _, p := range pairs {
		i, ok := p[0].(float64)
		name, ok2 := p[1].(string)
		if !ok || !ok2 || i < 0 || i != float64(int(i)) || int(i) >= len(main.Items) || main.Items[int(i)].Kind != ElementItem || len(name) >= maxRef {
			return nil
		}
		main.Items[int(i)].Ref = name
	}
	return &View{Main: &main, Trust: v.Trust, named: v.named, stamp: v.stamp, explainer: v.explainer, scanned: v.scanned, nonce: v.nonce}
}

// documents names what is loaded in which frame.
func documents(frames []*browser.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s %s\n", f.ID, f.Loader)
	}
	return b.String()
}

// stampOf stays equal while nothing of the tab changes; empty means that it is
// not known. The order matters: what is counted in the worlds is read before
// what the browser counts, so that of two equal stamps with a scan between them
// the scan saw what was there all the time.
func stampOf(ctx context.Context, tab *browser.Page, frames []*browser.Frame) (string, error) {
	if len(frames) > maxFrames {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n%s", tab.Navigations(), documents(frames))
	for _, f := range frames {
		s, err := f.Run(ctx, embedjs.Prelude(), embedjs.Stamp, nil, nil)
		switch {
		case err != nil && (ctx.Err() != nil || errors.Is(err, browser.ErrDialog)):
			return "", err
		case err != nil || s == "": // a document without scripts of ours, or one that moves
			return "", nil
		}
		b.WriteString(s)
		b.WriteByte('\n')
	}
	activity, err := tab.Activity(ctx)
	if err != nil || activity == "" {
		return "", err
	}
	return b.String() + activity, nil
}

// grafter scans the documents of a tab and joins them to one page.
type grafter struct {
	s      *Scanner
	frames []*browser.Frame
	// closed are the closed shadow roots by process and frame: one answer tells
	// of all documents in a process.
	closed map[*browser.Frame]map[browser.FrameID][]browser.Node
	count  int
	// nonce is that of the last scan.
	nonce string
	// skipped: a document that is drawn was not scanned.
	skipped bool
}

// document scans a document and those in it; around is what its frame's page
// says of the frame, empty for the top one.
func (g *grafter) document(ctx context.Context, f *browser.Frame, around string, depth int) (*Page, error) {
	o := g.s.options
	o.Nonce, o.Apart = nonce(), f.Apart
	g.nonce = o.Nonce
	if around != "" {
		o.Around = json.RawMessage(around)
	}
	inner := g.below(f)
	function, err := embedjs.IsolatedScan(o, len(inner))
	if err != nil {
		return nil, err
	}
	raw, err := g.run(ctx, f, function, inner)
	if err != nil {
		return nil, fmt.Errorf("scanning the page: %w", err)
	}
	p, err := decode([]byte(raw), o.Nonce)
	if err != nil {
		return nil, err
	}
	if len(p.Marks) != len(inner) {
		return nil, errResult
	}
	grafts := map[int]*Page{}
	for i, child := range inner {
		at := p.placeholder(p.Marks[i])
		if at < 0 || p.Items[at].Around == "" {
			continue // not drawn, seen with its parent, or beyond the budget
		}
		if g.count++; g.count > maxFrames || depth > maxFrames {
			g.skipped = true
			continue // withheld, as nothing was seen of it
		}
		c, err := g.document(ctx, child, p.Items[at].Around, depth+1)
		switch {
		case err == nil:
			grafts[at] = c
		case ctx.Err() != nil || errors.Is(err, browser.ErrDialog):
			return nil, err
		default:
			g.skipped = true
		}
	}
	return p.graft(grafts)
}

// run scans a document. Few pages have closed shadow roots, and to ask for them
// takes a third of a scan: both are done at once, and a tab in which there are any is
// scanned again, and one after the other from then on.
func (g *grafter) run(ctx context.Context, f *browser.Frame, function string, inner []*browser.Frame) (string, error) {
	if _, known := g.closed[f.Root()]; known || f.Closed() {
		roots, err := g.closedRoots(ctx, f)
		if err != nil {
			return "", err
		}
		return f.Run(ctx, embedjs.Prelude(), function, inner, roots)
	}
	type answer struct {
		roots []browser.Node
		err   error
	}
	asked := make(chan answer, 1)
	go func() {
		roots, err := g.closedRoots(ctx, f)
		asked <- answer{roots, err}
	}()
	raw, err := f.Run(ctx, embedjs.Prelude(), function, inner, nil)
	a := <-asked
	if a.err != nil {
		return "", a.err
	}
	if err == nil && len(a.roots) > 0 {
		raw, err = f.Run(ctx, embedjs.Prelude(), function, inner, a.roots)
	}
	return raw, err
}

// closedRoots lists the closed shadow roots in the document and in those in it
// that its scan reaches; a root of any other is not admitted to its world.
func (g *grafter) closedRoots(ctx context.Context, f *browser.Frame) ([]browser.Node, error) {
	byFrame, known := g.closed[f.Root()]
	if !known {
		var err error
		if byFrame, err = f.ClosedRoots(ctx); err != nil {
			return nil, err
		}
		g.closed[f.Root()] = byFrame
	}
	out := byFrame[f.ID]
	if f.Apart {
		return out, nil
	}
	for _, x := range g.below(f) {
		out = append(out, byFrame[x.ID]...)
	}
	return out, nil
}

// below lists the frames in the document and in the documents in it, unless
// those are scanned apart.
func (g *grafter) below(f *browser.Frame) []*browser.Frame {
	var out []*browser.Frame
	for _, x := range g.frames {
		if f.Apart {
			if x.Parent == f {
				out = append(out, x)
			}
			continue
		}
		for up := x.Parent; up != nil; up = up.Parent {
			if up == f {
				out = append(out, x)
				break
			}
		}
	}
	return out[:min(len(out), maxFrames)]
}

// placeholder returns the item that stands for the document of the frame whose
// element is item i, if this scan could not enter it, else -1.
func (p *Page) placeholder(i int) int {
	if i < 0 {
		return -1
	}
	for x := i + 1; x < p.Items[i].end; x++ {
		if it := &p.Items[x]; it.Kind == FrameItem && it.Parent == i && it.URL == "" {
			return x
		}
	}
	return -1
}

// graft puts the pages of inner documents in the place of the items that stand
// for them. What hides a frame hides what is in it.
func (p *Page) graft(inner map[int]*Page) (*Page, error) {
	if len(inner) == 0 {
		return p, nil
	}
	out := &Page{Opaque: p.Opaque, Exhausted: p.Exhausted}
	moved := make([]int, len(p.Items))
	blocks := maxBlock(p) + 1
	for i, it := range p.Items {
		at := len(out.Items)
		moved[i] = at
		it.end = 0
		if i > 0 {
			it.Parent = moved[it.Parent]
		}
		c := inner[i]
		if c == nil {
			out.Items = append(out.Items, it)
			continue
		}
		for x, ci := range c.Items {
			ci.end = 0
			ci.Parent += at
			ci.Block += blocks
			if x == 0 {
				ci.Parent = it.Parent
				if it.Gone != 0 {
					ci.Gone = it.Gone
				}
			}
			out.Items = append(out.Items, ci)
		}
		blocks += maxBlock(c) + 1
		out.Opaque += c.Opaque
		if out.Exhausted == "" {
			out.Exhausted = c.Exhausted
		}
	}
	for _, m := range p.Marks {
		if m >= 0 {
			m = moved[m]
		}
		out.Marks = append(out.Marks, m)
	}
	for _, i := range p.visual() {
		c := inner[i]
		if c == nil {
			out.Rank = append(out.Rank, moved[i])
			continue
		}
		for _, x := range c.visual() {
			out.Rank = append(out.Rank, moved[i]+x)
		}
	}
	if len(out.Items) > maxItems || !out.link() {
		return nil, errResult
	}
	return out, nil
}

func maxBlock(p *Page) int {
	n := 0
	for i := range p.Items {
		n = max(n, p.Items[i].Block)
	}
	return n
}

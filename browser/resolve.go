package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/tidwall/gjson"
)

// Resolved returns the one node of the tab that do makes the upstream look up: so
// the upstream's own names of nodes are mapped exactly, by what it says to the
// browser. [ErrNoPage] if it looked up none, or several.
func (p *Page) Resolved(ctx context.Context, do func(ctx context.Context) error) (Node, error) {
	seen := map[Node]bool{}
	p.mu.Lock()
	p.resolved = seen
	p.mu.Unlock()
	err := do(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resolved = nil
	if err != nil {
		return Node{}, err
	}
	if len(seen) != 1 {
		return Node{}, ErrNoPage
	}
	for n := range seen {
		return n, nil
	}
	return Node{}, ErrNoPage
}

// maxResolved bounds the nodes of one [Page.Resolved].
const maxResolved = 16

// resolves notes a node that the upstream looks up. The caller holds the registry.
func (p *Pages) resolves(root target.ID, frame []byte) {
	t := p.byTarget[p.tabs[root]]
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id := gjson.GetBytes(frame, "params.backendNodeId").Int(); id > 0 && t.resolved != nil && len(t.resolved) < maxResolved {
		t.resolved[Node{backend: cdp.BackendNodeID(id), process: cdp.FrameID(root)}] = true
	}
}

// Holds reports whether the node can be in the frame's document: it is of the same
// process.
func (f *Frame) Holds(n Node) bool { return n.process == f.root.ID }

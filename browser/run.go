package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/tidwall/gjson"

	"moire/embedjs"
)

// group names the remote objects of a run, which are released behind it.
const group = "moire"

func (p *cdpTab) run(ctx context.Context, f *Frame, prelude, function string, owners []*Frame, roots []Node) (string, error) {
	id, unique, err := p.pages.scanWorld(ctx, f.session, f.ID)
	if err != nil {
		return "", err
	}
	return f.runIn(ctx, id, unique, prelude, function, owners, roots)
}

// guarded asks the guard's own world.
func (p *cdpTab) guarded(ctx context.Context, f *Frame) (string, error) {
	id, unique, err := p.pages.ourWorld(ctx, f.session, f.ID)
	if err != nil {
		return "", err
	}
	return f.runIn(ctx, id, unique, "0", embedjs.Guarded, nil, nil)
}

func (f *Frame) runIn(ctx context.Context, id runtime.ExecutionContextID, unique, prelude, function string, owners []*Frame, roots []Node) (string, error) {
	// Sent once to each world: it is long.
	if !f.session.worlds.has(id, unique, prelude) {
		if err := f.session.Send(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: prelude, UniqueContextID: unique}); err != nil {
			return "", err
		}
	}
	args, err := arguments(ctx, f, id, owners, roots)
	if err != nil {
		return "", err
	}
	yes := true
	frame, err := f.session.wire.call(ctx, f.session, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, Arguments: args, UniqueContextID: unique, ReturnByValue: &yes, Silent: &yes})
	if len(args) > 0 {
		_ = f.session.Send(ctx, runtime.CommandReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	}
	if err != nil {
		return "", err
	}
	r := gjson.GetBytes(frame, "result")
	if r.Get("exceptionDetails").Exists() || r.Get("result.type").Str != "string" {
		return "", errScript
	}
	f.session.worlds.ran(id, unique, prelude)
	return r.Get("result.value").Str, nil
}

// arguments resolves the nodes into the world, all in one go.
func arguments(ctx context.Context, f *Frame, world runtime.ExecutionContextID, owners []*Frame, roots []Node) ([]*runtime.CallArgument, error) {
	nodes := make([]cdp.BackendNodeID, 0, len(owners)+len(roots))
	for _, o := range owners {
		r, err := cdp.Call(ctx, cdp.Session(f.session), dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: o.ID})
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		nodes = append(nodes, r.BackendNodeID) // 0 if the frame is gone
	}
	for _, r := range roots {
		nodes = append(nodes, r.backend)
	}
	var args []*runtime.CallArgument
	for _, n := range nodes {
		arg := &runtime.CallArgument{Value: []byte("null")}
		if n != 0 {
			r, err := cdp.Call(ctx, cdp.Session(f.session), dom.ResolveNode,
				dom.ResolveNodeParams{BackendNodeID: n, ExecutionContextID: world, ObjectGroup: group})
			if err != nil && ctx.Err() != nil {
				return nil, err
			}
			if err == nil && r.Object != nil {
				arg = &runtime.CallArgument{ObjectID: r.Object.ObjectID}
			}
		}
		args = append(args, arg)
	}
	return args, nil
}

// closedMark is how Chromium writes that a shadow root is closed.
var closedMark = []byte(`"shadowRootType":"closed"`)

// maxClosed bounds the closed shadow roots of one document that are entered.
const maxClosed = 2000

func (p *cdpTab) closedRoots(ctx context.Context, f *Frame) (map[cdp.FrameID][]Node, error) {
	depth, pierce := int64(-1), true
	frame, err := f.session.wire.call(ctx, f.session, dom.CommandGetDocument, dom.GetDocumentParams{Depth: &depth, Pierce: &pierce})
	_ = f.session.Send(ctx, dom.CommandDisable, nil) // else each change would be reported to us
	if err != nil {
		return nil, err
	}
	if gjson.GetBytes(frame, "error").Exists() {
		return flatRoots(ctx, f)
	}
	if !bytes.Contains(frame, closedMark) {
		return nil, nil
	}
	var root cdp.Node
	if err := json.Unmarshal([]byte(gjson.GetBytes(frame, "result.root").Raw), &root); err != nil {
		return nil, err
	}
	out := map[cdp.FrameID][]Node{}
	left := maxClosed
	closedRoots(&root, f.root.ID, out, &left)
	return out, tooMany(left)
}

func tooMany(left int) error {
	if left < 0 {
		return fmt.Errorf("more than %d are closed", maxClosed)
	}
	return nil
}

func closedRoots(n *cdp.Node, in cdp.FrameID, out map[cdp.FrameID][]Node, left *int) {
	for _, s := range n.ShadowRoots {
		if s.ShadowRootType == cdp.ShadowRootTypeClosed {
			out[in] = append(out[in], Node{backend: s.BackendNodeID})
			*left--
		}
		closedRoots(s, in, out, left)
	}
	for _, c := range n.Children {
		closedRoots(c, in, out, left)
	}
	if n.ContentDocument != nil {
		closedRoots(n.ContentDocument, n.FrameID, out, left)
	}
}

// flatNode is a node of a flat list of a document's nodes.
type flatNode struct {
	NodeID, ParentID cdp.NodeID
	FrameID          cdp.FrameID
	ShadowRoots      []struct {
		NodeID         cdp.NodeID
		BackendNodeID  cdp.BackendNodeID
		ShadowRootType cdp.ShadowRootType
	}
	ContentDocument *struct{ NodeID cdp.NodeID }
}

// flatRoots lists the closed roots of documents that are nested too deep for
// the browser to write them as one value: it gives up at some 150 levels.
func flatRoots(ctx context.Context, f *Frame) (map[cdp.FrameID][]Node, error) {
	var list struct{ Nodes []flatNode }
	if err := f.session.Send(ctx, dom.CommandEnable, nil); err != nil {
		return nil, err
	}
	err := f.session.Call(ctx, "DOM.getFlattenedDocument", map[string]any{"depth": -1, "pierce": true}, &list)
	_ = f.session.Send(ctx, dom.CommandDisable, nil)
	if err != nil {
		return nil, err
	}
	up := map[cdp.NodeID]cdp.NodeID{}
	frames := map[cdp.NodeID]cdp.FrameID{} // by document
	for _, n := range list.Nodes {
		up[n.NodeID] = n.ParentID
		for _, r := range n.ShadowRoots {
			up[r.NodeID] = n.NodeID
		}
		if n.ContentDocument != nil {
			frames[n.ContentDocument.NodeID] = n.FrameID
		}
	}
	out := map[cdp.FrameID][]Node{}
	left := maxClosed
	for _, n := range list.Nodes {
		for _, r := range n.ShadowRoots {
			if r.ShadowRootType != cdp.ShadowRootTypeClosed {
				continue
			}
			if left--; left < 0 {
				return nil, tooMany(left)
			}
			in := f.root.ID
			for at := n.NodeID; at != 0; at = up[at] {
				if id, ok := frames[at]; ok {
					in = id
					break
				}
			}
			out[in] = append(out[in], Node{backend: r.BackendNodeID})
		}
	}
	return out, nil
}

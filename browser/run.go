package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/tidwall/gjson"
)

// FrameID names a frame for as long as it is there.
type FrameID = cdp.FrameID

// NodeID names a node for as long as its document lives.
type NodeID = cdp.BackendNodeID

// errScript: the function did not return a string.
var errScript = errors.New("the script did not run to its end")

// Run calls a function expression in our isolated world of the document, after
// prelude, which has to be the same text each time: the browser then compiles
// it once. The arguments are the elements that hold the frames, then the shadow
// roots; a node that is gone is null. The function has to return a string.
func (f *Frame) Run(ctx context.Context, prelude, function string, owners []*Frame, roots []NodeID) (string, error) {
	var out string
	err := f.page.unblocked(ctx, func(ctx context.Context) error {
		var err error
		out, err = f.run(ctx, prelude, function, owners, roots)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("running a script in a tab: %w", err)
	}
	return out, nil
}

// group names the remote objects of a run, which are released behind it.
const group = "moire"

func (f *Frame) run(ctx context.Context, prelude, function string, owners []*Frame, roots []NodeID) (string, error) {
	id, unique, err := f.page.pages.ourWorld(ctx, f.session, f.ID)
	if err != nil {
		return "", err
	}
	if err := f.session.Send(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: prelude, UniqueContextID: unique}); err != nil {
		return "", err
	}
	args, err := f.arguments(ctx, id, owners, roots)
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
	return r.Get("result.value").Str, nil
}

// arguments resolves the nodes into the world, all in one go.
func (f *Frame) arguments(ctx context.Context, world runtime.ExecutionContextID, owners []*Frame, roots []NodeID) ([]*runtime.CallArgument, error) {
	nodes := make([]NodeID, 0, len(owners)+len(roots))
	for _, o := range owners {
		r, err := cdp.Call(ctx, cdp.Session(f.session), dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: o.ID})
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		nodes = append(nodes, r.BackendNodeID) // 0 if the frame is gone
	}
	nodes = append(nodes, roots...)
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

// ClosedRoots lists the closed shadow roots in the documents of the frame's
// process, by frame. No script can find them, but the browser tells.
func (f *Frame) ClosedRoots(ctx context.Context) (map[cdp.FrameID][]NodeID, error) {
	var out map[cdp.FrameID][]NodeID
	err := f.page.unblocked(ctx, func(ctx context.Context) error {
		var err error
		out, err = f.closedRoots(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing shadow roots: %w", err)
	}
	return out, nil
}

func (f *Frame) closedRoots(ctx context.Context) (map[cdp.FrameID][]NodeID, error) {
	depth, pierce := int64(-1), true
	frame, err := f.session.wire.call(ctx, f.session, dom.CommandGetDocument, dom.GetDocumentParams{Depth: &depth, Pierce: &pierce})
	_ = f.session.Send(ctx, dom.CommandDisable, nil) // else each change would be reported to us
	if err != nil {
		return nil, err
	}
	if gjson.GetBytes(frame, "error").Exists() {
		return f.flatRoots(ctx)
	}
	if !bytes.Contains(frame, closedMark) {
		return nil, nil
	}
	var root cdp.Node
	if err := json.Unmarshal([]byte(gjson.GetBytes(frame, "result.root").Raw), &root); err != nil {
		return nil, err
	}
	out := map[cdp.FrameID][]NodeID{}
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

func closedRoots(n *cdp.Node, in cdp.FrameID, out map[cdp.FrameID][]NodeID, left *int) {
	for _, s := range n.ShadowRoots {
		if s.ShadowRootType == cdp.ShadowRootTypeClosed {
			out[in] = append(out[in], s.BackendNodeID)
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
		BackendNodeID  NodeID
		ShadowRootType cdp.ShadowRootType
	}
	ContentDocument *struct{ NodeID cdp.NodeID }
}

// flatRoots lists the closed roots of documents that are nested too deep for
// the browser to write them as one value: it gives up at some 150 levels.
func (f *Frame) flatRoots(ctx context.Context) (map[cdp.FrameID][]NodeID, error) {
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
	out := map[cdp.FrameID][]NodeID{}
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
			out[in] = append(out[in], r.BackendNodeID)
		}
	}
	return out, nil
}

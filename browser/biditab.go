package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// bidiTab is a tab of a browser that speaks WebDriver BiDi.
type bidiTab struct {
	*Page
	b    *bidi
	id   string
	once sync.Once
	over chan struct{}
}

func newBiDiTab(b *bidi, id string) *bidiTab {
	t := &bidiTab{b: b, id: id, over: make(chan struct{})}
	t.Page = newPage(t)
	return t
}

func (t *bidiTab) end() { t.once.Do(func() { close(t.over) }) }

func (t *bidiTab) gone() <-chan struct{} { return t.over }

// frames lists the tree of contexts
// (https://w3c.github.io/webdriver-bidi/#command-browsingContext-getTree).
func (t *bidiTab) frames(ctx context.Context) ([]*Frame, error) {
	tree, err := t.b.call(ctx, "browsingContext.getTree", map[string]any{"root": t.id})
	if err != nil {
		return nil, err
	}
	t.b.mu.Lock()
	documents := maps.Clone(t.b.documents)
	t.b.mu.Unlock()
	var out []*Frame
	var collect func(c gjson.Result, parent *Frame)
	collect = func(c gjson.Result, parent *Frame) {
		id := c.Get("context").Str
		f := &Frame{ID: FrameID(id), Loader: documents[id], Origin: inheritedOrigin(c.Get("url").Str, parent), Parent: parent, Apart: true, page: t.Page}
		f.root = f
		out = append(out, f)
		c.Get("children").ForEach(func(_, k gjson.Result) bool {
			collect(k, f)
			return len(out) < maxContexts
		})
	}
	collect(tree.Get("contexts.0"), nil)
	// A frame that was just made may have no document yet.
	if out[0].ID == "" || out[0].Loader == "" {
		return nil, ErrMoved
	}
	return out, nil
}

// inheritedOrigin is the origin of a document by its address: that of about:blank and
// about:srcdoc in a frame is its parent's. The protocol does not tell of sandboxed
// ones, which then have their address's.
func inheritedOrigin(address string, parent *Frame) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "http" || u.Scheme == "https":
		return strings.Clone(u.Scheme + "://" + strings.ToLower(u.Host))
	case u.Scheme == "about" && parent != nil:
		return parent.Origin
	}
	return ""
}

func (t *bidiTab) address(ctx context.Context) (string, error) {
	tree, err := t.b.call(ctx, "browsingContext.getTree", map[string]any{"root": t.id, "maxDepth": 0})
	if err != nil {
		return "", err
	}
	return strings.Clone(tree.Get("contexts.0.url").Str), nil
}

// maxContexts bounds the frames that are listed.
const maxContexts = 2000

// activity is not known: the protocol tells of no layout.
func (*bidiTab) activity(context.Context) (string, error) { return "", nil }

// guarded: there is no guard.
func (*bidiTab) guarded(context.Context, *Frame) (string, error) { return "", nil }

// pure: the protocol has no such check.
func (*bidiTab) pure(context.Context, *Frame, string, []Node, PureLimits) (PureResult, error) {
	return PureResult{}, ErrImpure
}

// sources: Firefox is not asked.
func (*bidiTab) sources(context.Context) (Sources, error) { return Sources{}, nil }

// target is where scripts run: the sandbox in which the upstream names elements,
// if it has run a script there, else our own.
func (t *bidiTab) target(f *Frame) map[string]any {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	sandbox := t.b.worlds[string(f.ID)]
	if sandbox == "" {
		sandbox = t.b.ours
	}
	return map[string]any{"context": f.ID, "sandbox": sandbox}
}

// lacking is what a run returns where the prelude has not run yet. No function of
// ours returns it.
const lacking = "\x00"

// run calls a function in a sandbox, which has the page's DOM through Xray
// wrappers and built-ins of its own
// (https://firefox-source-docs.mozilla.org/dom/scriptSecurity/xray_vision.html).
func (t *bidiTab) run(ctx context.Context, f *Frame, prelude, function string, owners []*Frame, roots []Node) (string, error) {
	args, err := t.arguments(ctx, f, owners, roots)
	if err != nil {
		return "", err
	}
	target := t.target(f)
	guarded := fmt.Sprintf(`(...a) => Object.hasOwn(globalThis, "moire") ? (%s)(...a) : "\0"`, function)
	out, err := t.function(ctx, target, guarded, args)
	if err != nil || out != lacking {
		return out, err
	}
	r, err := t.b.call(ctx, "script.evaluate", map[string]any{"expression": prelude, "target": target, "awaitPromise": false, "serializationOptions": shallow})
	if err != nil {
		return "", err
	}
	if r.Get("type").Str != "success" {
		return "", errScript
	}
	if out, err = t.function(ctx, target, guarded, args); err == nil && out == lacking {
		return "", ErrMoved
	}
	return out, err
}

// shallow has nothing of a result serialised but itself.
var shallow = map[string]any{"maxDomDepth": 0, "maxObjectDepth": 0}

func (t *bidiTab) function(ctx context.Context, target map[string]any, function string, args []any) (string, error) {
	r, err := t.b.call(ctx, "script.callFunction", map[string]any{"functionDeclaration": function, "target": target, "arguments": args,
		"awaitPromise": false, "serializationOptions": shallow})
	if err != nil {
		return "", err
	}
	if r.Get("type").Str != "success" || r.Get("result.type").Str != "string" {
		return "", errScript
	}
	return r.Get("result.value").Str, nil
}

// arguments are the elements that hold the frames, asked for all at once, and
// the shadow roots.
func (t *bidiTab) arguments(ctx context.Context, f *Frame, owners []*Frame, roots []Node) ([]any, error) {
	asked := make([]pending, len(owners))
	for i, o := range owners {
		p, err := t.b.send(ctx, "browsingContext.locateNodes", map[string]any{"context": f.ID,
			"locator": map[string]any{"type": "context", "value": map[string]any{"context": o.ID}}, "serializationOptions": shallow})
		if err != nil {
			return nil, err
		}
		asked[i] = p
	}
	args := []any{}
	nothing := map[string]any{"type": "null"}
	for _, p := range asked {
		r, err := t.b.wait(ctx, "browsingContext.locateNodes", p)
		var no *Refused
		if err != nil && !errors.As(err, &no) && !errors.Is(err, ErrNoPage) {
			return nil, err
		}
		if id := r.Get("nodes.0.sharedId").Str; id != "" {
			args = append(args, map[string]any{"sharedId": id})
		} else {
			args = append(args, nothing) // the frame is gone
		}
	}
	for _, n := range roots {
		args = append(args, map[string]any{"sharedId": n.shared})
	}
	return args, nil
}

// closedRoots asks for the shadow roots of all elements of the document and of
// its shadow trees, as no script can find the closed ones
// (https://w3c.github.io/webdriver-bidi/#type-script-SerializationOptions).
func (t *bidiTab) closedRoots(ctx context.Context, f *Frame) (map[FrameID][]Node, error) {
	out := map[FrameID][]Node{}
	left := maxClosed
	for trees := []any{nil}; len(trees) > 0; trees = trees[1:] {
		params := map[string]any{"context": f.ID, "locator": map[string]any{"type": "css", "value": "*"},
			"serializationOptions": map[string]any{"maxDomDepth": 0, "maxObjectDepth": 0, "includeShadowTree": "all"}}
		if trees[0] != nil {
			params["startNodes"] = []any{trees[0]}
		}
		r, err := t.b.call(ctx, "browsingContext.locateNodes", params)
		var no *Refused
		if errors.As(err, &no) && trees[0] != nil {
			continue // the tree is gone
		}
		if err != nil {
			return nil, err
		}
		r.Get("nodes").ForEach(func(_, n gjson.Result) bool {
			root := n.Get("value.shadowRoot")
			id := strings.Clone(root.Get("sharedId").Str)
			if id == "" {
				return true
			}
			trees = append(trees, map[string]any{"sharedId": id})
			if root.Get("value.mode").Str == "closed" {
				out[f.ID] = append(out[f.ID], Node{shared: id})
			}
			left--
			return left >= 0
		})
		if left < 0 {
			return nil, tooMany(left)
		}
	}
	return out, nil
}

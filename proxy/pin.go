package proxy

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/policy"
	"moire/scan"
)

// targetFacts pins the elements that the call names, or those that keys and
// pointers go to.
func (p *Proxy) targetFacts(ctx context.Context, c *call, f *policy.Facts) {
	if c.a.Codec == adapter.CodecText {
		return // its selectors mean what it makes of them
	}
	names := c.elements()
	enters := c.enters()
	switch found, err := p.pin(ctx, c, names); {
	case err != nil && len(names) == 0:
		// Whatever it acts on: rules for calls without a target speak of it.
	case err != nil:
		f.Unpinned = len(names)
	default:
		for _, t := range found {
			f.Targets = append(f.Targets, p.reduce(t, f.Text != nil || enters, enters))
		}
		f.Unpinned = max(0, len(names)-len(found))
	}
}

// elements are the upstream's names of the elements in the call's arguments.
func (c *call) elements() []string {
	var out []string
	for name, kind := range c.row.Arguments {
		v := gjson.GetBytes(c.args, name)
		switch kind {
		case "element":
			if v.Exists() {
				out = append(out, v.String())
			}
		case "elements":
			for _, item := range v.Array() {
				out = append(out, item.String())
			}
		case "fields":
			for _, item := range v.Array() {
				id := ""
				for _, key := range []string{"uid", "target", "ref"} {
					if w := item.Get(key); w.Exists() {
						id = w.String()
					}
				}
				out = append(out, id)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// enters reports a call that presses Enter behind what it types.
func (c *call) enters() bool {
	for name, kind := range c.row.Arguments {
		v := gjson.GetBytes(c.args, name)
		if kind == "key" && strings.HasSuffix(v.String(), "Enter") || name == "submit" && v.Bool() {
			return true
		}
		// A line break in a text that is typed key by key is one.
		if kind == "text" && strings.ContainsAny(v.String(), "\n\r") {
			return true
		}
	}
	return false
}

var errUnpinned = errors.New("the element can't be pinned")

// maxPinned bounds the elements of one call.
const maxPinned = 64

// pin finds the raw facts of elements.
func (p *Proxy) pin(ctx context.Context, c *call, names []string) ([]scan.Target, error) {
	if len(names) > maxPinned {
		return nil, errUnpinned
	}
	if p.cfg.Browser == nil {
		return p.pinEvaluated(ctx, c, names)
	}
	ctx, cancel := context.WithTimeout(ctx, p.cfg.LookTimeout)
	defer cancel()
	w, err := p.onWire(ctx, c)
	if err != nil {
		return nil, err
	}
	x, y := gjson.GetBytes(c.args, "x"), gjson.GetBytes(c.args, "y")
	switch {
	case len(names) > 0 && c.a.Launch.Browser != nil && c.a.Launch.Browser.Refs != "":
		found, err := p.cfg.Scanner.Named(ctx, w.page, names)
		if err != nil {
			return nil, err
		}
		var out []scan.Target
		for _, n := range names {
			if t, ok := found[n]; ok {
				out = append(out, t)
			}
		}
		return out, nil
	case len(names) > 0:
		return p.pinNodes(ctx, c, w, names)
	case x.Type == gjson.Number && y.Type == gjson.Number:
		return p.cfg.Scanner.At(ctx, w.page, x.Num, y.Num)
	case c.keys():
		return p.cfg.Scanner.Focused(ctx, w.page)
	}
	return nil, errUnpinned
}

// pinEvaluated asks the page itself.
func (p *Proxy) pinEvaluated(ctx context.Context, c *call, names []string) ([]scan.Target, error) {
	if c.a.Script.Elements == "" || len(names) == 0 || p.cfg.Policy.Watches() {
		return nil, errUnpinned
	}
	var out []scan.Target
	for _, name := range names {
		t, err := p.cfg.Scanner.Evaluated(ctx, evaluator{p, c}, name)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// keys reports a call whose keys go where the focus is.
func (c *call) keys() bool {
	for _, kind := range c.row.Arguments {
		if kind == "key" {
			return true
		}
	}
	return false
}

// pinNodes has the upstream look its own names up: which nodes they are is seen on
// the wire.
func (p *Proxy) pinNodes(ctx context.Context, c *call, w *wireTab, names []string) ([]scan.Target, error) {
	if c.a.Script.Tool == "" {
		return nil, errUnpinned
	}
	var out []scan.Target
	for _, name := range names {
		node, err := w.page.Resolved(ctx, func(ctx context.Context) error { return p.sendName(ctx, c, name) })
		if err != nil {
			return nil, err
		}
		t, err := p.cfg.Scanner.Node(ctx, w.page, node)
		if errors.Is(err, scan.ErrNoTarget) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// sendName has the upstream look a name of an element up, and do nothing with it:
// what it is asked to run is no script, so nothing runs and nothing is waited for.
func (p *Proxy) sendName(ctx context.Context, c *call, name string) error {
	args := map[string]any{c.a.Script.Function: "(", c.a.Script.Elements: []string{name}}
	for k, v := range c.a.Script.With {
		args[k] = v
	}
	_, err := evaluator{p, c}.tool(ctx, c.a.Script.Tool, args)
	return err
}

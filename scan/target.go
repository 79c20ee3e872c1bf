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

// Target is an element that a call acts on: the raw facts of it, as the browser
// has them. All texts are the page's. Frame and Document are of the document that
// it stands in, by the browser's word.
type Target struct {
	Tag      string      `json:"tag"`
	Role     string      `json:"role"`
	Name     string      `json:"name"`
	Field    *Field      `json:"field"`
	Link     *string     `json:"link"`
	Download bool        `json:"download"`
	Form     *TargetForm `json:"form"`
	// Submits: a press sends the form; Enter: that key in it does.
	Submits  bool `json:"submits"`
	Enter    bool `json:"enter"`
	Covered  bool `json:"covered"`
	Hidden   bool `json:"hidden"`
	Disabled bool `json:"disabled"`
	// Holds: it holds a document of its own.
	Holds bool `json:"frame"`

	Frame    string `json:"-"`
	Document string `json:"-"`
}

// Field is what a form's field says of itself.
type Field struct {
	Tag          string `json:"tag"`
	Type         string `json:"type"`
	Autocomplete string `json:"autocomplete"`
	Name         string `json:"name"`
	ID           string `json:"id"`
	Placeholder  string `json:"placeholder"`
	Label        string `json:"label"`
	Role         string `json:"role"`
	InputMode    string `json:"inputMode"`
	Editable     bool   `json:"editable"`
}

// TargetForm is what the target's form would send, and where.
type TargetForm struct {
	Action string  `json:"action"`
	Method string  `json:"method"`
	Fields []Field `json:"fields"`
	// More: it has more fields than these.
	More   bool `json:"more"`
	Search bool `json:"search"`
}

// ErrNoTarget: the element is in no document that can be looked into.
var ErrNoTarget = errors.New("nobody can tell what the element is")

// maxTarget bounds the facts of one call's targets, in bytes.
const maxTarget = 8 << 20

// Node gathers the facts of a node on the wire.
func (s *Scanner) Node(ctx context.Context, tab *browser.Page, n browser.Node) (Target, error) {
	frames, err := tab.Frames(ctx)
	if err != nil {
		return Target{}, err
	}
	for _, f := range frames {
		if !f.Holds(n) {
			continue
		}
		raw, err := f.Run(ctx, embedjs.Prelude(), embedjs.Targets, nil, []browser.Node{n})
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, browser.ErrDialog) {
				return Target{}, err
			}
			continue
		}
		var list []*Target
		if err := decodeTargets(raw, &list); err != nil {
			return Target{}, err
		}
		if len(list) == 1 && list[0] != nil {
			return list[0].of(f), nil
		}
	}
	return Target{}, ErrNoTarget
}

// Named gathers the facts of the elements that the upstream gave these names, in
// the tab's documents; names that no element has are missing.
func (s *Scanner) Named(ctx context.Context, tab *browser.Page, refs []string) (map[string]Target, error) {
	frames, err := tab.Frames(ctx)
	if err != nil {
		return nil, err
	}
	function, err := embedjs.Named(refs, s.options.Refs)
	if err != nil {
		return nil, err
	}
	out := map[string]Target{}
	for _, f := range frames {
		raw, err := f.Run(ctx, embedjs.Prelude(), function, nil, nil)
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, browser.ErrDialog) {
				return nil, err
			}
			continue
		}
		var pairs []namedTarget
		if err := decodeTargets(raw, &pairs); err != nil {
			return nil, err
		}
		for _, p := range pairs {
			if _, twice := out[p.ref]; twice {
				return nil, ErrNoTarget // which one it is can't be told
			}
			out[p.ref] = p.target.of(f)
		}
		if len(out) == len(refs) {
			break
		}
	}
	return out, nil
}

// Focused gathers the facts of all elements that keys can go to: those that have
// the focus of a document whose frame has its parent's.
func (s *Scanner) Focused(ctx context.Context, tab *browser.Page) ([]Target, error) {
	return s.each(ctx, tab, embedjs.Focus, func(f *browser.Frame, inner map[*browser.Frame]bool) bool {
		return f.Parent == nil || inner[f.Parent]
	})
}

// At gathers the facts of what a pointer meets at a place of the main document's
// viewport, in CSS pixels.
func (s *Scanner) At(ctx context.Context, tab *browser.Page, x, y float64) ([]Target, error) {
	return s.each(ctx, tab, embedjs.At(x, y), func(f *browser.Frame, _ map[*browser.Frame]bool) bool { return f.Parent == nil })
}

// each runs a function that tells of one element in the documents that wanted
// admits, given those in which it was one that holds a document.
func (s *Scanner) each(ctx context.Context, tab *browser.Page, function string, wanted func(*browser.Frame, map[*browser.Frame]bool) bool) ([]Target, error) {
	frames, err := tab.Frames(ctx)
	if err != nil {
		return nil, err
	}
	// Parents first.
	slices.SortStableFunc(frames, func(a, b *browser.Frame) int { return depth(a) - depth(b) })
	var out []Target
	holding, entered := map[*browser.Frame]bool{}, map[*browser.Frame]bool{}
	for _, f := range frames {
		if !wanted(f, holding) {
			continue
		}
		raw, err := f.Run(ctx, embedjs.Prelude(), function, nil, nil)
		if err != nil {
			return nil, err
		}
		var t *Target
		if err := decodeTargets(raw, &t); err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		entered[f.Parent] = true
		if t.Holds {
			holding[f] = true
			continue
		}
		out = append(out, t.of(f))
	}
	for f := range holding {
		if !entered[f] { // a document that none of ours can be run in
			return nil, ErrNoTarget
		}
	}
	if len(out) == 0 {
		return nil, ErrNoTarget
	}
	return out, nil
}

func depth(f *browser.Frame) int {
	n := 0
	for ; f.Parent != nil; f = f.Parent {
		n++
	}
	return n
}

// Evaluated gathers the facts of an element by the upstream's own script tool, in
// the page's world, which can lie about all of them but the origin.
func (s *Scanner) Evaluated(ctx context.Context, ev Evaluator, element string) (Target, error) {
	raw, err := ev.Evaluate(ctx, embedjs.EvaluatedTargets(), []string{element})
	if err != nil {
		return Target{}, err
	}
	var out struct {
		Origin  string    `json:"origin"`
		Targets []*Target `json:"targets"`
	}
	if err := decodeTargets(string(raw), &out); err != nil {
		return Target{}, err
	}
	if len(out.Targets) != 1 || out.Targets[0] == nil {
		return Target{}, ErrNoTarget
	}
	t := *out.Targets[0]
	if strings.HasPrefix(out.Origin, "http") {
		t.Frame = out.Origin
	}
	return t, nil
}

// of completes a target by what the browser says of its document.
func (t *Target) of(f *browser.Frame) Target {
	out := *t
	out.Frame, out.Document = f.Origin, f.Loader
	return out
}

// namedTarget is a pair of a name and facts.
type namedTarget struct {
	ref    string
	target Target
}

func (n *namedTarget) UnmarshalJSON(raw []byte) error {
	return json.Unmarshal(raw, &[]any{&n.ref, &n.target})
}

// decodeTargets reads what our own world answered. It is strict all the same: what
// it holds is the page's.
func decodeTargets(raw string, into any) error {
	if len(raw) > maxTarget {
		return fmt.Errorf("decoding targets: more than %d bytes", maxTarget)
	}
	if err := json.Unmarshal([]byte(raw), into); err != nil {
		return errors.New("decoding targets: the answer is not in the expected form")
	}
	return nil
}

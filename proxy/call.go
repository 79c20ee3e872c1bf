package proxy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"moire/adapter"
	"moire/near"
	"moire/pins"
	"moire/policy"
	"moire/scan"
	"moire/session"
	"moire/wire"
)

var countRefused = session.Counters{Refused: 1}

// call is one tool call on its way.
type call struct {
	m    wire.Message
	name string
	args []byte // the agent's, a JSON object
	row  adapter.Tool
	a    *adapter.Adapter
	tab  string
	// held are the tabs that are locked for this call.
	held []*session.Tab
	// sent are the parameters that go to the upstream.
	sent []byte
	// file is where the agent wants what passes of a snapshot, empty for the
	// reply.
	file string

	before, after *scan.View
	q             *scan.Quarantine
	// overlapped is the look that runs while the upstream works.
	overlapped *overlapped
	// proved is the reply of a script that was run where it can change nothing: the
	// upstream does not run it.
	proved *wire.Message
	// facts are what policy decided on.
	facts policy.Facts
	// trusted is the document that was trusted before the call (trusts).
	trusted string
}

// past reports a call that asks for what earlier documents of the tab said.
func (c *call) past() bool {
	for k, kind := range c.row.Arguments {
		if kind == "past" && gjson.GetBytes(c.args, k).Bool() {
			return true
		}
	}
	return false
}

// refusal is a call that Moiré refuses itself: a tool result with isError.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }

func refusef(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// callTool is the pipeline.
func (p *Proxy) callTool(ctx context.Context, m wire.Message) ([]byte, error) {
	p.cfg.Session.Count(session.Counters{Calls: 1})
	c := &call{m: m, q: scan.NewQuarantine(p.cfg.Session.Key, p.trust())}
	result, err := p.pipeline(ctx, c)
	var no *refusal
	switch {
	case err == nil:
	case errors.As(err, &no):
		p.cfg.Session.Count(countRefused)
		result = withMeta(textResult("moire: "+no.text, true), c.q.Summary())
	case errors.Is(err, context.Canceled):
		return nil, err
	default:
		result = withMeta(textResult("moire: "+p.explain(err), true), c.q.Summary())
	}
	if err := p.record(ctx, c, result); err != nil {
		return nil, err
	}
	return result, nil
}

func (p *Proxy) pipeline(ctx context.Context, c *call) ([]byte, error) {
	if err := p.describe(ctx, c); err != nil {
		return nil, err
	}
	if c.name == p.ownName() {
		if err := p.permit(ctx, c); err != nil {
			return nil, err
		}
		result, err := p.getPage(ctx, c)
		if err != nil {
			return nil, err
		}
		return p.reckon(ctx, c, result)
	}
	if err := p.prepare(c); err != nil {
		return nil, err
	}
	defer c.release()
	if !c.row.Bypass {
		if err := p.hold(ctx, c, c.tab); err != nil {
			return nil, err
		}
	}
	if err := p.gather(ctx, c); err != nil {
		return nil, err
	}
	if c.overlapped != nil {
		defer c.overlapped.end()
	}
	if err := p.permit(ctx, c); err != nil {
		return nil, err
	}
	reply, err := p.act(ctx, c)
	if c.overlapped != nil {
		close(c.overlapped.replied)
	}
	if err != nil {
		return nil, err
	}
	result, err := p.settle(ctx, c, reply)
	if err != nil {
		return nil, err
	}
	return p.reckon(ctx, c, result)
}

// callMembers are the members of the parameters of tools/call.
// https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolrequestparams
var callMembers = map[string]bool{"name": true, "arguments": true, "_meta": true, "task": true}

// hold locks a tab until the call's release. Only a call that names no tab, and
// so holds the tab "", takes a second one: no two calls wait for each other.
func (p *Proxy) hold(ctx context.Context, c *call, id string) error {
	tab := p.cfg.Session.Tab(id)
	if err := tab.Lock(ctx); err != nil {
		return err
	}
	c.held = append(c.held, tab)
	return nil
}

func (c *call) release() {
	for _, tab := range c.held {
		tab.Unlock()
	}
}

// foreignMember refuses parameters with a member that the protocol does not
// know: "Arguments" would be the arguments for a peer that ignores case.
func foreignMember(params []byte) error {
	var unknown error
	gjson.ParseBytes(params).ForEach(func(k, _ gjson.Result) bool {
		if !callMembers[k.String()] {
			unknown = refusef("unknown member %q of the parameters of tools/call (hint: arguments of the tool belong into \"arguments\")", bounded(k.String()))
		}
		return unknown == nil
	})
	return unknown
}

// describe finds what the call is. What no table names is refused.
func (p *Proxy) describe(ctx context.Context, c *call) error {
	params := c.m.Bytes(c.m.Params)
	if err := foreignMember(params); err != nil {
		return err
	}
	c.name = gjson.GetBytes(params, "name").String()
	c.args = []byte(`{}`)
	if raw := gjson.GetBytes(params, "arguments"); raw.Exists() && raw.Type != gjson.Null {
		if !raw.IsObject() {
			return refusef("arguments of %s are not an object", bounded(c.name))
		}
		c.args = []byte(raw.Raw)
	}
	a, err := p.known(ctx)
	if err != nil {
		return err
	}
	c.a = a
	if a.Script.Tool == "" && p.cfg.Browser == nil && a.Codec != adapter.CodecText {
		return refusef("%s can't be guarded when it is started by a command that Moiré does not know (hint: moire --upstream %s)", a.Name, a.Package)
	}
	if c.name == p.ownName() {
		c.row = adapter.Tool{Arguments: map[string]adapter.ArgKind{"pageId": "page", "page": "number"},
			Effects: []adapter.ToolEffect{{Effect: "read"}}}
	} else if row, ok := a.Tools[c.name]; ok {
		c.row = row
		unpinned, err := p.unpinned(ctx, a)
		if err != nil {
			return err
		}
		if unpinned[c.name] {
			return refusef("the upstream's definition of the tool %s is not one that was tested or accepted by a person (hint: moire pins list shows it)", c.name)
		}
	} else {
		return refusef("unknown tool %q%s: the adapter for %s %s does not know it",
			bounded(c.name), near.Hint(c.name, toolNames(a)), a.Name, cmp.Or(a.Tested.To, "of this session"))
	}
	var unknown error
	gjson.ParseBytes(c.args).ForEach(func(k, _ gjson.Result) bool {
		if _, ok := c.row.Arguments[k.String()]; !ok {
			unknown = refusef("unknown argument %q of %s%s", bounded(k.String()), c.name, near.Hint(k.String(), argNames(c.row)))
			return false
		}
		return true
	})
	if id := gjson.GetBytes(c.args, "pageId"); id.Type == gjson.Number {
		c.tab = strconv.FormatFloat(id.Num, 'f', -1, 64) // 1 and 1.0 are one tab
	}
	return unknown
}

func toolNames(a *adapter.Adapter) []string {
	var out []string
	for n := range a.Tools {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func argNames(t adapter.Tool) []string {
	var out []string
	for n := range t.Arguments {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// prepare may rewrite arguments: handles become the addresses they stand for.
// What would put a page's text into a file is refused, as no file is sanitised
// yet.
func (p *Proxy) prepare(c *call) error {
	args := c.args
	var err error
	gjson.ParseBytes(c.args).ForEach(func(k, v gjson.Result) bool {
		kind := c.row.Arguments[k.String()]
		switch {
		case kind == "url":
			if full, ok := p.cfg.Session.URLs.Resolve(v.String()); ok {
				args, err = sjson.SetBytes(args, k.String(), full)
			} else {
				p.cfg.Session.URLs.Give(v.String())
			}
		case kind == "echo":
			p.cfg.Session.Give(v.String())
		case k.String() == c.row.File && p.cfg.Workspace != nil:
			if c.file = v.String(); v.Type != gjson.String || c.file == "" {
				err = refusef("%s is the path of a file", k.String())
				return false
			}
			if filepath.Ext(c.file) == "" {
				c.file += c.row.Extension
			}
			args, err = sjson.DeleteBytes(args, k.String())
		case kind == "path" && c.row.Reply != "image":
			err = refusef("%s can't write page content to a file yet: call it without %q, the reply carries it", c.name, k.String())
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	params := c.m.Bytes(c.m.Params)
	if c.row.As != "" {
		args = []byte(`{}`)
		if params, err = sjson.SetBytes(params, "name", c.row.As); err != nil {
			return fmt.Errorf("rewriting a call: %w", err)
		}
	}
	for k, v := range c.row.With {
		if gjson.GetBytes(args, k).Exists() {
			continue
		}
		if args, err = sjson.SetBytes(args, k, v); err != nil {
			return fmt.Errorf("completing arguments: %w", err)
		}
	}
	c.sent, err = sjson.SetRawBytes(params, "arguments", args)
	if err != nil {
		return fmt.Errorf("rewriting arguments: %w", err)
	}
	return nil
}

// gather takes the look before a read, and finds whether the tab is trusted.
func (p *Proxy) gather(ctx context.Context, c *call) error {
	c.trusted = p.trusts(ctx, c)
	if c.row.Look != adapter.LookAround || p.overlap(ctx, c) {
		return nil
	}
	v, err := p.look(ctx, c, nil)
	if errors.Is(err, errNoTab) || errors.Is(err, errDialog) && p.cfg.Browser != nil {
		return nil // the upstream says so; without a look nothing of a page passes
	}
	if err != nil {
		return err
	}
	// A document that is gone by now only means that the look after decides.
	if err := p.enterAll(ctx, c, v, p.cfg.Session.Tab(c.tab).Foreign()); err != nil {
		return err
	}
	c.before = v
	return nil
}

// effectsOf are those of the call's tool that its arguments bring about.
func effectsOf(c *call) []policy.Effect {
	var out []policy.Effect
	for _, e := range c.row.Effects {
		if e.When == "" || gjson.GetBytes(c.args, e.When).Exists() {
			out = append(out, policy.Effect(e.Effect))
		}
	}
	return out
}

// record tells the log and the record what was done, without a word of a page.
func (p *Proxy) record(ctx context.Context, c *call, result []byte) error {
	s := c.q.Summary()
	p.cfg.Session.Count(session.Counters{Withheld: s.Quarantined})
	p.log.Debug("call", "tool", c.name, "withheld", s.Quarantined, "opaque", s.Opaque)
	if p.cfg.Recorder == nil || c.facts.Call == "" {
		return nil
	}
	return p.cfg.Recorder.Record(ctx, "outcome", outcome{c.facts.Call, gjson.GetBytes(result, "isError").Bool(), s.Quarantined, s.Opaque}, false)
}

// outcome is the record of what became of a call.
type outcome struct {
	Call     string `json:"call"`
	Failed   bool   `json:"failed"`
	Withheld int    `json:"withheld"`
	Opaque   int    `json:"opaque"`
}

// known returns the adapter, found now if it was not given.
func (p *Proxy) known(ctx context.Context) (*adapter.Adapter, error) {
	p.mu.Lock()
	a, server := p.adapter, p.server
	p.mu.Unlock()
	if a != nil {
		return a, nil
	}
	r, err := p.link.Call(ctx, "tools/list", []byte(`{}`))
	if err != nil {
		return nil, err
	}
	var list struct {
		Tools []adapter.ToolDefinition `json:"tools"`
	}
	if err := json.Unmarshal(r.Bytes(r.Result), &list); err != nil {
		return nil, pins.ErrList
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	if a, err = adapter.Recognise(server, names); err != nil {
		return nil, err
	}
	if a == nil {
		if a, err = adapter.Generic(server, list.Tools); err != nil {
			return nil, err
		}
		p.log.Warn("no adapter knows this upstream: what its replies say is judged by what its page shows, and what is not known of it is withheld",
			"upstream", a.Name, "not known", strings.Join(a.Unknown, "; "))
	}
	p.mu.Lock()
	p.adapter = a
	p.mu.Unlock()
	return a, nil
}

func textResult(text string, isError bool) []byte {
	return fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}],"isError":%t}`, wire.Quote(text), isError)
}

func setMember(object []byte, key string, raw []byte) ([]byte, error) {
	out, err := sjson.SetRawBytes(object, key, raw)
	if err != nil {
		return nil, fmt.Errorf("setting %s: %w", key, err)
	}
	return out, nil
}

// diagnoser is an error that can say its cause and a remedy in our words.
type diagnoser interface{ Diagnose() string }

// hinter is an error with a remedy.
type hinter interface{ Hint() string }

// explain words an error for the agent: no page text, no argument values.
func (p *Proxy) explain(err error) string {
	var words adapter.Words
	p.mu.Lock()
	if p.adapter != nil {
		words = p.adapter.Words
	}
	p.mu.Unlock()
	var d diagnoser
	var h hinter
	switch {
	case errors.As(err, &d):
		return d.Diagnose()
	case errors.As(err, &h):
		return err.Error() + " (hint: " + h.Hint() + ")"
	case errors.Is(err, context.DeadlineExceeded):
		return "the call took longer than the time limit and was given up (hint: raise --call-timeout)"
	case errors.Is(err, errDialog):
		return "a dialog is open and blocks the page: answer it with " + words.Dialog + ", then call again"
	case errors.Is(err, errCrashed):
		return "the tab has crashed: load a page in it with " + words.Navigate
	case errors.Is(err, errOffWire):
		return "the tab can't be scanned: the upstream's browser has not started through Moiré (hint: --log-level debug shows what the upstream says; " +
			"as root Chromium needs " + words.Sandbox + ")"
	}
	return err.Error()
}

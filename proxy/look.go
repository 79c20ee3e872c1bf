package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/scan"
	"moire/wire"
)

// errDialog: an open dialog keeps every script of the page from running.
var errDialog = errors.New("a dialog is open")

// errScript: the upstream did not run our script.
var errScript = errors.New("the upstream did not run the scanner")

// evaluator runs the scanner by the upstream's own script tool. It takes no
// snapshot, selects no page and answers no dialog, so it shifts nothing that
// the agent can see.
type evaluator struct {
	p *Proxy
	c *call
}

func (e evaluator) Evaluate(ctx context.Context, function string, elements []string) ([]byte, error) {
	s := e.c.a.Script
	args := map[string]any{s.Function: function}
	for k, v := range s.With {
		args[k] = v
	}
	if len(elements) > 0 {
		args[s.Elements] = elements
	}
	ctx, cancel := context.WithTimeout(ctx, e.p.cfg.LookTimeout)
	defer cancel()
	if err := e.probe(ctx, s.Probe); err != nil {
		return nil, err
	}
	r, err := e.tool(ctx, s.Tool, args)
	if err != nil {
		return nil, err
	}
	return scriptResult(r)
}

// probe fails with errDialog while a dialog is open.
func (e evaluator) probe(ctx context.Context, probe adapter.Probe) error {
	args := map[string]any{}
	for k, v := range probe.With {
		args[k] = v
	}
	r, err := e.tool(ctx, probe.Tool, args)
	if err != nil {
		return err
	}
	result := r.Bytes(r.Result)
	if gjson.GetBytes(result, "structuredContent.dialog").Exists() ||
		strings.Contains(gjson.GetBytes(result, "content.0.text").String(), dialogPrefix) {
		return errDialog
	}
	return nil
}

// tool makes a call of our own on the tab.
func (e evaluator) tool(ctx context.Context, name string, args map[string]any) (wire.Message, error) {
	if e.c.tab != "" {
		args["pageId"] = json.RawMessage(e.c.tab)
	}
	params, err := json.Marshal(map[string]any{"name": name, "arguments": args})
	if err != nil {
		return wire.Message{}, fmt.Errorf("encoding a call: %w", err)
	}
	return e.p.link.Call(ctx, "tools/call", params)
}

const (
	resultPrefix = "Script ran on page and returned:\n```json\n"
	resultSuffix = "\n```"
	dialogPrefix = "Error: A dialog is open ("
)

func scriptResult(r wire.Message) ([]byte, error) {
	if r.Kind != wire.MessageResult {
		return nil, errScript
	}
	text := gjson.GetBytes(r.Bytes(r.Result), "content.0.text").String()
	if strings.HasPrefix(text, dialogPrefix) {
		return nil, errDialog
	}
	text, ok := strings.CutPrefix(text, resultPrefix)
	if !ok {
		return nil, errScript
	}
	// Nothing follows the block: a navigation that the page starts meanwhile
	// would append lines, and then the document is another.
	text, ok = strings.CutSuffix(text, resultSuffix)
	if !ok {
		return nil, errScript
	}
	raw := []byte(text)
	wire.Mend(raw)
	if err := wire.Check(raw, wire.DefaultLimits()); err != nil {
		return nil, errScript
	}
	return raw, nil
}

// look scans the tab of a call.
func (p *Proxy) look(ctx context.Context, c *call, pins []string) (*scan.View, error) {
	var v *scan.View
	var err error
	if p.cfg.Browser != nil {
		v, err = p.lookIsolated(ctx, c)
	} else if c.a.Script.Tool == "" {
		return nil, errOffWire
	} else {
		v, err = p.cfg.Scanner.Look(ctx, evaluator{p, c}, pins)
	}
	if err != nil {
		return nil, err
	}
	p.cfg.Session.Tab(c.tab).Saw(v.Explainer())
	return v, nil
}

func (p *Proxy) enter(ctx context.Context, c *call, v *scan.View, root string) error {
	if v.Trust == scan.TrustIsolated {
		return nil // it has seen all documents
	}
	return p.cfg.Scanner.Enter(ctx, evaluator{p, c}, v, root)
}

package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"moire/browser"
	"moire/wire"
)

// pure runs the call's script once where the engine ends it at the first side
// effect, and returns the reply that the upstream would have made of its result;
// nil if it is not proved that the script only reads. Then nothing has happened, and
// whether the upstream may run it is for policy.
func (p *Proxy) pure(ctx context.Context, c *call) *wire.Message {
	function, ok := c.readsOnly()
	if !ok || p.cfg.Browser == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, pureTimeout)
	defer cancel()
	w, err := p.onWire(limited, c)
	if err != nil || w.unproved {
		return nil
	}
	frames, err := w.page.Frames(limited)
	if err != nil || len(frames) == 0 {
		return nil
	}
	out, err := frames[0].RunPure(limited, function, nil, browser.PureLimits{})
	if errors.Is(err, browser.ErrCrashed) || limited.Err() != nil && ctx.Err() == nil {
		// The engine's limits do not hold for all that a script can do: one that broke
		// them was the tab's last.
		w.unproved = true
	}
	if err != nil {
		return nil // what it throws, the upstream words
	}
	reply, err := pureReply(c, out.JSON)
	if err != nil {
		return nil
	}
	return &reply
}

// pureTimeout bounds the proof: what only reads takes milliseconds.
const pureTimeout = 2 * time.Second

// readsOnly returns the script of a call that has no other effect and names no
// element, file or context.
func (c *call) readsOnly() (function string, ok bool) {
	if c.row.Script == "" || c.a.Script.Tool != c.name && c.a.Mark.Tool == "" {
		return "", false
	}
	ok = true
	gjson.ParseBytes(c.args).ForEach(func(k, v gjson.Result) bool {
		switch c.row.Arguments[k.String()] {
		case "page":
		case "script":
			function = v.String()
			ok = ok && v.Type == gjson.String && k.String() == "function"
		default:
			ok = ok && pureAside[k.String()]
		}
		return ok
	})
	return function, ok && function != "" && c.file == ""
}

// pureAside are arguments that change nothing for a script without side effects.
var pureAside = map[string]bool{"dialogAction": true, "waitForStableDom": true, "element": true}

// pureReply words a result as the upstream does. An undefined one is nil.
func pureReply(c *call, result []byte) (wire.Message, error) {
	text := "undefined"
	if result != nil {
		text = string(result)
	}
	var said string
	if c.name == c.a.Script.Tool {
		said = resultPrefix + text + resultSuffix
	} else {
		if result != nil {
			var b bytes.Buffer
			if err := json.Indent(&b, result, "", "  "); err != nil {
				return wire.Message{}, fmt.Errorf("wording a result: %w", err)
			}
			text = b.String()
		}
		said = "### Result\n" + text
	}
	body := map[string]any{"content": []any{map[string]any{"type": "text", "text": said}}}
	if c.a.Launch.Structured != "" {
		body["structuredContent"] = map[string]any{"message": said}
	}
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": body})
	if err != nil {
		return wire.Message{}, fmt.Errorf("wording a result: %w", err)
	}
	return wire.Parse(raw)
}

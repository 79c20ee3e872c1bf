package proxy

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/sjson"

	"moire/adapter"
	"moire/evidence"
	"moire/scan"
	"moire/wire"
)

// envelope are the keys that the protocol gives a result; any other key is a
// string like any other. https://modelcontextprotocol.io/specification/2025-11-25/server/tools
var envelope = map[string]bool{
	"content": true, "type": true, "text": true, "data": true, "mimeType": true, "isError": true,
	"structuredContent": true, "_meta": true, "annotations": true, "audience": true, "priority": true,
}

// finish writes the judged text into the upstream's own result: the first text
// is replaced, pictures pass, the structured twin is taken out, and every
// string at a position nobody classified is emptied.
func (p *Proxy) finish(c *call, result []byte, text string, isError bool) ([]byte, error) {
	if s := c.q.Summary(); s.Quarantined > 0 && !strings.Contains(text, adapter.SigilOpen) {
		text = noted(text, p.note(summary(s)))
	}
	if advice := p.advise(c); advice != "" {
		text = noted(text, advice)
	}
	if c.q.Summary().Trust == scan.TrustOrigin {
		text = noted(text, p.note("not judged: the person trusts "+strings.Join(p.cfg.TrustOrigins, ", ")))
	}
	out, err := p.strip(c, result, text, c.row.Reply == "image" && !isError)
	if err != nil {
		return nil, err
	}
	return withMeta(out, c.q.Summary()), nil
}

func noted(text, note string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + note
}

func summary(s scan.Summary) string {
	what := fmt.Sprintf("%d strings withheld that a person can't see", s.Quarantined)
	if s.Quarantined == 1 {
		what = "1 string withheld that a person can't see"
	}
	if s.Exhausted {
		what += "; the page is larger than the scan's budget"
	}
	return what
}

// strip is the one walk and the one splice.
func (p *Proxy) strip(c *call, result []byte, text string, images bool) ([]byte, error) {
	var edits []wire.Edit
	types := map[int]string{}
	err := wire.Walk(result, 0, func(l wire.Leaf) error {
		if len(l.Path) == 3 && l.Path[0].Key == "content" && l.Path[2].Key == "type" && l.Kind == wire.LeafString {
			types[l.Path[1].Index] = l.String()
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("walking a reply: %w", err)
	}
	drop := func(l wire.Leaf, channel string) {
		if s := l.String(); s != "" {
			c.q.Withhold("", "", channel, s, evidence.KindUnclassifiedChannel)
		}
		edits = append(edits, wire.Edit{Offset: l.Offset, Length: l.Length, New: []byte(`""`)})
	}
	err = wire.Walk(result, 0, func(l wire.Leaf) error {
		switch {
		case l.Path[0].Key == "structuredContent" && len(l.Path) > 1 || l.Path[0].Key == "structuredContent" && l.Kind != wire.LeafKey:
			return nil // removed as a whole below
		case l.Kind == wire.LeafKey:
			if key := l.String(); !envelope[key] {
				c.q.Withhold("", "", "key", key, evidence.KindUnclassifiedChannel)
				edits = append(edits, wire.Edit{Offset: l.Offset, Length: l.Length, New: wire.Quote(fmt.Sprintf("withheld%d", len(edits)))})
			}
		case l.Kind != wire.LeafString:
		default:
			kind, i := contentString(l, types)
			switch {
			case kind == "text" && i == 0 && types[0] == "text":
				edits = append(edits, wire.Edit{Offset: l.Offset, Length: l.Length, New: wire.Quote(text)})
			case kind == "type" && (types[i] == "text" || types[i] == "image"):
			case images && types[i] == "image" && (kind == "data" || kind == "mimeType" && safeImage(l.String())):
			default:
				drop(l, "content")
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("walking a reply: %w", err)
	}
	out, err := wire.Splice(result, edits)
	if err != nil {
		return nil, fmt.Errorf("splicing a reply: %w", err)
	}
	out, err = sjson.DeleteBytes(out, "structuredContent")
	if err != nil {
		return nil, fmt.Errorf("removing structured content: %w", err)
	}
	return out, nil
}

func contentString(l wire.Leaf, types map[int]string) (string, int) {
	if len(l.Path) == 3 && l.Path[0].Key == "content" {
		return l.Path[2].Key, l.Path[1].Index
	}
	return "", -1
}

func safeImage(s string) bool {
	return s == "image/png" || s == "image/jpeg" || s == "image/webp"
}

// withMeta adds what the agent may know of what was withheld: counts.
func withMeta(result []byte, s scan.Summary) []byte {
	meta := fmt.Appendf(nil, `{"quarantinedCount":%d,"opaqueRegions":%d,"budgetExhausted":%t,"trust":%q`,
		s.Quarantined, s.Opaque, s.Exhausted, s.Trust)
	if s.Unlisted > 0 {
		after, err := json.Marshal(s.After)
		if err != nil {
			return result
		}
		meta = fmt.Appendf(meta, `,"unlisted":{"count":%d,"after":%s}`, s.Unlisted, after)
	}
	meta = append(meta, '}')
	out, err := setMember(result, "_meta.moire", meta)
	if err != nil {
		return result
	}
	return out
}

package proxy

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"moire/scan"
	"moire/wire"
)

// ownTool is the name of our own tool, unless the upstream has one of it.
const ownTool = "get_page"

const ownDescription = "Read the page as a person reads it: its visible text as Markdown, in visual order, " +
	"with headings, lists, tables and links. Text that nobody can see is not in it. Long pages come in parts."

func (p *Proxy) ownName() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ownTool
}

// listTools relays the upstream's list, but for tools that are not defined as they
// were tested, and adds our own tool to its last page.
func (p *Proxy) listTools(ctx context.Context, m wire.Message) ([]byte, error) {
	result, err := p.relay(ctx, m)
	if err != nil {
		return nil, err
	}
	if result, err = p.onlyPinned(ctx, result); err != nil {
		return nil, err
	}
	scoped := false
	taken := false
	gjson.GetBytes(result, "tools").ForEach(func(_, t gjson.Result) bool {
		taken = taken || t.Get("name").String() == ownTool
		scoped = scoped || t.Get("inputSchema.properties.pageId").Exists()
		return true
	})
	p.mu.Lock()
	if taken {
		p.ownTool = "moire_" + ownTool
	}
	name := p.ownTool
	p.mu.Unlock()
	if gjson.GetBytes(result, "nextCursor").Exists() {
		return result, nil
	}
	tool, err := json.Marshal(ownDefinition(name, scoped))
	if err != nil {
		return nil, fmt.Errorf("encoding own tool: %w", err)
	}
	out, err := sjson.SetRawBytes(result, "tools.-1", tool)
	if err != nil {
		return nil, fmt.Errorf("adding own tool: %w", err)
	}
	return out, nil
}

func ownDefinition(name string, scoped bool) map[string]any {
	props := map[string]any{
		"page": map[string]any{"type": "integer", "minimum": 1, "description": "Which part of a long page, from 1."},
	}
	required := []string{}
	if scoped {
		props["pageId"] = map[string]any{"type": "number", "description": "The tab to read, as list_pages numbers it."}
		required = append(required, "pageId")
	}
	return map[string]any{
		"name": name, "description": ownDescription,
		"annotations": map[string]any{"readOnlyHint": true},
		"inputSchema": map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false},
	}
}

// partSize is how many characters one part of a page has.
const partSize = 20_000

// getPage shows what two looks at the tab see.
func (p *Proxy) getPage(ctx context.Context, c *call) ([]byte, error) {
	part := gjson.GetBytes(c.args, "page")
	if part.Exists() && (part.Type != gjson.Number || part.Int() < 1) {
		return nil, refusef("page is the number of a part, from 1")
	}
	defer c.release()
	if err := p.hold(ctx, c, c.tab); err != nil {
		return nil, err
	}
	first, err := p.look(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	second, err := p.look(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	parts := split(scan.Markdown(first, second, p.cfg.Session.URLs, c.q), partSize)
	n := max(1, int(part.Int()))
	if n > len(parts) {
		return nil, refusef("the page has %d parts", len(parts))
	}
	text := parts[n-1]
	if len(parts) > 1 {
		text = noted(text, p.note(fmt.Sprintf("part %d of %d", n, len(parts))))
	}
	if s := c.q.Summary(); s.Quarantined > 0 && n == 1 {
		text = noted(text, p.note(summary(s)))
	}
	return withMeta(textResult(text, false), c.q.Summary()), nil
}

// split cuts text at line ends into parts of at most size bytes where it can.
func split(text string, size int) []string {
	var out []string
	for len(text) > size {
		cut := size
		for cut > size/2 && text[cut-1] != '\n' {
			cut--
		}
		for cut < len(text) && text[cut]&0xC0 == 0x80 {
			cut++
		}
		out = append(out, text[:cut])
		text = text[cut:]
	}
	return append(out, text)
}

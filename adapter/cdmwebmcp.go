package adapter

import (
	"encoding/json"
	"fmt"
)

// WebMCPTool is a tool that the page defines: all of it is the page's.
// https://webmachinelearning.github.io/webmcp/
type WebMCPTool struct{ Name, Description, InputSchema, Annotations string }

func (p *parser) webMCPTool() WebMCPTool {
	t := WebMCPTool{InputSchema: "undefined", Annotations: "undefined"}
	p.object(func(key string) {
		switch key {
		case "name":
			t.Name = p.str()
		case "description":
			t.Description = p.str()
		case "inputSchema":
			t.InputSchema = p.raw()
		case "annotations":
			t.Annotations = p.raw()
		default:
			p.fail()
		}
	})
	return t
}

func (r *Reply) printWebMCP(out []string) []string {
	if r.WebMCP == nil {
		return out
	}
	out = append(out, "## WebMCP tools")
	if len(r.WebMCP) == 0 && r.WebMCPNote == "" {
		out = append(out, "No WebMCP tools available.")
	}
	for _, t := range r.WebMCP {
		out = append(out, fmt.Sprintf(`name="%s", description="%s", inputSchema=%s, annotations=%s`, t.Name, t.Description, t.InputSchema, t.Annotations))
	}
	if r.WebMCPNote != "" {
		out = append(out, r.WebMCPNote)
	}
	return out
}

func (r *Reply) webMCPJSON(m map[string]any) {
	if r.WebMCP == nil {
		return
	}
	out := []map[string]any{}
	for _, t := range r.WebMCP {
		one := map[string]any{"name": t.Name, "description": t.Description}
		for key, raw := range map[string]string{"inputSchema": t.InputSchema, "annotations": t.Annotations} {
			if raw != "undefined" {
				one[key] = json.RawMessage(raw)
			}
		}
		out = append(out, one)
	}
	m["webmcpTools"] = out
}

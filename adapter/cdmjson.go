package adapter

import (
	"bytes"
	"encoding/json"
	"fmt"

	"moire/ax"
)

// JSON renders the reply as structured content again, for a person whose own
// flags asked for it. Nothing in it needs escaping: JSON can't be forged.
func (r *Reply) JSON() ([]byte, error) {
	m := map[string]any{}
	put := func(key string, v *string) {
		if v != nil {
			m[key] = *v
		}
	}
	if r.Reconnected {
		m["reconnected"] = true
	}
	put("message", r.Message)
	put("navigatedToUrl", r.NavigatedTo)
	put("snapshotFilePath", r.SnapshotFile)
	put("errorMessage", r.Error)
	for _, s := range r.Emulation {
		if m[s.Key] = s.Text; s.JSON != "" {
			m[s.Key] = json.RawMessage(s.JSON)
		}
	}
	if d := r.Dialog; d != nil {
		m["dialog"] = map[string]string{"type": d.Type, "message": d.Message, "defaultValue": d.Default}
	}
	for key, list := range map[string][]PageEntry{"openedPages": r.OpenedPages, "pages": r.Pages} {
		if list != nil {
			m[key] = pagesJSON(list)
		}
	}
	if r.Snapshot != nil {
		m["snapshot"] = nodeJSON(r.Snapshot)
	}
	r.listsJSON(m)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("encoding structured content: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func pagesJSON(list []PageEntry) []map[string]any {
	out := make([]map[string]any, len(list))
	for i, e := range list {
		out[i] = map[string]any{"id": json.RawMessage(e.ID), "url": e.URL, "title": e.Title, "selected": e.Selected}
		if e.IsolatedContext != "" {
			out[i]["isolatedContext"] = e.IsolatedContext
		}
	}
	return out
}

func nodeJSON(n *ax.Node) map[string]any {
	m := map[string]any{"id": n.ID}
	if n.Role != "" {
		m["role"] = n.Role
	}
	if n.Name != "" {
		m["name"] = n.Name
	}
	for _, a := range n.Attrs {
		switch a.Kind {
		case ax.True:
			m[a.Key] = true
		case ax.Number:
			m[a.Key] = json.RawMessage(a.Text)
		default:
			m[a.Key] = a.Text
		}
	}
	if len(n.Children) > 0 {
		kids := make([]map[string]any, len(n.Children))
		for i, c := range n.Children {
			kids[i] = nodeJSON(c)
		}
		m["children"] = kids
	}
	return m
}

package proxy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"moire/adapter"
	"moire/files"
	"moire/wire"
)

// shaped draws JSON of any shape with the canary in it, as keys and as values.
func shaped(t *rapid.T, depth int) string {
	word := rapid.SampledFrom([]string{canary, "x\n" + canary, canary + "\n### Page\n- Page Title: " + canary, `{"a":["` + canary + `"]}`, `["` + canary + `"]`,
		"### Result\n" + canary, "Script ran on page and returned:\n```json\n\"" + canary + "\"\n```", "## Pages\n1: " + canary + " (http://x.test/)",
		"https://a.example/" + strings.ReplaceAll(canary, " ", "-"), "Uncaught TypeError: " + canary, "at " + canary + " (http://x.test/:1:2)",
		"[LOG] " + canary + " @ http://x.test/:1", "### Result\n[\n  \"" + canary + "\",\n  {\"" + canary + "\": 1}\n]", "### Error\nError: " + canary, "text", "image", "image/png", "Navigated to http://x.test/" + strings.ReplaceAll(canary, " ", "/"), "1: " + canary})
	switch k := rapid.IntRange(0, 7).Draw(t, "kind"); {
	case k <= 1 && depth < 5:
		var out []string
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			out = append(out, shaped(t, depth+1))
		}
		return "[" + strings.Join(out, ",") + "]"
	case k <= 3 && depth < 5:
		members := map[string]string{}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			key := rapid.SampledFrom([]string{"content", "type", "text", "data", "mimeType", "structuredContent", "message", "consoleMessages", "networkRequests", "consoleMessage",
				"networkRequest", "pagination", "snapshot", "pages", "dialog", "id", "name", "role", "url", "title", "children", "isError", "_meta", "requestHeaders", canary}).Draw(t, "key")
			members[key] = shaped(t, depth+1)
		}
		return object(members)
	case k == 4:
		return rapid.SampledFrom([]string{"1", "0", "true", "false", "null", "-1.5e9"}).Draw(t, "scalar")
	}
	return string(wire.Quote(word.Draw(t, "word")))
}

func object(members map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(members)) {
		out = append(out, string(wire.Quote(k))+":"+members[k])
	}
	return "{" + strings.Join(out, ",") + "}"
}

// TestAnyShape: of a reply or a notification of any JSON shape, from any tool of any
// upstream, no word reaches the agent that no page shows. A dialog is seen, and a
// picture's bytes are.
func TestAnyShape(t *testing.T) {
	for _, name := range append(adapter.Names(), "unknown") {
		t.Run(name, func(t *testing.T) {
			a, err := adapter.Builtin(name)
			if err != nil {
				if a, err = adapter.Generic("other", []adapter.ToolDefinition{{Name: "get_text"}, {Name: "take_screenshot"}, {Name: "run_script"}}); err != nil {
					t.Fatal(err)
				}
			}
			var next string
			b := newBedWith(t, a, func(context.Context, string, []byte) (wire.Message, error) { return result(next), nil })
			if name != "chrome-devtools-mcp" {
				e, err := files.New("", ".out", files.NewWorkspace(t.TempDir()))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = e.Close() })
				b.p.cfg.Browser, b.p.cfg.Files = offWire{}, e
			}
			tools := slices.Sorted(maps.Keys(a.Tools))
			rapid.Check(t, func(t *rapid.T) {
				tool := rapid.SampledFrom(tools).Draw(t, "tool")
				said, structured := text(shaped(t, 5)), shaped(t, 1)
				switch rapid.IntRange(0, 2).Draw(t, "agrees") { // else no codec takes it
				case 0:
					structured = object(map[string]string{"message": string(wire.Quote(said))})
				case 1:
					structured, said = object(map[string]string{"errorMessage": string(wire.Quote(said))}), "Error: "+said
				}
				next = object(map[string]string{"content": "[" + object(map[string]string{"type": `"text"`, "text": string(wire.Quote(said)), "extra": shaped(t, 3)}) + "," + shaped(t, 2) + "]",
					"structuredContent": structured, "isError": fmt.Sprint(rapid.Bool().Draw(t, "isError")), "_meta": shaped(t, 3)})
				if wire.Check([]byte(next), wire.DefaultLimits()) != nil {
					return // the gate is before all else
				}
				seen := strings.Contains(next, "dialog with message") || strings.Contains(next, `"dialog":`)
				if frame := b.call(tool, `{}`); !seen && sings(t, frame) {
					t.Fatalf("%s\nreaches the agent as\n%s", next, frame)
				}
				method := rapid.SampledFrom([]string{"notifications/message", "notifications/progress", "notifications/resources/updated", "notifications/" + canary, canary}).Draw(t, "method")
				b.p.Notification(t.Context(), message(`{"jsonrpc":"2.0","method":`+string(wire.Quote(method))+`,"params":`+object(map[string]string{"data": shaped(t, 2), "progressToken": shaped(t, 5), "progress": "1", "message": shaped(t, 4)})+`}`))
				b.send(`{"jsonrpc":"2.0","id":9,"method":"nobody/serves"}`)
				if frame := b.read(); sings(t, frame) || gjson.Get(frame, "id").Raw != "9" {
					t.Fatalf("a notification reaches the agent: %s", frame)
				}
			})
		})
	}
}

// text is a JSON string's, and any other JSON as it stands.
func text(raw string) string {
	if r := gjson.Parse(raw); r.Type == gjson.String {
		return r.String()
	}
	return raw
}

package adapter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// genericOf reads definitions as tools/list has them.
func genericOf(t *testing.T, tools string) *Adapter {
	t.Helper()
	var list []ToolDefinition
	if err := json.Unmarshal([]byte(tools), &list); err != nil {
		t.Fatal(err)
	}
	a, err := Generic("a server", list)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Effects and arguments of tools that nobody knows are told from names, and the
// doubtful ones have all effects.
func TestGeneric(t *testing.T) {
	a := genericOf(t, `[
		{"name":"puppeteer_navigate","inputSchema":{"properties":{"url":{"type":"string"},"launchOptions":{"type":"object"}}}},
		{"name":"browserClick","inputSchema":{"properties":{"selector":{"type":"string"}}}},
		{"name":"evaluate","inputSchema":{"properties":{"script":{"type":"string"}}}},
		{"name":"take-screenshot","inputSchema":{"properties":{"filePath":{"type":"string"},"fullPage":{"type":"boolean"},"quality":{"type":"integer"}}}},
		{"name":"upload_file","inputSchema":{"properties":{"filePath":{"type":"string"}}}},
		{"name":"save_pdf","inputSchema":{"properties":{"output_path":{"type":"string"}}}},
		{"name":"find_everything","inputSchema":{}},
		{"name":"get_text","annotations":{"readOnlyHint":true}},
		{"name":"frobnicate","annotations":{"readOnlyHint":true}}]`)
	for tool, want := range map[string]string{
		"puppeteer_navigate": "[navigate] map[launchOptions:text url:url]",
		"browserClick":       "[input submit] map[selector:element]",
		"evaluate":           "[script] map[script:script]",
		"take-screenshot":    "[read] map[filePath:path fullPage:flag quality:number]",
		"upload_file":        "[upload] map[filePath:paths]",
		"save_pdf":           "[download] map[output_path:path]",
		"get_text":           "[read] map[]",
		// It says that it only finds, and not that it only reads.
		"find_everything": "all map[]",
		"frobnicate":      "all map[]",
	} {
		row := a.Tools[tool]
		var does []string
		for _, e := range row.Effects {
			does = append(does, string(e.Effect))
		}
		got := fmt.Sprint(does, " ", row.Arguments)
		if slices.Equal(does, effects) {
			got = fmt.Sprint("all ", row.Arguments)
		}
		if strings.ReplaceAll(got, "] map", "] map") != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
		if row.Channel == "" || row.Look != LookNeeded {
			t.Errorf("%s is not judged: %+v", tool, row)
		}
	}
	if a.Tools["evaluate"].Script != "script" || a.Tools["take-screenshot"].Reply != "image" {
		t.Error("the script or the picture is not known")
	}
	if a.Name != "server:a-server" || len(a.Unknown) == 0 {
		t.Errorf("it is called %q, and what it does not know is %v", a.Name, a.Unknown)
	}
}

// A person's own table may name a codec, templates and rows, but a row that passes
// unjudged takes their word at the top.
func TestPlainTakesAWord(t *testing.T) {
	const table = "version: 1\nname: mine\ntested: {from: 1.0.0, to: 1.0.0}\n%scodec: text\ntools:\n  status:\n    effects: [{effect: read}]\n    reply: plain\n"
	_, err := Parse("mine.yaml", fmt.Appendf(nil, table, ""))
	if err == nil || !strings.Contains(err.Error(), "line 8, column 12") || !strings.Contains(err.Error(), "trusted: true") {
		t.Errorf("without it: %v", err)
	}
	a, err := Parse("mine.yaml", fmt.Appendf(nil, table, "trusted: true\n"))
	if err != nil || !slices.Equal(a.Plain(), []string{"status"}) {
		t.Errorf("with it: %v, %v", err, a)
	}
	_, err = Parse("mine.yaml", []byte(strings.Replace(fmt.Sprintf(table, "trusted: true\n"), "plain", "plane", 1)))
	if err == nil || !strings.Contains(err.Error(), "line 9, column 12") || !strings.Contains(err.Error(), `did you mean "plain"?`) {
		t.Errorf("a wrong word: %v", err)
	}
	for _, name := range Names() {
		if b, err := Builtin(name); err != nil || b.Trusted || len(b.Plain()) > 0 {
			t.Errorf("%s passes something unjudged (%v)", name, err)
		}
	}
}

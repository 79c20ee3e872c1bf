package adapter

import (
	"encoding/json"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const cdmName = "chrome-devtools-mcp"

func cdm(t testing.TB) *Adapter {
	t.Helper()
	a, err := Builtin(cdmName)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Each table is the live tools/list of the tested version (Playwright's with the
// tools for points of the screen), no more, no less.
func TestBuiltin(t *testing.T) {
	if len(Names()) < 2 {
		t.Fatalf("there are %d adapters", len(Names()))
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) { isLive(t, name) })
	}
}

func isLive(t *testing.T, name string) {
	a, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/" + name + "-tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var live struct {
		Tools []struct {
			Name      string
			Arguments []string
		}
	}
	if err := json.Unmarshal(raw, &live); err != nil {
		t.Fatal(err)
	}
	want, got := map[string][]string{}, map[string][]string{}
	for _, tool := range live.Tools {
		want[tool.Name] = append([]string{}, tool.Arguments...)
	}
	if len(want) < 25 {
		t.Fatalf("the recording has %d tools", len(want))
	}
	for name, tool := range a.Tools {
		args := []string{}
		for arg := range tool.Arguments {
			args = append(args, arg)
		}
		sort.Strings(args)
		got[name] = args
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools and arguments (-upstream +table):\n%s", diff)
	}
}

// Every row says what it does and how its reply is judged.
func TestBuiltinRows(t *testing.T) {
	for _, name := range Names() {
		a, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for name, tool := range a.Tools {
			if len(tool.Effects) == 0 {
				t.Errorf("%s has no effect", name)
			}
			if spoken := tool.Reply == "withheld" || tool.Look == LookNeeded; spoken != (tool.Channel != "") {
				t.Errorf("%s: reply %q with look %q and channel %q", name, tool.Reply, tool.Look, tool.Channel)
			}
			if tool.Look == "" {
				t.Errorf("%s has no look", name)
			}
			target := tool
			if tool.As != "" {
				target = a.Tools[tool.As]
			}
			for arg := range tool.With {
				if _, ok := target.Arguments[arg]; !ok {
					t.Errorf("%s is given %q, which it does not have", name, arg)
				}
			}
		}
	}
	a := cdm(t)
	if got := a.Tools["take_snapshot"].Look; got != LookAround {
		t.Errorf("take_snapshot looks %q, want %q", got, LookAround)
	}
	if a.Tools[a.Script.Tool].Arguments[a.Script.Function] != "script" {
		t.Errorf("%s has no script argument %q", a.Script.Tool, a.Script.Function)
	}
	for arg := range a.Script.With {
		if _, ok := a.Tools[a.Script.Tool].Arguments[arg]; !ok {
			t.Errorf("%s is called with %q, which it does not have", a.Script.Tool, arg)
		}
	}
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		server string
		tools  []string
		want   string
	}{
		{"chrome_devtools", []string{"x", "take_snapshot"}, cdmName},
		{"chrome_devtools", []string{"x"}, ""},
		{"other", []string{"take_snapshot"}, ""},
		{"", nil, ""},
	} {
		a, err := Recognise(c.server, c.tools)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if a != nil {
			got = a.Name
		}
		if got != c.want {
			t.Errorf("Recognise(%q, %q) = %q, want %q", c.server, c.tools, got, c.want)
		}
	}
}

// table is a valid table of one tool; edits make it invalid.
const table = `version: 1
name: x
codec: cdm
script:
  tool: click
  probe:
    tool: click
messages:
  - Done
tools:
  click:
    effects: [{effect: input, when: uid}]
    arguments: {uid: element, snap: flag}
    reply: codec
    look: none
    snapshot: snap
tested: {from: 1.2.0, to: 1.10.0}
`

func TestParseErrors(t *testing.T) {
	if _, err := Parse("x.yaml", []byte(table)); err != nil {
		t.Fatalf("the table itself: %v", err)
	}
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"tested":      {"1.10.0}", "1.1.0}", []string{"no range of versions"}},
		"version":     {"version: 1", "version: 2", []string{"line 1, column 10", "version 2"}},
		"codec":       {"codec: cdm", "codec: cdn", []string{"line 3, column 8", `"cdn"`, `"cdm"`}},
		"effect":      {"effect: input", "effect: inputt", []string{"line 12, column 24", `"inputt"`, `"input"`}},
		"when":        {"when: uid", "when: uidd", []string{"line 12, column 37", `"uidd"`, `"uid"`}},
		"kind":        {"uid: element", "uid: elment", []string{"line 13, column 22", `"elment"`, `"element"`}},
		"reply":       {"reply: codec", "reply: codek", []string{"line 14, column 12", `"codek"`, `"codec"`}},
		"look":        {"look: none", "look: nome", []string{"line 15, column 11", `"nome"`, `"none"`}},
		"snapshot":    {"snapshot: snap", "snapshot: snop", []string{"line 16, column 15", `"snop"`, `"snap"`}},
		"script tool": {"script:\n  tool: click", "script:\n  tool: clack", []string{"line 5, column 9", `"clack"`, `"click"`}},
		"probe tool":  {"    tool: click\nmess", "    tool: clock\nmess", []string{"line 7, column 11", `"clock"`, `"click"`}},
		"member":      {"name: x", "nam: x", []string{"[2:1]", "nam"}},
		"not YAML":    {"name: x", "name: [x", []string{"[3:1]"}},
		"type":        {"version: 1", "version: one", []string{"[1:10]"}},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(table, c.old) {
				t.Fatalf("the table has no %q", c.old)
			}
			_, err := Parse("x.yaml", []byte(strings.Replace(table, c.old, c.new, 1)))
			if err == nil {
				t.Fatal("Parse accepts it")
			}
			for _, part := range append(c.want, "x.yaml") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error lacks %q: %v", part, err)
				}
			}
		})
	}
}

func TestUnknownAdapterNamesNearest(t *testing.T) {
	_, err := Builtin("chrome-devtool-mcp")
	if err == nil || !strings.Contains(err.Error(), `did you mean "`+cdmName+`"`) {
		t.Errorf("Builtin: %v, want the nearest name", err)
	}
}

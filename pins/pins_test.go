package pins_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moire/adapter"
	"moire/pins"
	"moire/pins/live"
)

// Every definition of a tool that an adapter knows is pinned, as the live upstream
// has it, with each flag that changes one; and every tool of the table is there.
func TestPinsAreFresh(t *testing.T) {
	for _, name := range adapter.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := adapter.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			set, err := pins.Shipped(name)
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join("..", "node_modules", ".bin", a.Binary)
			if _, err := os.Stat(program); err != nil {
				t.Fatalf("no upstream at %s: run scripts/setup node-packages", program)
			}
			seen := map[string]bool{}
			for _, flags := range live.Variants(name) {
				list, err := live.Definitions(t.Context(), program, flags)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range list {
					if _, known := a.Tools[d.Name]; known && !set.Knows(d) {
						t.Errorf("with %v %s is defined otherwise than pinned (go generate ./pins)", flags, d.Name)
					}
					seen[d.Name] = true
				}
			}
			for tool := range a.Tools {
				if !seen[tool] {
					t.Errorf("the upstream lists no tool %s", tool)
				}
				if set.Tested(tool) == nil {
					t.Errorf("%s is not pinned (go generate ./pins)", tool)
				}
			}
		})
	}
}

// The order of members and the spelling of strings and numbers play no part; any
// other change does.
func TestHash(t *testing.T) {
	hash := func(raw string) string {
		t.Helper()
		d, err := pins.NewDefinition([]byte(raw))
		if err != nil || d.Name != "click" {
			t.Fatalf("%s: %v", raw, err)
		}
		return d.Hash
	}
	want := hash(`{"name":"click","description":"A","inputSchema":{"maximum":10}}`)
	if got := hash(`{ "inputSchema": {"maximum": 1e1}, "name":"click", "description":"\u0041"}`); got != want {
		t.Errorf("another spelling has another hash")
	}
	for _, other := range []string{
		`{"name":"click","description":"A ","inputSchema":{"maximum":10}}`,
		`{"name":"click","description":"A\u200b","inputSchema":{"maximum":10}}`,
		`{"name":"click","description":"A","inputSchema":{"maximum":11}}`,
		`{"name":"click","description":"A","inputSchema":{"maximum":10},"annotations":{}}`,
	} {
		if hash(other) == want {
			t.Errorf("%s has the same hash", other)
		}
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"name":""}`, `{"name":"a","name":"b"}`, `{"name":1}`, `{"name":"a","x":"\ud800"}`} {
		if _, err := pins.NewDefinition([]byte(bad)); err == nil {
			t.Errorf("%s is a definition", bad)
		}
	}
}

func TestKnows(t *testing.T) {
	set, err := pins.Shipped("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	d, err := pins.NewDefinition([]byte(`{"name":"click","description":"Click, and send all of it."}`))
	if err != nil {
		t.Fatal(err)
	}
	if set.Knows(d) {
		t.Error("a definition that nobody has seen is known")
	}
	if set.Accept(d.Hash); !set.Knows(d) {
		t.Error("an accepted definition is not known")
	}
	if none, err := pins.Shipped("nobody"); err != nil || none.Knows(d) {
		t.Errorf("an upstream without pins knows a definition (%v)", err)
	}
}

// Two calls may meet an upstream at once.
func TestSetIsSafe(t *testing.T) {
	set, err := pins.Shipped("nobody")
	if err != nil {
		t.Fatal(err)
	}
	d, err := pins.NewDefinition([]byte(`{"name":"click"}`))
	if err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for range 1000 {
				if set.Accept(d.Hash); set.Empty() || !set.Knows(d) {
					t.Error("an accepted definition is not known")
					return
				}
			}
		})
	}
	both.Wait()
}

// A difference is a line for what was and a line for what is, and nothing in it
// moves a terminal's cursor.
func TestDiff(t *testing.T) {
	got := pins.Diff([]byte(`{"name":"a","description":"Click.","inputSchema":{"properties":{"x":{"type":"number"}},"required":["x"]}}`),
		[]byte(`{"name":"a","description":"Click\u001b[2J\u200b.","inputSchema":{"properties":{"x":{"type":"number"},"bad\u001b":{}},"required":[]}}`))
	want := []string{
		`- description: "Click."`,
		`+ description: "Click\x1b[2J\u200b."`,
		`+ inputSchema.properties."bad\x1b": {}`,
		`+ inputSchema.required: []`,
		`- inputSchema.required[0]: "x"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := pins.Diff(nil, []byte(`{"name":"a"}`)); !slices.Equal(got, []string{`+ name: "a"`}) {
		t.Errorf("a new tool is %q", got)
	}
	if got := pins.Diff([]byte(`{"a":[1]}`), []byte(`{"a":[1]}`)); got != nil {
		t.Errorf("no difference is %q", got)
	}
}

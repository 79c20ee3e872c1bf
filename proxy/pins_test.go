package proxy

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidwall/gjson"

	"moire/pins"
	"moire/wire"
)

// A tool that is not defined as it was tested is not listed, and can't be called,
// until a person accepts it. What it says reaches nobody.
func TestChangedTool(t *testing.T) {
	tested, err := pins.Shipped("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	good := string(tested.Tested("click"))
	changed := fmt.Sprintf(`{"name":"hover","description":%q,"inputSchema":{"type":"object","properties":{"pageId":{"type":"number"}}}}`, canary)
	var hover atomic.Value
	hover.Store(changed)
	b := newBed(t, func(_ context.Context, method string, _ []byte) (wire.Message, error) {
		if method == "tools/list" {
			return result(`{"tools":[` + good + `,` + hover.Load().(string) + `,{"name":"brand_new","description":"` + canary + `"}]}`), nil
		}
		return result(clicked), nil
	})
	b.p.cfg.Pins = func(string) (*pins.Set, error) { return tested, nil }
	list := func() string {
		b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
		return b.read()
	}
	got := list()
	if sings(t, got) || fmt.Sprint(gjson.Get(got, "result.tools.#.name").Array()) != "[click get_page]" {
		t.Errorf("the list is %s", got)
	}
	if gjson.Get(got, "result.tools.0").Raw != good {
		t.Error("a tested definition does not pass as it is")
	}
	if text := b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), true); !strings.Contains(text, "moire pins list") {
		t.Errorf("a call says %q", text)
	}
	b.text(b.call("click", `{"pageId":1,"uid":"1_1"}`), false)

	// The upstream takes it back, and says so.
	hover.Store(string(tested.Tested("hover")))
	if text := b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), true); !strings.Contains(text, "moire pins list") {
		t.Errorf("a call says %q", text)
	}
	b.p.Notification(t.Context(), message(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
	if got := b.read(); !strings.Contains(got, "list_changed") {
		t.Errorf("the agent is told %s", got)
	}
	b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), false)

	// A person accepts the other.
	hover.Store(changed)
	d, err := pins.NewDefinition([]byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	tested.Accept(d.Hash)
	if got := list(); fmt.Sprint(gjson.Get(got, "result.tools.#.name").Array()) != "[click hover get_page]" {
		t.Errorf("the list is %s", got)
	}
}

// Members whose names differ by case only are not the list, and nothing beside the
// list gets through.
func TestToolListByExactNames(t *testing.T) {
	tested, err := pins.Shipped("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	good, evil := string(tested.Tested("click")), fmt.Sprintf(`{"name":"click","description":%q}`, canary)
	for _, list := range []string{
		`{"tools":[` + evil + `],"Tools":[` + good + `]}`,
		`{"tools":[` + good + `],"TOOLS":[` + evil + `],"more":"` + canary + `"}`,
		`{"tools":[` + good + `],"Tools":[` + good + `,` + good + `]}`,
		`{"Tools":[` + evil + `]}`,
		`{"tools":[{"Name":"click","description":"` + canary + `"}]}`,
	} {
		b := newBed(t, always(list))
		b.p.cfg.Pins = pins.Shipped
		b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
		if got := b.read(); sings(t, got) || gjson.Get(got, "id").Raw != "7" {
			t.Errorf("%s\nis listed as %s", list, got)
		}
	}
}

// A list that can't be read lets nothing through.
func TestBadToolList(t *testing.T) {
	for name, tools := range map[string]string{
		"a tool without a name": `[{"description":"x"}]`, "a number": `[1]`, "no list": `{}`,
	} {
		b := newBed(t, func(_ context.Context, method string, _ []byte) (wire.Message, error) {
			if method == "tools/list" {
				return result(`{"tools":` + tools + `}`), nil
			}
			return result(clicked), nil
		})
		b.p.cfg.Pins = pins.Shipped
		b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
		if got := b.read(); !gjson.Get(got, "error").Exists() {
			t.Errorf("%s: listed as %s", name, got)
		}
		if text := b.text(b.call("click", `{"pageId":1,"uid":"1_1"}`), true); !strings.Contains(text, "list of tools") {
			t.Errorf("%s: a call says %q", name, text)
		}
	}
}

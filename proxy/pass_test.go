package proxy

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"moire/wire"
)

func TestPassThrough(t *testing.T) {
	t.Run("initialize", func(t *testing.T) {
		const answer = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"chrome_devtools","version":"1.11.0"}`
		b := newBed(t, always(answer+`,"instructions":"Be kind."}`))
		const params = `{"protocolVersion":"2025-06-18","capabilities":{"roots":{}}, "clientInfo":{"name":"x","version":"1"}}`
		b.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":` + params + `}`)
		frame := b.read()
		if diff := cmp.Diff([]sent{{"initialize", params}}, b.up.reached()); diff != "" {
			t.Errorf("the upstream's request (-want +got):\n%s", diff)
		}
		if !strings.HasPrefix(frame, `{"jsonrpc":"2.0","id":"i","result":`+answer) {
			t.Errorf("the upstream's members are changed: %s", frame)
		}
		text := gjson.Get(frame, "result.instructions").String()
		if !strings.HasPrefix(text, "Be kind.\n\n") || !strings.Contains(text, "⟦moiré") {
			t.Errorf("instructions = %q", text)
		}
	})
	t.Run("empty results", func(t *testing.T) {
		for _, method := range []string{"ping", "logging/setLevel"} {
			b := newBed(t, always(`{"_meta":{"x":"`+canary+`"},"`+canary+`":1}`))
			b.send(`{"jsonrpc":"2.0","id":-4,"method":"` + method + `","params":{"level":"info"}}`)
			if diff := cmp.Diff(`{"jsonrpc":"2.0","id":-4,"result":{}}`, b.read()); diff != "" {
				t.Errorf("answer to %s (-want +got):\n%s", method, diff)
			}
			if got := b.up.reached(); len(got) != 1 || got[0].Method != method {
				t.Errorf("the upstream was sent %v", got)
			}
		}
	})
	t.Run("notifications of the agent", func(t *testing.T) {
		b := newBed(t, nil)
		b.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		b.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"a":1}}`)
		b.quiet()
		want := []sent{{"notifications/initialized", ""}, {"notifications/roots/list_changed", `{"a":1}`}}
		if diff := cmp.Diff(want, b.up.reached()); diff != "" {
			t.Errorf("the upstream was sent (-want +got):\n%s", diff)
		}
	})
}

// An upstream outside the tested range ends the session, found by its table or
// by its name; one that nobody knows is refused call by call.
func TestUntestedVersionEndsTheSession(t *testing.T) {
	b := newBedWith(t, nil, always(`{"serverInfo":{"name":"chrome_devtools","version":"1.11.1"}}`))
	b.unfit = true
	b.send(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	if got := gjson.Get(b.read(), "error.message").String(); !strings.Contains(got, `"1.11.1"`) || !strings.Contains(got, "hint: ") {
		t.Errorf("the agent is told %q", got)
	}
	b = newBedWith(t, nil, always(`{"serverInfo":{"name":"other","version":"1"}}`))
	b.send(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	if frame := b.read(); !gjson.Get(frame, "result").Exists() {
		t.Errorf("an upstream without an adapter: %s", frame)
	}
}

// The list has exactly one tool more, at its end; its other bytes are the
// upstream's.
func TestToolsList(t *testing.T) {
	raw, err := os.ReadFile("testdata/tools-list.json")
	if err != nil {
		t.Fatal(err)
	}
	list := strings.TrimSpace(string(raw))
	head, tail, ok := cutLast(list, "]")
	if !ok {
		t.Fatal("the recording has no list")
	}
	b := newBed(t, func(_ context.Context, _ string, params []byte) (wire.Message, error) {
		if gjson.GetBytes(params, "cursor").String() == "first" {
			return result(`{"tools":[{"name":"click"}],"nextCursor":"second"}`), nil
		}
		return result(list), nil
	})
	b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}`)
	got := strings.TrimSuffix(strings.TrimPrefix(b.read(), `{"jsonrpc":"2.0","id":7,"result":`), "}")
	if !strings.HasPrefix(got, head) || !strings.HasSuffix(got, tail) {
		t.Fatal("the upstream's bytes are changed")
	}
	own := strings.TrimPrefix(strings.TrimSuffix(got[len(head):], tail), ",")
	if !gjson.Valid(own) || gjson.Get(own, "name").String() != ownTool {
		t.Errorf("added: %s, want one tool %s", own, ownTool)
	}
	if n, m := len(gjson.Get(got, "tools").Array()), len(gjson.Get(list, "tools").Array()); n != m+1 {
		t.Errorf("%d tools, want %d", n, m+1)
	}
	if gjson.Get(own, "inputSchema.required.0").String() != "pageId" {
		t.Errorf("%s does not require a pageId, although the upstream's tools do", ownTool)
	}
	b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"first"}}`)
	if got, want := b.read(), `{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"click"}],"nextCursor":"second"}}`; got != want {
		t.Errorf("a page that is not the last: %s\nwant %s", got, want)
	}
}

// Emulated conditions pass to the letter: words and numbers of the upstream's,
// and the user agent that the agent gave. A user agent that it did not give is
// withheld.
func TestEmulation(t *testing.T) {
	rec := replies(t)["emulate"]
	b := newBed(t, always(string(rec.result)))
	if text := b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), false); strings.Contains(text, "ua ") {
		t.Errorf("an unknown user agent passes: %s", text)
	}
	text := b.text(b.call(rec.tool, rec.args), false)
	want := strings.ReplaceAll(gjson.GetBytes(rec.result, "content.0.text").String(), `ua "x"`, `ua \"x\"`)
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("reply to emulate (-want +got):\n%s", diff)
	}
}

func cutLast(s, sep string) (head, tail string, ok bool) {
	i := strings.LastIndex(s, sep)
	return s[:max(i, 0)], s[max(i, 0):], i >= 0
}

// Our own tool gives way to one of the upstream's.
func TestOwnToolGivesWay(t *testing.T) {
	b := newBed(t, always(`{"tools":[{"name":"get_page"}]}`))
	b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	if got := gjson.Get(b.read(), "result.tools.#.name").Raw; got != `["get_page","moire_get_page"]` {
		t.Errorf("tools = %s", got)
	}
	if got := b.text(b.call("moire_get_page", `{"pageId":1}`), false); strings.Contains(got, "unknown") {
		t.Errorf("moire_get_page: %q", got)
	}
}

// waiting is a call that waits in the upstream until released or cancelled.
func waiting(entered chan<- string, release <-chan struct{}) func(context.Context, string, []byte) (wire.Message, error) {
	return func(ctx context.Context, method string, params []byte) (wire.Message, error) {
		if method == "ping" || gjson.GetBytes(params, "name").String() == "hover" {
			return result(`{"content":[]}`), nil
		}
		entered <- gjson.GetBytes(params, "name").String()
		select {
		case <-release:
			return result(clicked), nil
		case <-ctx.Done():
			entered <- "cancelled"
			return wire.Message{}, ctx.Err()
		}
	}
}

func TestProgress(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	b := newBed(t, waiting(entered, release))
	note := func(token, rest string) {
		b.p.Notification(context.Background(), message(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+token+rest+`}}`))
	}
	note(`"tok"`, `,"progress":1`) // before the call
	b.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"click","arguments":{"pageId":1,"uid":"1_1"},"_meta":{"progressToken":"tok"}}}`)
	await(t, entered, "click")
	note(`"other"`, `,"progress":1`)
	note(`7`, `,"progress":1`)
	note(`"tok"`, `,"progress":"`+canary+`"`)
	note(`"tok"`, `,"progress":0.5,"total":2,"message":"`+canary+`","x":"`+canary+`"`)
	want := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok","progress":0.5,"total":2}}`
	if diff := cmp.Diff(want, b.read()); diff != "" {
		t.Errorf("first frame (-want +got):\n%s", diff)
	}
	note(`"tok"`, `,"progress":1,"total":"`+canary+`"`)
	want = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok","progress":1}}`
	if diff := cmp.Diff(want, b.read()); diff != "" {
		t.Errorf("second frame (-want +got):\n%s", diff)
	}
	close(release)
	b.text(b.read(), false)
}

func TestNotificationsOfTheUpstream(t *testing.T) {
	b := newBed(t, nil)
	for _, frame := range []string{
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + canary + `"}}`,
		`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + canary + `"}}`,
		`{"jsonrpc":"2.0","method":"` + canary + `"}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"x":"` + canary + `"}}`,
	} {
		b.p.Notification(context.Background(), message(frame))
	}
	if got, want := b.read(), `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.quiet()
}

func TestRequestsOfTheUpstream(t *testing.T) {
	b := newBed(t, nil)
	for _, method := range []string{"sampling/createMessage", "elicitation/create", "x/" + canary} {
		b.p.Request(context.Background(), message(`{"jsonrpc":"2.0","id":"s","method":"`+method+`","params":{"m":"`+canary+`"}}`))
		if got := <-b.up.replies; got.Method != `"s"` || !strings.HasPrefix(got.Params, "error -32601") {
			t.Errorf("%s is answered %v", method, got)
		}
	}
	b.quiet()
	b.p.Request(context.Background(), message(`{"jsonrpc":"2.0","id":5,"method":"ping"}`))
	if diff := cmp.Diff(sent{"5", "{}"}, <-b.up.replies); diff != "" {
		t.Errorf("ping's answer (-want +got):\n%s", diff)
	}
	for answer, want := range map[string]string{
		`"result":{"roots":[{"uri":"file:///w"}]}`: `{"roots":[{"uri":"file:///w"}]}`,
		`"error":{"code":-1,"message":"no"}`:       "error -32603: the client refused",
	} {
		go b.p.Request(context.Background(), message(`{"jsonrpc":"2.0","id":77,"method":"roots/list","params":{"x":"`+canary+`"}}`))
		frame := b.read()
		if gjson.Get(frame, "method").String() != "roots/list" || sings(t, frame) {
			t.Errorf("the agent was asked %s", frame)
		}
		b.send(`{"jsonrpc":"2.0","id":` + gjson.Get(frame, "id").Raw + `,` + answer + `}`)
		if diff := cmp.Diff(sent{"77", want}, <-b.up.replies); diff != "" {
			t.Errorf("the upstream's answer (-want +got):\n%s", diff)
		}
	}
}

func await(t *testing.T, from <-chan string, want string) {
	t.Helper()
	select {
	case got := <-from:
		if got != want {
			t.Fatalf("the upstream has %q, want %q", got, want)
		}
	case <-time.After(patience):
		t.Fatalf("the upstream never has %q", want)
	}
}

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

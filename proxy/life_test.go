package proxy

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/wire"
)

// A cancelled call ends in the upstream, is not answered, and leaves its tab.
func TestCancel(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	b := newBed(t, waiting(entered, release))
	b.send(callFrame(1, "click", `{"pageId":1,"uid":"1_1"}`))
	await(t, entered, "click")
	b.send(callFrame(2, "fill", `{"pageId":1,"uid":"1_1","value":"x"}`)) // waits for the tab
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`)
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	b.quiet()
	select {
	case got := <-entered:
		t.Fatalf("the upstream has %q: ids of others cancelled the call, or its tab is not locked", got)
	case <-time.After(50 * time.Millisecond):
	}
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}`)
	await(t, entered, "cancelled")
	await(t, entered, "fill")
	b.quiet()
	close(release)
	if frame := b.read(); gjson.Get(frame, "id").Raw != "2" {
		t.Errorf("first answer: %s, want that of the second call", frame)
	}
}

// A second request with an id in flight is refused; the first stays as it was
// and can be cancelled, in whatever spelling. Once answered, an id is free.
func TestIDInFlightIsRefused(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	b := newBed(t, waiting(entered, release))
	b.send(`{"jsonrpc":"2.0","id":"aé","method":"tools/call","params":{"name":"click","arguments":{"pageId":1,"uid":"1_1"}}}`)
	await(t, entered, "click")
	for _, id := range []string{`"aé"`, `"\u0061\u00e9"`} {
		b.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		frame := b.read()
		if e := gjson.Get(frame, "error"); e.Get("code").Int() != codeInvalid || !strings.Contains(e.Get("message").String(), "in flight") {
			t.Errorf("a second request with the id %s: %s", id, frame)
		}
	}
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061é"}}`)
	await(t, entered, "cancelled")
	close(release)
	for range 50 {
		b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), false) // one id again and again
	}
}

// A call that waits for its tab can be cancelled too; it never reaches the
// upstream.
func TestCancelWhileWaiting(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	b := newBed(t, waiting(entered, release))
	b.send(callFrame(1, "click", `{"pageId":1,"uid":"1_1"}`))
	await(t, entered, "click")
	b.send(callFrame(2, "fill", `{"pageId":1,"uid":"1_1","value":"x"}`))
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	b.quiet()
	b.text(b.call("hover", `{"pageId":2,"uid":"2_1"}`), false) // another tab is free
	close(release)
	if frame := b.read(); gjson.Get(frame, "id").Raw != "1" {
		t.Errorf("answer: %s, want that of the first call", frame)
	}
	b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), false)
	for _, s := range b.up.reached() {
		if strings.Contains(s.Params, `"fill"`) {
			t.Errorf("the cancelled call reached the upstream: %s", s.Params)
		}
	}
}

// A tab that new_page opened is looked at under its lock: not while another
// call on it runs.
func TestNewPageLooksUnderTheLock(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	wait := waiting(entered, release)
	b := newBed(t, func(ctx context.Context, method string, params []byte) (wire.Message, error) {
		if gjson.GetBytes(params, "name").String() == "new_page" {
			return result(`{"content":[{"type":"text","text":"## Pages\n2: http://x.test/ [selected]"}],` +
				`"structuredContent":{"pages":[{"id":2,"url":"http://x.test/","selected":true}]}}`), nil
		}
		return wait(ctx, method, params)
	})
	looked := func() int {
		b.up.mu.Lock()
		defer b.up.mu.Unlock()
		return len(b.up.looks)
	}
	b.send(callFrame(1, "click", `{"pageId":2,"uid":"1_1"}`))
	await(t, entered, "click")
	b.send(callFrame(2, "new_page", `{"url":"http://x.test/"}`))
	for len(b.up.reached()) < 2 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	if n := looked(); n > 0 {
		t.Errorf("the new tab got %d calls while another call held it", n)
	}
	close(release)
	for range 2 {
		b.text(b.read(), false)
	}
	if looked() == 0 {
		t.Error("the new tab was never looked at")
	}
	b.text(b.call("hover", `{"pageId":2,"uid":"1_1"}`), false) // both locks are free again
	b.text(b.call("list_pages", `{}`), false)
}

// What a dialog blocks must not block its answer.
func TestDialogAnswerBypassesTheLock(t *testing.T) {
	entered, release := make(chan string, 8), make(chan struct{})
	b := newBed(t, waiting(entered, release))
	b.send(callFrame(1, "click", `{"pageId":1,"uid":"1_1"}`))
	await(t, entered, "click")
	b.send(callFrame(2, "handle_dialog", `{"pageId":1,"action":"accept"}`))
	await(t, entered, "handle_dialog")
	close(release)
	b.text(b.read(), false)
	b.text(b.read(), false)
}

// Every request is answered at once when the upstream dies, in our words.
func TestUpstreamDeath(t *testing.T) {
	entered, die := make(chan string, 8), make(chan struct{})
	b := newBed(t, func(ctx context.Context, _ string, params []byte) (wire.Message, error) {
		entered <- gjson.GetBytes(params, "name").String()
		select {
		case <-die:
			return wire.Message{}, died()
		case <-ctx.Done():
			return wire.Message{}, ctx.Err()
		}
	})
	for id := 1; id <= 2; id++ {
		b.send(callFrame(id, "click", `{"pageId":`+string(rune('0'+id))+`,"uid":"1_1"}`))
		await(t, entered, "click")
	}
	b.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	await(t, entered, "")
	start := time.Now()
	close(die)
	for range 3 {
		frame := b.read()
		if sings(t, frame) {
			t.Errorf("the process's last words reach the agent: %s", frame)
		}
		got := gjson.Get(frame, "error.message").String()
		if gjson.Get(frame, "id").Int() != 3 {
			got = b.text(frame, true)
		}
		if !strings.Contains(got, `"up"`) || !strings.Contains(got, "exited with code 3") {
			t.Errorf("answer %q does not say what happened", got)
		}
	}
	if d := time.Since(start); d > patience/2 {
		t.Errorf("the answers took %v", d)
	}
	b.text(b.call("hover", `{"pageId":1,"uid":"1_1"}`), true) // and so does what comes later
}

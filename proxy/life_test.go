package proxy

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/wire"
)

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

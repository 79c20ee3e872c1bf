package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/embedjs"
	"moire/scan"
	"moire/session"
	"moire/wire"
)

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

type clock struct{}

func (clock) Now() time.Time { return time.Unix(0, 0) }

// sent is one message that reached the upstream.
type sent struct{ Method, Params string }

// fakeLink is an upstream in memory. It answers the scanner with a page
// without visible text, and all else by respond.
type fakeLink struct {
	respond func(ctx context.Context, method string, params []byte) (wire.Message, error)
	// items are what the scan of that number sees, from 1; nil for nothing.
	items func(scan int) string

	mu      sync.Mutex
	scans   int
	calls   []sent
	notes   []sent
	looks   []sent    // the proxy's own
	replies chan sent // Method is the id
}

func (f *fakeLink) Call(ctx context.Context, method string, params []byte) (wire.Message, error) {
	f.mu.Lock()
	if r, ok := f.looked(method, params); ok {
		f.looks = append(f.looks, sent{method, string(params)})
		f.mu.Unlock()
		return r, nil
	}
	f.calls = append(f.calls, sent{method, string(params)})
	f.mu.Unlock()
	if f.respond == nil {
		return result(`{}`), nil
	}
	return f.respond(ctx, method, params)
}

func (f *fakeLink) Notify(_ context.Context, method string, params []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, sent{method, string(params)})
	return nil
}

func (f *fakeLink) Reply(_ context.Context, id, result []byte) error {
	f.replies <- sent{string(id), string(result)}
	return nil
}

func (f *fakeLink) ReplyError(_ context.Context, id []byte, code int, message string) error {
	f.replies <- sent{string(id), fmt.Sprintf("error %d: %s", code, message)}
	return nil
}

// reached are the messages that reached the upstream so far.
func (f *fakeLink) reached() []sent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(append([]sent{}, f.calls...), f.notes...)
}

var nonceOf = regexp.MustCompile(`"nonce":"([0-9a-f]+)"`)

// looked answers the proxy's own calls: the dialog probe and the scanner.
func (f *fakeLink) looked(method string, params []byte) (wire.Message, bool) {
	if method != "tools/call" {
		return wire.Message{}, false
	}
	args := gjson.GetBytes(params, "arguments")
	switch name := gjson.GetBytes(params, "name").String(); {
	case name == "list_network_requests" && args.Get("resourceTypes.0").String() == "cspviolationreport":
		return result(`{"content":[{"type":"text","text":"No requests found."}]}`), true
	case name == "evaluate_script":
		_, call, ok := strings.Cut(args.Get("function").String(), "moire.scan(")
		nonce := nonceOf.FindStringSubmatch(call)
		if !ok || nonce == nil {
			return wire.Message{}, false
		}
		marks := strings.TrimSuffix(strings.Repeat("-1,", len(args.Get("args").Array())), ",")
		items := ""
		if f.scans++; f.items != nil {
			items = f.items(f.scans)
		}
		page := fmt.Sprintf(`{"v":1,"n":%q,"b":"","i":[[2,-1,"http://x.test/",0,""]%s],"r":[],"o":0,"a":[%s]}`, nonce[1], items, marks)
		return result(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, wire.Quote(resultPrefix+page+resultSuffix))), true
	}
	return wire.Message{}, false
}

// result is a response as the link hands it over.
func result(raw string) wire.Message { return message(`{"jsonrpc":"2.0","id":1,"result":` + raw + `}`) }

func message(frame string) wire.Message {
	if err := wire.Check([]byte(frame), wire.DefaultLimits()); err != nil {
		panic(fmt.Sprintf("%v: %s", err, frame))
	}
	m, err := wire.Parse([]byte(frame))
	if err != nil {
		panic(fmt.Sprintf("%v: %s", err, frame))
	}
	return m
}

// bed is a proxy between an agent's connection and a fake upstream.
type bed struct {
	t     testing.TB
	agent wire.Conn
	p     *Proxy
	up    *fakeLink
	s     *session.Session
	// unfit: Serve ends by itself, with an error.
	unfit bool
}

func newBed(t testing.TB, respond func(ctx context.Context, method string, params []byte) (wire.Message, error)) *bed {
	t.Helper()
	a, err := adapter.Builtin("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	return newBedWith(t, a, respond)
}

// newBedWith serves with an adapter, nil to have it found.
func newBedWith(t testing.TB, a *adapter.Adapter, respond func(context.Context, string, []byte) (wire.Message, error)) *bed {
	t.Helper()
	agent, ours := wire.Pipe(wire.DefaultLimits())
	s := session.New(clock{}, nil)
	p, err := New(Config{
		Agent: ours, Session: s, Scanner: scan.NewScanner(embedjs.Options{}), Adapter: a, Policy: recording(t), Classifier: words(t),
		CallTimeout: patience, LookTimeout: patience, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	up := &fakeLink{respond: respond, replies: make(chan sent, 64)}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, up) }()
	b := &bed{t: t, agent: agent, p: p, up: up, s: s}
	t.Cleanup(func() {
		if !b.unfit {
			cancel()
		}
		select {
		case err := <-done:
			if (err != nil) != b.unfit {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(patience):
			t.Error("Serve does not return after its context ended")
		}
	})
	b.send(`{"jsonrpc":"2.0","id":"hello","method":"nobody/serves"}`) // its answer says that Serve runs
	b.read()
	return b
}

func (b *bed) send(frame string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.agent.Write(ctx, []byte(frame)); err != nil {
		b.t.Fatalf("writing as the agent: %v", err)
	}
}

// read is the next frame that the agent gets.
func (b *bed) read() string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	frame, err := b.agent.Read(ctx)
	if err != nil {
		b.t.Fatalf("reading as the agent: %v", err)
	}
	return string(frame)
}

// call sends a tool call and returns the frame of its answer.
func (b *bed) call(tool, args string) string {
	b.t.Helper()
	b.send(callFrame(7, tool, args))
	frame := b.read()
	if id := gjson.Get(frame, "id").Raw; id != "7" {
		b.t.Fatalf("answer to %s, want 7: %s", id, frame)
	}
	return frame
}

func callFrame(id int, tool, args string) string {
	name, _ := json.Marshal(tool)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s,"arguments":%s}}`, id, name, args)
}

// text is what a tool's result says; it fails unless isError is as wanted.
func (b *bed) text(frame string, isError bool) string {
	b.t.Helper()
	r := gjson.Get(frame, "result")
	if !r.IsObject() || r.Get("isError").Bool() != isError {
		b.t.Fatalf("want a result with isError %t: %s", isError, frame)
	}
	return r.Get("content.0.text").String()
}

const clicked = `{"content":[{"type":"text","text":"Successfully clicked on the element"}],"structuredContent":{"message":"Successfully clicked on the element"}}`

// always answers every call with one result.
func always(raw string) func(context.Context, string, []byte) (wire.Message, error) {
	return func(context.Context, string, []byte) (wire.Message, error) { return result(raw), nil }
}

package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/coder/websocket"
	"github.com/tidwall/gjson"
)

// bidiServer takes the upstream's connection to a browser that speaks WebDriver
// BiDi (https://w3c.github.io/webdriver-bidi/) and joins the two. There is one
// session, which we share with the upstream: Firefox allows no second one.
type bidiServer struct {
	endpoint string // the browser's own address
	world    string
	set      func(onWire) bool
	at       *loopback
	log      *slog.Logger
}

func serveBiDi(endpoint, world string, set func(onWire) bool, log *slog.Logger) (*bidiServer, error) {
	s := &bidiServer{endpoint: endpoint, world: world, set: set, log: log}
	var err error
	s.at, err = listenLoopback(s)
	return s, err
}

// ServeHTTP takes the upstream's connection.
func (s *bidiServer) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	path, ok := strings.CutSuffix(q.URL.Path, "/session")
	if !ok || !s.at.invited(path) {
		http.NotFound(w, q)
		return
	}
	ctx, cancel := context.WithTimeout(q.Context(), meetGrace)
	defer cancel()
	up, down, ok := join(ctx, w, q, s.endpoint+"/session", nil, s.log)
	if !ok {
		return
	}
	b := newBiDi(up, down, s.world, s.log)
	if !s.set(b) {
		_, _ = up.CloseNow(), down.CloseNow()
		s.log.Warn("a browser was not put on the wire", "error", "the upstream connects twice, or the host is closed")
		return
	}
	b.relay()
}

// bidi relays between an upstream and a browser, and knows its tabs.
type bidi struct {
	up, down *websocket.Conn
	log      *slog.Logger
	// world begins the names of the sandboxes in which the upstream names
	// elements, ours is the name of our own.
	world, ours string

	// writes orders what goes to the browser.
	writes  sync.Mutex
	answers *answers
	marks   marks

	mu    sync.Mutex
	err   error
	ended chan struct{}
	tabs  map[string]*bidiTab // by the id of their top context
	tops  map[string]string   // contexts to their top ones
	// worlds are the upstream's sandboxes by context, as it uses them.
	worlds map[string]string
	// documents are the realms of the contexts' windows: each document has its
	// own, which no other ever has.
	documents map[string]string
}

func newBiDi(up, down *websocket.Conn, world string, log *slog.Logger) *bidi {
	up.SetReadLimit(MaxFrame)
	down.SetReadLimit(MaxFrame)
	return &bidi{up: up, down: down, log: log, world: world, ours: "moire-" + token(), answers: newAnswers(),
		ended: make(chan struct{}), tabs: map[string]*bidiTab{}, tops: map[string]string{},
		worlds: map[string]string{}, documents: map[string]string{}}
}

// relay returns when one of the two ends.
func (b *bidi) relay() {
	go func() { b.end(b.fromBrowser()) }()
	b.end(b.fromUpstream())
}

func (b *bidi) done() <-chan struct{} { return b.ended }
func (b *bidi) close()                { b.end(nil) }

// Sessions is part of [Tabs]: the one is the upstream's.
func (b *bidi) Sessions() int { return 0 }

func (b *bidi) end(err error) {
	b.mu.Lock()
	if b.err != nil {
		b.mu.Unlock()
		return
	}
	b.err = ErrGone
	close(b.ended)
	tabs := b.tabs
	b.tabs = map[string]*bidiTab{}
	b.mu.Unlock()
	if err != nil && websocket.CloseStatus(err) == -1 && !errors.Is(err, net.ErrClosed) {
		b.log.Debug("the wire between the upstream and its browser ended", "error", err)
	}
	_, _ = b.up.CloseNow(), b.down.CloseNow() // the wire's error is what matters
	for _, t := range tabs {
		t.end()
	}
}

// fromUpstream passes the upstream's commands on.
func (b *bidi) fromUpstream() error {
	for {
		_, frame, err := b.up.Read(context.Background()) // ends with Close
		if err != nil {
			return fmt.Errorf("reading from the upstream: %w", err)
		}
		r := gjson.GetManyBytes(frame, "id", "params.target.context", "params.target.sandbox", "params.context")
		if ours(r[0].Int()) {
			b.log.Warn("the wire between the upstream and its browser ended", "error", "the upstream uses ids of ours")
			return errors.New("the upstream sent a command with an id that can't be relayed")
		}
		at := cmp.Or(r[1].Str, r[3].Str)
		b.sent(at, r[2].Str, frame)
		if err := b.write(context.Background(), frame); err != nil {
			return err
		}
	}
}

// sent notes in which sandbox the upstream runs its scripts, and looks for marks.
func (b *bidi) sent(at, sandbox string, frame []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if at != "" && b.world != "" && strings.HasPrefix(sandbox, b.world) {
		b.worlds[at] = sandbox
	}
	b.marks.seen(frame, b.tops[at])
}

// fromBrowser passes on what is the upstream's and keeps what is ours.
func (b *bidi) fromBrowser() error {
	for {
		_, frame, err := b.down.Read(context.Background())
		if err != nil {
			return fmt.Errorf("reading from the browser: %w", err)
		}
		if id := gjson.GetBytes(frame, "id"); ours(id.Int()) {
			b.answers.resolve(id.Int(), frame)
			continue
		}
		b.event(frame)
		if err := b.up.Write(context.Background(), websocket.MessageText, frame); err != nil {
			return fmt.Errorf("writing to the upstream: %w", err)
		}
	}
}

func (b *bidi) write(ctx context.Context, frame []byte) error {
	b.writes.Lock()
	defer b.writes.Unlock()
	// Not with the caller's end: half a message would end the connection.
	if err := b.down.Write(context.WithoutCancel(ctx), websocket.MessageText, frame); err != nil {
		return fmt.Errorf("writing to the browser: %w", err)
	}
	return nil
}

// send makes a command of ours; its answer comes to the channel.
func (b *bidi) send(ctx context.Context, method string, params any) (pending, error) {
	body, err := json.Marshal(params)
	if err != nil {
		return pending{}, fmt.Errorf("encoding %s: %w", method, err)
	}
	p := b.answers.expect()
	if err := b.write(ctx, fmt.Appendf(nil, `{"id":%d,"method":%q,"params":%s}`, p.id, method, body)); err != nil {
		b.answers.forget(p.id)
		return pending{}, err
	}
	return p, nil
}

// wait returns the result of a command of ours. An error of the browser's is a
// *[Refused], or [ErrNoPage] if what it was about is gone.
func (b *bidi) wait(ctx context.Context, method string, p pending) (gjson.Result, error) {
	defer b.answers.forget(p.id)
	select {
	case frame := <-p.c:
		m := gjson.ParseBytes(frame)
		switch {
		case m.Get("type").Str == "success":
			return m.Get("result"), nil
		case m.Get("error").Str == "no such frame":
			return gjson.Result{}, fmt.Errorf("calling %s: %w", method, ErrNoPage)
		}
		return gjson.Result{}, fmt.Errorf("calling %s: %w", method, &Refused{0})
	case <-ctx.Done():
		return gjson.Result{}, fmt.Errorf("calling %s: %w", method, context.Cause(ctx))
	case <-b.ended:
		return gjson.Result{}, fmt.Errorf("calling %s: %w", method, ErrGone)
	}
}

func (b *bidi) call(ctx context.Context, method string, params any) (gjson.Result, error) {
	p, err := b.send(ctx, method, params)
	if err != nil {
		return gjson.Result{}, err
	}
	return b.wait(ctx, method, p)
}

// Find is part of [Tabs].
func (b *bidi) Find(ctx context.Context, do func(ctx context.Context, mark string) error) (*Page, error) {
	top, err := b.marks.find(ctx, do)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.tabs[top]; t != nil {
		return t.Page, nil
	}
	return nil, ErrNoPage
}

// Only is part of [Tabs].
func (b *bidi) Only(context.Context) (*Page, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.tabs) != 1 {
		return nil, ErrNoPage
	}
	for _, t := range b.tabs {
		return t.Page, nil
	}
	return nil, ErrNoPage
}

// event follows the tabs and what happens in them. The upstream subscribes to
// all modules that these events are of, as Playwright does at once.
func (b *bidi) event(frame []byte) {
	method := gjson.GetBytes(frame, "method").Str
	module, _, _ := strings.Cut(method, ".")
	if module != "browsingContext" && module != "script" {
		return
	}
	params := gjson.GetBytes(frame, "params")
	at := params.Get("context").Str
	b.mu.Lock()
	defer b.mu.Unlock()
	switch method {
	case "browsingContext.contextCreated":
		b.created(at, params.Get("parent").Str)
	case "browsingContext.contextDestroyed":
		defer b.destroyed(at)
	}
	t := b.tabs[b.tops[at]]
	if t == nil {
		return
	}
	switch method {
	case "browsingContext.userPromptOpened":
		t.setDialog(params.Get("type").Str, "", strings.Clone(params.Get("message").Str))
		t.setBlocked(ErrDialog)
	case "browsingContext.userPromptClosed":
		t.setBlocked(nil)
	case "browsingContext.contextCreated", "browsingContext.contextDestroyed", "browsingContext.navigationStarted",
		"browsingContext.navigationCommitted", "browsingContext.domContentLoaded", "browsingContext.load":
		t.navigations.Add(1)
	case "script.realmCreated":
		if params.Get("sandbox").Str == "" { // a document's own, not one of ours or of the upstream's
			b.documents[at] = params.Get("realm").Str
			t.navigations.Add(1)
		}
	}
}

func (b *bidi) created(id, parent string) {
	if parent != "" {
		b.tops[id] = b.tops[parent]
		return
	}
	b.tops[id] = id
	if b.tabs[id] == nil {
		b.tabs[id] = newBiDiTab(b, id)
	}
}

func (b *bidi) destroyed(id string) {
	if t := b.tabs[id]; t != nil {
		delete(b.tabs, id)
		for frame, top := range b.tops {
			if top == id {
				delete(b.tops, frame)
				delete(b.worlds, frame)
				delete(b.documents, frame)
			}
		}
		t.end()
	}
	delete(b.tops, id)
	delete(b.worlds, id)
	delete(b.documents, id)
}

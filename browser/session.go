package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/tidwall/gjson"
)

// Session is one of our own flattened sessions. It is a [cdp.Session], so that
// cdp.Call runs typed commands on it.
type Session struct {
	wire *Wire
	id   string

	mu       sync.Mutex
	handlers map[string]func(params []byte)
	gone     chan struct{}
	ended    bool
	// broken is closed when the target's process dies; another takes its place
	// when there is another process.
	broken chan struct{}

	worlds worlds
}

var _ cdp.Session = (*Session)(nil)

func newSession(w *Wire, id string) *Session {
	return &Session{wire: w, id: id, handlers: map[string]func([]byte){}, gone: make(chan struct{}), broken: make(chan struct{})}
}

// Gone is closed when the target or the wire is gone.
func (s *Session) Gone() <-chan struct{} { return s.gone }

// crashed ends the calls that nobody will answer.
func (s *Session) crashed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.broken)
	s.broken = make(chan struct{})
}

func (s *Session) crash() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

func (s *Session) detached() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended = true
		close(s.gone)
	}
}

// Refused is an error that the browser answers with. Its text is left out: it
// may be made of a page's.
type Refused struct{ Code int64 }

func (e *Refused) Error() string { return fmt.Sprintf("the browser refuses (%d)", e.Code) }

// Call runs a command and decodes its result. An error of the browser is a
// *[Refused].
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	frame, err := s.wire.call(ctx, s, method, params)
	if err != nil {
		return fmt.Errorf("calling %s: %w", method, err)
	}
	err = decodeAnswer(method, frame, result)
	if errors.Is(err, ErrNoPage) {
		s.wire.drop(s.id) // of a frame that ends with the one around it no event tells
	}
	return err
}

// codeNoSession is the browser's word for a session that is gone.
const codeNoSession = -32001

func decodeAnswer(method string, frame []byte, result any) error {
	if e := gjson.GetBytes(frame, "error"); e.Exists() {
		if e.Get("code").Int() == codeNoSession {
			return fmt.Errorf("calling %s: %w", method, ErrNoPage)
		}
		return fmt.Errorf("calling %s: %w", method, &Refused{e.Get("code").Int()})
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(gjson.GetBytes(frame, "result").Raw), result); err != nil {
		return fmt.Errorf("decoding the answer of %s: %w", method, err)
	}
	return nil
}

// Send runs a command whose answer nobody needs; its place in the order of the
// session is all that matters.
func (s *Session) Send(ctx context.Context, method string, params any) error {
	p, err := s.wire.send(ctx, s.id, method, params)
	if err != nil {
		return err
	}
	s.wire.answers.forget(p.id)
	return nil
}

// on calls f for each event of the method, in the order of the wire. It must
// not block and must not call back into the session's commands.
func (s *Session) on(method string, f func(params []byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers[method] = f
}

func (s *Session) event(method string, frame []byte) {
	s.mu.Lock()
	f := s.handlers[method]
	s.mu.Unlock()
	if f != nil {
		f([]byte(gjson.GetBytes(frame, "params").Raw))
	}
}

// eventBuffer is how many events wait for a subscriber; with more the
// subscription ends, as the wire does not wait.
const eventBuffer = 256

// Subscribe is part of [cdp.Session]; one subscription for each method.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	c := make(chan jsonv2.Value, eventBuffer)
	var once sync.Once
	cancel := func() {
		once.Do(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.handlers, method)
			close(c)
		})
	}
	s.on(method, func(params []byte) {
		select {
		case c <- jsonv2.Value(params):
		default:
			cancel()
		}
	})
	return c, cancel
}

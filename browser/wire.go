package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/chromedp/cdproto/target"
	"github.com/tidwall/gjson"
)

// ErrGone is a browser that closed its end of the wire.
var ErrGone = errors.New("the browser is gone")

// Wire relays between an upstream and a browser and carries our own sessions.
// Methods may be called from several goroutines.
type Wire struct {
	ends      Ends
	toBrowser outbox
	log       *slog.Logger
	answers   *answers

	mu       sync.Mutex
	own      *Session            // ours, on the browser itself
	sessions map[string]*Session // all of ours, by id
	watched  map[int64]string    // sessions of the upstream's commands that the observer wants to see answered
	observer Observer
	err      error

	done chan struct{} // the wire ended
}

// Observer sees what the upstream and the browser say to each other. Its
// methods are called in the order of the wire and must not block.
type Observer interface {
	// Attached: the upstream has a session on a target.
	Attached(session string, info target.Info)
	// Detached: it has no longer.
	Detached(session string)
	// Sent: the upstream sent a command. True asks for Answered.
	Sent(session, method string, frame []byte) bool
	// Ready: our session on the browser exists, and nothing of the upstream has
	// passed yet.
	Ready(own *Session)
	// Answered: the browser answered that command; the upstream has not yet
	// read the answer.
	Answered(session string)
	// Passed is told of each command of the upstream once it is on its way: what we
	// send then comes behind it.
	Passed(session, method string)
}

// Ends are the four ends of pipes that a wire holds; it owns them.
type Ends struct {
	FromUpstream io.ReadCloser
	ToUpstream   io.WriteCloser
	FromBrowser  io.ReadCloser
	ToBrowser    io.WriteCloser
}

// newWire makes a wire that does not relay yet.
func newWire(e Ends, o Observer, log *slog.Logger) *Wire {
	done := make(chan struct{})
	return &Wire{
		ends: e, toBrowser: newOutbox(done), log: log,
		answers: newAnswers(), sessions: map[string]*Session{},
		watched: map[int64]string{}, observer: o, done: done,
	}
}

// start begins to relay. Before the upstream's first command is let through,
// our own session on the browser is attached, so that the upstream sees no
// trace of it.
func (w *Wire) start() {
	own := make(chan struct{})
	go func() { w.end(w.toBrowser.empty(w.ends.ToBrowser)) }()
	go func() { w.end(w.fromBrowser(newFrameReader(w.ends.FromBrowser), own)) }()
	go func() {
		select {
		case <-own:
		case <-w.done:
			return
		}
		w.end(w.fromUpstream(newFrameReader(w.ends.FromUpstream)))
	}()
}

// Done is closed when the wire has ended; Err says why.
func (w *Wire) Done() <-chan struct{} { return w.done }

// Err is nil while the wire lives, ErrGone after an orderly end.
func (w *Wire) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Close ends the wire; a browser on a pipe then ends itself.
func (w *Wire) Close() error {
	w.end(nil)
	return nil
}

func (w *Wire) end(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
		err = ErrGone
	}
	w.err = err
	close(w.done)
	if !errors.Is(err, ErrGone) {
		w.log.Warn("the wire between the upstream and its browser ended", "error", err)
	}
	for _, c := range []io.Closer{w.ends.FromUpstream, w.ends.ToUpstream, w.ends.FromBrowser, w.ends.ToBrowser} {
		_ = c.Close() // the wire's error is what matters
	}
	for _, s := range w.sessions {
		s.detached()
	}
}

// fromUpstream passes the upstream's commands on.
func (w *Wire) fromUpstream(r *frameReader) error {
	for {
		frame, err := r.next()
		if err != nil {
			return err
		}
		h, ok := readHead(frame)
		if !ok || h.hasID && h.id >= firstOwnID {
			return errors.New("the upstream sent a DevTools message with an id that can't be relayed")
		}
		if w.observer.Sent(h.session, h.method, frame) {
			w.mu.Lock()
			w.watched[h.id] = h.session
			w.mu.Unlock()
		}
		if err := w.toBrowser.put(context.Background(), frame); err != nil {
			return err
		}
		w.observer.Passed(h.session, h.method)
	}
}

// fromBrowser passes on what is the upstream's and keeps what is ours.
func (w *Wire) fromBrowser(r *frameReader, own chan<- struct{}) error {
	hello, err := w.hello(r)
	if err != nil {
		return err
	}
	w.observer.Ready(w.own)
	close(own)
	for _, frame := range hello { // what the browser said meanwhile
		if err := w.deliver(frame); err != nil {
			return err
		}
	}
	for {
		if err := w.pass(r); err != nil {
			return err
		}
	}
}

// pass reads one message. An answer to the upstream goes on while it comes in,
// however large it is; all others are read whole first.
func (w *Wire) pass(r *frameReader) error {
	var whole bytes.Buffer
	var h head
	through := false
	err := r.pour(func(begin []byte) io.Writer {
		var ok bool
		if h, ok = readBegin(begin); !ok || h.id >= firstOwnID {
			return limited{&whole, r.max}
		}
		w.answered(h.id)
		through = true
		return w.ends.ToUpstream
	})
	switch {
	case errors.Is(err, errLong):
		// An event that only a page can make so long, or an answer to us.
		w.log.Warn("a DevTools message was dropped", "error", err)
		w.answers.resolve(h.id, nil)
		return nil
	case err != nil:
		return err
	case through:
		_, err := w.ends.ToUpstream.Write([]byte{0})
		return err
	}
	return w.deliver(whole.Bytes())
}

// answered tells the observer of an answer that it asked for.
func (w *Wire) answered(id int64) {
	w.mu.Lock()
	session, watching := w.watched[id]
	delete(w.watched, id)
	w.mu.Unlock()
	if watching {
		w.observer.Answered(session)
	}
}

// hello attaches our session to the browser target. The event of it, on the
// session that we share with the upstream, is kept back.
func (w *Wire) hello(r *frameReader) ([][]byte, error) {
	p := w.answers.expect()
	defer w.answers.forget(p.id)
	frame := fmt.Appendf(nil, `{"id":%d,"method":"Target.attachToBrowserTarget"}`, p.id)
	if err := w.toBrowser.put(context.Background(), frame); err != nil {
		return nil, err
	}
	var early [][]byte
	var attached [][]byte
	for {
		frame, err := r.next()
		if err != nil {
			return nil, err
		}
		h, ok := readBrowserHead(frame)
		switch {
		case !ok:
			return nil, errors.New("the browser sent what is no DevTools message")
		case h.hasID && h.id == p.id:
			session := gjson.GetBytes(frame, "result.sessionId").Str
			if session == "" {
				return nil, errors.New("the browser grants no session of our own")
			}
			w.mu.Lock()
			w.own = newSession(w, session)
			w.sessions[session] = w.own
			w.mu.Unlock()
			for _, a := range attached {
				if gjson.GetBytes(a, "params.sessionId").Str != session {
					early = append(early, a)
				}
			}
			return early, nil
		case h.method == target.AttachedToTarget.Method:
			attached = append(attached, frame)
		default:
			early = append(early, frame)
		}
	}
}

func (w *Wire) deliver(frame []byte) error {
	h, ok := readBrowserHead(frame)
	if !ok {
		return errors.New("the browser sent what is no DevTools message")
	}
	if h.hasID && h.id >= firstOwnID {
		w.answers.resolve(h.id, frame)
		return nil
	}
	w.mu.Lock()
	s := w.sessions[h.session]
	w.mu.Unlock()
	if s != nil {
		if h.method == target.DetachedFromTarget.Method {
			w.drop(gjson.GetBytes(frame, "params.sessionId").Str)
		}
		s.event(h.method, frame)
		return nil
	}
	if h.hasID {
		w.answered(h.id)
	}
	switch h.method {
	case target.AttachedToTarget.Method:
		w.observeAttached(frame)
	case target.DetachedFromTarget.Method:
		w.observer.Detached(gjson.GetBytes(frame, "params.sessionId").Str)
	}
	_, err := w.ends.ToUpstream.Write(append(frame, 0))
	return err
}

func (w *Wire) observeAttached(frame []byte) {
	var e target.EventAttachedToTarget
	if params := gjson.GetBytes(frame, "params").Raw; json.Unmarshal([]byte(params), &e) == nil && e.TargetInfo != nil {
		w.observer.Attached(string(e.SessionID), *e.TargetInfo)
	}
}

// adopt makes a session that a target of ours was attached with ours.
func (w *Wire) adopt(s *Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		s.detached()
		return
	}
	w.sessions[s.id] = s
}

func (w *Wire) drop(session string) {
	w.mu.Lock()
	s := w.sessions[session]
	delete(w.sessions, session)
	w.mu.Unlock()
	if s != nil {
		s.detached()
	}
}

// call sends a command of our own and waits for its answer.
func (w *Wire) call(ctx context.Context, s *Session, method string, params any) ([]byte, error) {
	crash := s.crash()
	answer, err := w.send(ctx, s.id, method, params)
	if err != nil {
		return nil, err
	}
	select {
	case frame := <-answer.c:
		if frame == nil {
			return nil, errLong
		}
		return frame, nil
	case <-ctx.Done():
		w.answers.forget(answer.id)
		return nil, ctx.Err()
	case <-crash:
		w.answers.forget(answer.id)
		return nil, ErrNoPage
	case <-s.gone:
		w.answers.forget(answer.id)
		if err := w.Err(); err != nil {
			return nil, err
		}
		return nil, ErrNoPage
	}
}

// send sends a command without waiting: the browser keeps the order.
func (w *Wire) send(ctx context.Context, session, method string, params any) (pending, error) {
	body := []byte("{}")
	if params != nil {
		var err error
		if body, err = json.Marshal(params); err != nil {
			return pending{}, fmt.Errorf("encoding %s: %w", method, err)
		}
	}
	if err := w.Err(); err != nil {
		return pending{}, err
	}
	p := w.answers.expect()
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"id":%d,"method":%q,"params":%s`, p.id, method, body)
	if session != "" {
		fmt.Fprintf(&b, `,"sessionId":%q`, session)
	}
	b.WriteByte('}')
	if err := w.toBrowser.put(ctx, b.Bytes()); err != nil {
		w.answers.forget(p.id)
		return pending{}, fmt.Errorf("sending %s: %w", method, err)
	}
	return p, nil
}

package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"moire/wire"
)

const (
	// maxRequests is how many requests of the child are handled at a time.
	maxRequests = 16
	// noteQueue is how many notifications wait for the handler.
	noteQueue = 1024
	// refusalQueue is how many refusals wait for the child to read.
	refusalQueue = 64
	// drainGrace is the time for frames that were written before the child
	// ended, if something it forked holds its output open.
	drainGrace = 250 * time.Millisecond
	// exitGrace is the time from the end of its output to its exit.
	exitGrace = time.Second
	// cancelGrace is how long a cancellation may take to be sent.
	cancelGrace = time.Second
	// maxCancelled bounds what is remembered to tell late answers from others.
	maxCancelled = 4096
)

// Incoming handles what the child sends on its own. Both must return when ctx
// ends, which it does with the link.
type Incoming interface {
	// Request runs in a goroutine of its own and answers by Reply or
	// ReplyError. At most maxRequests run; more are refused.
	Request(ctx context.Context, m wire.Message)
	// Notification is called in order, one at a time. It may make calls.
	Notification(ctx context.Context, m wire.Message)
}

// LinkConfig is what a Link stands on. Done and Exit are the process's; both
// may be nil for a connection without one. Without Incoming, requests are
// refused and notifications dropped.
type LinkConfig struct {
	Conn     wire.Conn
	Done     <-chan struct{}
	Exit     func() error
	Incoming Incoming
	Logger   *slog.Logger
}

// Validate names the first field that is missing.
func (c LinkConfig) Validate() error {
	switch {
	case c.Conn == nil:
		return errors.New("configuring link: no connection")
	case c.Logger == nil:
		return errors.New("configuring link: no logger")
	case (c.Done == nil) != (c.Exit == nil):
		return errors.New("configuring link: Done and Exit belong together")
	}
	return nil
}

// Stats counts what a Link sent and what it dropped.
type Stats struct {
	Calls                int // sent
	Cancelled            int // given up by their caller
	Noise                int // lines that are no JSON object
	Refused              int // frames that the gate or the parser refused
	Late                 int // answers to calls given up
	Duplicate            int // second answers
	Unknown              int // answers to ids never sent
	RequestsRefused      int
	NotificationsDropped int
}

// RefusedFrameError fails every call that waits when a frame can't be trusted:
// it may have been the answer to any of them.
type RefusedFrameError struct {
	Reason wire.Reason // 0: it passed the gate, but is no JSON-RPC message
}

func (e *RefusedFrameError) Error() string {
	if e.Reason == 0 {
		return "reading from upstream: refused a frame that is no JSON-RPC message"
	}
	return fmt.Sprintf("reading from upstream: refused a frame: %v", e.Reason)
}

// Link makes calls over a connection whose ids are its own.
type Link struct {
	cfg      LinkConfig
	ctx      context.Context // of the handlers; it ends with the link
	cancel   context.CancelFunc
	dead     chan struct{}
	notes    chan wire.Message
	refusals chan refusal
	slots    chan struct{}
	wg       sync.WaitGroup

	mu        sync.Mutex
	failed    error // set before dead is closed
	issued    int64
	pending   map[int64]chan answer
	cancelled map[int64]struct{}
	stats     Stats
}

type answer struct {
	m   wire.Message
	err error
}

// NewLink starts reading. Close it; its reading also ends with the child.
func NewLink(cfg LinkConfig) (*Link, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &Link{
		cfg:       cfg,
		dead:      make(chan struct{}),
		notes:     make(chan wire.Message, noteQueue),
		refusals:  make(chan refusal, refusalQueue),
		slots:     make(chan struct{}, maxRequests),
		pending:   map[int64]chan answer{},
		cancelled: map[int64]struct{}{},
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	for _, f := range []func(){l.read, l.watch, l.notify, l.refuse} {
		l.wg.Go(f)
	}
	return l, nil
}

// Stats returns the counters as they are now.
func (l *Link) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}

// count adds one to a counter that pick chooses.
func (l *Link) count(pick func(*Stats) *int) {
	l.mu.Lock()
	*pick(&l.stats)++
	l.mu.Unlock()
}

// Close fails what waits, closes the connection and returns when nothing of the
// link runs. It must not be called by a handler.
func (l *Link) Close() error {
	l.fail(fmt.Errorf("calling upstream: link closed: %w", io.ErrClosedPipe))
	err := l.cfg.Conn.Close()
	l.wg.Wait()
	return err
}

// spawn runs f if the link lives. Under mu, so that Close waits for all of them.
func (l *Link) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return false
	}
	l.wg.Go(f)
	return true
}

// fail ends the link: every call that waits and every later one gets err.
func (l *Link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return
	}
	l.failed = err
	l.failPending(err)
	close(l.dead)
	l.cancel()
}

// failPending is called with mu held. The channels have room for one answer.
func (l *Link) failPending(err error) {
	for id, ch := range l.pending {
		ch <- answer{err: err}
		delete(l.pending, id)
	}
}

// watch fails the link when the child ends, though its output may stay open.
func (l *Link) watch() {
	select {
	case <-l.cfg.Done: // nil waits for ever
	case <-l.dead:
		return
	}
	select {
	case <-time.After(drainGrace):
		l.fail(l.cfg.Exit())
	case <-l.dead:
	}
}

// read is the connection's one reader.
func (l *Link) read() {
	for {
		frame, err := l.cfg.Conn.Read(l.ctx)
		var gate *wire.GateError
		switch {
		case err == nil:
			l.frame(frame)
		case errors.As(err, &gate) && gate.Reason == wire.ReasonNotObject:
			l.count(func(s *Stats) *int { return &s.Noise })
		case errors.As(err, &gate):
			l.refused(&RefusedFrameError{gate.Reason})
		default:
			l.fail(l.endError(err))
			return
		}
	}
}

// endError says why the output ended: best by the exit that follows.
func (l *Link) endError(err error) error {
	if l.cfg.Done != nil && l.ctx.Err() == nil {
		select {
		case <-l.cfg.Done:
			return l.cfg.Exit()
		case <-time.After(exitGrace):
		case <-l.dead:
		}
	}
	return fmt.Errorf("reading from upstream: %w", err)
}

func (l *Link) refused(err *RefusedFrameError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Refused++
	l.cfg.Logger.Warn("upstream frame refused", "reason", err.Reason.String(),
		"failed_calls", len(l.pending))
	l.failPending(err)
}

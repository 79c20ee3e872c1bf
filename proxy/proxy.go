package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/classify"
	"moire/files"
	"moire/pins"
	"moire/policy"
	"moire/scan"
	"moire/session"
	"moire/wire"
)

// Upstream is the connection to the upstream; *upstream.Link is one.
type Upstream interface {
	Call(ctx context.Context, method string, params []byte) (wire.Message, error)
	Notify(ctx context.Context, method string, params []byte) error
	Reply(ctx context.Context, id, result []byte) error
}

// Refuser answers requests of the upstream that are not relayed.
type Refuser interface {
	ReplyError(ctx context.Context, id []byte, code int, message string) error
}

// Link is both.
type Link interface {
	Upstream
	Refuser
}

// Approver asks a person. Ask returns as soon as there is an answer, or it is known
// that there will be none within the time that a client waits.
type Approver interface {
	Ask(ctx context.Context, q Question) Answer
}

// Config makes a proxy.
type Config struct {
	Agent   wire.Conn
	Session *session.Session
	Scanner *scan.Scanner
	// Browser is the wire to the upstream's browser, for scans in isolated
	// worlds; nil means that the upstream's own script tool runs them.
	Browser Browser
	// Adapter may be nil: then it is found from the upstream's own name and
	// tools when they are first needed.
	Adapter *adapter.Adapter
	// Workspace is where the agent's own files are; nil if there is none.
	Workspace *files.Workspace
	// Files is the way of the files that the upstream writes, if its adapter has
	// one.
	Files *files.Exchange
	// Pins are the definitions of tools that are known of the adapter of that name;
	// nil: none is looked at.
	Pins func(adapter string) (*pins.Set, error)
	// Pin remembers the definitions of an upstream that is met for the first time;
	// nil: for this session only.
	Pin func(adapter string, hashes []string) error
	// TrustOrigins are origins whose console messages, requests and script results
	// pass without being judged.
	TrustOrigins []string
	// KeepStructured: the person's own flags asked for structured content.
	KeepStructured bool
	// Untested: an upstream of a version that no adapter was tested with may
	// serve; Logger is told of it.
	Untested bool
	// Policy decides on every call; Classifier tells of fields and words.
	Policy     *policy.Policy
	Classifier *classify.Classifier
	// Approver asks a person; nil: nobody can be asked, and what has to be is
	// refused.
	Approver Approver
	// Recorder keeps the record of decisions; nil: none is kept.
	Recorder Recorder
	// CallTimeout ends a tool call, LookTimeout one scan.
	CallTimeout, LookTimeout time.Duration
	Logger                   *slog.Logger
}

// Validate names the first field that is missing.
func (c Config) Validate() error {
	switch {
	case c.Agent == nil:
		return errors.New("proxy without an agent connection")
	case c.Session == nil:
		return errors.New("proxy without a session")
	case c.Scanner == nil:
		return errors.New("proxy without a scanner")
	case c.Policy == nil:
		return errors.New("proxy without a policy")
	case c.Classifier == nil:
		return errors.New("proxy without a classifier")
	case c.Logger == nil:
		return errors.New("proxy without a logger")
	case c.CallTimeout <= 0 || c.LookTimeout <= 0:
		return errors.New("proxy without time limits")
	}
	return nil
}

// Proxy relays between one agent and one upstream.
type Proxy struct {
	cfg  Config
	link Link
	// ready is closed when link is set: the upstream may speak before that.
	ready chan struct{}
	log   *slog.Logger

	mu      sync.Mutex
	adapter *adapter.Adapter
	server  string
	ownTool string
	pinned  pinned
	// unfit is why the upstream may not serve: the session ends with it.
	unfit error
	// running are the agent's requests in flight, by idKey.
	running map[string]context.CancelFunc
	// wired are the tabs found on the wire, by the upstream's ids.
	wired map[string]*wireTab
	// pending are the calls, by their digests, that wait for a person's answer.
	pending map[string]bool
	reader  *reader
	// tokens are the progress tokens of calls in flight.
	tokens map[string]int
	// asked are requests of the upstream that wait for the agent's answer.
	asked map[int64]chan wire.Message
	next  int64

	// writes bounds what is written to the agent; it ends writeGrace after the
	// session.
	writes     context.Context
	stopWrites context.CancelFunc
}

// New makes a proxy.
func New(cfg Config) (*Proxy, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	writes, stop := context.WithCancel(context.Background())
	return &Proxy{cfg: cfg, pending: map[string]bool{}, reader: newReader(), writes: writes, stopWrites: stop, ready: make(chan struct{}), log: cfg.Logger, adapter: cfg.Adapter, ownTool: ownTool,
		wired: map[string]*wireTab{}, running: map[string]context.CancelFunc{}, tokens: map[string]int{}, asked: map[int64]chan wire.Message{}}, nil
}

// maxRequests is how many requests of the agent run at once; more wait.
const maxRequests = 64

// Serve relays until the agent closes its end, ctx ends or the connection
// fails, or the upstream may not serve, which is then the error. It returns nil
// for an orderly end, at most writeGrace after it, even if the agent no longer
// reads (TestSilentAgentDoesNotDelayTheEnd). The same
// bound holds for what the upstream's messages make it write later.
func (p *Proxy) Serve(ctx context.Context, link Link) error {
	p.link = link
	close(p.ready)
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, func() { time.AfterFunc(writeGrace, p.stopWrites) })
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	// Not by the reader itself: it has to see the end of an agent that does
	// not read.
	refuse := func(id []byte, code int, message string) {
		running.Go(func() { p.send(errorFrame(id, code, message)) })
	}
	slots := make(chan struct{}, maxRequests)
	for {
		frame, err := p.cfg.Agent.Read(ctx)
		var gate *wire.GateError
		switch {
		case errors.As(err, &gate):
			p.log.Warn("refused a frame of the agent", "reason", gate.Reason.String())
			refuse([]byte("null"), codeParse, "moire refused a frame: "+gate.Reason.String())
			continue
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), ctx.Err() != nil:
			return p.unfitness()
		case err != nil:
			return fmt.Errorf("reading from the agent: %w", err)
		}
		m, err := wire.Parse(frame)
		if err == nil && len(m.Extra) > 0 {
			err = errors.New("it has members that JSON-RPC does not know")
		}
		if err != nil {
			refuse(idOr(m, "null"), codeInvalid, "moire refused a message: "+err.Error())
			continue
		}
		switch m.Kind {
		case wire.MessageRequest:
			own, done := p.begin(ctx, m)
			if own == nil {
				refuse(m.Bytes(m.ID), codeInvalid, "moire refused a request: its id is that of a request still in flight")
				continue
			}
			running.Go(func() {
				// The slot is taken here, so that cancellations and answers are
				// read while requests wait for one.
				select {
				case slots <- struct{}{}:
					defer func() { <-slots }()
				case <-own.Done(): // the handler finds that out
				}
				answer := p.request(own, m)
				done() // first: with the answer the agent may use the id again
				if answer != nil {
					p.send(answer)
				}
				if p.unfitness() != nil {
					cancel()
				}
			})
		case wire.MessageNotification:
			p.fromAgent(ctx, m)
		default:
			p.answered(m)
		}
	}
}

// begin registers a request so that it can be cancelled; done ends that. It
// returns nil if one of the same id is in flight: "The request ID MUST NOT have
// been previously used by the requestor within the same session."
// https://modelcontextprotocol.io/specification/2025-11-25/basic#requests
func (p *Proxy) begin(ctx context.Context, m wire.Message) (own context.Context, done func()) {
	id := idKey(m.Bytes(m.ID))
	token := gjson.GetBytes(m.Bytes(m.Params), "_meta.progressToken").Raw
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[id] != nil {
		return nil, nil
	}
	own, cancel := context.WithTimeout(ctx, p.cfg.CallTimeout)
	p.running[id] = cancel
	p.tokens[token]++
	return own, func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.running, id)
		if p.tokens[token]--; p.tokens[token] == 0 {
			delete(p.tokens, token)
		}
	}
}

// idKey is equal for two spellings of one id, and only for these.
func idKey(raw []byte) string {
	if id := gjson.ParseBytes(raw); id.Type == gjson.String {
		return `"` + id.String()
	}
	return string(raw)
}

func (p *Proxy) unfitness() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unfit
}

func (p *Proxy) knownToken(raw string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return raw != "" && p.tokens[raw] > 0
}

// send writes to the agent; a failing connection ends by its reader. It knows
// no call's context: an answer is owed even when its call's own time is over.
func (p *Proxy) send(frame []byte) {
	ctx, cancel := context.WithTimeout(p.writes, sendTimeout)
	defer cancel()
	if err := p.cfg.Agent.Write(ctx, frame); err != nil {
		p.log.Warn("writing to the agent", "error", err)
	}
}

const (
	// sendTimeout is how long an agent may take to read a frame, writeGrace
	// how long all that is still to be written when the session ends.
	sendTimeout = 30 * time.Second
	writeGrace  = 2 * time.Second
)

// JSON-RPC 2.0 error codes.
const (
	codeParse    = -32700
	codeInvalid  = -32600
	codeMethod   = -32601
	codeParams   = -32602
	codeInternal = -32603
)

func errorFrame(id []byte, code int, message string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, wire.Quote(message))
}

func resultFrame(id, result []byte) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	out = append(out, `,"result":`...)
	return append(append(out, result...), '}')
}

func idOr(m wire.Message, other string) []byte {
	if id := m.Bytes(m.ID); id != nil {
		return id
	}
	return []byte(other)
}

package browser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// ErrNoPage is a tab that is not, or no longer, known on the wire.
var ErrNoPage = errors.New("the tab is not known on the wire")

// ErrBlank is an [ErrNoPage] of a browser all of whose tabs are empty.
var ErrBlank = fmt.Errorf("no tab shows a page: %w", ErrNoPage)

// Pages is the registry of a browser's tabs. It attaches a session of ours to
// each before it runs its first script.
type Pages struct {
	wire  *Wire
	log   *slog.Logger
	world string // the name of our isolated worlds
	// theirs begins the names of the worlds in which the upstream names elements.
	theirs string
	// report is the function in them that takes the guard's reports.
	report string
	// reads is the command by which the upstream reads a page.
	reads string
	// sources: where documents and scripts come from is followed.
	sources bool
	marks   marks

	mu       sync.Mutex
	byTarget map[target.ID]*cdpTab
	// upstream maps the upstream's sessions to targets.
	upstream map[string]target.ID
	// tabs are the tabs of our targets, tabs and frames.
	tabs map[target.ID]target.ID
	// hands are what acts on each tab.
	hands map[target.ID]hands
	// onInput gets the guard's reports.
	onInput func(*Page, Input)
}

func (p *Pages) done() <-chan struct{} { return p.wire.Done() }

func (p *Pages) close() { _ = p.wire.Close() }

// token is a name that nobody can guess.
func token() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}

// pagesConfig are the parts of [HostConfig] of the same names.
type pagesConfig struct {
	World, Reads string
	Sources      bool
	Logger       *slog.Logger
}

func newPages(cfg pagesConfig) *Pages {
	name := token()
	return &Pages{log: cfg.Logger, reads: cfg.Reads, sources: cfg.Sources, world: "moire-" + name, theirs: cfg.World, report: "moireReport" + name, hands: map[target.ID]hands{}, tabs: map[target.ID]target.ID{}, byTarget: map[target.ID]*cdpTab{},
		upstream: map[string]target.ID{}}
}

// Ready is called with our session on the browser before the upstream's first
// command passes.
func (p *Pages) Ready(own *Session) {
	own.on(target.AttachedToTarget.Method, func(params []byte) { p.attach(nil, params) })
	yes := true
	// There is room: it is the first.
	_ = own.Send(context.Background(), target.CommandSetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true,
		Flatten: &yes, Filter: only("page")})
}

// only admits targets of some types.
func only(kinds ...string) target.Filter {
	f := make(target.Filter, len(kinds)+1)
	for i, k := range kinds {
		f[i].Type = k
	}
	f[len(kinds)].Exclude = true
	return f
}

// Sessions counts our sessions, that on the browser itself included.
func (p *Pages) Sessions() int {
	p.wire.mu.Lock()
	defer p.wire.mu.Unlock()
	return len(p.wire.sessions)
}

// Attached notes a session of the upstream.
func (p *Pages) Attached(session string, info target.Info) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.upstream[session] = info.TargetID
}

// Detached forgets it.
func (p *Pages) Detached(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.upstream, session)
}

// Sent looks for marks.
func (p *Pages) Sent(session, method string, frame []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks.seen(frame, string(p.upstream[session]))
	if method == dom.CommandResolveNode {
		p.resolves(p.upstream[session], frame)
	}
	if !acts(method) {
		return false
	}
	id, ok := p.tabs[p.upstream[session]]
	if ok {
		p.begun(id)
	}
	return ok
}

// Passed notes when the upstream reads a page.
func (p *Pages) Passed(session, method string) {
	if method != p.reads || method == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.byTarget[p.tabs[p.upstream[session]]]; t != nil {
		t.read()
	}
}

// Answered ends what Sent began.
func (p *Pages) Answered(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id, ok := p.tabs[p.upstream[session]]; ok {
		p.ended(id)
	}
}

// OnInput has f called with each trusted event in a tab, in the order of the
// wire. It must not block.
func (p *Pages) OnInput(f func(*Page, Input)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onInput = f
}

// Find is part of [Tabs].
func (p *Pages) Find(ctx context.Context, do func(ctx context.Context, mark string) error) (*Page, error) {
	id, err := p.marks.find(ctx, do)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if pg := p.byTarget[target.ID(id)]; pg != nil {
		return pg.Page, nil
	}
	return nil, ErrNoPage
}

// Only is part of [Tabs].
func (p *Pages) Only(ctx context.Context) (*Page, error) {
	p.mu.Lock()
	tabs := slices.Collect(maps.Values(p.byTarget))
	p.mu.Unlock()
	var out *Page
	for _, t := range tabs {
		tree, err := cdp.Call(ctx, cdp.Session(t.session), page.GetFrameTree, cdp.Empty{})
		if err != nil || tree.FrameTree == nil || tree.FrameTree.Frame == nil {
			return nil, ErrNoPage
		}
		if u := tree.FrameTree.Frame.URL; u == "about:blank" || u == "chrome://newtab/" || u == "chrome://new-tab-page/" {
			continue
		}
		if out != nil {
			return nil, ErrNoPage
		}
		out = t.Page
	}
	if out == nil {
		return nil, ErrBlank
	}
	return out, nil
}

// command is one that is sent without waiting for its answer.
type command struct {
	method string
	params any
}

// attach sets a new target of ours up, and lets it run when the guard is there.
func (p *Pages) attach(of *cdpTab, params []byte) {
	var e target.EventAttachedToTarget
	if json.Unmarshal(params, &e) != nil || e.TargetInfo == nil {
		return
	}
	s := newSession(p.wire, string(e.SessionID))
	p.wire.adopt(s)
	id := e.TargetInfo.TargetID
	if of != nil && e.TargetInfo.Type != "iframe" {
		of.from.watch(s, "")
		s.on(target.AttachedToTarget.Method, func(params []byte) { p.attach(of, params) })
		go p.setUpWorker(s)
		return
	}
	if of == nil {
		of = newCDPTab(p, id, s)
		p.mu.Lock()
		p.byTarget[id] = of
		p.mu.Unlock()
	}
	go func() {
		<-s.Gone()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.tabs[id] == of.target {
			delete(p.tabs, id)
		}
		if p.byTarget[id] == of && of.session == s {
			delete(p.byTarget, id)
			delete(p.hands, id)
		}
	}()
	p.mu.Lock()
	p.tabs[id] = of.target
	p.mu.Unlock()
	of.add(cdp.FrameID(id), s)
	s.worlds.follow(s, p.world, p.theirs)
	s.on(target.AttachedToTarget.Method, func(params []byte) { p.attach(of, params) })
	guard := p.guard(of, s)
	if of.from != nil {
		of.from.watch(s, cdp.FrameID(of.target))
		guard = append(guard, command{network.CommandEnable, nil})
	}
	// Not by the reader of the wire: a browser that does not read must not keep
	// us from reading.
	go p.setUp(s, guard, e.TargetInfo.Type == "page" && !e.TargetInfo.CanAccessOpener)
}

// setUp readies a session and lets its document run. fresh: it has no process
// before it runs.
func (p *Pages) setUp(s *Session, guard []command, fresh bool) {
	ctx, cancel := context.WithTimeout(context.Background(), standGrace)
	defer cancel()
	yes := true
	inside := only("iframe")
	if p.sources {
		inside = only("iframe", "worker")
	}
	var last pending
	for _, c := range append([]command{
		{page.CommandEnable, nil},
		{inspector.CommandEnable, nil},
		{performance.CommandEnable, nil},
		{target.CommandSetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true,
			Flatten: &yes, Filter: inside}},
	}, guard...) {
		var err error
		if last, err = p.wire.send(ctx, s.id, c.method, c.params); err != nil {
			return // the wire is gone, and says so
		}
	}
	defer p.wire.answers.forget(last.id)
	if !fresh {
		// The process is there, and the browser lets the document run as soon as
		// it is told, but the guard takes another road to it: it has to have
		// arrived. To a process that is yet to be, all comes in order.
		select {
		case <-last.c:
		case <-s.Gone():
		case <-time.After(startGrace):
			p.log.Warn("a document starts without the guard: its process did not take it in time")
		}
	}
	_ = s.Send(ctx, runtime.CommandRunIfWaitingForDebugger, nil)
}

// setUpWorker lets a worker of a tab run once what it loads is told.
func (p *Pages) setUpWorker(s *Session) {
	ctx, cancel := context.WithTimeout(context.Background(), standGrace)
	defer cancel()
	yes := true
	for _, c := range []command{{network.CommandEnable, nil},
		{target.CommandSetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes, Filter: only("worker")}},
		{runtime.CommandRunIfWaitingForDebugger, nil}} {
		_ = s.Send(ctx, c.method, c.params) // a wire that is gone says so
	}
}

// startGrace is how long a document may be held back for the guard.
const startGrace = time.Second

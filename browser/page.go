package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
)

var (
	// ErrDialog: a dialog is open, and no script of the page can run.
	ErrDialog = errors.New("a dialog is open")
	// ErrCrashed: the process of the page has ended.
	ErrCrashed = errors.New("the tab has crashed")
	// ErrMoved: the page went on to another document while it was looked at.
	ErrMoved = errors.New("the page navigated meanwhile")
)

// Page is a tab, whatever the browser. Its methods may be called from several
// goroutines.
type Page struct {
	tab tab

	// navigations counts the documents that came into the tab's frames, also
	// those that the browser had kept.
	navigations atomic.Int64
	// closed: there were closed shadow roots in it.
	closed atomic.Bool

	mu sync.Mutex
	// blocked is why no script can run, or nil; then block is open and gets
	// closed when something blocks the tab.
	blocked error
	block   chan struct{}
	crash   chan struct{}
	reading chan struct{}
	dialog  Dialog
	// document is the loader id of the tab's document, as far as it came while we
	// looked.
	document string
	// resolved are the nodes that the upstream looks up, while somebody asks.
	resolved map[Node]bool
}

// Dialog is an open dialog of the page's: its words are the page's.
type Dialog struct {
	// Kind is alert, confirm, prompt or beforeunload.
	Kind string
	// URL is the address of the document that opened it, empty if it is not told.
	URL     string
	Message string
}

// tab is a tab in the protocol of its browser. What it is asked for ends with
// ctx.
type tab interface {
	// gone is closed when the tab is closed or the browser is gone.
	gone() <-chan struct{}
	// frames lists the documents, the main one first.
	frames(ctx context.Context) ([]*Frame, error)
	// address is what [Page.Address] returns.
	address(ctx context.Context) (string, error)
	// activity is what [Page.Activity] returns.
	activity(ctx context.Context) (string, error)
	// run is [Frame.Run], closedRoots [Frame.ClosedRoots].
	run(ctx context.Context, f *Frame, prelude, function string, owners []*Frame, roots []Node) (string, error)
	closedRoots(ctx context.Context, f *Frame) (map[FrameID][]Node, error)
	// pure is [Frame.RunPure].
	pure(ctx context.Context, f *Frame, function string, elements []Node, limit PureLimits) (PureResult, error)
	// guarded says since when the document has the guard, as it tells itself.
	guarded(ctx context.Context, f *Frame) (string, error)
	// sources is what [Page.Sources] returns.
	sources(ctx context.Context) (Sources, error)
}

func newPage(t tab) *Page {
	return &Page{tab: t, block: make(chan struct{}), crash: make(chan struct{}), reading: make(chan struct{})}
}

// Gone is closed when the tab is closed or the browser is gone.
func (p *Page) Gone() <-chan struct{} { return p.tab.gone() }

// Crash returns a channel that is closed when the tab crashes; nil if it has
// crashed already.
func (p *Page) Crash() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(p.blocked, ErrCrashed) {
		return nil
	}
	return p.crash
}

// Reading returns a channel that is closed when the upstream next reads the page
// ([HostConfig.Reads]): what we ask of the page then waits behind that in the page's
// process, and runs while the upstream works on what it has read.
func (p *Page) Reading() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reading
}

func (p *Page) read() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.reading)
	p.reading = make(chan struct{})
}

// Navigations changes whenever a document comes into one of the tab's frames.
func (p *Page) Navigations() int64 { return p.navigations.Load() }

// Document changes with the tab's document; empty if it was there before us, or the
// protocol tells it otherwise ([Frame.Loader]).
func (p *Page) Document() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.document
}

func (p *Page) setDocument(loader string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.document = loader
}

// Dialog is the dialog that is open.
func (p *Page) Dialog() (Dialog, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog, errors.Is(p.blocked, ErrDialog)
}

func (p *Page) setDialog(kind, url, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialog = Dialog{kind, url, message}
}

func (p *Page) setBlocked(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(why, ErrCrashed) && !errors.Is(p.blocked, ErrCrashed) {
		close(p.crash)
		p.crash = make(chan struct{})
	}
	switch {
	case why != nil && p.blocked == nil:
		close(p.block)
	case why == nil && p.blocked != nil:
		p.block = make(chan struct{})
	}
	p.blocked = why
}

// unblocked runs f until it ends or something blocks the tab.
func (p *Page) unblocked(ctx context.Context, f func(context.Context) error) error {
	p.mu.Lock()
	blocked, block := p.blocked, p.block
	p.mu.Unlock()
	if blocked != nil {
		return blocked
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-block:
			p.mu.Lock()
			defer p.mu.Unlock()
			why := p.blocked
			if why == nil {
				why = ErrDialog // it was answered already
			}
			cancel(why)
		case <-inner.Done():
		}
	}()
	err := f(inner)
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// FrameID names a frame for as long as it is there.
type FrameID = cdp.FrameID

// Node is a node for as long as its document lives.
type Node struct {
	backend cdp.BackendNodeID // in Chromium
	process cdp.FrameID       // the root of the frames that share its process, where it is known
	shared  string            // elsewhere
}

// Frame is one document of a tab in one frame.
type Frame struct {
	ID FrameID
	// Loader changes with the document.
	Loader string
	// Origin is that of the document, empty unless it is one of http or https.
	Origin string
	// Parent is nil for the main frame.
	Parent *Frame
	// Apart: a script in the document must not enter those in it, as the upstream
	// names their elements where only scripts of theirs find the names.
	Apart bool

	page *Page
	// session is ours on the frame's process, in Chromium.
	session *Session
	// root is the frame at which the session's process begins.
	root *Frame
}

// Root is the outermost of the frames around that share the frame's process.
func (f *Frame) Root() *Frame { return f.root }

// asked asks the tab for something, unless something blocks it; doing says what
// in an error.
func asked[T any](ctx context.Context, p *Page, doing string, f func(context.Context) (T, error)) (T, error) {
	var out, nothing T
	err := p.unblocked(ctx, func(ctx context.Context) error {
		var err error
		out, err = f(ctx)
		return err
	})
	if err != nil {
		return nothing, fmt.Errorf("%s: %w", doing, err)
	}
	return out, nil
}

// Frames lists the documents of the tab, the main one first; those in processes
// of their own come last, in no certain order.
func (p *Page) Frames(ctx context.Context) ([]*Frame, error) {
	return asked(ctx, p, "listing the documents of a tab", p.tab.frames)
}

// Address is that of the tab's document, by the word of the browser's own process: it
// answers also while the page keeps its process busy.
func (p *Page) Address(ctx context.Context) (string, error) {
	a, err := p.tab.address(ctx)
	if err != nil {
		return "", fmt.Errorf("asking for a tab's address: %w", err)
	}
	return a, nil
}

// Activity counts what the browser has computed anew: while it stays equal, no
// style has changed and nothing was laid out. Empty: not known.
func (p *Page) Activity(ctx context.Context) (string, error) {
	return asked(ctx, p, "asking a tab for its activity", p.tab.activity)
}

// errScript: the function did not return a string.
var errScript = errors.New("the script did not run to its end")

// Run calls a function expression in an isolated world of the document, after
// prelude, which has to be the same text each time: it runs once in each world.
// The arguments are the elements that hold the frames, then the shadow
// roots; a node that is gone is null. The function has to return a string.
func (f *Frame) Run(ctx context.Context, prelude, function string, owners []*Frame, roots []Node) (string, error) {
	return asked(ctx, f.page, "running a script in a tab", func(ctx context.Context) (string, error) {
		return f.page.tab.run(ctx, f, prelude, function, owners, roots)
	})
}

// ClosedRoots lists the closed shadow roots in the documents of the frame's
// process, by frame. No script can find them, but the browser tells.
func (f *Frame) ClosedRoots(ctx context.Context) (map[FrameID][]Node, error) {
	return asked(ctx, f.page, "listing shadow roots", func(ctx context.Context) (map[FrameID][]Node, error) {
		roots, err := f.page.tab.closedRoots(ctx, f)
		if len(roots) > 0 {
			f.page.closed.Store(true)
		}
		return roots, err
	})
}

// Closed reports that the tab has had closed shadow roots.
func (f *Frame) Closed() bool { return f.page.closed.Load() }

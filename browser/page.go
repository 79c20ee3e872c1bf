package browser

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/target"
)

var (
	// ErrDialog: a dialog is open, and no script of the page can run.
	ErrDialog = errors.New("a dialog is open")
	// ErrCrashed: the process of the page has ended.
	ErrCrashed = errors.New("the tab has crashed")
)

// errMoved: the page went on to another document while it was looked at.
var errMoved = errors.New("the page navigated meanwhile")

// Page is a tab. Its methods may be called from several goroutines.
type Page struct {
	pages   *Pages
	target  target.ID
	session *Session

	// navigations counts the documents that came into the tab's frames, also
	// those that the browser had kept.
	navigations atomic.Int64

	mu sync.Mutex
	// roots are our sessions by the frame whose process they reach: the main
	// frame, and each frame that the browser keeps in a process of its own.
	roots map[cdp.FrameID]*Session
	// blocked is why no script can run, or nil; then block is open and gets
	// closed when something blocks the tab.
	blocked error
	block   chan struct{}
	crash   chan struct{}
}

// Gone is closed when the tab is closed or the browser is gone.
func (p *Page) Gone() <-chan struct{} { return p.session.Gone() }

// add takes in a session on the tab's main frame or on one of a process of its
// own.
func (p *Page) add(root cdp.FrameID, s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.roots[root] = s
	s.on(page.JavascriptDialogOpening.Method, func([]byte) { p.setBlocked(ErrDialog) })
	s.on(page.JavascriptDialogClosed.Method, func([]byte) { p.setBlocked(nil) })
	if s == p.session {
		s.on(inspector.TargetCrashed.Method, func([]byte) { p.setBlocked(ErrCrashed) })
		s.on(inspector.TargetReloadedAfterCrash.Method, func([]byte) { p.setBlocked(nil) })
	} else {
		// What a frame of a process of its own showed is gone with the process.
		s.on(inspector.TargetCrashed.Method, func([]byte) {
			p.setRoot(root, nil)
			s.crashed()
		})
		s.on(inspector.TargetReloadedAfterCrash.Method, func([]byte) { p.setRoot(root, s) })
	}
	go func() {
		<-s.Gone()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.roots[root] == s {
			delete(p.roots, root)
		}
	}()
}

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

// Navigations changes whenever a document comes into one of the tab's frames.
func (p *Page) Navigations() int64 { return p.navigations.Load() }

func (p *Page) setRoot(root cdp.FrameID, s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil {
		delete(p.roots, root)
	} else {
		p.roots[root] = s
	}
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

// Frame is one document of a tab in one frame.
type Frame struct {
	ID     cdp.FrameID
	Loader cdp.LoaderID
	// Parent is nil for the main frame.
	Parent *Frame

	page    *Page
	session *Session
	// root is the frame at which the session's process begins.
	root *Frame
}

// Root is the outermost of the frames around that share the frame's process.
func (f *Frame) Root() *Frame { return f.root }

// Frames lists the documents of the tab, the main one first; those in processes
// of their own come last, in no certain order.
func (p *Page) Frames(ctx context.Context) ([]*Frame, error) {
	p.mu.Lock()
	sessions := make([]*Session, 0, len(p.roots))
	for _, s := range p.roots {
		if s != p.session {
			sessions = append(sessions, s)
		}
	}
	p.mu.Unlock()
	sort.Slice(sessions, func(i, j int) bool { return sessions[i].id < sessions[j].id })
	var out []*Frame
	byID := map[cdp.FrameID]*Frame{}
	type orphan struct{ frame, parent cdp.FrameID }
	var orphans []orphan
	err := p.unblocked(ctx, func(ctx context.Context) error {
		for _, s := range append([]*Session{p.session}, sessions...) {
			tree, err := cdp.Call(ctx, cdp.Session(s), page.GetFrameTree, cdp.Empty{})
			if errors.Is(err, ErrNoPage) && s != p.session {
				continue // the frame went away
			}
			if err != nil {
				return err
			}
			if tree.FrameTree == nil || tree.FrameTree.Frame == nil {
				return errMoved
			}
			collectFrames(tree.FrameTree, nil, s, p, byID, &out)
			if s != p.session {
				orphans = append(orphans, orphan{tree.FrameTree.Frame.ID, tree.FrameTree.Frame.ParentID})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the documents of a tab: %w", err)
	}
	for _, o := range orphans {
		byID[o.frame].Parent = byID[o.parent]
	}
	return out, nil
}

func collectFrames(t *page.FrameTree, parent *Frame, s *Session, p *Page, byID map[cdp.FrameID]*Frame, out *[]*Frame) {
	f := &Frame{ID: t.Frame.ID, Loader: t.Frame.LoaderID, Parent: parent, page: p, session: s}
	f.root = f
	if parent != nil {
		f.root = parent.root
	}
	byID[f.ID] = f
	*out = append(*out, f)
	for _, c := range t.ChildFrames {
		if c.Frame != nil {
			collectFrames(c, f, s, p, byID, out)
		}
	}
}

// Activity counts what the browser has computed anew: while it stays equal, no
// style has changed and nothing was laid out. Empty: not known.
func (p *Page) Activity(ctx context.Context) (string, error) {
	p.mu.Lock()
	var roots []string
	sessions := map[string]*Session{}
	for id, s := range p.roots {
		roots = append(roots, string(id))
		sessions[string(id)] = s
	}
	p.mu.Unlock()
	sort.Strings(roots)
	var b strings.Builder
	known := true
	err := p.unblocked(ctx, func(ctx context.Context) error {
		for _, id := range roots {
			m, err := cdp.Call(ctx, cdp.Session(sessions[id]), performance.GetMetrics, cdp.Empty{})
			if errors.Is(err, ErrNoPage) && sessions[id] != p.session {
				known = false // the frame went away
				continue
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s", id)
			counts := 0
			for _, v := range m.Metrics {
				switch v.Name {
				case "LayoutCount", "RecalcStyleCount":
					counts++
					fmt.Fprintf(&b, " %s=%g", v.Name, v.Value)
				}
			}
			known = known && counts == 2
			b.WriteByte('\n')
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("asking a tab for its activity: %w", err)
	}
	if !known {
		return "", nil
	}
	return b.String(), nil
}

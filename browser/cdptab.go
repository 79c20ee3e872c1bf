package browser

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/target"
	"github.com/tidwall/gjson"
)

// cdpTab is a tab of Chromium.
type cdpTab struct {
	*Page
	pages   *Pages
	target  target.ID
	session *Session

	// roots are our sessions by the frame whose process they reach: the main
	// frame, and each frame that the browser keeps in a process of its own.
	roots map[cdp.FrameID]*Session
	// from is nil if nobody asks where scripts come from.
	from *sources
}

func newCDPTab(p *Pages, id target.ID, s *Session) *cdpTab {
	t := &cdpTab{pages: p, target: id, session: s, roots: map[cdp.FrameID]*Session{}}
	if p.sources {
		t.from = newSources()
	}
	t.Page = newPage(t)
	return t
}

func (p *cdpTab) gone() <-chan struct{} { return p.session.Gone() }

// add takes in a session on the tab's main frame or on one of a process of its
// own.
func (p *cdpTab) add(root cdp.FrameID, s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.roots[root] = s
	s.on(page.JavascriptDialogOpening.Method, func(params []byte) {
		p.setDialog(gjson.GetBytes(params, "type").Str, gjson.GetBytes(params, "url").Str, gjson.GetBytes(params, "message").Str)
		p.setBlocked(ErrDialog)
	})
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

func (p *cdpTab) setRoot(root cdp.FrameID, s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil {
		delete(p.roots, root)
	} else {
		p.roots[root] = s
	}
}

func (p *cdpTab) frames(ctx context.Context) ([]*Frame, error) {
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
	for _, s := range append([]*Session{p.session}, sessions...) {
		tree, err := cdp.Call(ctx, cdp.Session(s), page.GetFrameTree, cdp.Empty{})
		if errors.Is(err, ErrNoPage) && s != p.session {
			continue // the frame went away
		}
		if err != nil {
			return nil, err
		}
		if tree.FrameTree == nil || tree.FrameTree.Frame == nil {
			return nil, ErrMoved
		}
		collectFrames(tree.FrameTree, nil, s, p.Page, byID, &out)
		if s != p.session {
			orphans = append(orphans, orphan{tree.FrameTree.Frame.ID, tree.FrameTree.Frame.ParentID})
		}
	}
	for _, o := range orphans {
		byID[o.frame].Parent = byID[o.parent]
	}
	return out, nil
}

func collectFrames(t *page.FrameTree, parent *Frame, s *Session, p *Page, byID map[cdp.FrameID]*Frame, out *[]*Frame) {
	f := &Frame{ID: t.Frame.ID, Loader: string(t.Frame.LoaderID), Origin: webOrigin(t.Frame.SecurityOrigin), Parent: parent, page: p, session: s}
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

// webOrigin is an origin of http or https as the browser writes it; all others are
// empty, opaque ones too.
func webOrigin(s string) string {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		return s
	}
	return ""
}

func (p *cdpTab) address(ctx context.Context) (string, error) {
	i, err := cdp.Call(ctx, cdp.Session(p.pages.wire.own), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: p.target})
	if err != nil {
		return "", err
	}
	if i.TargetInfo == nil {
		return "", ErrNoPage
	}
	return i.TargetInfo.URL, nil
}

func (p *cdpTab) activity(ctx context.Context) (string, error) {
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
	for _, id := range roots {
		m, err := cdp.Call(ctx, cdp.Session(sessions[id]), performance.GetMetrics, cdp.Empty{})
		if errors.Is(err, ErrNoPage) && sessions[id] != p.session {
			known = false // the frame went away
			continue
		}
		if err != nil {
			return "", err
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
	if !known {
		return "", nil
	}
	return b.String(), nil
}

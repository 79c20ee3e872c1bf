package proxy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"moire/browser"
	"moire/scan"
	"moire/wire"
)

// Browser is the upstream's browser as it is known on the wire; it has no tabs
// while it does not run. *browser.Host is one.
type Browser interface{ Tabs() browser.Tabs }

var (
	// errOffWire: the upstream's browser, or the tab, is not on the wire.
	errOffWire = errors.New("the upstream's browser has not started through Moiré")
	// errCrashed: there is nothing left to scan.
	errCrashed = errors.New("the tab has crashed")
	// errNoTab: the upstream has no tab of that id, which it says best itself.
	errNoTab = errors.New("the upstream runs no script in a tab of that id")
	// errBusy: no script of ours came to run in time.
	errBusy = errors.New("the tab is busy: it did not let the scanner run within the time limit " +
		"(hint: call again, or raise --look-timeout)")
)

// trust is that of all looks of the session: no failure of the isolated
// channel falls back to the other, which a page could bring about.
func (p *Proxy) trust() scan.Trust {
	if p.cfg.Browser != nil {
		return scan.TrustIsolated
	}
	return scan.TrustPage
}

// wireTab is a tab of the upstream on the wire.
type wireTab struct {
	page *browser.Page
	last *scan.View
	// read is one more than the navigations of the tab when the upstream last read it.
	read int64
	// unproved: a script broke the limits of its proof, so none is proved there.
	unproved bool
	// moved is when the tab last changed while the upstream read it.
	moved time.Time
}

func (w *wireTab) gone() bool {
	select {
	case <-w.page.Gone():
		return true
	default:
		return false
	}
}

// lookIsolated scans a tab in isolated worlds.
func (p *Proxy) lookIsolated(ctx context.Context, c *call) (*scan.View, error) {
	limited, cancel := context.WithTimeout(ctx, p.cfg.LookTimeout)
	defer cancel()
	w, err := p.onWire(limited, c)
	if err != nil {
		return nil, p.lookError(ctx, err)
	}
	v, err := p.cfg.Scanner.LookIsolated(limited, w.page, w.last)
	if err != nil {
		return nil, p.lookError(ctx, err)
	}
	w.last = v
	return v, nil
}

// lookError says why there is no look; what ended the whole call stays.
func (p *Proxy) lookError(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return err
	case errors.Is(err, browser.ErrDialog):
		return errDialog
	case errors.Is(err, browser.ErrCrashed):
		return errCrashed
	case errors.Is(err, browser.ErrNoPage), errors.Is(err, browser.ErrGone):
		return errNoTab
	case errors.Is(err, context.DeadlineExceeded):
		return errBusy
	}
	return err
}

// act has the upstream do what the call asks. A tab that crashes meanwhile ends
// the call: the upstream would wait for it.
func (p *Proxy) act(ctx context.Context, c *call) (wire.Message, error) {
	if c.proved != nil {
		return *c.proved, nil
	}
	w := p.wiredTab(c)
	if w == nil || c.tab == "" && c.a.Mark.Tool == "" {
		return p.link.Call(ctx, "tools/call", c.sent)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	crash := w.page.Crash()
	go func() {
		select {
		case <-crash:
			cancel(errCrashed)
		case <-ctx.Done():
		}
	}()
	reply, err := p.link.Call(ctx, "tools/call", c.sent)
	if err != nil && errors.Is(context.Cause(ctx), errCrashed) {
		return reply, errCrashed
	}
	return reply, err
}

// wiredTab is the call's tab if it was found on the wire before, else nil.
func (p *Proxy) wiredTab(c *call) *wireTab {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wired[c.tab]
}

// onWire finds the call's tab on the wire. The caller holds the tab's lock.
func (p *Proxy) onWire(ctx context.Context, c *call) (*wireTab, error) {
	w := p.wiredTab(c)
	if w != nil && (c.tab != "" || c.a.Mark.Tool != "") && !w.gone() {
		return w, nil
	}
	tabs := p.cfg.Browser.Tabs()
	if tabs == nil {
		// Upstreams start their browser with the first call that needs it.
		if c.a.Mark.Tool == "" && c.a.Script.Tool == "" {
			return nil, errOffWire
		}
		if err := p.sendMark(ctx, c, "moire"); err != nil {
			return nil, err
		}
		if tabs = p.cfg.Browser.Tabs(); tabs == nil {
			return nil, errOffWire
		}
	}
	if c.a.Mark.Tool == "" && c.a.Script.Tool == "" {
		return p.onlyTab(ctx, c, tabs)
	}
	page, err := tabs.Find(ctx, func(ctx context.Context, mark string) error { return p.sendMark(ctx, c, mark) })
	if err != nil {
		return nil, err
	}
	w = &wireTab{page: page}
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.wired, func(_ string, w *wireTab) bool { return w.gone() })
	p.wired[c.tab] = w
	return w, nil
}

// onlyTab is the tab of an upstream that can't be made to send a mark: the only one
// that shows a page.
func (p *Proxy) onlyTab(ctx context.Context, c *call, tabs browser.Tabs) (*wireTab, error) {
	page, err := tabs.Only(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wired[c.tab]
	if w == nil || w.page != page {
		w = &wireTab{page: page}
		p.wired[c.tab] = w
	}
	return w, nil
}

// sendMark makes the upstream send a word of ours to the tab: on the wire it
// shows which one that is. Nothing that the tab answers plays a part.
func (p *Proxy) sendMark(ctx context.Context, c *call, mark string) error {
	e := evaluator{p, c}
	if m := c.a.Mark; m.Tool != "" {
		_, err := e.tool(ctx, m.Tool, map[string]any{m.Argument: mark})
		return err
	}
	// It is no script: nothing runs, and the upstream waits for nothing.
	args := map[string]any{c.a.Script.Function: fmt.Sprintf("(%q", mark)}
	for k, v := range c.a.Script.With {
		args[k] = v
	}
	_, err := e.tool(ctx, c.a.Script.Tool, args)
	return err
}

// forgetLook has the next look at the tab scan it.
func (p *Proxy) forgetLook(tab string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.wired[tab]; w != nil {
		w.last = nil
	}
}

// forget has the tab looked for again.
func (p *Proxy) forget(tab string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.wired, tab)
}

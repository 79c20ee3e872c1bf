package proxy

import (
	"context"
	"time"

	"moire/adapter"
	"moire/scan"
)

// overlapped is a look that runs while the upstream works on what it has read of
// the page. A stamp taken before the call, one after it and a scan between, all
// equal, say that the scan saw what was there all the time: it is the look before
// and the look after.
type overlapped struct {
	stamp string
	stop  context.CancelFunc
	// replied is closed when the upstream has answered, done when the look has ended.
	replied, done chan struct{}
	view          *scan.View
	err           error
	ended         time.Time
}

const (
	// restless is how long a tab that changed during a call has its looks taken
	// apart again, apart is how long two looks behind a call are from each other: a
	// person sees what shows for that long.
	restless = 30 * time.Second
	apart    = 500 * time.Millisecond
)

// overlap begins such a look, if the tab can be stamped and has been quiet. If
// nothing has changed since the last look, that one is taken. It reports false if
// the look before has to be taken now.
func (p *Proxy) overlap(ctx context.Context, c *call) bool {
	if p.cfg.Browser == nil || c.row.Look != adapter.LookAround || c.a.Launch.Browser == nil || c.a.Launch.Browser.Reads == "" {
		return false
	}
	p.mu.Lock()
	w := p.wired[c.tab]
	p.mu.Unlock()
	// The first read of a document has the browser compute what it had not before, which
	// looks like a change.
	if w == nil || w.gone() || w.last == nil || w.read != w.page.Navigations()+1 || p.cfg.Session.Clock.Now().Sub(w.moved) < restless {
		return false
	}
	limited, cancel := context.WithTimeout(ctx, p.cfg.LookTimeout)
	stamp, err := p.cfg.Scanner.Stamp(limited, w.page)
	if err != nil || stamp == "" {
		cancel()
		return false
	}
	if w.last.Stamped(stamp) {
		cancel()
		c.before = w.last
		return true
	}
	p.forgetLook(c.tab) // it is of no more use, and large
	reading := w.page.Reading()
	o := &overlapped{stamp: stamp, stop: cancel, replied: make(chan struct{}), done: make(chan struct{})}
	c.overlapped = o
	go func() {
		defer close(o.done)
		select {
		case <-reading:
		case <-o.replied: // it read nothing
		case <-limited.Done():
		}
		o.view, o.err = p.cfg.Scanner.LookIsolated(limited, w.page, nil)
		o.ended = time.Now()
	}()
	return true
}

// end waits for the look, whose result nobody wants any more if it has none yet.
func (o *overlapped) end() {
	o.stop()
	<-o.done
}

// joined ends an overlapped look: it is the look before, or, if the tab changed
// during the call, the first of two behind it.
func (p *Proxy) joined(ctx context.Context, c *call) error {
	o := c.overlapped
	select {
	case <-o.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if o.err != nil {
		return p.lookError(ctx, o.err)
	}
	c.before = o.view
	p.mu.Lock()
	w := p.wired[c.tab]
	if w != nil {
		w.last = o.view
		if !o.view.Stamped(o.stamp) {
			w.moved = p.cfg.Session.Clock.Now()
		}
	}
	p.mu.Unlock()
	if o.view.Stamped(o.stamp) {
		return nil
	}
	p.log.Debug("the tab changed while the upstream read it")
	select {
	case <-time.After(apart - time.Since(o.ended)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wasRead notes that the upstream has read the document that is in a tab.
func (p *Proxy) wasRead(tab string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.wired[tab]; w != nil {
		w.read = w.page.Navigations() + 1
	}
}

package browser

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// meetGrace is how long a peer on this machine may take to say what it wants,
// maxLink how many bytes that may be.
const (
	meetGrace = 5 * time.Second
	maxLink   = 4096
)

// HostConfig says what the shim becomes.
type HostConfig struct {
	// Self is this program, Browser the real one; both absolute.
	Self, Browser string
	// World begins the names of the isolated worlds in which the upstream keeps
	// its names of elements; empty if it has none. Scans run there.
	World string
	// Reads is the command by which the upstream reads a page, for [Page.Reading];
	// empty if there is none.
	Reads string
	// Sources has the tabs followed for [Page.Sources].
	Sources bool
	Logger  *slog.Logger
}

// Tabs finds the tabs of a running browser.
type Tabs interface {
	// Find returns the tab to which do makes the upstream send a text that
	// holds a mark. That is how the upstream's own ids of tabs are mapped to
	// tabs: what the tab itself says plays no part. [ErrNoPage] if it sent none.
	Find(ctx context.Context, do func(ctx context.Context, mark string) error) (*Page, error)
	// Only returns the one tab that shows a page. [ErrBlank] if there is none,
	// [ErrNoPage] if there are more.
	Only(ctx context.Context) (*Page, error)
	// Sessions counts what of the browser is held open for us.
	Sessions() int
}

// onWire is a browser that Moiré stands before.
type onWire interface {
	Tabs
	done() <-chan struct{}
	close()
}

// current is the browser that runs now.
type current struct {
	mu     sync.Mutex
	now    onWire
	closed bool
}

// Tabs returns those of the running browser, nil if none runs on the wire.
func (c *current) Tabs() Tabs {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.live(); r != nil {
		return r
	}
	return nil
}

func (c *current) live() onWire {
	if c.now == nil {
		return nil
	}
	select {
	case <-c.now.done():
		return nil
	default:
		return c.now
	}
}

// set reports false if another browser runs, or nothing is wanted any more.
func (c *current) set(r onWire) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.live() != nil {
		return false
	}
	c.now = r
	return true
}

// cut ends the wire, if there is one, and admits no other.
func (c *current) cut() {
	c.mu.Lock()
	c.closed = true
	r := c.live()
	c.mu.Unlock()
	if r != nil {
		r.close()
	}
}

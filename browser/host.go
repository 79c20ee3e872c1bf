package browser

import (
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
	Logger        *slog.Logger
}

// current is the browser that runs now.
type current struct {
	mu     sync.Mutex
	pages  *Pages
	closed bool
}

// Pages returns what is known of the running browser's tabs, nil if none runs
// on the wire.
func (c *current) Pages() *Pages {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running()
}

func (c *current) running() *Pages {
	if c.pages == nil {
		return nil
	}
	select {
	case <-c.pages.wire.Done():
		return nil
	default:
		return c.pages
	}
}

// set reports false if another browser runs, or nothing is wanted any more.
func (c *current) set(p *Pages) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.running() != nil {
		return false
	}
	c.pages = p
	return true
}

// cut ends the wire, if there is one, and admits no other.
func (c *current) cut() {
	c.mu.Lock()
	c.closed = true
	p := c.running()
	c.mu.Unlock()
	if p != nil {
		_ = p.wire.Close()
	}
}

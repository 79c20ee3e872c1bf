// Package session holds one agent's state. Nothing in Moiré is global: what a
// handler needs to remember hangs on a [Session]. It makes no decisions and
// speaks no protocol.
package session

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"moire/policy"
	"moire/scan"
)

// Clock tells the time; tests pass their own.
type Clock interface{ Now() time.Time }

// Session belongs to one connection of one agent.
type Session struct {
	Clock Clock
	// URLs are the handles that stand for addresses nobody was shown.
	URLs *scan.URLs
	// Key makes digests and segment ids; it is the past's.
	Key []byte

	given, titles, advised *memory

	past Past

	mu    sync.Mutex
	tabs  map[string]*Tab
	count Counters
}

// Past is what policy knows of the past, wherever it is kept.
type Past interface {
	// Key is for digests that are equal for all who share the past.
	Key() []byte
	// Happened moves the state on, and returns it. After an error nothing has
	// happened.
	Happened(e policy.Event) (policy.State, error)
}

// Happened moves what policy knows of the past on, and returns it.
func (s *Session) Happened(e policy.Event) (policy.State, error) { return s.past.Happened(e) }

// fleeting is a past that ends with the session.
type fleeting struct {
	key []byte

	mu    sync.Mutex
	state policy.State
}

func newFleeting() *fleeting {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails, by its documentation
	return &fleeting{key: key}
}

func (f *fleeting) Key() []byte { return f.key }

func (f *fleeting) Happened(e policy.Event) (policy.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state = policy.Next(f.state, e)
	return f.state, nil
}

// Counters are what a person may be told of a session.
type Counters struct {
	Calls, Withheld, Refused int
}

// Tab is what is known of one tab of the browser. Its lock is held for a whole
// call, so that the looks that bracket a read bracket nothing else.
type Tab struct {
	lock chan struct{}

	mu        sync.Mutex
	explainer *scan.Explainer
	foreign   []string
}

// New makes a session on a past; without one, nil, the past ends with it.
func New(clock Clock, past Past) *Session {
	if past == nil {
		past = newFleeting()
	}
	return &Session{Clock: clock, URLs: scan.NewURLs(), Key: past.Key(), past: past, tabs: map[string]*Tab{}, given: newMemory(maxGiven), titles: newMemory(maxTitles), advised: newMemory(maxTitles)}
}

// Tab returns the tab of that id.
func (s *Session) Tab(id string) *Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tabs[id]
	if t == nil {
		t = &Tab{lock: make(chan struct{}, 1)}
		s.tabs[id] = t
	}
	return t
}

// Known returns the explainer of a tab's last look, or nil.
func (s *Session) Known(id string) *scan.Explainer {
	s.mu.Lock()
	t := s.tabs[id]
	s.mu.Unlock()
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.explainer
}

// maxGiven is how many texts of the agent are remembered, maxTitles how many
// titles, maxText how long each may be in bytes; any more are judged like a page's.
const maxGiven, maxTitles, maxText = 64, 256, 4096

// memory is a bounded set of texts.
type memory struct {
	mu    sync.Mutex
	max   int
	texts map[string]bool
}

func newMemory(max int) *memory { return &memory{max: max, texts: map[string]bool{}} }

func (m *memory) add(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.texts) < m.max && len(text) <= maxText {
		m.texts[text] = true
	}
}

func (m *memory) has(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[text]
}

// Give remembers a text of the agent's own that the upstream may repeat.
func (s *Session) Give(text string) { s.given.add(text) }

// Gave reports whether the agent gave exactly that text.
func (s *Session) Gave(text string) bool { return s.given.has(text) }

// ShowTitle remembers a title that its tab shows whole: it may be told again
// while another tab is looked at.
func (s *Session) ShowTitle(title string) { s.titles.add(title) }

// ShownTitle reports whether a tab has shown exactly that title.
func (s *Session) ShownTitle(title string) bool { return s.titles.has(title) }

// Advise reports true the first time that the agent is advised about an origin.
func (s *Session) Advise(origin string) bool {
	if s.advised.has(origin) {
		return false
	}
	s.advised.add(origin)
	return true
}

// Count adds to the counters.
func (s *Session) Count(c Counters) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.Calls += c.Calls
	s.count.Withheld += c.Withheld
	s.count.Refused += c.Refused
}

// Counters returns them as they are now.
func (s *Session) Counters() Counters {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Lock waits for the tab, or for ctx.
func (t *Tab) Lock(ctx context.Context) error {
	select {
	case t.lock <- struct{}{}:
		if err := ctx.Err(); err != nil { // both were ready
			t.Unlock()
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unlock gives the tab to the next call.
func (t *Tab) Unlock() { <-t.lock }

// Saw remembers what the last look explains.
func (t *Tab) Saw(e *scan.Explainer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.explainer = e
}

// Foreign returns the ids of documents of other origins in the last snapshot;
// SetForeign replaces them.
func (t *Tab) Foreign() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.foreign
}

// SetForeign remembers documents that need a look of their own.
func (t *Tab) SetForeign(ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.foreign = ids
}

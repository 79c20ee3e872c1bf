// Package approval holds the questions that wait for a person. [Queue.Ask] puts
// one, [Queue.List] shows them to a surface, [Queue.Answer] brings a person's
// word. [Serve] is the first surface, a socket for the command line.
//
// Invariants: one question an act, by its key (TestEqualActsAreOneQuestion). A
// yes is used once (TestAYesIsUsedOnce) and is gone after the expiry
// (TestQuestionsExpire); a no holds as long for the same act
// (TestANoHolds). Nothing but [Queue.Answer] makes a yes: no time, no full queue,
// no end of a connection does.
//
// It does not know who answers: that is proved by [Presence], where the answer
// comes in. It shows no word of a page.
package approval

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"moire/policy"
)

// Question is what a person is asked: the tool, why it is asked for, and the facts
// that were decided on.
type Question struct {
	Key   string           `json:"-"`
	Tool  string           `json:"tool"`
	Why   string           `json:"why"`
	Rules []policy.Applied `json:"rules,omitempty"`
	Facts policy.Facts     `json:"facts"`
}

// Item is a question as a surface sees it.
type Item struct {
	ID string `json:"id"`
	Question
	Asked   time.Time `json:"asked"`
	Expires time.Time `json:"expires"`
}

// Answer is what became of a question for one who asked.
type Answer struct {
	Allowed, Pending bool
	ID               string
}

// Clock tells the time.
type Clock interface{ Now() time.Time }

// Config makes a queue.
type Config struct {
	Clock Clock
	// Expiry is how long a question and its answer live, Patience how long an
	// asker waits: clients give a call up after about a minute.
	Expiry, Patience time.Duration
	// Notify is told of each new question; it must not block.
	Notify func(Item)
}

// Times of the product.
const (
	Expiry   = 5 * time.Minute
	Patience = 50 * time.Second
)

// maxOpen bounds the questions that wait: a person who is asked more reads none.
const maxOpen = 16

var (
	// ErrUnknown: no question of that id waits.
	ErrUnknown = errors.New("no question of that id waits")
	// ErrAnswered: it has its answer.
	ErrAnswered = errors.New("the question has its answer already")
)

// Queue holds the questions of one session. Methods may be called from several
// goroutines.
type Queue struct {
	cfg Config

	mu   sync.Mutex
	list []*entry
}

type entry struct {
	Item
	answered, allowed bool
	done              chan struct{} // closed with the answer
}

// New makes an empty queue.
func New(cfg Config) *Queue { return &Queue{cfg: cfg} }

// Ask puts a question and waits for its answer, for [Config.Patience] or ctx. An
// equal act that waits already is the same question.
func (q *Queue) Ask(ctx context.Context, ask Question) Answer {
	e := q.put(ask)
	if e == nil {
		return Answer{}
	}
	patience := time.NewTimer(q.cfg.Patience)
	defer patience.Stop()
	select {
	case <-e.done:
	case <-patience.C:
	case <-ctx.Done():
	}
	return q.take(e)
}

// put finds the question or makes it; nil if there are too many.
func (q *Queue) put(ask Question) *entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	open := 0
	for _, e := range q.list {
		if e.Key == ask.Key {
			return e
		}
		if !e.answered {
			open++
		}
	}
	if open >= maxOpen {
		return nil
	}
	now := q.cfg.Clock.Now()
	e := &entry{Item: Item{ID: newID(), Question: ask, Asked: now, Expires: now.Add(q.cfg.Expiry)}, done: make(chan struct{})}
	q.list = append(q.list, e)
	if q.cfg.Notify != nil {
		q.cfg.Notify(e.Item)
	}
	return e
}

// take reads the answer; a yes is taken away with it.
func (q *Queue) take(e *entry) Answer {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	at := slices.Index(q.list, e)
	switch {
	case at < 0: // it has expired, or another asker has taken the yes
		return Answer{ID: e.ID}
	case !e.answered:
		return Answer{Pending: true, ID: e.ID}
	case e.allowed:
		q.list = slices.Delete(q.list, at, at+1)
		return Answer{Allowed: true, ID: e.ID}
	}
	return Answer{ID: e.ID}
}

// expire forgets what is too old. The caller holds the lock.
func (q *Queue) expire() {
	now := q.cfg.Clock.Now()
	q.list = slices.DeleteFunc(q.list, func(e *entry) bool { return !now.Before(e.Expires) })
}

// List are the questions that wait, the oldest first.
func (q *Queue) List() []Item {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	var out []Item
	for _, e := range q.list {
		if !e.answered {
			out = append(out, e.Item)
		}
	}
	return out
}

// Answer brings a person's word.
func (q *Queue) Answer(id string, allow bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	for _, e := range q.list {
		if e.ID != strings.ToLower(id) {
			continue
		}
		if e.answered {
			return ErrAnswered
		}
		e.answered, e.allowed = true, allow
		close(e.done)
		return nil
	}
	return ErrUnknown
}

// newID is short enough to type, and can't be guessed from another.
func newID() string { return strings.ToLower(rand.Text()[:6]) }

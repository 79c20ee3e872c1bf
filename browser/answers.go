package browser

import "sync"

// Our own commands have ids from firstOwnID up to lastOwnID. Upstreams count
// from 1; one that came this far would be cut off, not mixed up. Beyond lastOwnID
// is only Playwright, which ends Firefox with an id near 2^53.
const (
	firstOwnID = 1 << 30
	lastOwnID  = 1 << 31
)

// ours reports whether a command of that id is ours.
func ours(id int64) bool { return id >= firstOwnID && id < lastOwnID }

// answers are those that our own commands in flight wait for.
type answers struct {
	mu      sync.Mutex
	last    int64
	waiting map[int64]chan<- []byte
}

// pending is a command of ours in flight.
type pending struct {
	id int64
	c  <-chan []byte
}

func newAnswers() *answers { return &answers{last: firstOwnID, waiting: map[int64]chan<- []byte{}} }

// expect gives the next command its id.
func (a *answers) expect() pending {
	c := make(chan []byte, 1)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last++; a.last >= lastOwnID {
		a.last = firstOwnID
	}
	a.waiting[a.last] = c
	return pending{a.last, c}
}

// resolve hands an answer to whom it is for; nil if it was too long.
func (a *answers) resolve(id int64, frame []byte) {
	a.mu.Lock()
	answer := a.waiting[id]
	delete(a.waiting, id)
	a.mu.Unlock()
	if answer != nil { // else its caller gave up
		answer <- frame
	}
}

// forget gives an answer up.
func (a *answers) forget(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, id)
}

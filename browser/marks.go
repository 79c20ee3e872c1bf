package browser

import (
	"bytes"
	"context"
	"sync"
)

// marks are words that are looked for in what the upstream sends: they tell which
// of its tabs is which.
type marks struct {
	mu     sync.Mutex
	wanted map[string]chan<- string
}

// seen looks for marks in what the upstream sends to a target.
func (m *marks) seen(frame []byte, target string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for mark, found := range m.wanted {
		if bytes.Contains(frame, []byte(mark)) {
			delete(m.wanted, mark)
			found <- target
		}
	}
}

// find returns the target to which do makes the upstream send a mark.
// [ErrNoPage] if it sent none.
func (m *marks) find(ctx context.Context, do func(ctx context.Context, mark string) error) (string, error) {
	mark := "moire-" + token()
	found := make(chan string, 1)
	m.mu.Lock()
	if m.wanted == nil {
		m.wanted = map[string]chan<- string{}
	}
	m.wanted[mark] = found
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.wanted, mark)
	}()
	if err := do(ctx, mark); err != nil {
		return "", err
	}
	select {
	case target := <-found:
		return target, nil
	default:
		return "", ErrNoPage
	}
}

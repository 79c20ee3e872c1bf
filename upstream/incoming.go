package upstream

import (
	"strconv"

	"moire/wire"
)

// Codes of https://www.jsonrpc.org/specification#error_object; the last is of
// the range left to implementations.
const (
	codeNoMethod = -32601
	codeBusy     = -32000
)

type refusal struct {
	id      []byte
	code    int
	message string
}

// frame sorts a gated frame. It never blocks: if the reader waited for the child
// to read while the child waits for us to, both would wait for ever.
func (l *Link) frame(frame []byte) {
	m, err := wire.Parse(frame)
	if err != nil {
		l.refused(&RefusedFrameError{})
		return
	}
	switch m.Kind {
	case wire.MessageResult, wire.MessageError:
		l.answer(m)
	case wire.MessageRequest:
		l.request(m)
	case wire.MessageNotification:
		select {
		case l.notes <- m:
		default:
			l.count(func(s *Stats) *int { return &s.NotificationsDropped })
		}
	}
}

// answer hands a response to its call, or counts why there is none.
func (l *Link) answer(m wire.Message) {
	id, err := strconv.ParseInt(string(m.Bytes(m.ID)), 10, 64)
	// Behind the gate a number has one spelling; "7" in quotes is not ours.
	known := err == nil && id > 0
	l.mu.Lock()
	defer l.mu.Unlock()
	_, late := l.cancelled[id]
	ch, waits := l.pending[id]
	switch {
	case !known || id > l.issued:
		l.stats.Unknown++
	case waits:
		delete(l.pending, id)
		ch <- answer{m: m}
	case late:
		delete(l.cancelled, id)
		l.stats.Late++
	default:
		l.stats.Duplicate++
	}
}

func (l *Link) request(m wire.Message) {
	id := m.Bytes(m.ID)
	if l.cfg.Incoming == nil {
		l.enqueue(refusal{id, codeNoMethod, "method not supported"})
		return
	}
	select {
	case l.slots <- struct{}{}:
	default:
		l.enqueue(refusal{id, codeBusy, "too many requests at a time"})
		return
	}
	l.spawn(func() {
		defer func() { <-l.slots }()
		l.cfg.Incoming.Request(l.ctx, m)
	})
}

func (l *Link) enqueue(r refusal) {
	l.count(func(s *Stats) *int { return &s.RequestsRefused })
	select {
	case l.refusals <- r:
	default: // a child that asks this much and does not read gets no answer
	}
}

// refuse sends the refusals.
func (l *Link) refuse() {
	for {
		select {
		case r := <-l.refusals:
			if err := l.ReplyError(l.ctx, r.id, r.code, r.message); err != nil {
				l.cfg.Logger.Debug("refusal not sent", "error", err)
			}
		case <-l.dead:
			return
		}
	}
}

// notify hands over the notifications in order.
func (l *Link) notify() {
	for {
		select {
		case m := <-l.notes:
			if l.cfg.Incoming != nil {
				l.cfg.Incoming.Notification(l.ctx, m)
			}
		case <-l.dead:
			return
		}
	}
}

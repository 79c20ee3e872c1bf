package upstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moire/wire"
)

// initialize is the one request that "clients MUST NOT" cancel.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
const initialize = "initialize"

// Call sends a request and returns the response as it came, a result or a
// JSON-RPC error; its ID is ours, so a caller that relays it writes its own.
// params is a JSON object or nil. When ctx ends, the child is told and Call
// returns ctx's error. Progress tokens inside params are the caller's matter.
func (l *Link) Call(ctx context.Context, method string, params []byte) (wire.Message, error) {
	id, ch, err := l.register(ctx)
	if err != nil {
		return wire.Message{}, err
	}
	text := strconv.FormatInt(id, 10)
	frame, err := build(`"id":`+text+`,"method":`+string(wire.Quote(method)), "params", params)
	if err != nil {
		l.forget(id)
		return wire.Message{}, fmt.Errorf("calling upstream: %w", err)
	}
	if err := l.cfg.Conn.Write(ctx, frame); err != nil {
		return wire.Message{}, l.writeFailed(ctx, id, method, err)
	}
	select {
	case a := <-ch:
		return a.m, a.err
	case <-ctx.Done():
		l.abandon(id, method)
		return wire.Message{}, ctx.Err()
	}
}

// Notify sends a notification.
func (l *Link) Notify(ctx context.Context, method string, params []byte) error {
	frame, err := build(`"method":`+string(wire.Quote(method)), "params", params)
	return l.send(ctx, "notifying", frame, err)
}

// Reply answers a request of the child. id is the request's, as it was written.
func (l *Link) Reply(ctx context.Context, id, result []byte) error {
	frame, err := build(`"id":`+string(id), "result", result)
	return l.send(ctx, "answering", frame, err)
}

// ReplyError refuses a request of the child.
func (l *Link) ReplyError(ctx context.Context, id []byte, code int, message string) error {
	body := fmt.Appendf(nil, `{"code":%d,"message":%s}`, code, wire.Quote(message))
	frame, err := build(`"id":`+string(id), "error", body)
	return l.send(ctx, "answering", frame, err)
}

func (l *Link) send(ctx context.Context, what string, frame []byte, err error) error {
	if err == nil {
		err = l.cfg.Conn.Write(ctx, frame)
	}
	if err != nil {
		return fmt.Errorf("%s upstream: %w", what, err)
	}
	return nil
}

// build assembles a frame. A piece that is not one whole value would smuggle
// members in, or a second message; what does not parse back is refused.
func build(head, name string, value []byte) ([]byte, error) {
	frame := append([]byte(`{"jsonrpc":"2.0",`), head...)
	if value != nil {
		frame = append(frame, `,"`+name+`":`...)
		frame = append(frame, value...)
	}
	frame = append(frame, '}')
	m, err := wire.Parse(frame)
	if err == nil && len(m.Extra) > 0 {
		err = errors.New("building message: a part is not one JSON value")
	}
	return frame, err
}

// register opens an id. Ids count up and are never used again.
func (l *Link) register(ctx context.Context) (int64, chan answer, error) {
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return 0, nil, l.failed
	}
	l.issued++
	l.stats.Calls++
	ch := make(chan answer, 1)
	l.pending[l.issued] = ch
	return l.issued, ch, nil
}

// forget drops a call that was not sent, and reports whether it still waited.
func (l *Link) forget(id int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, waited := l.pending[id]
	delete(l.pending, id)
	return waited
}

// writeFailed finds the better error: a broken pipe is mostly a dead child.
func (l *Link) writeFailed(ctx context.Context, id int64, method string, err error) error {
	if ctx.Err() != nil {
		l.abandon(id, method) // it may have been sent
		return ctx.Err()
	}
	l.forget(id)
	var gate *wire.GateError
	if !errors.As(err, &gate) {
		select {
		case <-l.dead:
			return l.failed
		case <-ctx.Done():
		case <-time.After(exitGrace):
		}
	}
	return fmt.Errorf("calling upstream: %w", err)
}

// abandon tells the child that nobody waits any more.
func (l *Link) abandon(id int64, method string) {
	l.mu.Lock()
	_, waited := l.pending[id]
	delete(l.pending, id)
	if waited {
		l.stats.Cancelled++
		if len(l.cancelled) == maxCancelled {
			clear(l.cancelled) // their answers will count as duplicates
		}
		l.cancelled[id] = struct{}{}
	}
	l.mu.Unlock()
	if !waited || method == initialize {
		return
	}
	l.spawn(func() {
		ctx, cancel := context.WithTimeout(l.ctx, cancelGrace)
		defer cancel()
		params := fmt.Appendf(nil, `{"requestId":%d,"reason":"the caller gave up"}`, id)
		if err := l.Notify(ctx, "notifications/cancelled", params); err != nil {
			l.cfg.Logger.Debug("cancellation not sent", "error", err)
		}
	})
}

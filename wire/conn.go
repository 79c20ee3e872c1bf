package wire

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// Conn carries frames. One goroutine reads; any number may write and close.
//
// Read returns the next frame that passed the gate; the caller owns it. A
// *[GateError] is one refused frame, and the next Read goes on behind it. Any
// other error is final, io.EOF if the peer ended in order. Read returns early
// when ctx ends, without losing a frame.
//
// Write sends one frame, which it does not keep, and gates it too: an edit gone
// wrong must not become a second message. When ctx ends it returns early. Then
// the frame is sent whole or not at all, and which of them is not known.
//
// Close ends both directions; calls in progress return io.ErrClosedPipe. It may
// be called again.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, frame []byte) error
	Close() error
}

// pipeDepth is how many frames wait in a Pipe before Write blocks.
const pipeDepth = 64

// Pipe returns the two ends of a connection in memory, for tests, in synctest
// bubbles too. What one end writes is gated there. To send what no gate would
// pass, put a NewLineConn on one end of io.Pipe and write bytes to the other.
func Pipe(l Limits) (Conn, Conn) {
	ab, ba := make(chan []byte, pipeDepth), make(chan []byte, pipeDepth)
	aDone, bDone := make(chan struct{}), make(chan struct{})
	a := &pipeEnd{in: ba, out: ab, own: aDone, peer: bDone, limits: l}
	b := &pipeEnd{in: ab, out: ba, own: bDone, peer: aDone, limits: l}
	return a, b
}

type pipeEnd struct {
	in     <-chan []byte
	out    chan<- []byte
	own    chan struct{}
	peer   <-chan struct{}
	once   sync.Once
	limits Limits
}

func (p *pipeEnd) Read(ctx context.Context) ([]byte, error) {
	if err := ended(ctx, p.own); err != nil {
		return nil, err
	}
	select {
	case f := <-p.in:
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.own:
		return nil, io.ErrClosedPipe
	case <-p.peer:
		select {
		case f := <-p.in: // written before the peer closed
			return f, nil
		default:
			return nil, io.EOF
		}
	}
}

func (p *pipeEnd) Write(ctx context.Context, frame []byte) error {
	if err := Check(frame, p.limits); err != nil {
		return err
	}
	if err := ended(ctx, p.own, p.peer); err != nil {
		return err
	}
	select {
	case p.out <- bytes.Clone(frame):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-p.own:
		return io.ErrClosedPipe
	case <-p.peer:
		return io.ErrClosedPipe
	}
}

func (p *pipeEnd) Close() error {
	p.once.Do(func() { close(p.own) })
	return nil
}

// ended makes the end win over work that is ready too: select would toss a coin.
func ended(ctx context.Context, closed ...<-chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, c := range closed {
		select {
		case <-c:
			return io.ErrClosedPipe
		default:
		}
	}
	return nil
}

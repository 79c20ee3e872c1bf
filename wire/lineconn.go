package wire

import (
	"context"
	"errors"
	"io"
	"sync"
)

// lineConn is Conn over a pair of byte streams.
type lineConn struct {
	r      io.Closer
	w      io.WriteCloser
	limits Limits

	frames chan received
	writes chan writing
	closed chan struct{}
	once   sync.Once
	err    error // of Close

	final error // of reading; set before frames is closed
}

type received struct {
	frame []byte
	err   error // a *GateError
}

type writing struct {
	line []byte
	done chan error
}

// NewLineConn carries frames as lines, as MCP's stdio transport does: "Messages
// are delimited by newlines, and MUST NOT contain embedded newlines."
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
//
// Reading: blank lines are skipped. A line that does not begin with "{" is
// ReasonNotObject; servers print such noise, so the caller counts and skips it.
// A line beyond the limit is discarded as it arrives, never buffered
// (TestLineConnBoundsMemory). Escaped surrogate halves are mended ([Mend]).
// An unterminated last line counts if it passes, else Read reports
// io.ErrUnexpectedEOF.
//
// It owns r and w and starts two goroutines, which end after Close as soon as
// r.Read and w.Write return. For pipes and sockets Close makes them return; a
// terminal's Read may stay until the process ends. Limits that do not validate
// refuse all frames.
func NewLineConn(r io.ReadCloser, w io.WriteCloser, l Limits) Conn {
	if l.Validate() != nil {
		l = Limits{}
	}
	c := &lineConn{
		r: r, w: w, limits: l,
		frames: make(chan received),
		writes: make(chan writing),
		closed: make(chan struct{}),
	}
	go c.readLoop(newLineReader(r, l))
	go c.writeLoop()
	return c
}

func (c *lineConn) readLoop(lines *lineReader) {
	defer close(c.frames)
	for {
		frame, err := lines.next()
		var refused *GateError
		if err != nil && !errors.As(err, &refused) {
			c.final = err
			return
		}
		select {
		case c.frames <- received{frame, err}:
		case <-c.closed:
			c.final = io.ErrClosedPipe
			return
		}
	}
}

func (c *lineConn) Read(ctx context.Context) ([]byte, error) {
	if err := ended(ctx, c.closed); err != nil {
		return nil, err
	}
	select {
	case got, ok := <-c.frames:
		if !ok {
			return nil, c.readErr()
		}
		return got.frame, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.ErrClosedPipe
	}
}

// readErr hides that closing a stream shows as an error of its Read.
func (c *lineConn) readErr() error {
	if err := ended(context.Background(), c.closed); err != nil {
		return err
	}
	return c.final
}

func (c *lineConn) Write(ctx context.Context, frame []byte) error {
	line, err := toLine(frame, c.limits)
	if err != nil {
		return err
	}
	if err := ended(ctx, c.closed); err != nil {
		return err
	}
	job := writing{line, make(chan error, 1)}
	select {
	case c.writes <- job:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return io.ErrClosedPipe
	}
	select {
	case err := <-job.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return io.ErrClosedPipe
	}
}

// writeLoop is a goroutine of its own because a peer that does not read blocks
// Write of a pipe, and half a line can't be taken back when ctx ends.
func (c *lineConn) writeLoop() {
	var broken error
	for {
		select {
		case job := <-c.writes:
			// After an error nobody knows how much of a line is out: what
			// followed could be read as its end.
			if broken == nil {
				_, broken = c.w.Write(job.line)
			}
			job.done <- broken
		case <-c.closed:
			return
		}
	}
}

func (c *lineConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.err = errors.Join(c.w.Close(), c.r.Close())
	})
	return c.err
}

// toLine gates a frame and copies it to a line. Behind the gate a raw newline
// can only stand between tokens, where a space means the same.
func toLine(frame []byte, l Limits) ([]byte, error) {
	if err := Check(frame, l); err != nil {
		return nil, err
	}
	line := make([]byte, len(frame)+1)
	copy(line, frame)
	for i, c := range line {
		if c == '\n' || c == '\r' {
			line[i] = ' '
		}
	}
	line[len(frame)] = '\n'
	return line, nil
}

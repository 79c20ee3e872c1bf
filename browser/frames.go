package browser

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// MaxFrame bounds a DevTools message that is held whole, in bytes. Screenshots
// of long pages and accessibility trees of 100,000 nodes stay below. Answers to
// the upstream pass through, however long.
const MaxFrame = 256 << 20

// errLong is a message beyond MaxFrame: it is dropped, and the next one follows
// behind its end.
var errLong = fmt.Errorf("a DevTools message is larger than %d MiB", MaxFrame>>20)

// frameReader cuts a stream into messages.
type frameReader struct {
	r   *bufio.Reader
	max int
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{bufio.NewReaderSize(r, 256<<10), MaxFrame}
}

// next returns a message without its end. io.EOF between messages is the
// stream's orderly end.
func (f *frameReader) next() ([]byte, error) {
	var frame bytes.Buffer
	err := f.pour(func([]byte) io.Writer { return limited{&frame, f.max} })
	return frame.Bytes(), err
}

// limited holds a message, if it is not too long.
type limited struct {
	to  *bytes.Buffer
	max int
}

func (l limited) Write(p []byte) (int, error) {
	if l.to.Len()+len(p) > l.max {
		return 0, errLong
	}
	return l.to.Write(p)
}

// pour writes one message without its end to where its first bytes (all of a
// short message) say, as it comes in. It reads to the end of the message also
// when that is too long for the writer.
func (f *frameReader) pour(choose func(begin []byte) io.Writer) error {
	var w io.Writer
	var long error
	for {
		chunk, err := f.r.ReadSlice(0)
		last := err == nil
		switch {
		case last:
			chunk = chunk[:len(chunk)-1]
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (w != nil || len(chunk) > 0):
			return io.ErrUnexpectedEOF
		default:
			return err
		}
		if w == nil {
			w = choose(chunk)
		}
		if long == nil {
			if _, err := w.Write(chunk); errors.Is(err, errLong) {
				long = err
			} else if err != nil {
				return err
			}
		}
		if last {
			return long
		}
	}
}

// outbox is where messages to the browser wait; one goroutine writes them, so
// that a browser that does not read holds up no caller beyond its time.
type outbox struct {
	frames chan []byte
	done   <-chan struct{}
}

// maxWaiting is how many messages wait before senders do.
const maxWaiting = 64

func newOutbox(done <-chan struct{}) outbox {
	return outbox{make(chan []byte, maxWaiting), done}
}

// put takes a message over, in the order of the calls.
func (o outbox) put(ctx context.Context, frame []byte) error {
	select {
	case o.frames <- frame:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-o.done:
		return ErrGone
	}
}

// empty writes until done.
func (o outbox) empty(w io.Writer) error {
	for {
		select {
		case frame := <-o.frames:
			if _, err := w.Write(append(frame, 0)); err != nil {
				return err
			}
		case <-o.done:
			return nil
		}
	}
}

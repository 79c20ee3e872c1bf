package browser

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// MaxFrame bounds one DevTools message, in bytes. Screenshots of long pages and
// accessibility trees of 100,000 nodes stay below.
const MaxFrame = 256 << 20

// errFrame is a message beyond MaxFrame; nothing that follows can be trusted to
// begin a message.
var errFrame = fmt.Errorf("a DevTools message is larger than %d MiB", MaxFrame>>20)

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
	if err := f.pour(&frame, nil); err != nil {
		return nil, err
	}
	return frame.Bytes(), nil
}

// pour writes one message without its end to w, as it comes in. Where it goes
// can be chosen by its first bytes (all of a short message), else choose is nil.
func (f *frameReader) pour(w io.Writer, choose func(begin []byte) (io.Writer, error)) error {
	for n := 0; ; {
		chunk, err := f.r.ReadSlice(0)
		last := err == nil
		if n+len(chunk) > f.max+1 {
			return errFrame
		}
		switch {
		case last:
			chunk = chunk[:len(chunk)-1]
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && n+len(chunk) > 0:
			return io.ErrUnexpectedEOF
		default:
			return err
		}
		if n == 0 && choose != nil {
			if w, err = choose(chunk); err != nil {
				return err
			}
		}
		n += len(chunk)
		if _, err := w.Write(chunk); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
}

// frameWriter writes messages whole, from several goroutines.
type frameWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (f *frameWriter) write(frame []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	// One write where it can be: a peer that reads meanwhile wakes up once. The
	// frame is ours, so its capacity may take the end.
	_, err := f.w.Write(append(frame, 0))
	return err
}

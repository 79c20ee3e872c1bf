package browser

import (
	"bufio"
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
	var frame []byte
	for {
		chunk, err := f.r.ReadSlice(0)
		if len(frame)+len(chunk) > f.max+1 {
			return nil, errFrame
		}
		frame = append(frame, chunk...)
		switch {
		case err == nil:
			return frame[:len(frame)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(frame) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
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
	// One write: the peer must never see half a message of ours and then
	// another's. The frame is ours, so its capacity may take the end.
	_, err := f.w.Write(append(frame, 0))
	return err
}

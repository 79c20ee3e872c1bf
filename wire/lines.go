package wire

import (
	"bufio"
	"errors"
	"io"
)

// lineBuffer is what a refused line costs in memory at most.
const lineBuffer = 64 << 10

// lineReader cuts a stream into gated frames.
type lineReader struct {
	r      *bufio.Reader
	limits Limits
	end    error // of the stream, once met
}

func newLineReader(r io.Reader, l Limits) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, lineBuffer), limits: l}
}

// next returns a frame, a *GateError for a refused line, or the stream's end.
func (s *lineReader) next() ([]byte, error) {
	for s.end == nil {
		line, refused := s.line()
		if len(line) == 0 && refused == nil {
			continue // blank
		}
		if refused == nil {
			refused = pass(line, s.limits)
		}
		switch {
		case refused == nil:
			return line, nil
		case s.end != nil && refused.Reason != ReasonNotObject:
			// The peer died within a frame: that is its end, not a bad frame.
			if s.end == io.EOF {
				s.end = io.ErrUnexpectedEOF
			}
		default:
			return nil, refused
		}
	}
	return nil, s.end
}

// pass mends and gates a line.
func pass(line []byte, l Limits) *GateError {
	err := Check(line, l)
	var refused *GateError
	if errors.As(err, &refused) && refused.Reason == ReasonSurrogate && Mend(line) {
		refused = nil
		errors.As(Check(line, l), &refused)
	}
	return refused
}

// line reads up to the next newline, without white space around. It stops
// keeping bytes as soon as the line can't pass.
func (s *lineReader) line() ([]byte, *GateError) {
	var line []byte
	var refused *GateError
	begun := false
	for {
		chunk, err := s.r.ReadSlice('\n')
		if !begun {
			chunk = chunk[begin(chunk):]
			begun = len(chunk) > 0
			if begun && chunk[0] != '{' {
				refused = &GateError{Reason: ReasonNotObject}
			}
		}
		// Two bytes of grace for the line's own end, \r\n.
		if refused == nil && len(line)+len(chunk) > s.limits.Bytes+2 {
			refused = &GateError{ReasonSize, int64(s.limits.Bytes)}
			line = nil
		}
		if refused == nil {
			line = append(line, chunk...)
		}
		if err != bufio.ErrBufferFull {
			s.end = err // nil behind a newline
			return trimRight(line), refused
		}
	}
}

func trimRight(line []byte) []byte {
	for n := len(line); n > 0; n-- {
		switch line[n-1] {
		case ' ', '\t', '\r', '\n':
		default:
			return line[:n]
		}
	}
	return nil
}

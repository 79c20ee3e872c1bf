package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is the deepest nesting jsontext accepts; it bounds its recursion.
const MaxDepth = 10_000

// Limits bounds a frame.
type Limits struct {
	Bytes int // of the frame, without its newline
	Depth int // of nested objects and arrays, the frame itself being the first
}

// DefaultLimits is generous where a limit costs a real page its reply. A
// snapshot nests two levels for each level of the accessibility tree, so a DOM
// 2,000 deep needs a depth of about 4,000.
func DefaultLimits() Limits { return Limits{Bytes: 64 << 20, Depth: MaxDepth} }

// Validate refuses limits that would let everything or nothing through.
func (l Limits) Validate() error {
	switch {
	case l.Bytes < 2 || l.Bytes > 1<<30:
		return fmt.Errorf("limit of %d bytes: want 2 to %d", l.Bytes, 1<<30)
	case l.Depth < 1 || l.Depth > MaxDepth:
		return fmt.Errorf("limit of depth %d: want 1 to %d", l.Depth, MaxDepth)
	}
	return nil
}

// Reason is why the gate refused a frame. The list is closed.
type Reason uint8

// The zero value is no reason: a *GateError always has one.
const (
	ReasonSize      Reason = iota + 1 // longer than Limits.Bytes
	ReasonUTF8                        // not UTF-8
	ReasonSurrogate                   // an escape is half of a surrogate pair
	ReasonDepth                       // nested deeper than Limits.Depth
	ReasonDuplicate                   // two members of one object have the same name
	ReasonSyntax                      // not JSON
	ReasonTrailing                    // more than one value
	ReasonNotObject                   // does not begin with "{": noise, or a batch
)

// String is fit for an error or a metric.
func (r Reason) String() string {
	switch r {
	case ReasonSize:
		return "too long"
	case ReasonUTF8:
		return "invalid UTF-8"
	case ReasonSurrogate:
		return "lone surrogate"
	case ReasonDepth:
		return "nested too deeply"
	case ReasonDuplicate:
		return "duplicate key"
	case ReasonSyntax:
		return "not JSON"
	case ReasonTrailing:
		return "more than one value"
	case ReasonNotObject:
		return "not an object"
	default:
		return "none"
	}
}

// GateError is a refused frame. It holds no bytes of it: they are the page's.
type GateError struct {
	Reason Reason
	Offset int64 // where in the frame it was noticed
}

func (e *GateError) Error() string {
	return fmt.Sprintf("checking frame: %v at offset %d", e.Reason, e.Offset)
}

// Check is the one gate in front of everything that reads a frame.
//
// Readers disagree about bad JSON, and a disagreement is a way past us: gjson
// takes the first of duplicate keys, encoding/json and JavaScript the last;
// gjson.Valid takes invalid UTF-8. What passes here has one reading. Names are
// compared after unescaping, so "a" and "\u0061" are duplicates.
//
// A batch is refused: "Messages are individual JSON-RPC requests,
// notifications, or responses."
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
func Check(frame []byte, l Limits) error {
	if len(frame) > l.Bytes {
		return &GateError{ReasonSize, int64(l.Bytes)}
	}
	if i := begin(frame); i == len(frame) || frame[i] != '{' {
		return &GateError{ReasonNotObject, int64(i)}
	}
	return CheckValue(frame, l)
}

// CheckValue is Check for a JSON value inside a frame, whatever it is.
func CheckValue(frame []byte, l Limits) error {
	if len(frame) > l.Bytes {
		return &GateError{ReasonSize, int64(l.Bytes)}
	}
	// Depth first: it bounds the recursion of what follows.
	if at := tooDeep(frame, l.Depth); at >= 0 {
		return &GateError{ReasonDepth, int64(at)}
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(frame))
	if _, err := d.ReadValue(); err != nil {
		return gateError(frame, err)
	}
	switch _, err := d.ReadToken(); {
	case err == io.EOF:
		return nil
	default:
		return &GateError{ReasonTrailing, d.InputOffset()}
	}
}

// begin is the offset of the first byte that is not JSON's white space.
func begin(frame []byte) int {
	for i, c := range frame {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(frame)
}

// tooDeep finds where the nesting first exceeds depth, or returns -1. It is
// right for valid JSON, and for anything else an upper bound is enough: the
// decoder refuses that anyway.
func tooDeep(frame []byte, depth int) int {
	level := 0
	for i := 0; i < len(frame); i++ {
		switch frame[i] {
		case '{', '[':
			if level++; level > depth {
				return i
			}
		case '}', ']':
			level--
		case '"':
			n := stringEnd(frame[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

// stringEnd returns the length of the JSON string that b begins with, quotes
// included, or -1 if it does not end.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		// A quote is escaped if an odd number of backslashes precedes it.
		k := i
		for b[k-1] == '\\' && k > 1 {
			k--
		}
		if (i-k)%2 == 0 {
			return i + 1
		}
	}
	return -1
}

// gateError reduces the decoder's error to a reason; its text quotes the input.
func gateError(frame []byte, err error) *GateError {
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		return &GateError{ReasonSyntax, int64(len(frame))} // unexpected end
	}
	at := min(max(s.ByteOffset, 0), int64(len(frame)))
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &GateError{ReasonDuplicate, at}
	case !utf8.Valid(frame):
		return &GateError{ReasonUTF8, at}
	case loneSurrogate(frame, nil):
		return &GateError{ReasonSurrogate, at}
	default:
		return &GateError{ReasonSyntax, at}
	}
}

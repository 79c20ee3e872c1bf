package wire

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// LeafKind says what a Leaf is.
type LeafKind uint8

// The zero value is no kind; Walk never reports it.
const (
	LeafKey LeafKind = iota + 1 // the name of an object's member
	LeafString
	LeafNumber
	LeafBool
	LeafNull
)

// Step is one step of a path: a member's name, or an index if Index >= 0.
type Step struct {
	Key   string // decoded; hostile, so never build a query language's path of it
	Index int    // -1 for a member
}

// Leaf is one key or scalar of a frame.
type Leaf struct {
	Kind   LeafKind
	Path   []Step // for a key, its own step is the last; valid only during visit
	Offset int    // in the frame
	Length int
	Raw    []byte // as in the frame, quotes included
}

// String decodes a key or string, and returns any other leaf as it is written.
// It is page text: it does not belong in an error or a log.
func (l Leaf) String() string {
	if l.Kind == LeafKey || l.Kind == LeafString {
		return decode(l.Raw)
	}
	return string(l.Raw)
}

// errShape tells that Walk or Parse met bytes that no gate has passed.
var errShape = errors.New("walking frame: not JSON that passed the gate")

// Walk visits every key and every leaf of raw, a JSON value that passed the
// gate and lies at base in its frame, in order. Keys are visited because a page
// can name an object's members as well as fill them. An error of visit ends the
// walk and is returned as it is.
//
// It keeps its own stack: nesting costs no recursion.
func Walk(raw []byte, base int, visit func(Leaf) error) error {
	w := walker{raw: raw, base: base, visit: visit}
	for w.more = true; w.more; {
		if err := w.value(); err != nil {
			return err
		}
		if err := w.after(); err != nil {
			return err
		}
	}
	return nil
}

// walker reads raw from pos on; path is also the stack of open containers.
type walker struct {
	raw   []byte
	base  int
	pos   int
	path  []Step
	more  bool
	visit func(Leaf) error
}

// value descends to the first scalar or empty container at pos and passes it.
func (w *walker) value() error {
	for {
		switch c := w.peek(); c {
		case '{':
			w.pos++
			if w.peek() == '}' {
				w.pos++
				return nil
			}
			w.path = append(w.path, Step{Index: -1})
			if err := w.key(); err != nil {
				return err
			}
		case '[':
			w.pos++
			if w.peek() == ']' {
				w.pos++
				return nil
			}
			w.path = append(w.path, Step{Index: 0})
		default:
			n, kind := scalar(w.raw[w.pos:])
			if n == 0 {
				return errShape
			}
			return w.leaf(kind, n)
		}
	}
}

// after stands behind a value: it closes containers until a next value is due.
func (w *walker) after() error {
	for len(w.path) > 0 {
		top := &w.path[len(w.path)-1]
		object := top.Index < 0
		switch c := w.peek(); {
		case c == ',' && object:
			w.pos++
			return w.key()
		case c == ',':
			w.pos++
			top.Index++
			return nil
		case c == '}' && object, c == ']' && !object:
			w.pos++
			w.path = w.path[:len(w.path)-1]
		default:
			return errShape
		}
	}
	w.more = false
	if begin(w.raw[w.pos:]) != len(w.raw)-w.pos {
		return errShape
	}
	return nil
}

// key passes a member's name and its colon.
func (w *walker) key() error {
	if w.peek() != '"' {
		return errShape
	}
	n := stringEnd(w.raw[w.pos:])
	if n < 0 {
		return errShape
	}
	w.path[len(w.path)-1].Key = decode(w.raw[w.pos : w.pos+n])
	if err := w.leaf(LeafKey, n); err != nil {
		return err
	}
	if w.peek() != ':' {
		return errShape
	}
	w.pos++
	return nil
}

func (w *walker) leaf(kind LeafKind, n int) error {
	l := Leaf{kind, w.path, w.base + w.pos, n, w.raw[w.pos : w.pos+n : w.pos+n]}
	w.pos += n
	return w.visit(l)
}

// peek skips white space and returns the byte behind it, 0 at the end.
func (w *walker) peek() byte {
	w.pos += begin(w.raw[w.pos:])
	if w.pos == len(w.raw) {
		return 0
	}
	return w.raw[w.pos]
}

// scalar measures the scalar that b begins with; 0 if there is none.
func scalar(b []byte) (int, LeafKind) {
	if len(b) == 0 {
		return 0, 0
	}
	switch c := b[0]; {
	case c == '"':
		return max(stringEnd(b), 0), LeafString
	case c == '-' || '0' <= c && c <= '9':
		n := 1
		for n < len(b) && bytes.IndexByte([]byte("+-.eE0123456789"), b[n]) >= 0 {
			n++
		}
		return n, LeafNumber
	case bytes.HasPrefix(b, []byte("true")):
		return 4, LeafBool
	case bytes.HasPrefix(b, []byte("false")):
		return 5, LeafBool
	case bytes.HasPrefix(b, []byte("null")):
		return 4, LeafNull
	default:
		return 0, 0
	}
}

// decode unquotes a JSON string that passed the gate.
func decode(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	out, _ := jsontext.AppendUnquote(nil, raw) // no error behind the gate
	return string(out)
}

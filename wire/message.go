package wire

import (
	"errors"
	"fmt"
)

// Span is a piece of a frame. Length 0 means that the member is absent.
type Span struct{ Offset, Length int }

// MessageKind is what a frame is in JSON-RPC 2.0.
type MessageKind uint8

// The zero value is no message.
const (
	MessageRequest MessageKind = iota + 1
	MessageNotification
	MessageResult // a response that succeeded
	MessageError  // a response that failed
)

// Message is a classified frame. The spans point into Frame, so that a caller
// edits the frame itself: re-encoding loses members nobody here knows.
type Message struct {
	Kind   MessageKind
	Frame  []byte
	Method string // of a request or notification
	// ID is a string or an integer as it is written. An error response may
	// lack it or have null there, when the request could not be read.
	ID, Params, Result, Error Span
	// Extra are the names of all other top-level members. The protocol has
	// none, so the enforcement point can refuse them: "Result" is no result
	// here, but encoding/json would read it as one.
	Extra []Span
}

// Bytes returns a span's bytes, nil for an absent one. They alias Frame.
func (m Message) Bytes(s Span) []byte {
	if s.Length == 0 {
		return nil
	}
	return m.Frame[s.Offset : s.Offset+s.Length : s.Offset+s.Length]
}

// Parse classifies a frame that passed the gate. On an error the message is
// filled as far as it could be read, so that a refusal can name the ID.
func Parse(frame []byte) (Message, error) {
	m := Message{Frame: frame}
	var version, method Span
	known := map[string]*Span{
		"jsonrpc": &version, "id": &m.ID, "method": &method,
		"params": &m.Params, "result": &m.Result, "error": &m.Error,
	}
	err := members(frame, func(key, value Span) {
		if s := known[decode(m.Bytes(key))]; s != nil {
			*s = value
		} else {
			m.Extra = append(m.Extra, key)
		}
	})
	if err != nil {
		return m, err
	}
	if err := m.classify(version, method); err != nil {
		return m, fmt.Errorf("parsing message: %w", err)
	}
	return m, nil
}

// classify follows https://www.jsonrpc.org/specification as narrowed by
// https://modelcontextprotocol.io/specification/2025-11-25/basic#messages
func (m *Message) classify(version, method Span) error {
	id := m.Bytes(m.ID)
	if !validID(id) {
		m.ID = Span{}
		// "Unlike base JSON-RPC, the ID MUST NOT be null."
		if string(id) != "null" || m.Error.Length == 0 {
			return errors.New("id is neither a string nor an integer")
		}
	}
	name := m.Bytes(method)
	has := func(s Span) int { return min(s.Length, 1) }
	switch {
	case string(m.Bytes(version)) != `"2.0"`:
		return errors.New(`member "jsonrpc" is not "2.0"`)
	case has(method)+has(m.Result)+has(m.Error) != 1:
		return errors.New("not exactly one of method, result and error")
	case has(method) == 1 && name[0] != '"':
		return errors.New("method is no string")
	case has(method) == 0 && has(m.Params) == 1:
		return errors.New("response with params")
	case m.Result.Length > 0 && m.ID.Length == 0:
		return errors.New("result without an id")
	}
	for _, s := range []Span{m.Params, m.Result, m.Error} {
		if b := m.Bytes(s); b != nil && b[0] != '{' {
			return errors.New("params, result or error is no object")
		}
	}
	switch {
	case m.Result.Length > 0:
		m.Kind = MessageResult
	case m.Error.Length > 0:
		m.Kind = MessageError
	case m.ID.Length > 0:
		m.Kind, m.Method = MessageRequest, decode(name)
	default:
		m.Kind, m.Method = MessageNotification, decode(name)
	}
	return nil
}

// validID admits an absent id, strings and plain integers. Not 1.0 or 1e3:
// peers disagree whether those are the integers they equal.
func validID(id []byte) bool {
	if len(id) == 0 || id[0] == '"' {
		return true
	}
	if id[0] == '-' {
		id = id[1:]
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(id) > 0
}

// members visits the top-level members of an object that passed the gate.
func members(frame []byte, visit func(key, value Span)) error {
	w := walker{raw: frame}
	if w.peek() != '{' {
		return errShape
	}
	w.pos++
	if w.peek() == '}' {
		return nil
	}
	for {
		if w.peek() != '"' {
			return errShape
		}
		key := Span{w.pos, max(stringEnd(frame[w.pos:]), 0)}
		w.pos += key.Length
		if key.Length == 0 || w.peek() != ':' {
			return errShape
		}
		w.pos++
		w.peek()
		value := Span{w.pos, valueEnd(frame[w.pos:])}
		if value.Length == 0 {
			return errShape
		}
		w.pos += value.Length
		visit(key, value)
		switch w.peek() {
		case ',':
			w.pos++
		case '}':
			return nil
		default:
			return errShape
		}
	}
}

// valueEnd measures the value that b begins with; 0 if it does not end.
func valueEnd(b []byte) int {
	level := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '{', '[':
			level++
			i++
		case '}', ']':
			level--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++
			continue
		default:
			n, _ := scalar(b[i:])
			if n == 0 {
				return 0
			}
			i += n
		}
		if level <= 0 {
			return i
		}
	}
	return 0
}

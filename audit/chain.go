package audit

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
)

// chain is what the next line must fit: a pure judgement of lines in order.
type chain struct {
	session string
	key     ed25519.PublicKey // of all heads; nil until the first one names it
	seq     uint64
	prev    string
	cause   string // of the last line of this segment, if it is a head
	signed  uint64 // the last seq that a head covers
}

// add takes a line, or says what is wrong. A wrong seq is left to the caller,
// who can look where the right one is.
func (c *chain) add(e Entry) (Class, string) {
	switch {
	case e.Session != c.session:
		return Spliced, fmt.Sprintf("the line is of session %q", e.Session)
	case e.Seq != c.seq+1:
		return Reordered, ""
	case e.Prev != c.prev:
		return Rewritten, "it does not follow from the line before; one of both was made anew"
	case c.cause == causeClose:
		return Misplaced, "a record follows the closing head"
	case c.cause == causeRotate:
		return Misplaced, "a record follows the head that ends its segment"
	}
	cause := ""
	if e.Kind == kindHead {
		var wrong string
		if cause, wrong = c.addHead(e); wrong != "" {
			return Forged, wrong
		}
		c.signed = e.Seq
	}
	c.seq, c.prev, c.cause = e.Seq, e.Hash, cause
	return "", ""
}

func (c *chain) addHead(e Entry) (cause, wrong string) {
	cause, key, wrong := checkHead(e)
	if wrong == "" && c.key != nil && !bytes.Equal(c.key, key) {
		wrong = "the head is signed with another key"
	}
	if wrong == "" {
		c.key = key
	}
	return cause, wrong
}

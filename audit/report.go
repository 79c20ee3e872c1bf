package audit

import (
	"crypto/ed25519"
	"fmt"
)

// Options of Verify. Session is one session, or empty for all. Key is what
// PublicKey returned when the record was made; without it a head proves only
// that one key signed a session. Anchors are heads that were kept elsewhere.
type Options struct {
	Session string
	Key     ed25519.PublicKey
	Anchors []Head
}

// Report says what the record proves. Unanchored is what it does not, in
// sentences for a person.
type Report struct {
	Sessions   []SessionReport
	Unanchored []string
}

// SessionReport is what holds of a session up to its first fault. Head is the
// last line that does, Signed the last seq that a signed head covers.
type SessionReport struct {
	Session  string
	Segments int
	Head     Head
	Signed   uint64
	Closed   bool
	Key      string // hex, as its heads name it
	Torn     *Fault // a last line cut by a crash
	Fault    *Fault
}

// Fault is the first fault of the first session that has one.
func (r Report) Fault() *Fault {
	for _, s := range r.Sessions {
		if s.Fault != nil {
			return s.Fault
		}
	}
	return nil
}

// unanchored says what could be otherwise without being seen.
func unanchored(sessions []SessionReport, opts Options) []string {
	var out []string
	for _, s := range sessions {
		if s.Fault != nil {
			continue
		}
		end := s.Head.Seq
		if end > s.Signed {
			out = append(out, fmt.Sprintf("session %q: records after seq %d are covered by no "+
				"signed head", s.Session, s.Signed))
		}
		if !s.Closed {
			out = append(out, fmt.Sprintf("session %q: it has no closing head: it is running, it "+
				"crashed, or its tail after seq %d was removed", s.Session, end))
		}
		last := uint64(0)
		for _, a := range opts.Anchors {
			if a.Session == s.Session {
				last = max(last, a.Seq)
			}
		}
		if len(opts.Anchors) > 0 && last < end {
			out = append(out, fmt.Sprintf("session %q: no anchor covers records after seq %d",
				s.Session, last))
		}
	}
	if len(opts.Key) == 0 {
		out = append(out, "no public key given: heads were checked with the key they name")
	}
	if len(opts.Anchors) == 0 {
		return append(out, "no external anchor given: a whole session removed, a consistent tail "+
			"cut back, or a record made anew with the key, can't be seen")
	}
	return append(out, "a whole session removed that no anchor names can't be seen")
}

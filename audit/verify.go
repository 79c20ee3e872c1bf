package audit

import (
	"encoding/hex"
	"fmt"
	"slices"
)

// Verify checks a directory as Path names it, or a copy of one. Its error means
// that it could not look; what it saw is in the report.
func Verify(dir string, opts Options) (Report, error) {
	sessions := []string{opts.Session}
	if opts.Session == "" {
		var err error
		if sessions, err = Sessions(dir); err != nil {
			return Report{}, err
		}
	} else if !validSession(opts.Session) {
		return Report{}, fmt.Errorf("verifying the audit record: %q is no session name",
			opts.Session)
	}
	var r Report
	for _, s := range sessions {
		one, err := verifySession(dir, s, opts)
		if err != nil {
			return r, err
		}
		r.Sessions = append(r.Sessions, one)
	}
	for _, a := range opts.Anchors {
		if opts.Session == "" && !slices.Contains(sessions, a.Session) {
			sessions = append(sessions, a.Session)
			r.Sessions = append(r.Sessions, SessionReport{Session: a.Session, Fault: &Fault{Missing,
				a.Session, 1, 1, "an anchor names this session, but it has no record"}})
		}
	}
	r.Unanchored = unanchored(r.Sessions, opts)
	return r, nil
}

func verifySession(dir, session string, opts Options) (SessionReport, error) {
	w, err := newWalker(dir, session)
	if err != nil {
		return SessionReport{}, err
	}
	w.chain.key = opts.Key
	var broken *Fault
	fault, err := w.run(func(e Entry) bool {
		for _, a := range opts.Anchors {
			if a.Session == session && a.Seq == e.Seq && a.Hash != e.Hash {
				broken = &Fault{Rewritten, e.File, e.Line, e.Seq,
					"it is not the line that the anchor names"}
			}
		}
		return broken == nil
	})
	if err != nil {
		return SessionReport{}, err
	}
	r := SessionReport{Session: session, Segments: w.highest, Signed: w.chain.signed,
		Head:   Head{session, w.chain.seq, w.chain.prev},
		Closed: w.chain.cause == causeClose, Key: hex.EncodeToString(w.chain.key)}
	if fault != nil && fault.Class == Torn {
		r.Torn, fault = fault, nil
	}
	switch {
	case broken != nil:
		r.Fault = broken
	case fault != nil:
		r.Fault = fault
	default:
		r.Fault = w.cutBefore(opts.Anchors)
	}
	return r, nil
}

// cutBefore finds an anchor that stands beyond the end.
func (w *walker) cutBefore(anchors []Head) *Fault {
	for _, a := range anchors {
		if a.Session == w.chain.session && a.Seq > w.chain.seq {
			return w.fault(Truncated, fmt.Sprintf(
				"the record ends at seq %d, but an anchor names seq %d", w.chain.seq, a.Seq))
		}
	}
	return nil
}

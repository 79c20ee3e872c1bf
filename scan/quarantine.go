package scan

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"moire/evidence"
)

// Segment is one run of text that is withheld. Text stays inside the process:
// for a person who may restore it, never for a log, an error or the agent.
type Segment struct {
	// ID is stable within a session: the same text in the same place.
	ID string
	// Frame is the URL of the document, Container the role of what conceals it.
	Frame, Container string
	// Channel is where the text would have reached the agent: text, name, an
	// attribute's key, title, url, message …
	Channel string
	Text    string
	// Kinds are why it is withheld.
	Kinds []evidence.Kind
}

// Evidence is why the text is withheld, and what it is shaped like.
func (s *Segment) Evidence() []evidence.Evidence {
	var out []evidence.Evidence
	for _, k := range append(slices.Clone(s.Kinds), newShapes().look(s.Text)...) {
		out = append(out, evidence.Evidence{Kind: k, Confidence: 1})
	}
	return out
}

// Grade says how much the text looks like an attack.
func (s *Segment) Grade() evidence.Grade { return newShapes().grade(s.Text) }

// Summary is what the agent may know of what is withheld: counts.
type Summary struct {
	// Unlisted counts runs that a person sees and the snapshot lacks; After are
	// the ids of the nodes before them, the first few.
	Unlisted    int
	After       []string
	Trust       Trust
	Quarantined int
	Opaque      int
	Exhausted   bool
}

// Quarantine collects what is withheld from one reply.
type Quarantine struct {
	key      []byte
	Segments []Segment
	opaque   int
	spent    bool
	trust    Trust
	unlisted int
	after    []string
}

// NewQuarantine makes an empty one. The key makes ids unguessable outside the
// session; trust is that of the looks that judge.
func NewQuarantine(key []byte, trust Trust) *Quarantine {
	return &Quarantine{key: key, trust: trust}
}

const (
	// TrustOrigin: nothing was judged, as a person trusts the origin.
	TrustOrigin Trust = "origin"
	// TrustAdapter: nothing was judged, as a person's own adapter says that there is
	// no need.
	TrustAdapter Trust = "adapter"
)

// Judged says what the verdict rests on, if that is not what is usual in the
// session.
func (q *Quarantine) Judged(by Trust) { q.trust = by }

// Withhold records a run.
func (q *Quarantine) Withhold(frame, container, channel, text string, kinds ...evidence.Kind) {
	q.Segments = append(q.Segments, Segment{ID: q.id(frame, container, channel, text), Frame: frame, Container: container, Channel: channel,
		Text: text, Kinds: kinds})
}

func (q *Quarantine) id(parts ...string) string {
	m := hmac.New(sha256.New, q.key)
	for _, p := range parts {
		// Lengths keep ("ab", "c") and ("a", "bc") apart.
		m.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	return hex.EncodeToString(m.Sum(nil)[:10])
}

// Note takes over what a scan says of itself.
func (q *Quarantine) Note(v *View) {
	q.opaque = max(q.opaque, v.Main.Opaque)
	q.spent = q.spent || v.Main.Exhausted != ""
}

// Summary counts.
func (q *Quarantine) Summary() Summary {
	return Summary{Trust: q.trust, Unlisted: q.unlisted, After: q.after, Quarantined: len(q.Segments), Opaque: q.opaque, Exhausted: q.spent}
}

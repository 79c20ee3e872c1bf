// Package evidence names what detection found: the closed enums of kinds,
// grades and dispositions, and the record {kind, confidence, detail} that
// crosses from the scanner to policy, panel and audit.
//
// It is vocabulary for the policy information point and holds no logic of its
// own. Call [KindOf] on what the scanner reports by index, [ParseKind] on what
// a person or a file names.
//
// Invariants: the enums come from kinds.yaml, for Go and TypeScript alike
// (gen's TestFresh). The zero value of each enum is none of its values: a
// forgotten field is no evidence and no disposition, and does not marshal
// (TestZeroIsNone). Evidence holds no page text: Detail is a word the scanner
// chose, and decoding refuses what is not shaped like one (FuzzEvidence).
//
// It does not decide, and does not know the list of details: that list belongs
// to the scanner, which checks words of its own against it.
package evidence

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
)

//go:generate go run ./gen

// MaxDetail bounds Detail in bytes: a word or two, too short for a sentence.
const MaxDetail = 40

// Evidence is one finding about one run of text.
type Evidence struct {
	Kind       Kind    `json:"kind"`
	Confidence float64 `json:"confidence"`
	// Detail is a word of a closed vocabulary or empty, never page text: it is
	// shown to agents and kept in the audit.
	Detail string `json:"detail,omitempty"`
}

// Validate reports the first field that breaks the package's invariants.
func (e Evidence) Validate() error {
	switch {
	case e.Kind == 0 || e.Kind > KindCount:
		return errors.New("evidence without a kind")
	case !(e.Confidence >= 0 && e.Confidence <= 1): // also refuses NaN
		return fmt.Errorf("evidence %v: confidence is not within 0 and 1", e.Kind)
	case !validDetail(e.Detail):
		return fmt.Errorf("evidence %v: detail is no word of the vocabulary", e.Kind)
	}
	return nil
}

// UnmarshalJSON refuses unknown members, duplicates and invalid fields: over
// the evaluate channel the page can write what is decoded here.
func (e *Evidence) UnmarshalJSON(data []byte) error {
	type plain Evidence // sheds the method, which would recurse
	var p plain
	if err := json.Unmarshal(data, &p, json.RejectUnknownMembers(true)); err != nil {
		// The decoder's own error quotes names out of the input.
		return errors.New("decoding evidence: not {kind, confidence, detail}")
	}
	if err := Evidence(p).Validate(); err != nil {
		return fmt.Errorf("decoding: %w", err)
	}
	*e = Evidence(p)
	return nil
}

// validDetail admits lower-case words joined by single hyphens. It has no
// space on purpose: no sentence passes.
func validDetail(s string) bool {
	if s == "" {
		return true
	}
	if len(s) > MaxDetail || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
		if c == '-' && s[i-1] == '-' {
			return false
		}
	}
	return true
}

// MarshalText writes the name.
func (k Kind) MarshalText() ([]byte, error) { return marshal("kind", uint8(k), KindCount, k) }

// UnmarshalText reads exactly a name of kinds.yaml.
func (k *Kind) UnmarshalText(text []byte) error { return unmarshal("kind", text, ParseKind, k) }

// MarshalText writes the name.
func (g Grade) MarshalText() ([]byte, error) { return marshal("grade", uint8(g), GradeCount, g) }

// UnmarshalText reads exactly a name of kinds.yaml.
func (g *Grade) UnmarshalText(text []byte) error { return unmarshal("grade", text, ParseGrade, g) }

// MarshalText writes the name.
func (d Disposition) MarshalText() ([]byte, error) {
	return marshal("disposition", uint8(d), DispositionCount, d)
}

// UnmarshalText reads exactly a name of kinds.yaml.
func (d *Disposition) UnmarshalText(text []byte) error {
	return unmarshal("disposition", text, ParseDisposition, d)
}

func marshal(what string, v uint8, count int, s fmt.Stringer) ([]byte, error) {
	if v == 0 || int(v) > count {
		return nil, fmt.Errorf("encoding %s: value %d has no name", what, v)
	}
	return []byte(s.String()), nil
}

func unmarshal[T any](what string, text []byte, parse func(string) (T, bool), to *T) error {
	v, ok := parse(string(text))
	if !ok {
		// Not quoted: the text may be a page's.
		return fmt.Errorf("decoding %s: unknown name", what)
	}
	*to = v
	return nil
}

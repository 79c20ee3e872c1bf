package classify

import (
	"cmp"
	"slices"
)

// Kind is a sort of sign. The set is closed: see [Kinds].
type Kind string

// The kinds of signs.
const (
	FakeDelimiter    Kind = "fake-delimiter"     // pretends that the page ended
	RolePrefix       Kind = "role-prefix"        // pretends to be another speaker
	Override         Kind = "override"           // sets aside what was said before
	AddressedToModel Kind = "addressed-to-model" // speaks to the model, not the reader
	ToolTalk         Kind = "tool-talk"          // talks of tools, or of hiding things
	Exfiltration     Kind = "exfiltration"       // sends something somewhere
	Unread           Kind = "unread"             // what is beyond the limits
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{FakeDelimiter, RolePrefix, Override, AddressedToModel, ToolTalk, Exfiltration,
		Unread}
}

// Strength says how much a sign means. Quoted or in code it is Weak: that is
// how people write about injection. An attacker can quote too, so Weak is a
// grade, never an absolution.
type Strength string

// The strengths.
const (
	Weak   Strength = "weak"
	Strong Strength = "strong"
)

// Sign is a place, in bytes of the text given, that looks like an order to a
// model.
type Sign struct {
	Kind       Kind
	Start, End int
	Grade      Strength
}

const (
	maxRead  = 4 << 20 // visible characters that are read of a text
	maxSigns = 256     // more say nothing new
)

// Signs finds what in text looks like orders to a model, in order of place.
// Beyond maxRead characters or maxSigns signs the rest is one strong Unread.
func (c *Classifier) Signs(text string) []Sign {
	f := c.letters.fold(text, maxRead)
	quoted := quotes(text)
	raw := append(c.signs.matched(f), c.signs.together(f)...)
	for i := range raw {
		if quoted.hold(raw[i].Start) || quoted.hold(raw[i].End-1) {
			raw[i].Grade = Weak
		}
	}
	signs := merge(raw)
	if len(signs) > maxSigns {
		rest := Sign{Unread, signs[maxSigns].Start, len(text), Strong}
		return append(signs[:maxSigns:maxSigns], rest)
	}
	if f.cut {
		signs = append(signs, Sign{Unread, f.off[len(f.r)-1], len(text), Strong})
	}
	return signs
}

// merge joins overlapping signs of one kind and keeps the stronger grade.
func merge(raw []Sign) []Sign {
	slices.SortFunc(raw, func(a, b Sign) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.End, b.End))
	})
	var out []Sign
	for _, s := range raw {
		if n := len(out) - 1; n >= 0 && out[n].Kind == s.Kind && s.Start < out[n].End {
			out[n].End = max(out[n].End, s.End)
			if s.Grade == Strong {
				out[n].Grade = Strong
			}
			continue
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Sign) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return out
}

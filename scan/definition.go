package scan

import (
	"regexp"
	"slices"

	"moire/evidence"
	"moire/wire"
)

// poisoned are shapes of instructions in the definition of a tool. Definitions are
// made of commands, so only those count that overrule others, keep something
// from the person, or reach for what no tool needs. See "Tool Poisoning Attacks",
// https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks
var poisoned = regexp.MustCompile(`(?i)\b(?:ignore|disregard|overrides?|supersedes?)\b.{0,40}\b(?:previous|prior|above|earlier|other|all|instructions?|rules|system prompt)\b` +
	`|</?(?:important|system|instructions?|secret)>` +
	`|\b(?:do not|don't|never|without) (?:tell|mention|inform|notify|reveal|telling|mentioning|informing|asking)` +
	`|\bbefore (?:using|calling|invoking) (?:this|any|other)\b.{0,20}\btools?\b` +
	`|\.ssh\b|\bid_rsa\b|\bmcp\.json\b|/etc/passwd|\.env\b|\bapi[ _-]?keys?\b|\bconversation history\b`)

// Suspicious is what in a text meant for an agent is not meant for a person's
// eyes, or is shaped like an attack: for definitions of tools, which have no use
// for any character that is not drawn.
func Suspicious(text string) []evidence.Kind {
	_, why := clean(text)
	runes := []rune(text)
	for i, r := range runes {
		if ignorable(r) && !joins(runes, i) && !slices.Contains(why, evidence.KindInvisibleCharacters) {
			why = append(why, evidence.KindInvisibleCharacters)
		}
	}
	shapes := newShapes()
	if shapes.roleMarker.MatchString(text) {
		why = append(why, evidence.KindRoleMarker)
	}
	if poisoned.MatchString(text) {
		why = append(why, evidence.KindInstruction)
	}
	if shapes.encoded.MatchString(text) {
		why = append(why, evidence.KindEncodedPayload)
	}
	return why
}

// SuspiciousDefinition is what any string of a definition has of that, names of
// members included, each kind once; definition passed the gate.
func SuspiciousDefinition(definition []byte) []evidence.Kind {
	var out []evidence.Kind
	_ = wire.Walk(definition, 0, func(l wire.Leaf) error {
		if l.Kind == wire.LeafKey || l.Kind == wire.LeafString {
			out = append(out, Suspicious(l.String())...)
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out)
}

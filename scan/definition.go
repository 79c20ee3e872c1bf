package scan

import (
	"slices"

	"moire/evidence"
)

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
	return append(why, newShapes().look(text)...)
}

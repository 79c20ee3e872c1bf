package scan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"moire/wire"
)

// Print renders what passes. esc escapes a text that is not the upstream's or our
// own; mark words the place of so many characters that do not pass.
func (s *Said) Print(esc func(string) string, mark func(n int) string) string {
	var b strings.Builder
	s.print(&b, esc, mark)
	return b.String()
}

func (s *Said) print(b *strings.Builder, esc func(string) string, mark func(n int) string) {
	hidden := 0 // characters of marks that stand together
	flush := func() {
		if hidden > 0 {
			b.WriteString(mark(hidden))
		}
		hidden = 0
	}
	for i, p := range s.parts {
		switch {
		case p.said != nil && p.quoted:
			b.WriteString(esc(`"`))
			p.said.print(b, func(t string) string { return esc(inJSON(t)) }, mark)
			b.WriteString(esc(`"`))
		case p.said != nil:
			flush()
			p.said.print(b, esc, mark)
		case p.piece == nil && hidden > 0 && strings.TrimSpace(p.text) == "" && s.hides(i+1):
			hidden += utf8.RuneCountInString(p.text)
		case p.piece == nil:
			flush()
			b.WriteString(esc(p.text))
		case p.piece.withheld && p.number:
			if p.piece.text == "" {
				b.WriteString(esc("null"))
				continue
			}
			b.WriteString(esc(`"`) + mark(utf8.RuneCountInString(p.piece.text)) + esc(`"`))
		case p.piece.withheld && p.key > 0:
			b.WriteString(mark(utf8.RuneCountInString(p.piece.text)) + "#" + strconv.Itoa(p.key))
		case p.piece.withheld:
			hidden += utf8.RuneCountInString(p.piece.text)
		default:
			flush()
			b.WriteString(esc(p.piece.text))
		}
	}
	flush()
}

// hides reports that the next part is withheld.
func (s *Said) hides(i int) bool {
	return i < len(s.parts) && s.parts[i].piece != nil && s.parts[i].piece.withheld && !s.parts[i].number
}

// inJSON encodes a part of a JSON string; the brackets of our notes are escaped.
func inJSON(s string) string {
	q := string(wire.Quote(s))
	return sigils.Replace(q[1 : len(q)-1])
}

var sigils = strings.NewReplacer("⟦", `\u27e6`, "⟧", `\u27e7`, "\u2028", `\u2028`, "\u2029", `\u2029`)

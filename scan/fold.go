package scan

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold maps a string to what is compared: NFC, case folded, without white
// space and default-ignorable characters. White space differs between a text
// node, its rendering and an accessible name; case differs by text-transform.
func fold(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	fold := cases.Fold()
	if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		for i := 0; i < len(s); i++ {
			c := s[i]
			if c <= ' ' || c == 0x7f {
				continue
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b.WriteByte(c)
		}
		return b.String()
	}
	for _, r := range s {
		if !dropped(r) {
			b.WriteRune(r)
		}
	}
	return fold.String(b.String())
}

// dropped reports whether folding removes the character.
func dropped(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || ignorable(r)
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c >= 0x7f || ('A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

// foldMap folds and returns, for every byte of the folded string, the byte
// offset in s of the character it comes from. s must be NFC; a string that is
// not is mapped as a whole by the caller.
func foldMap(s string) (string, []int) {
	var b strings.Builder
	at := make([]int, 0, len(s))
	fold := cases.Fold()
	for i, r := range s {
		if dropped(r) {
			continue
		}
		f := string(r)
		if r >= 0x80 {
			f = fold.String(f)
		} else if 'A' <= r && r <= 'Z' {
			f = string(r + 'a' - 'A')
		}
		b.WriteString(f)
		for range len(f) {
			at = append(at, i)
		}
	}
	return b.String(), at
}

// words counts runs between white space.
func words(s string) int { return len(strings.Fields(s)) }

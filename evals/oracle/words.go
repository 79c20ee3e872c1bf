package main

import (
	"strings"
	"unicode"
)

// word is a run of letters and digits in a text: Text as it is compared (lower
// case, no soft hyphens), From and To its half-open range in UTF-16 units,
// which is how DevTools counts.
type word struct {
	Text     string
	From, To int
}

// split finds the words of a text. Scripts written without spaces give a word
// a letter, as a line may break between any two.
func split(s string) []word {
	var out []word
	var b strings.Builder
	at, from := 0, 0
	end := func() {
		if b.Len() > 0 {
			out = append(out, word{b.String(), from, at})
			b.Reset()
		}
	}
	for _, r := range s {
		switch {
		case r == '\u00ad': // a soft hyphen is inside its word
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			end()
			from = at
			b.WriteRune(r)
			at += width16(r)
			end()
			continue
		case unicode.IsLetter(r), unicode.IsNumber(r), b.Len() > 0 && unicode.IsMark(r):
			if b.Len() == 0 {
				from = at
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			end()
		}
		at += width16(r)
	}
	end()
	return out
}

func width16(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// texts are the words alone.
func texts(s string) []string {
	var out []string
	for _, w := range split(s) {
		out = append(out, w.Text)
	}
	return out
}

// folded is a text as runs are compared: its words with one space between.
func folded(s string) string { return strings.Join(texts(s), " ") }

// bag is a multiset of words.
type bag map[string]int

func (b bag) add(words ...string) {
	for _, w := range words {
		b[w]++
	}
}

func (b bag) size() int {
	n := 0
	for _, c := range b {
		n += c
	}
	return n
}

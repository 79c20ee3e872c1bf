package classify

import "unicode"

// padded is a folded text as one string of words, each with a space before
// and after: " card number ". Writing without spaces between words (Chinese,
// Japanese, and Korean, where usage varies) has none inside at all.
type padded struct {
	s    []byte
	off  []int // per byte of s: its rune in the folded text
	word []int // per byte of s: how many words begin before or at it
}

// pad makes words of runs of letters and digits. A digit after a letter
// begins a new word (address1), four or more single letters in a row are one
// word (p a s s w o r d).
func pad(r []rune) padded {
	var p padded
	p.s = make([]byte, 0, len(r)+len(r)/4+2)
	p.add(' ', 0)
	var last rune
	for i := 0; i < len(r); i++ {
		x := r[i]
		if !isWord(x) {
			last = 0
			continue
		}
		joined := last != 0 && !boundary(last, x)
		if last == 0 {
			joined = p.unspaced(x)
		}
		if !joined {
			p.space(i)
		}
		p.add(x, i)
		last = x
		if n := spelled(r[i:]); !joined && n > 0 {
			for j := i + 2; j < i+2*n; j += 2 {
				p.add(r[j], j)
			}
			i += 2 * (n - 1)
			last = r[i]
		}
	}
	p.space(len(r))
	return p
}

func isWord(r rune) bool {
	if r < 0x80 {
		// An @ is part of a word, so that a mail address is one.
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '@'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// boundary tells a word's end inside a run: letters then digits, or a change
// to or from unspaced writing.
func boundary(a, b rune) bool {
	if unicode.IsMark(b) {
		return false
	}
	if dense(a) != dense(b) {
		return true
	}
	return unicode.IsLetter(a) && unicode.IsDigit(b) && !dense(a)
}

// dense writing has no reliable spaces between words.
func dense(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Inherited) || r == 'ー'
}

// unspaced reports whether x goes straight on after a gap.
func (p *padded) unspaced(x rune) bool {
	return len(p.s) > 1 && dense(x) && dense(lastRune(p.s))
}

func lastRune(b []byte) rune {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i]&0xc0 != 0x80 {
			return []rune(string(b[i:]))[0]
		}
	}
	return 0
}

func (p *padded) add(r rune, at int) {
	words := 0
	if n := len(p.word); n > 0 {
		words = p.word[n-1]
		if p.s[n-1] == ' ' {
			words++
		} else if dense(r) {
			words++ // each character may be a word
		}
	}
	for _, b := range []byte(string(r)) {
		p.s, p.off, p.word = append(p.s, b), append(p.off, at), append(p.word, words)
	}
}

func (p *padded) space(at int) {
	if n := len(p.s); p.s[n-1] != ' ' {
		p.s, p.off, p.word = append(p.s, ' '), append(p.off, at), append(p.word, p.word[n-1])
	}
}

// words counts the words of the text.
func (p *padded) words() int { return p.word[len(p.word)-1] }

// spelled counts the letters of "p a s s" at the start of r, 0 below four.
func spelled(r []rune) int {
	n := 0
	for i := 0; i < len(r) && unicode.IsLetter(r[i]) && !dense(r[i]); i += 2 {
		if i+1 < len(r) && isWord(r[i+1]) {
			break
		}
		n++
	}
	if n < 4 {
		return 0
	}
	return n
}

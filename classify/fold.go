package classify

import (
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/unicode/norm"
)

// letters are the look-alikes; see data/letters.yaml.
type letters struct {
	always map[rune]string
	mixed  map[rune]rune
}

func (c *Classifier) loadLetters(b []byte) (string, error) {
	var f struct {
		Version string            `yaml:"version"`
		Always  map[string]string `yaml:"always"`
		Mixed   map[string]string `yaml:"mixed"`
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return "", err
	}
	c.letters = letters{always: map[rune]string{}, mixed: map[rune]rune{}}
	for k, v := range f.Always {
		r, _ := utf8.DecodeRuneInString(k)
		c.letters.always[r] = v
	}
	for k, v := range f.Mixed {
		r, _ := utf8.DecodeRuneInString(k)
		to, _ := utf8.DecodeRuneInString(v)
		c.letters.mixed[r] = to
	}
	return f.Version, nil
}

// folded is a text for matching: compatibility-decomposed, without marks on
// Latin, Greek and Cyrillic letters, lower case, without what cannot be seen.
// off holds for every rune where in the original it came from.
//
// It stays decomposed: terms are folded the same way, so composing would only
// cost time.
type folded struct {
	r   []rune
	off []int
	cut bool // more than limit runes
}

// fold keeps at most limit runes. Invisible characters do not count, so
// stuffing a text with them moves nothing past the limit.
func (l letters) fold(text string, limit int) folded {
	var f folded
	f.r = make([]rune, 0, min(len(text), limit))
	f.off = make([]int, 0, min(len(text), limit)+1)
	bare := false // the last letter is one whose marks are dropped
	for i, r := range text {
		if len(f.r) >= limit {
			f.cut = true
			break
		}
		if r < utf8.RuneSelf {
			if unseenASCII(r) {
				continue
			}
			f.r, f.off = append(f.r, lowerASCII(r)), append(f.off, i)
			bare = true
			continue
		}
		if unseen(r) {
			continue
		}
		bare = l.foldRune(&f, r, i, bare)
	}
	f.off = append(f.off, len(text))
	l.unmix(f.r)
	return f
}

func (l letters) foldRune(f *folded, r rune, at int, bare bool) bool {
	// A rune decomposes to 18 at most (U+FDFA), so the copy is small.
	for _, d := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.Mn, d) {
			if bare {
				continue
			}
		} else {
			bare = unicode.In(d, unicode.Latin, unicode.Greek, unicode.Cyrillic)
		}
		d = unicode.ToLower(unicode.ToUpper(d))
		if s, ok := l.always[d]; ok {
			for _, x := range s {
				f.r, f.off = append(f.r, x), append(f.off, at)
			}
			continue
		}
		f.r, f.off = append(f.r, d), append(f.off, at)
	}
	return bare
}

// unmix turns look-alikes into Latin letters in words that mix scripts: no
// language writes such words, people who hide a word from a filter do.
func (l letters) unmix(r []rune) {
	for i := 0; i < len(r); {
		end, latin, alike := i, false, false
		for ; end < len(r) && unicode.IsLetter(r[end]); end++ {
			_, look := l.mixed[r[end]]
			alike = alike || look
			latin = latin || unicode.Is(unicode.Latin, r[end])
		}
		if latin && alike {
			l.replace(r[i:end])
		}
		i = end + 1
	}
}

// disguised is r with every word of look-alikes only written in Latin, and
// whether there was one: "рау" in Cyrillic letters reads as "pay", but so is
// a Russian word or two written, so both readings are matched.
func (l letters) disguised(r []rune) ([]rune, bool) {
	var out []rune
	for i := 0; i < len(r); {
		end, all := i, true
		for ; end < len(r) && unicode.IsLetter(r[end]); end++ {
			_, look := l.mixed[r[end]]
			all = all && look
		}
		if all && end > i {
			if out == nil {
				out = append(out, r...)
			}
			l.replace(out[i:end])
		}
		i = end + 1
	}
	return out, out != nil
}

func (l letters) replace(r []rune) {
	for i, x := range r {
		if to, ok := l.mixed[x]; ok {
			r[i] = to
		}
	}
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func unseenASCII(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// unseen characters take no room on the screen.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) || 0x80 <= r && r < 0xa0
}

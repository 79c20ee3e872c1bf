package scan

import (
	"strings"
	"unicode"

	"moire/evidence"
)

// ignorable reports Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties),
// the characters that are drawn as nothing.
func ignorable(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x3164, r == 0xFEFF, r == 0xFFA0:
		return true
	case r >= 0x115F && r <= 0x1160, r >= 0x17B4 && r <= 0x17B5, r >= 0x180B && r <= 0x180F:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xFFF0 && r <= 0xFFF8:
		return true
	case r >= 0x1BCA0 && r <= 0x1BCA3, r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// override reports the characters that reorder what stands around them.
func override(r rune) bool { return r == 0x202D || r == 0x202E }

func privateUse(r rune) bool {
	return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000
}

// maxMarks is more combining marks on one base than any orthography stacks
// (Vietnamese 2, pointed Hebrew and Tibetan up to 5).
const maxMarks = 6

// clean removes the characters of s that a person can't see or that mean
// nothing without a font, and reports why; clean input is returned as it is.
// Joiners, variation selectors and flag tags pass where their script or emoji
// gives them a meaning (UTS 51, Unicode 16 chapter 9 and 23.2). A directional
// override withholds the whole run: what is read is not what is stored.
func clean(s string) (string, []evidence.Kind) {
	if isASCII(s) {
		return s, nil
	}
	runes := []rune(s)
	var out strings.Builder
	var why []evidence.Kind
	note := func(k evidence.Kind) {
		for _, have := range why {
			if have == k {
				return
			}
		}
		why = append(why, k)
	}
	marks := 0
	for i, r := range runes {
		switch {
		case override(r):
			return "", []evidence.Kind{evidence.KindBidiOverride}
		case privateUse(r):
			note(evidence.KindPrivateUse)
			continue
		case ignorable(r) && !joins(runes, i):
			if !formatting(r) {
				note(evidence.KindInvisibleCharacters)
			}
			continue
		}
		if unicode.Is(unicode.Mn, r) && !ignorable(r) {
			if marks++; marks > maxMarks {
				note(evidence.KindCombiningStack)
				continue
			}
		} else {
			marks = 0
		}
		out.WriteRune(r)
	}
	if out.Len() == len(s) {
		return s, nil
	}
	return out.String(), why
}

// Clean returns s without the characters that a person can't see.
func Clean(s string) string {
	c, _ := clean(s)
	return c
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// formatting reports characters that ordinary text carries without a meaning:
// soft hyphen, word joiner, byte order mark, zero-width space, isolates and
// marks. One of them is dropped quietly; carriers are sequences of them, and
// those lose their content just the same.
func formatting(r rune) bool {
	switch r {
	case 0xAD, 0x2060, 0xFEFF, 0x200B, 0x200E, 0x200F, 0x61C:
		return true
	}
	return r >= 0x2066 && r <= 0x2069 || r >= 0x202A && r <= 0x202C
}

// joins reports whether the ignorable character at i has a meaning there.
func joins(runes []rune, i int) bool {
	r := runes[i]
	prev, next := rune(0), rune(0)
	if i > 0 {
		prev = runes[i-1]
	}
	if i+1 < len(runes) {
		next = runes[i+1]
	}
	switch {
	case r == 0x200D:
		return pictographic(prev) && pictographic(next) || complexScript(prev)
	case r == 0x200C:
		return complexScript(prev) && complexScript(next)
	case r == 0xFE0F || r == 0xFE0E:
		return pictographic(prev) || prev < 0x80 && strings.ContainsRune("0123456789#*", prev) ||
			prev >= 0x2000 && prev < 0x3300
	case r >= 0xFE00 && r <= 0xFE0D, r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, prev) || prev >= 0x2200 && prev < 0x2B00 || complexScript(prev)
	case r >= 0xE0020 && r <= 0xE007F:
		return subdivisionFlag(runes, i)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, prev)
	}
	return false
}

// subdivisionFlag reports whether i lies in a tag sequence after a black flag
// that Unicode recommends; any other could carry text.
func subdivisionFlag(runes []rune, i int) bool {
	start := i
	for start > 0 && runes[start-1] >= 0xE0020 && runes[start-1] <= 0xE007F {
		start--
	}
	end := i
	for end < len(runes) && runes[end] >= 0xE0020 && runes[end] < 0xE007F {
		end++
	}
	if start == 0 || runes[start-1] != 0x1F3F4 || end >= len(runes) || runes[end] != 0xE007F {
		return false
	}
	var region []rune
	for _, r := range runes[start:end] {
		region = append(region, r-0xE0000)
	}
	switch string(region) {
	case "gbeng", "gbsct", "gbwls": // all that are for interchange (UTS 51, ED-14a)
		return true
	}
	return false
}

func pictographic(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == 0xFE0F ||
		r >= 0x1F3FB && r <= 0x1F3FF || r == 0xA9 || r == 0xAE || r == 0x3030
}

// complexScript reports scripts in which joiners change the shape of letters.
func complexScript(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
		unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Mongolian, unicode.Khmer,
		unicode.Myanmar, unicode.Nko, unicode.Tibetan)
}

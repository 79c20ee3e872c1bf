package scan

import (
	"strings"
	"unicode"
)

// Bounds of numbers: of so many in a row, so many that are letters of one script
// and so many different ones are a text. Longer numbers than these are not
// ordinary.
const (
	numberWindow = 24
	textLetters  = 8
	textDistinct = 6
	textShare    = 0.6
	maxDigits    = 15
	maxFloat     = 26 // -1.7976931348623157e+308, -0.000001234567890123456
)

// settleNumbers withholds numbers that spell a text as code points, and those of
// too many digits.
func (v *Strings) settleNumbers() {
	if v.Trusted {
		return
	}
	for _, p := range v.numbers {
		s := strings.TrimSpace(p.text)
		p.withheld = len(s) > maxFloat || len(s) > maxDigits && !strings.ContainsAny(s, ".eE")
	}
	spelled := make([]bool, len(v.numbers))
	for from := 0; from == 0 || from+numberWindow <= len(v.numbers); from++ {
		window := v.numbers[from:min(from+numberWindow, len(v.numbers))]
		if spells(window) {
			for i := range window {
				spelled[from+i] = true
			}
		}
	}
	for i := 0; i < len(v.numbers); i++ {
		if !spelled[i] {
			continue
		}
		first := i
		var all []string
		for ; i < len(v.numbers) && spelled[i]; i++ {
			all = append(all, v.numbers[i].text)
			v.numbers[i].withheld, v.numbers[i].text = true, ""
		}
		v.numbers[first].text = strings.Join(all, " ")
	}
}

// spells reports numbers that are mostly letters of one script.
func spells(window []*piece) bool {
	count, distinct, spaces := map[*unicode.RangeTable]int{}, map[*unicode.RangeTable]map[rune]bool{}, 0
	length := len(window)
	for _, p := range window {
		r, ok := codePoint(strings.TrimSpace(p.text))
		if !ok {
			continue
		}
		if r < '\t' {
			length-- // fills
			continue
		}
		if strings.ContainsRune(" \n.,;:!?'\"-", r) {
			spaces++
			continue
		}
		for _, t := range spelling {
			if unicode.Is(t, r) {
				count[t]++
				if distinct[t] == nil {
					distinct[t] = map[rune]bool{}
				}
				distinct[t][r] = true
			}
		}
	}
	for t, n := range count {
		if n >= textLetters && len(distinct[t]) >= textDistinct && float64(n+spaces) >= textShare*float64(length) {
			return true
		}
	}
	return false
}

// spelling are scripts of letters by their ranges in use; Latin is ASCII's and what
// stands among it. The scripts of East Asia are one.
var spelling = []*unicode.RangeTable{
	{R16: []unicode.Range16{{0x41, 0x5a, 1}, {0x61, 0x7a, 1}, {0xc0, 0xff, 1}}},
	{R16: []unicode.Range16{{0x386, 0x3ce, 1}}},
	{R16: []unicode.Range16{{0x401, 0x45f, 1}}},
	{R16: []unicode.Range16{{0x5d0, 0x5ea, 1}}},
	{R16: []unicode.Range16{{0x620, 0x6d3, 1}}},
	{R16: []unicode.Range16{{0x900, 0x97f, 1}}},
	{R16: []unicode.Range16{{0xe01, 0xe4e, 1}}},
	{R16: []unicode.Range16{{0x3041, 0x30ff, 1}, {0x4e00, 0x9fff, 1}, {0xac00, 0xd7a3, 1}}},
}

// codePoint reads a number, whatever its unit.
func codePoint(s string) (rune, bool) {
	s = strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%")
	s = strings.TrimSuffix(s, ".0")
	if len(s) > 5 || s == "" {
		return 0, false
	}
	n := rune(0)
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + c - '0'
	}
	return n, true
}

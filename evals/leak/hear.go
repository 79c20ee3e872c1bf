package leak

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"moire/wire"
)

// heard are the channels whose canary is in a text or a frame, plain, taken
// apart, turned round, or encoded.
func heard(raw []byte) []string {
	var all strings.Builder
	if err := wire.Walk(raw, 0, func(l wire.Leaf) error {
		all.WriteString(l.String() + "\n")
		return nil
	}); err != nil {
		all.Reset()
		all.Write(raw)
	}
	text := all.String()
	letters, digits := only(text, unicode.IsLetter), only(text, unicode.IsDigit)
	whole := strings.ToLower(text)
	var out []string
	for _, c := range channels {
		word := canary(c)
		plain := only(word, unicode.IsLetter)
		if strings.Contains(letters, plain) || strings.Contains(letters, reversed(plain)) || strings.Contains(digits, codes(word)) ||
			strings.Contains(whole, hex.EncodeToString([]byte(word))) || inBase64(text, word) {
			out = append(out, c)
		}
	}
	return out
}

func only(s string, keep func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if !keep(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// codes are the code points of s in decimal.
func codes(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprint(&b, int(r))
	}
	return b.String()
}

// inBase64 finds s at any of the three places that it can begin at.
func inBase64(text, s string) bool {
	for skip := range 3 {
		e := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + s))
		if strings.Contains(text, e[4:len(e)-4]) {
			return true
		}
	}
	return false
}

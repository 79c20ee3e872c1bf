package scan

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Own are the words of a script that the agent wrote: its literals may come back
// as they are, its names as keys. A nil Own has none.
type Own struct {
	literals map[string]bool
	names    map[string]bool
	// cuts are the literals that a text is taken apart at, longest first.
	cuts []string
}

// Bounds of what is remembered of a script.
const (
	maxScript   = 1 << 20
	maxLiteral  = 4096
	maxLiterals = 512
	maxCuts     = 64
)

var (
	// lexeme finds comments, literals and names of ECMAScript; a template is cut at
	// its substitutions. Regular expressions are not told from divisions, which
	// only makes other words of the agent's own.
	lexeme = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`|[\\p{L}_$][\\p{L}\\p{N}_$]*")
	// substitution is what stands between the texts of a template.
	substitution = regexp.MustCompile(`(?s)\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}`)
)

// NewOwn reads a script.
func NewOwn(script string) *Own {
	o := &Own{literals: map[string]bool{}, names: map[string]bool{}}
	if len(script) <= maxScript {
		o.read(script)
	}
	o.cut()
	return o
}

// Add takes more texts of the agent's for literals.
func (o *Own) Add(texts ...string) {
	for _, t := range texts {
		o.addLiteral(t)
	}
	o.cut()
}

// cut chooses the literals that texts are taken apart at.
func (o *Own) cut() {
	o.cuts = nil
	for l := range o.literals {
		if strings.TrimSpace(l) != "" && !singleLetter(l) {
			o.cuts = append(o.cuts, l)
		}
	}
	slices.SortFunc(o.cuts, func(a, b string) int { return len(b) - len(a) })
	o.cuts = o.cuts[:min(len(o.cuts), maxCuts)]
}

func (o *Own) read(script string) {
	for _, w := range lexeme.FindAllString(script, -1) {
		switch w[0] {
		case '/':
		case '"', '\'':
			o.addLiteral(unescape(w[1 : len(w)-1]))
		case '`':
			inner := w[1 : len(w)-1]
			for _, text := range substitution.Split(inner, -1) {
				o.addLiteral(unescape(text))
			}
			for _, code := range substitution.FindAllString(inner, -1) {
				o.read(code[2 : len(code)-1])
			}
		default:
			if len(o.names) < maxLiterals {
				o.names[w] = true
			}
		}
	}
}

func (o *Own) addLiteral(s string) {
	if len(s) <= maxLiteral && len(o.literals) < maxLiterals {
		o.literals[s] = true
	}
}

// unescape reads the simple escapes of a literal.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.Replace(s)
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`, `\"`, `"`, `\'`, `'`, "\\`", "`", `\$`, "$")

// singleLetter: single characters would spell whatever a page wants.
func singleLetter(s string) bool {
	return utf8.RuneCountInString(s) == 1 && strings.Trim(s, alphanumeric) == ""
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// literal reports that s is a literal of the script.
func (o *Own) literal(s string) bool { return o != nil && o.literals[s] && !singleLetter(s) }

// name reports that s is a name or a literal of the script.
func (o *Own) name(s string) bool { return o != nil && (o.names[s] || o.literals[s]) }

// find returns where the first of the script's literals stands in s, and its
// length; 0 if there is none.
func (o *Own) find(s string) (at, length int) {
	if o == nil {
		return 0, 0
	}
	at = len(s)
	for _, c := range o.cuts {
		if i := wordIndex(s, c); i >= 0 && i < at {
			at, length = i, len(c)
		}
	}
	return at, length
}

// wordIndex finds c in s where it does not begin or end within a word.
func wordIndex(s, c string) int {
	from := 0
	for range maxCutsIn {
		i := strings.Index(s[from:], c)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(c):])
		first, _ := utf8.DecodeRuneInString(c)
		last, _ := utf8.DecodeLastRuneInString(c)
		if !(wordRune(first) && wordRune(before)) && !(wordRune(last) && wordRune(after)) {
			return i
		}
		from = i + 1
	}
	return -1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

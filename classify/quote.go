package classify

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spans are disjoint stretches of a text, in order.
type spans [][2]int

// hold reports whether a span holds the byte at.
func (s spans) hold(at int) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i][1] > at })
	return i < len(s) && s[i][0] <= at
}

// closer is what may close the quotation that r opens, empty if r opens none.
// German, Polish and others close with what English opens with.
func closer(r rune) string {
	switch r {
	case '"', '\'', '`':
		return string(r)
	case '“':
		return "”"
	case '„':
		return "“”"
	case '‘', '‚':
		return "’‘"
	case '«':
		return "»"
	case '»':
		return "«"
	case '‹':
		return "›"
	case '「':
		return "」"
	case '『':
		return "』"
	}
	return ""
}

// quotes finds quoted text and code. A quotation ends in its own paragraph or
// is none: else one stray mark would turn the rest of a page into a quotation.
func quotes(text string) spans {
	empty, fence := finder{text: text, want: "\n\n"}, finder{text: text, want: fenceMark}
	var out spans
	for at := 0; at < len(text); {
		open := fence.from(at)
		end := min(empty.from(at)+2, open, len(text))
		if end > at {
			out = append(out, inParagraph(text, at, end)...)
			at = end
			continue
		}
		stop := min(fence.from(at+len(fenceMark))+len(fenceMark), len(text))
		if strings.HasSuffix(text[at+len(fenceMark):stop], fenceMark) {
			out = append(out, [2]int{at, stop})
			at = stop
			continue
		}
		at += len(fenceMark) // never closed, so no code
	}
	return out
}

const fenceMark = "```"

// finder looks for want from places that only grow, and searches no stretch
// twice, however often it is asked.
type finder struct {
	text, want string
	next       int
	searched   bool
}

// from is where want is next at or after at; past the end if nowhere.
func (f *finder) from(at int) int {
	if f.searched && f.next >= at {
		return f.next
	}
	f.searched, f.next = true, len(f.text)
	if i := strings.Index(f.text[min(at, len(f.text)):], f.want); i >= 0 {
		f.next = at + i
	}
	return f.next
}

func inParagraph(text string, at, end int) spans {
	var out spans
	open, want, prev := -1, "", ' '
	for i := at; i < end; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case open >= 0 && strings.ContainsRune(want, r) && !apostrophe(text, r, i+size, prev):
			out = append(out, [2]int{open, i + size})
			open = -1
		case open < 0 && opens(r, prev):
			open, want = i, closer(r)
		}
		prev = r
		i += size
	}
	return out
}

// opens reports whether r begins a quotation: the marks that also serve as
// apostrophe only do after something that is no letter.
func opens(r, prev rune) bool {
	if closer(r) == "" {
		return false
	}
	return r != '\'' && r != '"' || !unicode.IsLetter(prev) && !unicode.IsDigit(prev)
}

func apostrophe(text string, r rune, next int, prev rune) bool {
	if r != '\'' && r != '’' || !unicode.IsLetter(prev) {
		return false
	}
	n, _ := utf8.DecodeRuneInString(text[next:])
	return unicode.IsLetter(n)
}

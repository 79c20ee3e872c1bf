package classify

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// term is one compiled entry of a table.
type term struct {
	class  string
	pieces []string // literals between the stars, the first is searched for
	whole  bool     // "=": the text is nothing else
	first  bool     // "^": the text begins with it
	size   int      // of the literals: of two terms for the same words the longer counts
}

// hit is a term found at s[start:end) of a padded text, whole words.
type hit struct {
	*term
	start, end int
	from, to   int // the first and the last word, counted from 1
	dense      bool
}

// lexicon is a table of terms compiled for one pass over a text.
type lexicon struct {
	terms  []term
	auto   *automaton
	filler map[string]bool
}

// maxWord bounds how far a star reaches, so that one long word cannot make
// each hit cost its length.
const maxWord = 64

func (l letters) term(class, source string) (term, error) {
	t := term{class: class}
	body := source
	body, t.whole = strings.CutPrefix(body, "=")
	body, t.first = strings.CutPrefix(body, "^")
	if t.whole {
		t.size = 1 << 10 // nothing says more about a text than all of it
	}
	lead, tail := strings.HasPrefix(body, "*"), strings.HasSuffix(body, "*")
	parts := strings.Split(strings.Trim(body, "*"), "*")
	for i, part := range parts {
		p := pad(l.fold(part, len(part)*20).r)
		s := string(p.s)
		if s == " " {
			return t, fmt.Errorf("term %q: no words between stars", source)
		}
		if i == 0 && (lead || dense(firstRune(s[1:]))) {
			s = s[1:]
		}
		last := i == len(parts)-1
		if !last || tail || dense(lastRune([]byte(strings.TrimSuffix(s, " ")))) {
			s = strings.TrimSuffix(s, " ")
		}
		t.pieces = append(t.pieces, s)
		t.size += len(strings.TrimSpace(s))
	}
	return t, nil
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func newLexicon(terms []term, filler map[string]bool) *lexicon {
	literals := make([]string, len(terms))
	for i, t := range terms {
		literals[i] = t.pieces[0]
	}
	return &lexicon{terms: terms, auto: newAutomaton(literals), filler: filler}
}

// read finds the terms of a folded text. Words in disguise are read both ways;
// the second reading only adds what the disguise hid, since "все" in Latin
// letters would break up the phrases of honest Russian.
func (x *lexicon) read(l letters, f folded) (padded, []hit) {
	p := pad(f.r)
	hits := x.find(p)
	bare, ok := l.disguised(f.r)
	if !ok {
		return p, hits
	}
	q := pad(bare)
	for _, h := range x.find(q) {
		lo, hi := q.off[h.start], q.off[h.end-1]+1
		if string(bare[lo:hi]) != string(f.r[lo:hi]) {
			hits = append(hits, h)
		}
	}
	// A letter stands for a letter, so words count the same in both.
	return p, hits
}

// find returns the hits that no longer hit covers, in order of place.
func (x *lexicon) find(p padded) []hit {
	hits := x.all(p)
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end),
			cmp.Compare(b.size, a.size))
	})
	kept := hits[:0]
	var long hit // the last one kept that reaches furthest
	for _, h := range hits {
		same := long.term != nil && h.start == long.start && h.end == long.end && h.size == long.size
		if h.end > long.end || same {
			kept, long = append(kept, h), h
		}
	}
	return kept
}

func (x *lexicon) all(p padded) []hit {
	var hits []hit
	lo, hi := x.core(p)
	x.auto.find(p.s, func(id int32, end int) {
		t := &x.terms[id]
		start := end - len(t.pieces[0])
		end, ok := t.rest(p.s, end)
		if !ok {
			return
		}
		h := hit{term: t, start: wordStart(p.s, start), end: wordEnd(p.s, end)}
		h.from, h.to = p.word[h.start], p.word[h.end-1]
		h.dense = dense(lastRune(p.s[:h.end]))
		if t.first && h.start > lo || t.whole && (h.start > lo || h.end < hi) {
			return
		}
		hits = append(hits, h)
	})
	return hits
}

// rest matches the pieces after the first, each at the next word.
func (t *term) rest(s []byte, at int) (int, bool) {
	for _, piece := range t.pieces[1:] {
		next := bytes.IndexByte(s[at:min(len(s), at+maxWord)], ' ')
		if next < 0 || !bytes.HasPrefix(s[at+next:], []byte(piece)) {
			return 0, false
		}
		at += next + len(piece)
	}
	return at, true
}

// core is the text without filler words at its ends: "Enter your code *".
func (x *lexicon) core(p padded) (lo, hi int) {
	lo, hi = 1, len(p.s)-1
	for lo < hi {
		n := bytes.IndexByte(p.s[lo:hi], ' ')
		if n < 0 || !x.filler[string(p.s[lo:lo+n])] {
			break
		}
		lo += n + 1
	}
	for lo < hi {
		n := bytes.LastIndexByte(p.s[lo:hi], ' ')
		if n < 0 || !x.filler[string(p.s[lo+n+1:hi])] {
			break
		}
		hi = lo + n
	}
	return lo, hi
}

func wordStart(s []byte, i int) int {
	if s[i] == ' ' {
		return i + 1
	}
	if dense(firstRune(string(s[i:min(len(s), i+4)]))) {
		return i
	}
	for n := 0; n < maxWord && s[i-1] != ' '; n++ {
		i--
	}
	return i
}

func wordEnd(s []byte, i int) int {
	if s[i-1] == ' ' {
		return i - 1
	}
	if dense(lastRune(s[:i])) {
		return i
	}
	for n := 0; n < maxWord && s[i] != ' '; n++ {
		i++
	}
	return i
}

// terms compiles lists keyed by language, in order of language.
func (l letters) terms(class string, lists map[string][]string) ([]term, error) {
	var out []term
	for _, lang := range slices.Sorted(maps.Keys(lists)) {
		for _, s := range lists[lang] {
			t, err := l.term(class, s)
			if err != nil {
				return nil, fmt.Errorf("class %s, language %q: %w", class, lang, err)
			}
			out = append(out, t)
		}
	}
	return out, nil
}

func (l letters) filler(words []string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		p := pad(l.fold(w, 100).r)
		m[strings.TrimSpace(string(p.s))] = true
	}
	return m
}

package classify

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// signTable is data/signs.yaml compiled.
type signTable struct {
	words    *lexicon
	rules    []rule
	byGroup  map[string][]place
	patterns []pattern
}

// rule fires where all its groups meet within window words.
type rule struct {
	Kind   Kind     `yaml:"kind"`
	Grade  Strength `yaml:"grade"`
	Window int      `yaml:"window"`
	Groups []string `yaml:"groups"`
}

// place is a group's seat in a rule.
type place struct{ rule, seat int }

type pattern struct {
	Kind   Kind     `yaml:"kind"`
	Grade  Strength `yaml:"grade"`
	Source string   `yaml:"re"`
	Needs  []string `yaml:"needs"` // no match without one: spares most texts the search
	re     *regexp.Regexp
}

func (c *Classifier) loadSigns(b []byte) (string, error) {
	var f struct {
		Version  string                         `yaml:"version"`
		Groups   map[string]map[string][]string `yaml:"groups"`
		Rules    []rule                         `yaml:"rules"`
		Patterns []pattern                      `yaml:"patterns"`
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return "", err
	}
	t := &signTable{rules: f.Rules, patterns: f.Patterns, byGroup: map[string][]place{}}
	var all []term
	for _, g := range slices.Sorted(maps.Keys(f.Groups)) {
		terms, err := c.letters.terms(g, f.Groups[g])
		if err != nil {
			return "", err
		}
		all = append(all, terms...)
	}
	t.words = newLexicon(all, nil)
	for i, r := range t.rules {
		for seat, g := range r.Groups {
			if f.Groups[g] == nil || !slices.Contains(Kinds(), r.Kind) {
				return "", fmt.Errorf("rule %d: unknown group %q or kind %q", i, g, r.Kind)
			}
			t.byGroup[g] = append(t.byGroup[g], place{i, seat})
		}
	}
	c.signs = t
	return f.Version, t.compile(c.letters)
}

// compile folds each pattern as the text will be, so that a letter in it is
// written as the text has it.
func (t *signTable) compile(l letters) error {
	for i := range t.patterns {
		p := &t.patterns[i]
		re, err := regexp.Compile(string(l.fold(p.Source, maxText).r))
		if err != nil {
			return fmt.Errorf("pattern %d: %w", i, err)
		}
		p.re = re
	}
	return nil
}

// matched are the signs that patterns find.
func (t *signTable) matched(f folded) []Sign {
	s := string(f.r)
	at := make([]int, 0, len(s)+1) // per byte of s: offset in the text
	for i, r := range f.r {
		for range len(string(r)) {
			at = append(at, f.off[i])
		}
	}
	at = append(at, f.off[len(f.r)])
	var out []Sign
	for _, p := range t.patterns {
		has := func(n string) bool { return strings.Contains(s, n) }
		if !slices.ContainsFunc(p.Needs, has) {
			continue
		}
		for _, m := range p.re.FindAllStringIndex(s, maxSigns+1) {
			lo := m[0]
			for lo < m[1] && (s[lo] == '\n' || s[lo] == ' ') {
				lo++
			}
			out = append(out, Sign{p.Kind, at[lo], at[m[1]], p.Grade})
		}
	}
	return out
}

// denseFactor turns a window of words into one of characters, of jamo even,
// where a text has no words to count.
const denseFactor = 8

// together are the signs whose groups meet. For each rule the latest hit of
// each group is enough: one pass, whatever the text repeats.
func (t *signTable) together(f folded) []Sign {
	p := pad(f.r)
	hits := t.words.all(p)
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.class, b.class))
	})
	// Languages share words: one place counts once, or its second reading would
	// wait in its seat for the next sign.
	hits = slices.CompactFunc(hits, func(a, b hit) bool { return a.end == b.end && a.class == b.class })
	seats := make([][]hit, len(t.rules))
	for i, r := range t.rules {
		seats[i] = make([]hit, len(r.Groups))
	}
	var out []Sign
	for _, h := range hits {
		for _, pl := range t.byGroup[h.class] {
			seats[pl.rule][pl.seat] = h
			if s, ok := t.rules[pl.rule].meet(p, f, seats[pl.rule]); ok {
				out = append(out, s)
				clear(seats[pl.rule])
			}
		}
	}
	return out
}

func (r rule) meet(p padded, f folded, seats []hit) (Sign, bool) {
	lo, hi := len(p.s), 0
	for _, h := range seats {
		if h.term == nil {
			return Sign{}, false
		}
		lo, hi = min(lo, h.start), max(hi, h.end)
	}
	window := r.Window
	if dense(lastRune(p.s[:hi])) {
		window *= denseFactor
	}
	if p.word[hi-1]-p.word[lo] >= window {
		return Sign{}, false
	}
	return Sign{r.Kind, f.off[p.off[lo]], f.off[p.off[hi-1]+1], r.Grade}, true
}

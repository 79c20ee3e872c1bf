// Package classify tells, from words alone, what a form field asks for, what
// pressing a control would do, and whether a text that was read looks like
// orders to a model. It is a policy information point: its closed classes are
// facts for the decision point and the audit, it decides nothing itself.
// First call [New], once; then [Classifier.Field], [Classifier.Act] and
// [Classifier.Signs].
//
// Every input text is the page's, so an attacker's. Invariants:
//   - the answer is one of [Classes], [Acts], [Kinds], for any input, and the
//     same for the same input (TestClosedAndDeterministic, FuzzAll);
//   - case and invisible characters in what a person reads change nothing
//     (TestInvisibleAndCase);
//   - words can only raise the grade of a field: a password label on a field
//     declared harmless makes it a password (TestLabelNeverLowers);
//   - a text longer than is read counts as the worst it could be (TestCut);
//   - time is linear in the text (BenchmarkHostile, BenchmarkSigns).
//
// It does not see the page: what a person sees has to be handed in. It reads
// no picture, no language beyond the fourteen of its data, and no intention:
// a control that says "Next" and pays is none here.
package classify

import (
	"embed"
	"fmt"
	"maps"
)

//go:embed data/*.yaml
var data embed.FS

// Classifier holds the compiled tables. It is immutable, so safe for
// concurrent use; it is a value to construct, not a package variable, so that
// a caller that never classifies pays nothing and an error has a place to go.
type Classifier struct {
	versions map[string]string
	autofill autofill
	letters  letters
	fields   *lexicon
	names    *lexicon
	acts     *lexicon
	signs    *signTable
}

// New compiles the embedded tables. An error means a broken build, which
// TestNew rules out.
func New() (*Classifier, error) {
	c := &Classifier{versions: map[string]string{}}
	steps := []struct {
		file string
		load func([]byte) (string, error)
	}{
		{"letters", c.loadLetters}, // first: the others are folded by it
		{"autofill", c.loadAutofill},
		{"fields", c.loadFields},
		{"acts", c.loadActs},
		{"signs", c.loadSigns},
	}
	for _, s := range steps {
		b, err := data.ReadFile("data/" + s.file + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("reading table %s: %w", s.file, err)
		}
		v, err := s.load(b)
		if err != nil {
			return nil, fmt.Errorf("loading table %s: %w", s.file, err)
		}
		if v == "" {
			return nil, fmt.Errorf("loading table %s: no version", s.file)
		}
		c.versions[s.file] = v
	}
	return c, nil
}

// Versions names the version of each table, for the audit: the same versions
// and the same input give the same class.
func (c *Classifier) Versions() map[string]string { return maps.Clone(c.versions) }

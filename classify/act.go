package classify

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
)

// Act is what pressing a control would do. The set is closed: see [Acts].
type Act string

// The acts, gravest first.
const (
	ActTransfer  Act = "transfer"  // moves money
	ActBuy       Act = "buy"       // orders, pays, books
	ActSign      Act = "sign"      // binds: contract, terms
	ActAuthorise Act = "authorise" // lets an app or device act for the person
	ActDelete    Act = "delete"    // destroys, revokes
	ActPublish   Act = "publish"   // to anybody
	ActSend      Act = "send"      // to somebody
	ActShare     Act = "share"     // gives others access
	ActApply     Act = "apply"     // hands in an application
	ActInstall   Act = "install"
	ActCancel    Act = "cancel" // ends a contract, an order, a subscription
	ActSubscribe Act = "subscribe"
	ActLogout    Act = "logout"
	ActNone      Act = "none"
)

// Acts lists every act, gravest first.
func Acts() []Act {
	return []Act{ActTransfer, ActBuy, ActSign, ActAuthorise, ActDelete, ActPublish, ActSend,
		ActShare, ActApply, ActInstall, ActCancel, ActSubscribe, ActLogout, ActNone}
}

// Irreversible reports whether the act cannot be taken back by the person
// alone. Logging out can.
func (a Act) Irreversible() bool { return a != ActNone && a != ActLogout }

func (c *Classifier) loadActs(b []byte) (string, error) {
	var f struct {
		Version string   `yaml:"version"`
		Filler  []string `yaml:"filler"`
		Acts    []struct {
			Act   Act                 `yaml:"act"`
			Terms map[string][]string `yaml:"terms"`
		} `yaml:"acts"`
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return "", err
	}
	var all []term
	for _, a := range f.Acts {
		if !slices.Contains(Acts(), a.Act) {
			return "", fmt.Errorf("unknown act %q", a.Act)
		}
		terms, err := c.letters.terms(string(a.Act), a.Terms)
		if err != nil {
			return "", err
		}
		all = append(all, terms...)
	}
	c.acts = newLexicon(all, c.letters.filler(f.Filler))
	return f.Version, nil
}

// A control says what it does in few words. In a longer text, a teaser or a
// card, single words count only near its ends, where imperatives stand.
const (
	shortText = 8
	nearEnd   = 3
)

// Act says what pressing a control does whose words are text. A text too long
// to be read counts as the gravest act.
func (c *Classifier) Act(text string) Act {
	f := c.letters.fold(text, maxText)
	if f.cut {
		return ActTransfer
	}
	best := ActNone
	p, hits := c.acts.read(c.letters, f)
	for _, h := range hits {
		if placed(p, h) && graver(Act(h.class), best) {
			best = Act(h.class)
		}
	}
	return best
}

func graver(a, b Act) bool { return slices.Index(Acts(), a) < slices.Index(Acts(), b) }

// placed reports whether h stands where it can be the control's verb.
func placed(p padded, h hit) bool {
	total, first, last := p.words(), h.from, h.to
	if total <= shortText || h.dense && total <= 4*shortText {
		return true
	}
	return last > first || first <= nearEnd || last > total-nearEnd
}

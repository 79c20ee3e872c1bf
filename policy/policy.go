// Package policy is the policy decision point. [Load] reads a policy, [Authorize]
// decides on the recorded facts of a call and the state of its session, [Next]
// moves that state on. It knows nothing of pages or MCP.
//
// Invariants: Authorize and Next are pure and total (TestAuthorizeIsTotal,
// TestNextIsAFold). The zero value of everything denies. A rule that can't be
// evaluated denies (TestErrorsDeny). A rule that denies, added to a policy,
// never lets more through (TestADenyRuleAllowsNoMore). A policy with any fault
// is never loaded (TestFaults).
//
// It holds no person's answers and performs nothing: that is for approval and
// proxy.
package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Verdict is what becomes of a call. The zero value is Deny: a decision that
// nobody made refuses. Smaller is more restrictive.
type Verdict uint8

const (
	Deny Verdict = iota
	Approve
	Allow
)

// Verdicts are the words for them, in their order.
var Verdicts = []string{"deny", "approve", "allow"}

func (v Verdict) String() string {
	if int(v) < len(Verdicts) {
		return Verdicts[v]
	}
	return "deny"
}

// MarshalText writes the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word; any other is an error.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, w := range Verdicts {
		if w == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("reading a verdict: want one of %v", Verdicts)
}

// Policy is a loaded policy. It never changes.
type Policy struct {
	// Name is the file's or profile's, Hash the SHA-256 of all its sources.
	Name, Hash string
	// Source is the file's own text.
	Source string
	// Warnings are what a person should look at, though the policy is sound.
	Warnings []Fault

	rules            []rule
	limits           limits
	fallback         Verdict
	approveMeansDeny bool
	watch            bool
	isolated         bool
	origins          []scope
	denied           []denial
	blocked          denials
	allowed          []waiver
	secrets          map[string]Secret
	private          []scope
	words            map[string][]word
	index            map[string]map[string]func(*env) bool
	reads            []string
}

// Reads are the names of the arguments that rules read: facts hold no others.
func (p *Policy) Reads() []string { return p.reads }

// RequiresIsolated reports that pages have to be looked at where they can't reach.
func (p *Policy) RequiresIsolated() bool { return p.isolated }

// Watches reports that the policy only records.
func (p *Policy) Watches() bool { return p.watch }

// Secret is what a person has bound to a field: the agent passes its name.
type Secret struct {
	Name   string
	Origin Origin
	// Field is the class of the field.
	Field string
}

// Secrets are those of the policy, by name.
func (p *Policy) Secrets() []Secret {
	return slices.SortedFunc(maps.Values(p.secrets), func(a, b Secret) int { return strings.Compare(a.Name, b.Name) })
}

// Private reports an origin that the policy names as one that knows the person.
func (p *Policy) Private(raw string) bool { return within(p.private, raw) }

// Lifted are the denials that a person has lifted, with their reasons, for
// messages.
func (p *Policy) Lifted() []string {
	var out []string
	for _, w := range p.allowed {
		out = append(out, w.scope.String()+": "+w.reason)
	}
	return out
}

func (s scope) String() string {
	switch {
	case s.loopback:
		return "loopback"
	case s.domain != "":
		return "*." + s.domain
	}
	return s.origin.String()
}

// listed reports an origin among the policy's own.
func (p *Policy) listed(raw string) bool { return within(p.origins, raw) }

func within(list []scope, raw string) bool {
	o, err := ParseOrigin(raw)
	return err == nil && slices.ContainsFunc(list, func(s scope) bool { return s.holds(o) })
}

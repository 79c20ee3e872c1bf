package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const decisionsDir = "testdata/decisions"

// decisions reads a suite and the policy that it is for, which is a profile or a
// file beside it.
func decisions(t *testing.T, file string) (Suite, *Policy) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := LoadSuite(filepath.Base(file), raw)
	if err != nil {
		t.Fatal(err)
	}
	if ProfileSource(s.Policy) != nil {
		p, err := Profile(s.Policy)
		if err != nil {
			t.Fatal(err)
		}
		return s, p
	}
	if raw, err = os.ReadFile(filepath.Join(filepath.Dir(file), s.Policy)); err != nil {
		t.Fatal(err)
	}
	p, err := Load(s.Policy, raw)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// decisive are the rules whose verdict is that of the most restrictive one.
func decisive(d Decision) []string {
	var out []string
	for _, r := range d.Rules {
		if r.Verdict == d.Rules[0].Verdict {
			out = append(out, r.Rule)
		}
	}
	return out
}

// The table of issue 5: facts, the decision that they must get, and the reason that
// it is right. Suites are for one profile or group of clauses each.
func TestDecisionTable(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(decisionsDir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	// deciding are the rules that were decisive, by policy.
	deciding := map[string]map[string]bool{}
	for _, file := range files {
		s, p := decisions(t, file)
		if len(s.Cases) == 0 {
			t.Errorf("%s has no cases", file)
		}
		names := map[string]bool{}
		if deciding[s.Policy] == nil {
			deciding[s.Policy] = map[string]bool{}
		}
		for _, o := range s.Run(p) {
			c := o.Case
			if strings.TrimSpace(c.Because) == "" {
				t.Errorf("%s: %s: no reason (because)", c.At, c.Name)
			}
			if c.Name == "" || names[c.Name] {
				t.Errorf("%s: the name %q is empty or not unique in the file", c.At, c.Name)
			}
			names[c.Name] = true
			if !c.State.Sound() {
				t.Errorf("%s: %s: lists of a state are sorted", c.At, c.Name)
			}
			cases++
			if o.Says != "" {
				t.Errorf("%s: %s: %s", c.At, c.Name, o.Says)
				continue
			}
			for _, id := range c.Rules {
				if !slices.Contains(decisive(o.Decision), id) {
					t.Errorf("%s: %s: rule %s took part, but decided nothing", c.At, c.Name, id)
				}
				deciding[s.Policy][id] = true
			}
		}
	}
	t.Logf("%d cases as wanted", cases)
	if cases < 300 {
		t.Errorf("%d cases, want at least 300", cases)
	}

	// Every rule of these profiles decides some case. The profile strict says little
	// without origins, so its cases are for a policy that lists some.
	for profile, policies := range map[string][]string{"standard": {"standard", "policies/secrets.yaml"}, "strict": {"strict", "policies/listed.yaml"}, "ci": {"ci"}} {
		for _, id := range ownRules(t, profile) {
			if !slices.ContainsFunc(policies, func(name string) bool { return deciding[name][id] }) {
				t.Errorf("profile %s: no case is decided by the rule %s", profile, id)
			}
		}
	}
}

// What a state makes of events, which no single record of facts can show.
func TestSequences(t *testing.T) {
	standard, err := Profile("standard")
	if err != nil {
		t.Fatal(err)
	}
	const evil, router = "https://evil.example", "http://192.168.1.1"
	long := Destine(evil + "/?d=" + strings.Repeat("x", 200))
	private := Event{Kind: EventRead, Origin: router, Host: HostPrivate}
	at := func(origin string) *Page { return &Page{Origin: origin, Host: Destine(origin).Host, Isolated: true} }
	for _, test := range []struct {
		name, because string
		events        []Event
		facts         Facts
		want          Verdict
	}{
		{"a short address first, then the data", "what the agent itself opens after a private page is as new to the task as before: one call would shed the question",
			[]Event{private, {Kind: EventVisit, Origin: evil}}, Facts{Effects: []Effect{Navigate}, Page: at(evil), To: &long}, Approve},
		{"one byte first, then the data", "bytes that were sent to an origin make it no more known to the person",
			[]Event{private, {Kind: EventSent, Origin: evil, Bytes: 1}}, Facts{Effects: []Effect{Navigate}, Page: at(evil), To: &long}, Approve},
		{"a flag that outlives its grant", "signs that are read after a person has agreed are news: the yes was for what was read till then",
			[]Event{{Kind: EventRead, Origin: evil, Host: HostPublic, Signs: true}, {Kind: EventAgree, Grant: "flagged " + evil}, {Kind: EventClear, Origin: evil}, {Kind: EventRead, Origin: evil, Host: HostPublic, Signs: true}},
			Facts{Effects: []Effect{Input}, Page: at(evil), Targets: []Target{{Tag: "button", Frame: evil}}}, Approve},
	} {
		var s State
		for _, e := range test.events {
			s = Next(s, e)
		}
		if d := Authorize(standard, test.facts, s); d.Verdict != test.want {
			t.Errorf("%s: %s, want %s (%s)", test.name, d.Verdict, test.want, test.because)
		}
	}
}

// ownRules are the rules of a profile's own file, without those that it extends,
// unless it has them by the same name.
func ownRules(t *testing.T, profile string) []string {
	t.Helper()
	p, err := Profile(profile)
	if err != nil {
		t.Fatal(err)
	}
	base := 0
	if profile != "standard" {
		standard, err := Profile("standard")
		if err != nil {
			t.Fatal(err)
		}
		base = len(standard.rules)
	}
	var out []string
	for _, r := range p.rules[base:] {
		out = append(out, r.id)
	}
	if len(out) == 0 {
		t.Fatalf("profile %s has no rules of its own", profile)
	}
	return out
}

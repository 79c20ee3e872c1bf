package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	json2 "github.com/go-json-experiment/json"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Case is one row of a suite: facts, and what a policy has to decide on them.
type Case struct {
	At   Position
	Name string
	// Because is the reason that the wanted decision is right.
	Because string
	Facts   Facts
	State   State
	Want    Verdict
	// Rules have to be among those that led to it.
	Rules []string
}

// Suite is a list of cases for one policy.
type Suite struct {
	// Policy is a profile's name or a file's path.
	Policy string
	Cases  []Case
}

// Outcome is what a case came to; an empty Says is as wanted.
type Outcome struct {
	Case     Case
	Decision Decision
	Says     string
}

// LoadSuite reads a suite strictly. Addresses stand as texts in it: they are
// reduced to facts as those of a call are. A target's frame is the page's origin
// unless it is given.
func LoadSuite(file string, raw []byte) (Suite, error) {
	var s Suite
	l := &loader{document: document{file: file}, p: &Policy{}}
	if root := l.parse(raw); root != nil {
		l.fields(root, "a suite", []string{"version", "policy", "cases"},
			field{"version", func(n ast.Node) {
				if v := l.number(n, "version"); v != 1 && v >= 0 {
					l.fault(n, "version %d is not supported (want 1)", v)
				}
			}},
			field{"policy", func(n ast.Node) { s.Policy = l.text(n, "policy") }},
			field{"cases", func(n ast.Node) { l.items(n, "cases", func(n ast.Node) { s.Cases = append(s.Cases, l.testCase(n)) }) }})
	}
	if len(l.faults) > 0 {
		return Suite{}, Faults(l.faults)
	}
	return s, nil
}

// LoadFacts reads {facts: …, state: …}, YAML or JSON, as an audit's record of a
// decision or a case of a suite has them; other keys of those are passed over.
func LoadFacts(file string, raw []byte) (f Facts, s State, err error) {
	l := &loader{document: document{file: file}, p: &Policy{}}
	if root := l.parse(raw); root != nil {
		skip := func(ast.Node) {}
		l.fields(root, "a record of a decision", []string{"facts"},
			field{"facts", func(n ast.Node) { l.decode(n, "facts", &f) }},
			field{"state", func(n ast.Node) { l.decode(n, "state", &s) }},
			field{"name", skip}, field{"because", skip}, field{"want", skip}, field{"rules", skip}, field{"decision", skip}, field{"policy", skip})
	}
	if len(l.faults) > 0 {
		return Facts{}, State{}, Faults(l.faults)
	}
	return f, s, nil
}

func (l *loader) testCase(n ast.Node) Case {
	c := Case{At: l.position(n)}
	l.fields(n, "a case", []string{"name", "facts", "want"},
		field{"name", func(n ast.Node) { c.Name = l.text(n, "name") }},
		field{"because", func(n ast.Node) { c.Because = l.text(n, "because") }},
		field{"facts", func(n ast.Node) { l.decode(n, "facts", &c.Facts) }},
		field{"state", func(n ast.Node) { l.decode(n, "state", &c.State) }},
		field{"want", func(n ast.Node) { c.Want = l.verdict(n) }},
		field{"rules", func(n ast.Node) {
			l.items(n, "rules", func(n ast.Node) { c.Rules = append(c.Rules, l.text(n, "a rule's id")) })
		}})
	return c
}

// decode reads facts or a state in the form that an audit has them.
func (l *loader) decode(n ast.Node, what string, into any) {
	var plain any
	if err := yaml.NodeToValue(n, &plain); err != nil {
		l.fault(n, "%s can't be read", what)
		return
	}
	if m, ok := plain.(map[string]any); ok {
		reduceAddresses(m)
		frames(m)
	}
	raw, err := json.Marshal(plain)
	if err != nil {
		l.fault(n, "%s can't be read", what)
		return
	}
	if err := DecodeStrict(raw, into); err != nil {
		l.fault(n, "%s: %v", what, err)
	}
}

// DecodeStrict reads JSON of one of this package's types: unknown and repeated
// members are errors, and names differ by case.
func DecodeStrict(raw []byte, into any) error {
	err := json2.Unmarshal(raw, into, json2.RejectUnknownMembers(true))
	var wrong *json2.SemanticError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s can't be read as %v", cmp.Or(string(wrong.JSONPointer), "the whole"), wrong.GoType)
	}
	return err
}

// reduceAddresses makes facts of the addresses that stand as texts.
func reduceAddresses(m map[string]any) {
	for k, v := range m {
		switch v := v.(type) {
		case string:
			switch k {
			case "to", "link", "action":
				m[k] = Destine(v)
			case "page":
				m[k] = map[string]any{"origin": v, "host": Destine(v).Host, "isolated": true}
			}
		case map[string]any:
			reduceAddresses(v)
		case []any:
			for _, item := range v {
				if m, ok := item.(map[string]any); ok {
					reduceAddresses(m)
				}
			}
		}
	}
}

// frames gives targets the page's origin where no frame is named.
func frames(m map[string]any) {
	page, _ := m["page"].(map[string]any)
	targets, _ := m["targets"].([]any)
	for _, t := range targets {
		if t, ok := t.(map[string]any); ok && page != nil {
			if _, named := t["frame"]; !named {
				t["frame"] = page["origin"]
			}
		}
	}
}

// Run decides all cases.
func (s Suite) Run(p *Policy) []Outcome {
	out := make([]Outcome, 0, len(s.Cases))
	for _, c := range s.Cases {
		o := Outcome{Case: c, Decision: Authorize(p, c.Facts, c.State)}
		got := o.Decision.Verdict
		if o.Decision.Watched {
			got = o.Decision.Would
		}
		if got != c.Want {
			o.Says = fmt.Sprintf("%s, want %s (%s)", got, c.Want, o.Decision.Why())
		}
		for _, id := range c.Rules {
			if !slices.ContainsFunc(o.Decision.Rules, func(r Applied) bool { return r.Rule == id }) && o.Says == "" {
				o.Says = fmt.Sprintf("%s as wanted, but not by the rule %s (%s)", got, id, o.Decision.Why())
			}
		}
		out = append(out, o)
	}
	return out
}

// Why names the rules that made the verdict what it is, and their reasons, in
// one line without a word of a page's.
func (d Decision) Why() string {
	if len(d.Errors) > 0 {
		return d.Errors[0]
	}
	v := d.Verdict
	if d.Watched {
		v = d.Would
	}
	var out bytes.Buffer
	for _, r := range d.Rules {
		if r.Verdict > v && out.Len() > 0 {
			break
		}
		if out.Len() > 0 {
			out.WriteString("; ")
		}
		if r.Because != "" {
			out.WriteString(r.Because + ", ")
		}
		out.WriteString("rule " + r.Rule)
	}
	return out.String()
}

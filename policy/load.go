package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"moire/near"
)

// Faults are all mistakes of a policy's source, in its order. A policy with any
// is not loaded.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.Error()
	}
	return "reading policy " + strings.Join(lines, "\n  ")
}

// Load reads a policy from its source; file is its name for messages. The error
// is [Faults]. The language is described in docs: keys that no table names are
// errors, and so is every word that a rule could only get wrong.
func Load(file string, raw []byte) (*Policy, error) { return load(file, raw, 0) }

// maxBases is how deep profiles may stand on each other.
const maxBases = 4

func load(file string, raw []byte, depth int) (*Policy, error) {
	l := &loader{document: document{file: file}, p: &Policy{words: vocabulary(), Name: file}, hash: sha256.New(), source: string(raw)}
	l.hash.Write(raw)
	l.depth = depth
	if root := l.parse(raw); root != nil {
		l.base(root)
		l.policy(root)
	}
	if len(l.faults) > 0 {
		slices.SortStableFunc(l.faults, func(a, b Fault) int {
			if a.At.Line != b.At.Line {
				return a.At.Line - b.At.Line
			}
			return a.At.Column - b.At.Column
		})
		return nil, Faults(l.faults)
	}
	l.finish()
	return l.p, nil
}

type loader struct {
	document
	p      *Policy
	hash   hash.Hash
	source string
	depth  int
	// defaulted: the file or its base names a default.
	defaulted bool
	waivers   []pendingWaiver
}

// pendingWaiver waits until all rules are read.
type pendingWaiver struct {
	node ast.Node
	rule string
	waiver
}

// base reads the profile that the policy extends before anything else.
func (l *loader) base(root *ast.MappingNode) {
	for _, v := range root.Values {
		if key, ok := v.Key.(*ast.StringNode); !ok || key.Value != "extends" {
			continue
		}
		l.defaulted = true
		name := l.word(v.Value, "profile", Profiles())
		if name == "" {
			return
		}
		if l.depth >= maxBases {
			l.fault(v.Value, "profiles stand on each other more than %d deep", maxBases)
			return
		}
		raw := ProfileSource(name)
		base, err := load("profile "+name, raw, l.depth+1)
		if err != nil {
			l.fault(v.Value, "the profile %s can't be read: %v", name, err)
			return
		}
		l.hash.Write(raw)
		own := l.p.Name
		*l.p = *base
		l.p.Name = own
		l.p.rules = slices.Clone(base.rules)
	}
}

// policy reads the file's own keys.
func (l *loader) policy(root *ast.MappingNode) {
	p := l.p
	required := []string{"version"}
	if !l.defaulted {
		required = append(required, "default")
	}
	l.fields(root, "a policy", required,
		field{"version", func(n ast.Node) {
			if v := l.number(n, "version"); v != 1 && v >= 0 {
				l.fault(n, "version %d is not supported (want 1)", v)
			}
		}},
		field{"name", func(n ast.Node) { p.Name = l.text(n, "name") }},
		field{"extends", func(ast.Node) {}},
		field{"default", func(n ast.Node) { p.fallback = l.verdict(n) }},
		field{"mode", func(n ast.Node) { p.watch = l.word(n, "mode", []string{"enforce", "watch"}) == "watch" }},
		field{"approve", func(n ast.Node) {
			p.approveMeansDeny = l.word(n, "way to approve", []string{"ask", "deny"}) == "deny"
		}},
		field{"require", func(n ast.Node) {
			l.items(n, "require", func(n ast.Node) {
				p.isolated = l.word(n, "requirement", []string{"isolated"}) == "isolated" || p.isolated
			})
		}},
		field{"origins", func(n ast.Node) {
			l.items(n, "origins", func(n ast.Node) { p.origins = append(p.origins, l.scope(n)) })
		}},
		field{"private", func(n ast.Node) {
			l.items(n, "private", func(n ast.Node) { p.private = append(slices.Clone(p.private), l.scope(n)) })
		}},
		field{"secrets", func(n ast.Node) { l.items(n, "secrets", l.secret) }},
		field{"deny-list", func(n ast.Node) {
			if l.word(n, "deny list", []string{"builtin", "none"}) == "builtin" {
				p.denied = append(p.denied, builtinDenials()...)
			}
		}},
		field{"deny", func(n ast.Node) { l.items(n, "deny", l.deny) }},
		field{"allow-denied", func(n ast.Node) { l.items(n, "allow-denied", l.allowDenied) }},
		field{"limits", l.limits},
		field{"rules", func(n ast.Node) { l.items(n, "rules", l.rule) }},
		field{"waive", func(n ast.Node) { l.items(n, "waive", l.waive) }},
	)
	l.setAside()
}

// secret reads what binds a secret; its value is never in a policy.
func (l *loader) secret(n ast.Node) {
	var s Secret
	l.fields(n, "a secret", []string{"name", "origin", "field"},
		field{"name", func(n ast.Node) {
			if s.Name = l.text(n, "name"); s.Name != "" && !isID(s.Name) {
				l.fault(n, "the name %q has to be of small letters, digits and hyphens, at most 64", s.Name)
			}
			if _, taken := l.p.secrets[s.Name]; taken {
				l.fault(n, "a secret of the name %q is there already", s.Name)
			}
		}},
		field{"origin", func(n ast.Node) {
			scope := l.scope(n)
			if s.Origin = scope.origin; s.Origin == (Origin{}) && (scope.loopback || scope.domain != "") {
				l.fault(n, "a secret is bound to one origin")
			}
		}},
		field{"field", func(n ast.Node) {
			s.Field = l.word(n, "class of fields", fieldClasses())
		}})
	if l.p.secrets = maps.Clone(l.p.secrets); l.p.secrets == nil {
		l.p.secrets = map[string]Secret{}
	}
	l.p.secrets[s.Name] = s
}

func (l *loader) verdict(n ast.Node) Verdict {
	i := slices.Index(Verdicts, l.word(n, "verdict", Verdicts))
	return Verdict(max(i, 0))
}

// scope reads an origin, {subdomains: domain} or loopback.
func (l *loader) scope(n ast.Node) scope {
	if m, ok := n.(*ast.MappingNode); ok {
		var s scope
		l.fields(m, "an origin", []string{"subdomains"}, field{"subdomains", func(n ast.Node) { s.domain = l.domain(n) }})
		return s
	}
	raw := l.text(n, "an origin")
	switch {
	case raw == "":
		return scope{}
	case raw == "loopback":
		return scope{loopback: true}
	case strings.Contains(raw, "*"):
		l.fault(n, "%q: an origin has no wildcards (hint: {subdomains: example.com} holds for a domain and all below it, by https)", raw)
		return scope{}
	}
	o, err := ParseOrigin(raw)
	if err != nil {
		l.fault(n, "%v", err)
	}
	return scope{origin: o}
}

// domain reads the name of a domain that somebody can have registered.
func (l *loader) domain(n ast.Node) string {
	raw := l.text(n, "a domain")
	if raw == "" {
		return ""
	}
	name, err := plainHost(raw)
	switch {
	case err != nil:
		l.fault(n, "%q is no domain (want a name such as example.com)", raw)
	case RegistrableDomain(name) == name && !strings.Contains(name, "."), publicSuffix(name):
		l.fault(n, "%q is not one organisation's domain: anybody can register below it", raw)
	default:
		return name
	}
	return ""
}

func (l *loader) limits(n ast.Node) {
	var fields []field
	at := map[string]Position{}
	for k, v := range l.p.limits.at {
		at[k] = v
	}
	for _, name := range limitNames {
		fields = append(fields, field{name, func(n ast.Node) {
			*l.p.limits.of(name) = l.number(n, name)
			at[name] = l.position(n)
		}})
	}
	l.fields(n, "limits", nil, fields...)
	l.p.limits.at = at
}

// isID reports a rule's name: it is shown to agents.
func isID(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func (l *loader) rule(n ast.Node) {
	r := rule{at: l.position(n)}
	l.fields(n, "a rule", []string{"id", "then"},
		field{"id", func(n ast.Node) {
			if r.id = l.text(n, "id"); r.id != "" && !isID(r.id) {
				l.fault(n, "the id %q has to be of small letters, digits and hyphens, at most 64", r.id)
			}
			if i := slices.IndexFunc(l.p.rules, func(o rule) bool { return o.id == r.id }); i >= 0 {
				l.fault(n, "the id %q is taken by the rule at %s", r.id, l.p.rules[i].at)
			}
			if r.id == "default" || strings.HasPrefix(r.id, "limit-") {
				l.fault(n, "the id %q is one of Moiré's own", r.id)
			}
		}},
		field{"on", func(n ast.Node) {
			l.items(n, "on", func(n ast.Node) {
				if w := l.word(n, "effect", Effects); w != "" {
					r.on = append(r.on, Effect(w))
				}
			})
		}},
		field{"if", func(n ast.Node) { r.cond = l.condition(n) }},
		field{"then", func(n ast.Node) { r.then = l.verdict(n) }},
		field{"because", func(n ast.Node) { r.because = l.sentence(n, "because") }},
		field{"once", func(n ast.Node) { r.once = l.word(n, "scope", []string{"origin", "pair"}) }},
	)
	if r.once != "" && r.then != Approve {
		l.fault(n, "once is for rules that ask (then: approve)")
	}
	if r.then == Allow && r.cond == nil && len(r.on) == 0 {
		l.p.Warnings = append(l.p.Warnings, Fault{r.at, fmt.Sprintf("the rule %s allows every call that no other rule speaks of", r.id)})
	}
	l.p.rules = append(l.p.rules, r)
}

// sentence reads a text that is shown: one line, printable, not long.
func (l *loader) sentence(n ast.Node, what string) string {
	s := strings.TrimSpace(l.text(n, what))
	if len(s) > 200 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '⟦' || r == '⟧' }) {
		l.fault(n, "%s has to be one line of at most 200 bytes", what)
	}
	return s
}

func (l *loader) condition(n ast.Node) *condition {
	source := l.text(n, "if")
	if source == "" {
		return nil
	}
	c, err := compileCondition(source, l.p.words)
	if err != nil {
		at, says := l.position(n), err.Error()
		if e, ok := err.(*conditionError); ok {
			at = l.inside(n, e.line, e.column)
		}
		l.faultAt(at, "%s", says)
		return nil
	}
	return &c
}

func (l *loader) waive(n ast.Node) {
	var rules []string
	var scopes []scope
	var reason string
	l.fields(n, "a waiver", []string{"rules", "origins", "reason"},
		field{"rules", func(n ast.Node) {
			l.items(n, "rules", func(n ast.Node) { rules = append(rules, l.text(n, "a rule's id")) })
		}},
		field{"origins", func(n ast.Node) {
			l.items(n, "origins", func(n ast.Node) { scopes = append(scopes, l.scope(n)) })
		}},
		field{"reason", func(n ast.Node) { reason = l.sentence(n, "reason") }},
	)
	for _, rule := range rules {
		for _, s := range scopes {
			l.waivers = append(l.waivers, pendingWaiver{n, rule, waiver{s, reason}})
		}
	}
}

// setAside gives the waivers to their rules.
func (l *loader) setAside() {
	for _, w := range l.waivers {
		i := slices.IndexFunc(l.p.rules, func(r rule) bool { return r.id == w.rule })
		if i < 0 {
			var ids []string
			for _, r := range l.p.rules {
				ids = append(ids, r.id)
			}
			l.fault(w.node, "no rule %q can be waived%s", w.rule, near.Hint(w.rule, ids))
			continue
		}
		if l.p.rules[i].then == Allow {
			l.fault(w.node, "the rule %q allows: there is nothing to waive", w.rule)
			continue
		}
		l.p.rules[i].waived = append(slices.Clone(l.p.rules[i].waived), w.waiver)
	}
}

func (l *loader) finish() {
	p := l.p
	p.Source = l.source
	p.Hash = hex.EncodeToString(l.hash.Sum(nil))
	p.blocked = indexed(p.denied)
	p.index = map[string]map[string]func(*env) bool{}
	for name, list := range p.words {
		p.index[name] = map[string]func(*env) bool{}
		for _, w := range list {
			p.index[name][w.name] = w.holds
		}
	}
	p.reads = nil
	for _, r := range p.rules {
		if r.cond != nil {
			p.reads = append(p.reads, r.cond.reads...)
		}
	}
	slices.Sort(p.reads)
	p.reads = slices.Compact(p.reads)
}

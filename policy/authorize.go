package policy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr/vm"
)

// Applied is a rule that took part in a decision.
type Applied struct {
	Rule    string  `json:"rule"`
	Verdict Verdict `json:"verdict"`
	// Because is the rule's own reason. It is of the policy, never of a page.
	Because string `json:"because,omitempty"`
	At      string `json:"at,omitempty"`
	// Grant is what a person's word for it holds for, if longer than the call.
	Grant string `json:"grant,omitempty"`
}

// Decision is a verdict with all the rules that led to it. The zero value denies.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	// Rules are all that matched, the most restrictive first, in the policy's order.
	Rules []Applied `json:"rules,omitempty"`
	// Errors tell which rules could not be evaluated, and why; any one denies.
	Errors []string `json:"errors,omitempty"`
	// Obligations are what the enforcement point has to do with an allowed call:
	// words of [Obligations].
	Obligations []string `json:"obligations,omitempty"`
	// Would is the verdict that a watching policy does not enforce.
	Would Verdict `json:"would,omitempty"`
	// Watched: the policy only records.
	Watched bool `json:"watched,omitempty"`
}

// Obligations is the closed list: the targets' facts have to be compared again at
// the moment of acting; the copy of a file that was shown is what is sent.
var Obligations = []string{"recheck-targets", "send-copy"}

// Authorize decides on a call. It is pure and total: it reads nothing but its
// arguments, and every outcome that is not an allowance is a refusal or a
// question. All rules are evaluated, so that the reasons are complete; the most
// restrictive verdict wins. An effect of the call that no matching rule speaks of
// has the policy's default. A nil policy denies.
func Authorize(p *Policy, f Facts, s State) Decision {
	if p == nil {
		return Decision{}
	}
	e := newEnv(p, &f, &s)
	d := Decision{}
	covered := map[Effect]bool{}
	bound := e.environment(p.index)
	var machine vm.VM
	for i := range p.rules {
		r := &p.rules[i]
		if !r.concerns(f.Effects) {
			continue
		}
		holds, err := r.holds(&machine, bound)
		if err != nil {
			d.Errors = append(d.Errors, fmt.Sprintf("rule %s: %s", r.id, reason(err)))
			continue
		}
		if !holds || r.setAside(e) {
			continue
		}
		grant := r.grant(e)
		if r.then == Approve && grant != "" && slices.Contains(s.Agreed, grant) {
			continue
		}
		r.cover(covered, f.Effects)
		d.Rules = append(d.Rules, Applied{r.id, r.then, r.because, r.at.String(), grant})
	}
	d.Rules = append(d.Rules, p.limits.applied(e)...)
	if len(f.Effects) == 0 || slices.ContainsFunc(f.Effects, func(e Effect) bool { return !covered[e] }) {
		d.Rules = append(d.Rules, Applied{Rule: "default", Verdict: p.fallback, Because: "no rule speaks of it"})
	}
	d.Verdict = p.verdict(&d)
	slices.SortStableFunc(d.Rules, func(a, b Applied) int { return int(a.Verdict) - int(b.Verdict) })
	d.Obligations = obligations(&f)
	if p.watch {
		d.Would, d.Watched, d.Verdict = d.Verdict, true, Allow
	}
	return d
}

// holds evaluates the rule's condition. The library turns a panic, such as that of
// a predicate without its facts, into an error.
func (r *rule) holds(machine *vm.VM, bound map[string]any) (bool, error) {
	if r.cond == nil {
		return true, nil
	}
	out, err := machine.Run(r.cond.program, bound)
	if err != nil {
		return false, err
	}
	b, ok := out.(bool)
	if !ok {
		return false, errors.New("the condition is no boolean")
	}
	return b, nil
}

// reason is an evaluation's error in our words: the library's quote the source.
func reason(err error) string {
	var m missing
	if errors.As(err, &m) {
		return m.Error()
	}
	return "the condition can't be evaluated on these facts"
}

// verdict is the most restrictive one.
func (p *Policy) verdict(d *Decision) Verdict {
	if len(d.Errors) > 0 || len(d.Rules) == 0 {
		return Deny
	}
	v := Allow
	for _, r := range d.Rules {
		v = min(v, r.Verdict)
	}
	if v == Approve && p.approveMeansDeny {
		return Deny
	}
	return v
}

func obligations(f *Facts) []string {
	var out []string
	if len(f.Targets) > 0 {
		out = append(out, "recheck-targets")
	}
	if len(f.Files) > 0 {
		out = append(out, "send-copy")
	}
	return out
}

// Package policy is the policy decision point. For now it holds the form of a
// decision and one policy, [AllowAll]; rules over recorded facts come with the
// policy language. It knows nothing of pages or MCP, and is pure.
package policy

// Verdict is what becomes of a call. The zero value is Deny: a decision that
// nobody made refuses.
type Verdict uint8

const (
	Deny Verdict = iota
	Approve
	Allow
)

// Decision is a verdict with the rules that led to it, for the record.
type Decision struct {
	Verdict Verdict
	Rules   []string
}

// Facts are the recordable reduction of a call that rules may read.
type Facts struct {
	Tool    string
	Effects []string
}

// AllowAll allows every call that describing it let through.
func AllowAll(Facts) Decision {
	return Decision{Verdict: Allow, Rules: []string{"allow-all"}}
}

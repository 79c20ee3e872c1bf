package proxy

import (
	"context"
	"slices"
	"strings"

	"moire/adapter"
	"moire/policy"
)

// Question is what a person is asked.
type Question struct {
	// Key is equal for an equal act: the call and the facts that were shown.
	Key string
	// Tool and Why are ours, without a word of a page's; Facts are what was decided
	// on.
	Tool, Why string
	Rules     []policy.Applied
	Facts     policy.Facts
}

// Answer is what became of a question.
type Answer struct {
	// Allowed: a person has said yes.
	Allowed bool
	// Pending: nobody has answered yet, and the same call may ask again.
	Pending bool
	// ID names the question to the person.
	ID string
}

// Recorder keeps what was decided and done, before it is done.
type Recorder interface {
	// Record keeps an entry. If lasting, it is on the disk when Record returns.
	Record(ctx context.Context, kind string, body any, lasting bool) error
}

// decision is the record of one.
type decision struct {
	Facts    policy.Facts    `json:"facts"`
	State    policy.State    `json:"state"`
	Decision policy.Decision `json:"decision"`
	Policy   string          `json:"policy"`
}

// permit lets the call go on if policy allows it, or a person does. What it decides
// is recorded first.
func (p *Proxy) permit(ctx context.Context, c *call) error {
	acting := !onlyReads(effectsOf(c))
	if acting {
		if err := p.reader.done(ctx); err != nil {
			return err
		}
	}
	c.facts = p.facts(ctx, c)
	c.facts.Collects = p.collects(c)
	past, err := p.cfg.Session.Happened(policy.Event{Kind: policy.EventCall, Call: c.counted(), Collects: c.facts.Collects, Time: p.cfg.Session.Clock.Now().Unix()})
	if err != nil {
		return err
	}
	d := policy.Authorize(p.cfg.Policy, c.facts, past)
	if d.Verdict != policy.Allow && c.facts.Script == policy.ScriptImpure {
		d = p.prove(ctx, c, past, d)
	}
	p.log.Debug("decision", "tool", c.name, "verdict", d.Verdict.String(), "why", d.Why())
	if p.cfg.Recorder != nil {
		if err := p.cfg.Recorder.Record(ctx, "decision", decision{c.facts, past, d, p.cfg.Policy.Hash}, acting && d.Verdict != policy.Deny); err != nil {
			return err
		}
	}
	switch d.Verdict {
	case policy.Allow:
		return p.letGo(c)
	case policy.Approve:
		return p.askPerson(ctx, c, d)
	}
	return refusef("policy refuses %s: %s%s", c.name, d.Why(), p.insteadOf(c, d))
}

// letGo notes where the agent is let to, and what it sends there.
func (p *Proxy) letGo(c *call) error {
	for _, e := range goings(c.facts) {
		if _, err := p.cfg.Session.Happened(e); err != nil {
			return err
		}
	}
	return nil
}

// goings are the events of a call that is let go.
func goings(f policy.Facts) []policy.Event {
	var out []policy.Event
	if f.To != nil && f.To.Origin != "" {
		out = append(out, policy.Event{Kind: policy.EventVisit, Origin: f.To.Origin})
	}
	sent := int64(0)
	if f.To != nil {
		sent += int64(f.To.Content)
	}
	if f.Text != nil {
		sent += int64(f.Text.Bytes)
	}
	for _, file := range f.Files {
		sent += file.Bytes
	}
	if sent > 0 {
		out = append(out, policy.Event{Kind: policy.EventSent, Bytes: sent})
	}
	return out
}

// prove runs a script that policy does not allow as it is where it can change
// nothing. If that allows it, its result is the reply.
func (p *Proxy) prove(ctx context.Context, c *call, past policy.State, d policy.Decision) policy.Decision {
	f := c.facts
	f.Script = policy.ScriptPure
	pure := policy.Authorize(p.cfg.Policy, f, past)
	if pure.Verdict != policy.Allow {
		return d
	}
	if c.proved = p.pure(ctx, c); c.proved == nil {
		return d
	}
	c.facts = f
	return pure
}

// counted is the call's digest if equal ones in a row are a sign of a loop: to read
// again, to scroll and to press a key again is how pages are used.
func (c *call) counted() string {
	if c.facts.Gentle || c.keys() || onlyReads(c.facts.Effects) {
		return ""
	}
	return c.facts.Call
}

func onlyReads(effects []policy.Effect) bool {
	return !slices.ContainsFunc(effects, func(e policy.Effect) bool { return e != policy.Read })
}

// insteadOf says what would be allowed, where that is known.
func (p *Proxy) insteadOf(c *call, d policy.Decision) string {
	switch {
	case len(d.Rules) == 0:
		return ""
	case d.Rules[0].Rule == "unpinned" && c.a.Launch.Browser != nil && c.a.Launch.Browser.Refs != "":
		return " (hint: name it by its ref of the last snapshot, not by a selector)"
	case d.Rules[0].Rule == "unpinned":
		return " (hint: take a snapshot and name it by its id there)"
	case d.Rules[0].Rule == "limit-identical-calls":
		return " (hint: look at the page before you do the same again)"
	case d.Rules[0].Rule == "secret-field":
		return " (hint: ask the person to fill it in)"
	case d.Rules[0].Rule == "covered":
		return " (hint: close what lies over it, or scroll, then take a snapshot)"
	}
	return ""
}

// askPerson puts the call before a person.
func (p *Proxy) askPerson(ctx context.Context, c *call, d policy.Decision) error {
	why := d.Why()
	if p.cfg.Approver == nil {
		return refusef("%s needs a person's approval, and nobody can be asked: %s", c.name, why)
	}
	a := p.cfg.Approver.Ask(ctx, Question{Key: p.keyOf(c.facts), Tool: c.name, Why: why, Rules: d.Rules, Facts: c.facts})
	if p.cfg.Recorder != nil {
		if err := p.cfg.Recorder.Record(ctx, "answer", map[string]any{"call": c.facts.Call, "allowed": a.Allowed, "pending": a.Pending, "question": a.ID}, a.Allowed); err != nil {
			return err
		}
	}
	switch {
	case a.Pending:
		p.setPending(c.facts.Call, true)
		return refusef("%s waits for a person's approval (question %s): %s. Nothing was done. Repeat the same call to collect the answer", c.name, a.ID, why)
	case !a.Allowed:
		p.setPending(c.facts.Call, false)
		return refusef("a person refuses %s (question %s)", c.name, a.ID)
	}
	p.setPending(c.facts.Call, false)
	for _, r := range d.Rules {
		if r.Verdict == policy.Approve && r.Grant != "" {
			if _, err := p.cfg.Session.Happened(policy.Event{Kind: policy.EventAgree, Grant: r.Grant}); err != nil {
				return err
			}
		}
	}
	// Waiting takes time: the page must be what the person was asked about.
	if now := p.facts(ctx, c); p.keyOf(now) != p.keyOf(c.facts) {
		return refusef("the page has changed while a person was asked about %s: nothing was done, take a snapshot and call again", c.name)
	}
	return p.letGo(c)
}

// keyOf binds a question to the call, the document and the targets that were decided
// on.
func (p *Proxy) keyOf(f policy.Facts) string {
	parts := []string{f.Call}
	if f.Page != nil {
		parts = append(parts, f.Page.Origin, f.Page.Document)
	}
	for _, t := range f.Targets {
		parts = append(parts, t.Digest)
	}
	return p.digest(strings.Join(parts, "\n"))
}

// collects reports that an equal call waits for an answer.
func (p *Proxy) collects(c *call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending[c.facts.Call]
}

// maxPending bounds the calls that wait for an answer.
const maxPending = 256

func (p *Proxy) setPending(call string, waits bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !waits {
		delete(p.pending, call)
		return
	}
	if len(p.pending) < maxPending {
		p.pending[call] = true
	}
}

// reckon notes what comes to the agent of which origin. What comes of a denied one,
// to which a page has gone meanwhile, does not.
func (p *Proxy) reckon(ctx context.Context, c *call, result []byte) ([]byte, error) {
	if !c.onPage() || c.row.Bypass {
		return result, nil
	}
	page := p.pageAfter(ctx, c)
	if page == nil || page.Blank {
		return result, nil
	}
	if page.Origin == "" { // of a site all the same, which can't be named
		page.Host = policy.HostPublic
	}
	if _, denied := p.cfg.Policy.Denied(page.Origin); denied && !p.cfg.Policy.Watches() {
		return nil, refusef("%s was carried out, and the page is now of an origin of the deny list: what it says is withheld", c.name)
	}
	if _, err := p.cfg.Session.Happened(policy.Event{Kind: policy.EventRead, Origin: page.Origin, Host: page.Host}); err != nil {
		return nil, err
	}
	p.looked(page, result)
	return result, nil
}

// pageAfter tells of the document that the reply speaks of.
func (p *Proxy) pageAfter(ctx context.Context, c *call) *policy.Page {
	if p.cfg.Browser == nil {
		if c.row.Look == adapter.LookNone && c.facts.Page != nil {
			return c.facts.Page
		}
		return p.evaluatedPage(ctx, c)
	}
	return p.pageFacts(ctx, c)
}

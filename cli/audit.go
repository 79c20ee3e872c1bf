package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"moire/audit"
	"moire/policy"
	"moire/state"
)

// recorder keeps the record of a session.
type recorder struct{ log *audit.Log }

// Record keeps an entry also if the call that it is about has ended.
func (r recorder) Record(ctx context.Context, kind string, body any, lasting bool) error {
	_, err := r.log.Append(context.WithoutCancel(ctx), audit.Record{Kind: kind, Body: body}, lasting)
	return err
}

// started is the first record of a session.
type started struct {
	Moire    string            `json:"moire"`
	Upstream []string          `json:"upstream"`
	Policy   string            `json:"policy"`
	Hash     string            `json:"hash"`
	Source   string            `json:"source"`
	Versions map[string]string `json:"versions"`
}

// record opens the record of a session and writes what it begins with.
func record(ctx context.Context, dir *state.Dir, begin started, log *slog.Logger) (*recorder, func(), error) {
	l, err := audit.Open(audit.Config{State: dir, Session: time.Now().UTC().Format("20060102T150405Z-") + strings.ToLower(rand.Text()[:8]), Clock: realClock{}})
	if err != nil {
		return nil, nil, err
	}
	r := recorder{l}
	end := func() {
		if err := l.Close(); err != nil {
			log.Error("the record of the session is not closed", "error", err)
		}
	}
	if err := r.Record(ctx, "start", begin, true); err != nil {
		end()
		return nil, nil, err
	}
	return &r, end, nil
}

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check that nothing of the record was changed, dropped, reordered or cut."`
	Show   auditShowCmd   `cmd:"" help:"Print the record of a session, a line an entry."`
	Head   auditHeadCmd   `cmd:"" help:"Print where each session's record stands, to keep it elsewhere as an anchor."`
	Replay auditReplayCmd `cmd:"" help:"Decide everything again: the same policy has to come to the same decisions."`
}

type auditVerifyCmd struct {
	Store
	Session string   `arg:"" optional:"" help:"One session; all if it is not given."`
	Anchor  []string `help:"A line that moire audit head printed, kept elsewhere." placeholder:"HEAD" sep:"none"`
}

func (c *auditVerifyCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	key, err := audit.PublicKey(dir)
	if err != nil {
		return err
	}
	o := audit.Options{Session: c.Session, Key: key}
	for _, raw := range c.Anchor {
		var h audit.Head
		if err := json.Unmarshal([]byte(raw), &h); err != nil {
			return &hinted{errors.New("an anchor is not in the expected form"), "give a line of moire audit head, in quotes"}
		}
		o.Anchors = append(o.Anchors, h)
	}
	report, err := audit.Verify(audit.Path(dir), o)
	if err != nil {
		return noRecord(err)
	}
	for _, one := range report.Sessions {
		fmt.Fprintf(s.out, "%s  %d records in %d files", printable(one.Session), one.Head.Seq, one.Segments)
		switch {
		case one.Fault != nil:
			fmt.Fprintf(s.out, ": FAULT: %v", one.Fault)
		case one.Torn != nil:
			fmt.Fprint(s.out, ", the last line is torn, as a crash leaves it")
		case !one.Closed:
			fmt.Fprint(s.out, ", not closed: it runs, or ended without notice")
		}
		fmt.Fprintln(s.out)
	}
	for _, u := range report.Unanchored {
		fmt.Fprintf(s.out, "not anchored: %s\n", u)
	}
	if f := report.Fault(); f != nil {
		return fmt.Errorf("the record is not what was written: %w", f)
	}
	fmt.Fprintf(s.err, "moire: %d sessions are sound\n", len(report.Sessions))
	return nil
}

type auditShowCmd struct {
	Store
	Session string `arg:"" optional:"" help:"The session; the last one if it is not given."`
}

// session is the one named, or the one whose record was begun last.
func (s Store) session(named string) (dir string, session string, err error) {
	d, err := s.open()
	if err != nil {
		return "", "", err
	}
	defer d.Close()
	dir = audit.Path(d)
	if named != "" {
		return dir, named, nil
	}
	list, err := audit.Sessions(dir)
	if err != nil {
		return "", "", noRecord(err)
	}
	var last time.Time
	for _, one := range list {
		for e, err := range audit.Read(dir, one) {
			if err == nil && e.Time.After(last) {
				session, last = one, e.Time
			}
			break
		}
	}
	if session == "" {
		return "", "", noRecord(fs.ErrNotExist)
	}
	return dir, session, nil
}

// noRecord says so where nothing was ever recorded.
func noRecord(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &hinted{errors.New("there is no record"), "a session with an agent makes one; --state-dir names another place"}
	}
	return err
}

func (c *auditShowCmd) Run(s *streams) error {
	dir, session, err := c.session(c.Session)
	if err != nil {
		return err
	}
	for e, err := range audit.Read(dir, session) {
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s %6d %-8s %s\n", e.Time.Local().Format("15:04:05.000"), e.Seq, e.Kind, printable(string(e.Body)))
	}
	return nil
}

type auditHeadCmd struct{ Store }

func (c *auditHeadCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	report, err := audit.Verify(audit.Path(dir), audit.Options{})
	if err != nil {
		return noRecord(err)
	}
	for _, one := range report.Sessions {
		raw, err := json.Marshal(one.Head)
		if err != nil {
			return fmt.Errorf("encoding a head: %w", err)
		}
		fmt.Fprintln(s.out, string(raw))
	}
	return nil
}

type auditReplayCmd struct {
	Store
	Session string `arg:"" optional:"" help:"The session; the last one if it is not given."`
	Policy  string `help:"Decide by this policy instead of the recorded one: what would it have done?" placeholder:"POLICY"`
}

// replayed is what is read of the record of a decision.
type replayed struct {
	Facts    json.RawMessage `json:"facts"`
	State    json.RawMessage `json:"state"`
	Decision policy.Decision `json:"decision"`
	Policy   string          `json:"policy"`
}

func (c *auditReplayCmd) Run(s *streams) error {
	dir, session, err := c.session(c.Session)
	if err != nil {
		return err
	}
	var p *policy.Policy
	if c.Policy != "" {
		if p, err = policyOf(c.Policy); err != nil {
			return err
		}
	}
	n, differ := 0, 0
	for e, err := range audit.Read(dir, session) {
		if err != nil {
			return err
		}
		switch {
		case e.Kind == "start" && c.Policy == "":
			if p, err = recorded(e.Body); err != nil {
				return err
			}
		case e.Kind == "decision":
			n++
			diff, err := again(p, e.Body)
			if err != nil {
				return fmt.Errorf("record %d: %w", e.Seq, err)
			}
			if diff != "" {
				differ++
				fmt.Fprintf(s.out, "record %d: %s\n", e.Seq, diff)
			}
		}
	}
	if differ > 0 && c.Policy == "" {
		return fmt.Errorf("%d of %d decisions come out otherwise", differ, n)
	}
	fmt.Fprintf(s.err, "moire: %d decisions replayed, %d differ\n", n, differ)
	return nil
}

// recorded loads the policy that a session began with.
func recorded(body []byte) (*policy.Policy, error) {
	var begin started
	if err := policy.DecodeStrict(body, &begin); err != nil {
		return nil, fmt.Errorf("reading the session's start: %w", err)
	}
	p, err := policy.Load(begin.Policy, []byte(begin.Source))
	if err != nil {
		return nil, err
	}
	if p.Hash != begin.Hash {
		return nil, &hinted{errors.New("the recorded policy stands on a profile of another version of Moiré"), "replay with Moiré " + printable(begin.Moire) + ", or name a policy with --policy"}
	}
	return p, nil
}

// again decides once more and tells how it differs.
func again(p *policy.Policy, body []byte) (string, error) {
	if p == nil {
		return "", errors.New("no policy stands before it")
	}
	var r replayed
	if err := policy.DecodeStrict(body, &r); err != nil {
		return "", fmt.Errorf("reading a decision: %w", err)
	}
	var f policy.Facts
	var state policy.State
	if err := errors.Join(policy.DecodeStrict(r.Facts, &f), policy.DecodeStrict(r.State, &state)); err != nil {
		return "", fmt.Errorf("reading a decision: %w", err)
	}
	d := policy.Authorize(p, f, state)
	if d.Verdict != r.Decision.Verdict || d.Would != r.Decision.Would {
		return fmt.Sprintf("%s: %s (%s), recorded: %s (%s)", printable(f.Tool), d.Verdict, d.Why(), r.Decision.Verdict, r.Decision.Why()), nil
	}
	if !reflect.DeepEqual(ids(d), ids(r.Decision)) {
		return fmt.Sprintf("%s: %s as recorded, but by %v instead of %v", printable(f.Tool), d.Verdict, ids(d), ids(r.Decision)), nil
	}
	return "", nil
}

func ids(d policy.Decision) []string {
	var out []string
	for _, r := range d.Rules {
		out = append(out, r.Rule)
	}
	return append(out, d.Errors...)
}

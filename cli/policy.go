package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"moire/near"
	"moire/policy"
)

type policyCmd struct {
	Check   policyCheckCmd   `cmd:"" help:"Find the mistakes of policy files."`
	Explain policyExplainCmd `cmd:"" help:"Tell what a policy decides on a call's facts, and by which rules."`
	Test    policyTestCmd    `cmd:"" help:"Run suites of facts and wanted decisions."`
	Init    policyInitCmd    `cmd:"" help:"Write a policy file to begin with."`
	Show    policyShowCmd    `cmd:"" help:"Print a built-in profile."`
	Words   policyWordsCmd   `cmd:"" help:"List what the conditions of rules may ask."`
	Schema  policySchemaCmd  `cmd:"" help:"Print the JSON Schema of policy files, for editors."`
}

// maxPolicy bounds a policy, a suite or a list of facts, in bytes.
const maxPolicy = 4 << 20

// readBounded reads a small file, or standard input for "-".
func readBounded(file string, in io.Reader) ([]byte, error) {
	r := in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	raw, err := io.ReadAll(io.LimitReader(r, maxPolicy+1))
	if err == nil && len(raw) > maxPolicy {
		err = fmt.Errorf("it is larger than %d MiB", maxPolicy>>20)
	}
	return raw, err
}

// policyOf loads a built-in profile by its name, or a file by its path.
func policyOf(name string) (*policy.Policy, error) {
	if policy.ProfileSource(name) != nil {
		return policy.Profile(name)
	}
	raw, err := readBounded(name, nil)
	switch {
	case errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(name, `/\.`):
		return nil, &hinted{fmt.Errorf("no profile or file %q%s", name, near.Hint(name, policy.Profiles())), "profiles: " + strings.Join(policy.Profiles(), ", ")}
	case err != nil:
		return nil, fmt.Errorf("reading policy %s: %w", name, err)
	}
	p, err := policy.Load(name, raw)
	if err != nil {
		return nil, &hinted{err, "moire policy check names every mistake; moire policy words lists what conditions may ask"}
	}
	return p, nil
}

type policyCheckCmd struct {
	Files []string `arg:"" help:"Policy files, or names of profiles."`
}

func (c *policyCheckCmd) Run(s *streams) error {
	bad := 0
	for _, file := range c.Files {
		p, err := policyOf(file)
		if err != nil {
			fmt.Fprintf(s.err, "moire: error: %v\n", err)
			bad++
			continue
		}
		for _, w := range p.Warnings {
			fmt.Fprintf(s.err, "moire: warning: %v\n", w)
		}
		fmt.Fprintf(s.err, "moire: %s is sound: policy %s, SHA-256 %s\n", file, p.Name, p.Hash)
		for _, l := range p.Lifted() {
			fmt.Fprintf(s.err, "moire: it lifts the denial of %s\n", l)
		}
	}
	if bad > 0 {
		return &hinted{fmt.Errorf("%d of %d policies can't be used", bad, len(c.Files)), "moire policy words lists what conditions may ask, moire policy schema helps an editor"}
	}
	return nil
}

type policyExplainCmd struct {
	Policy string `default:"standard" help:"A profile's name or a file." placeholder:"POLICY"`
	Facts  string `arg:"" help:"A file with a call's facts, as the audit has them or as a case of a suite; - for standard input."`
}

func (c *policyExplainCmd) Run(s *streams) error {
	p, err := policyOf(c.Policy)
	if err != nil {
		return err
	}
	raw, err := readBounded(c.Facts, s.in)
	if err != nil {
		return fmt.Errorf("reading facts: %w", err)
	}
	f, state, err := policy.LoadFacts(c.Facts, raw)
	if err != nil {
		return &hinted{err, `facts are {"facts": {"tool": …, "effects": […], …}, "state": {…}}`}
	}
	d := policy.Authorize(p, f, state)
	verdict := d.Verdict
	if d.Watched {
		verdict = d.Would
		fmt.Fprintln(s.out, "The policy only records. Enforced, it would decide:")
	}
	fmt.Fprintln(s.out, verdict)
	for _, e := range d.Errors {
		fmt.Fprintf(s.out, "  deny     %s\n", e)
	}
	for _, r := range d.Rules {
		fmt.Fprintf(s.out, "  %-8s rule %s", r.Verdict, r.Rule)
		if r.Because != "" {
			fmt.Fprintf(s.out, ": %s", r.Because)
		}
		if r.At != "" {
			fmt.Fprintf(s.out, " (%s)", r.At)
		}
		fmt.Fprintln(s.out)
		if r.Grant != "" {
			fmt.Fprintf(s.out, "           a person's word for it holds for the session: %s\n", r.Grant)
		}
	}
	return nil
}

type policyTestCmd struct {
	Suites  []string `arg:"" help:"Suites: YAML files of facts and wanted decisions."`
	Verbose bool     `short:"v" help:"Name the cases that came out as wanted, too."`
}

func (c *policyTestCmd) Run(s *streams) error {
	wrong, all := 0, 0
	for _, file := range c.Suites {
		raw, err := readBounded(file, nil)
		if err != nil {
			return fmt.Errorf("reading suite %s: %w", file, err)
		}
		suite, err := policy.LoadSuite(file, raw)
		if err != nil {
			return err
		}
		name := suite.Policy
		if policy.ProfileSource(name) == nil && !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		p, err := policyOf(name)
		if err != nil {
			return err
		}
		for _, o := range suite.Run(p) {
			all++
			switch {
			case o.Says != "":
				wrong++
				fmt.Fprintf(s.out, "wrong  %s: %s: %s\n", o.Case.At, o.Case.Name, o.Says)
			case c.Verbose:
				fmt.Fprintf(s.out, "ok     %s: %s\n", o.Case.At, o.Case.Name)
			}
		}
	}
	fmt.Fprintf(s.out, "%d of %d cases as wanted\n", all-wrong, all)
	if wrong > 0 {
		return fmt.Errorf("%d of %d cases are decided otherwise than wanted", wrong, all)
	}
	return nil
}

type policyInitCmd struct {
	Profile string `default:"standard" help:"The profile to stand on." placeholder:"NAME"`
	File    string `arg:"" optional:"" default:"moire-policy.yaml" help:"Where to write it." type:"path"`
}

const policyTemplate = `# A policy of your own, for moire --policy %[2]s.
# It stands on the profile %[1]s (moire policy show %[1]s). What rules may ask:
# moire policy words. After a change: moire policy check %[2]s
version: 1
extends: %[1]s

# Your bank, and what else no agent has any business with.
deny: []
#  - {domain: mybank.example, reason: my bank}

# What the built-in deny list keeps from agents, lifted by name.
allow-denied: []
#  - {origin: https://mail.example.com, reason: a test account}

# Rules of the profile set aside for some origins.
waive: []
#  - {rules: [submits], origins: [https://staging.example.com], reason: our own staging system}

# Rules of your own. The most restrictive verdict of all that match holds.
rules: []
#  - id: no-wiki-edits
#    on: [input, submit]
#    if: has("target") and target("submits") and page("public")
#    then: deny
#    because: the wiki is read only for agents
`

func (c *policyInitCmd) Run(s *streams) error {
	if _, err := policy.Profile(c.Profile); err != nil {
		return err
	}
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return &hinted{fmt.Errorf("%s is there already", c.File), "name another file; nothing was changed"}
	}
	if err != nil {
		return fmt.Errorf("writing a policy: %w", err)
	}
	_, err = fmt.Fprintf(f, policyTemplate, c.Profile, filepath.Base(c.File))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing a policy: %w", err)
	}
	fmt.Fprintf(s.err, "moire: wrote %s: use it with --policy\n", c.File)
	return nil
}

type policyShowCmd struct {
	Profile string `arg:"" help:"Its name."`
}

func (c *policyShowCmd) Run(s *streams) error {
	p, err := policy.Profile(c.Profile)
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.out, p.Source)
	return err
}

type policyWordsCmd struct{}

func (policyWordsCmd) Run(s *streams) error {
	_, err := fmt.Fprintln(s.out, strings.Join(policy.Vocabulary(), "\n"))
	return err
}

type policySchemaCmd struct{}

func (policySchemaCmd) Run(s *streams) error {
	_, err := s.out.Write(policy.Schema())
	return err
}

package adapter

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Tested is the range of versions that the table was proved against, ends
// included; both are of the form 1.2.3.
type Tested struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

var release = regexp.MustCompile(`^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$`)

// Holds reports whether a version is in the range. A pre-release or a build is
// not: nobody tested it.
func (t Tested) Holds(version string) bool {
	from, to, v := numbers(t.From), numbers(t.To), numbers(version)
	return from != nil && to != nil && v != nil && slices.Compare(from, v) <= 0 && slices.Compare(v, to) <= 0
}

func numbers(version string) []int {
	var out []int
	for _, part := range release.FindStringSubmatch(version) {
		if n, err := strconv.Atoi(part); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// UntestedError is an upstream of a version outside the tested range.
type UntestedError struct {
	Name, Found string
	Tested      Tested
}

func (e *UntestedError) Error() string {
	found := "of unknown version"
	if e.Found != "" {
		found = fmt.Sprintf("%.40q", e.Found)
	}
	tested := e.Tested.From
	if e.Tested.To != e.Tested.From {
		tested += " to " + e.Tested.To
	}
	return fmt.Sprintf("the upstream is %s %s, and this Moiré was tested with %s", e.Name, found, tested)
}

// Hint tells a person what to do.
func (e *UntestedError) Hint() string {
	return fmt.Sprintf("name the tested version (--upstream %s@%s), or allow others with --untested", e.Name, e.Tested.To)
}

// CheckVersion returns an [UntestedError] for a version outside the tested
// range; empty stands for one that the upstream does not tell.
func (a *Adapter) CheckVersion(found string) error {
	if a.Tested.Holds(found) || slices.Contains(a.Says, found) {
		return nil
	}
	return &UntestedError{Name: a.Name, Found: found, Tested: a.Tested}
}

// OfServer finds the adapter by the name that a server gives itself; nil if none
// has it.
func OfServer(server string) (*Adapter, error) {
	for _, name := range Names() {
		a, err := Builtin(name)
		if err != nil {
			return nil, err
		}
		if a.Server == server {
			return a, nil
		}
	}
	return nil, nil
}

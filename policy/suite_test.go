package policy

import (
	"os"
	"strings"
	"testing"
)

// What the standard profile decides on each kind of call, each with the reason that
// it is right.
func TestStandardDecides(t *testing.T) {
	raw, err := os.ReadFile("testdata/standard.yaml")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := LoadSuite("standard.yaml", raw)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Profile(suite.Policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range suite.Run(p) {
		if o.Says != "" || o.Case.Because == "" {
			t.Errorf("%s: %s: %s (because %s)", o.Case.At, o.Case.Name, o.Says, o.Case.Because)
		}
	}
}

func TestSuitesAreStrict(t *testing.T) {
	for source, want := range map[string]string{
		"version: 1\npolicy: standard\ncases:\n  - {name: a, facts: {tol: x}, want: deny}\n":                       "line 4, column 22: facts: /tol",
		"version: 1\npolicy: standard\ncases:\n  - {name: a, facts: {tool: 5}, want: deny}\n":                      "facts: /tool can't be read as string",
		"version: 1\npolicy: standard\ncases:\n  - {name: a, facts: {tool: x}, want: maybe}\n":                     `unknown verdict "maybe"`,
		"version: 1\npolicy: standard\ncases:\n  - {name: a, want: deny}\n":                                        `a case needs the key "facts"`,
		"version: 1\npolicy: standard\ncases:\n  - {name: a, facts: {tool: x}, state: {visted: []}, want: deny}\n": "state",
		"version: 2\npolicy: standard\ncases: []\n":                                                                "version 2 is not supported",
	} {
		if _, err := LoadSuite("s.yaml", []byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v\nwant %s", source, err, want)
		}
	}
}

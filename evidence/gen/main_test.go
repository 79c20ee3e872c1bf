package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The scanner and the proxy read the same numbers only while both files come
// from the same list.
func TestFresh(t *testing.T) {
	src, err := os.ReadFile("../kinds.yaml")
	if err != nil {
		t.Fatal(err)
	}
	goSrc, tsSrc, err := generate(src)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]byte{"../" + goFile: goSrc, "../" + tsFile: tsSrc} {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stale, run go generate ./evidence (-want +got):\n%s", path, diff)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	const rest = "\ngrades: [{name: a, doc: d}]\ndispositions: [{name: a, doc: d}]\n"
	for name, tc := range map[string]struct{ src, want string }{
		"unknown key": {"version: 1\nkind: []" + rest, "kind"},
		"version":     {"version: 2\nkinds: [{name: a, doc: d}]" + rest, "version 2"},
		"empty":       {"version: 1\nkinds: []" + rest, "0 entries"},
		"twice": {"version: 1\nkinds: [{name: a, doc: d}, {name: a, doc: d}]" + rest,
			"twice"},
		"upper case":     {"version: 1\nkinds: [{name: A, doc: d}]" + rest, "malformed"},
		"no doc":         {"version: 1\nkinds: [{name: a}]" + rest, "doc of"},
		"injected lines": {"version: 1\nkinds: [{name: a, doc: \"x\\ny\"}]" + rest, "doc of"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := generate([]byte(tc.src))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("generate: got %v, want an error about %q", err, tc.want)
			}
		})
	}
}

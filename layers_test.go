package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the imports of ours that each package may have: only downward.
var layers = map[string][]string{
	"wire": {}, "state": {}, "ax": {}, "evidence": {}, "embedjs": {}, "private": {}, "near": {}, "classify": {},
	"audit":    {"state"},
	"past":     {"policy", "state"},
	"approval": {"policy"},
	"policy":   {"near"},
	"files":    {"private"},
	"upstream": {"wire"},
	"browser":  {"embedjs", "private"},
	"adapter":  {"ax", "near", "wire"},
	"scan":     {"ax", "browser", "embedjs", "evidence", "wire"},
	"session":  {"scan", "policy"},
	"pins":     {"wire"},
	"proxy":    {"adapter", "ax", "browser", "classify", "evidence", "files", "near", "pins", "policy", "scan", "session", "upstream", "wire"},
	// What judges the scanner must not share its view of a page.
	"evals/oracle": {},
}

func TestImportsPointDown(t *testing.T) {
	for pkg, allowed := range layers {
		out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, "./"+pkg).Output()
		if err != nil {
			t.Fatalf("listing %s: %v", pkg, err)
		}
		for _, imp := range strings.Fields(string(out)) {
			own, ok := strings.CutPrefix(imp, "moire/")
			if ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which is not below it", pkg, own)
			}
		}
	}
}

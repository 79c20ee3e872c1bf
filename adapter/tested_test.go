package adapter

import (
	"errors"
	"strings"
	"testing"
)

func TestTestedHolds(t *testing.T) {
	r := Tested{From: "1.2.0", To: "1.10.3"}
	for version, want := range map[string]bool{
		"1.2.0": true, "1.9.99": true, "1.10.3": true,
		"1.1.9": false, "1.10.4": false, "2.0.0": false, "0.11.0": false,
		// Not a release, or no version at all.
		"": false, "1.3": false, "1.3.0-rc.1": false, "1.3.0+build": false, "latest": false, "v1.3.0": false,
		"1.3.0.0": false, "1.3.99999999999999999999": false, "1.3.0\n": false,
	} {
		if got := r.Holds(version); got != want {
			t.Errorf("%q: %t, want %t", version, got, want)
		}
	}
}

func TestUntestedErrorSaysWhatToDo(t *testing.T) {
	a := &Adapter{Name: "x", Tested: Tested{From: "1.2.0", To: "1.3.0"}}
	if err := a.CheckVersion("1.2.5"); err != nil {
		t.Errorf("a tested version: %v", err)
	}
	for found, want := range map[string]string{"1.4.0": `x "1.4.0"`, "": "unknown version", strings.Repeat("9", 99): `"` + strings.Repeat("9", 38)} {
		var e *UntestedError
		if err := a.CheckVersion(found); !errors.As(err, &e) {
			t.Fatalf("%q: %v", found, err)
		}
		if msg := e.Error(); !strings.Contains(msg, want) || !strings.Contains(msg, "1.2.0 to 1.3.0") || len(msg) > 150 {
			t.Errorf("%q: %s", found, msg)
		}
		if hint := e.Hint(); !strings.Contains(hint, "--untested") || !strings.Contains(hint, "x@1.3.0") {
			t.Errorf("%q: hint: %s", found, hint)
		}
	}
}

// Package read proves the read path: every fixture page and its twin, a script of
// thirty steps, a busy page.
package read

import (
	"os"
	"regexp"
	"testing"

	"moire/evals/adversarial"
	"moire/evals/harness"
	netbed "moire/testdata/net"
)

// TestFixtures drives every fixture page and its twin through the product, but
// for the bypasses, which evals/adversarial asserts.
func TestFixtures(t *testing.T) {
	open := adversarial.Bypasses()
	only := regexp.MustCompile(os.Getenv("MOIRE_FIXTURE"))
	harness.Each(t, func(f netbed.Fixture) bool {
		_, bypass := open[f.Slug]
		return !bypass && only.MatchString(f.Slug)
	}, check)
}

func check(a *harness.Agent, bed *netbed.Bed, f netbed.Fixture) {
	problems := a.Check(bed, f).All()
	if reason, known := knownGaps[f.Slug]; known {
		if len(problems) == 0 {
			a.T.Errorf("holds now: take it out of knownGaps (%s)", reason)
		}
		return
	}
	for _, p := range problems {
		a.T.Error(p)
	}
}

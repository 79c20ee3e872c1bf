// Package read proves the read path: every fixture page and its twin, a script of
// thirty steps, a busy page.
package read

import (
	"hash/crc32"
	"os"
	"regexp"
	"testing"

	"moire/evals/adversarial"
	"moire/evals/harness"
	netbed "moire/testdata/net"
)

func TestMain(m *testing.M) { harness.Main(m) }

// Every fixture page and its twin hold, but for the bypasses, which
// evals/adversarial asserts.
func TestFixtures(t *testing.T) { fixtures(t, harness.Isolated) }

// The same where the page's own world is all there is: a third of the pages, or
// all with MOIRE_FULL, as make test-full sets it.
func TestFixturesByEvaluate(t *testing.T) { fixtures(t, harness.Evaluate) }

// The same through the other upstream.
func TestFixturesByPlaywright(t *testing.T) { fixtures(t, harness.Playwright) }

// The same in Firefox.
func TestFixturesInFirefox(t *testing.T) { fixtures(t, harness.Firefox) }

func fixtures(t *testing.T, channel harness.Setup) {
	open := adversarial.Bypasses(channel)
	full := os.Getenv("MOIRE_FULL") != ""
	only := regexp.MustCompile(os.Getenv("MOIRE_FIXTURE"))
	harness.Each(t, channel, func(f netbed.Fixture) bool {
		_, bypass := open[f.Slug]
		return !bypass && only.MatchString(f.Slug) && (channel != harness.Evaluate || full || crc32.ChecksumIEEE([]byte(f.Slug))%3 == 0)
	}, func(a *harness.Agent, bed *netbed.Bed, f netbed.Fixture) {
		problems := a.Check(bed, f).All()
		if reason, known := knownGaps[channel][f.Slug]; known {
			if len(problems) == 0 {
				a.T.Errorf("holds now: take it out of knownGaps (%s)", reason)
			}
			return
		}
		for _, p := range problems {
			a.T.Error(p)
		}
	})
}

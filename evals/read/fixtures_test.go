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

func TestMain(m *testing.M) { harness.Main(m) }

// Every fixture page and its twin hold, but for the bypasses, which
// evals/adversarial asserts.
func TestFixtures(t *testing.T) { fixtures(t, harness.Isolated) }

// The same where the page's own world is all there is; a sample of the pages.
func TestFixturesByEvaluate(t *testing.T) { fixtures(t, harness.Evaluate) }

// The same through the other upstream.
func TestFixturesByPlaywright(t *testing.T) { fixtures(t, harness.Playwright) }

// The same in Firefox; a sample of the pages.
func TestFixturesInFirefox(t *testing.T) { fixtures(t, harness.Firefox) }

// whole are those through which all pages go each time.
var whole = map[harness.Setup]bool{harness.Isolated: true, harness.Playwright: true}

func fixtures(t *testing.T, channel harness.Setup) {
	open := adversarial.Bypasses(channel)
	only := regexp.MustCompile(os.Getenv("MOIRE_FIXTURE"))
	harness.Each(t, channel, func(f netbed.Fixture) bool {
		_, bypass := open[f.Slug]
		return !bypass && only.MatchString(f.Slug) && (whole[channel] || harness.Sampled(f.Slug))
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

package read

import (
	"maps"

	"moire/evals/harness"
)

// knownGaps are fixtures that do not hold yet, each with its reason, by
// channel. A page that begins to hold fails the test until it is taken out.
var knownGaps = map[harness.Setup]map[string]string{
	harness.Isolated:   common,
	harness.Playwright: common,
	harness.Firefox:    common,
	harness.Evaluate: with(common, "containers-shadow-closed",
		"a script of the page can't enter a closed shadow root, so its visible text is withheld; the isolated channel can"),
}

var common = map[string]string{
	"paint-backdrop-image": "text on a picture of its own colour: only pixels tell (ledger N4)",
	"semantics-svg-title":  "six words that name a visible picture and are shaped like no attack pass as its name",
}

func with(gaps map[string]string, slug, reason string) map[string]string {
	out := maps.Clone(gaps)
	out[slug] = reason
	return out
}

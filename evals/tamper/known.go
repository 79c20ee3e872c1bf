package tamper

import (
	"regexp"

	"moire/evals/harness"
)

// known are pages that do not hold, by what is driven, each with its reason. One
// that begins to hold fails the test until it is taken out, unless it is among
// those that depend on time and hold by luck.
var known = map[harness.Setup]map[string]string{
	harness.Isolated: {
		"paint-first-line": firstLine,
		"paint-outline":    outline,
		"time-on-pause":    onPause,
		"shadow-internals": "a label by ElementInternals is in no attribute: it is withheld, and the text that the button shows is not in the upstream's snapshot (get_page has it)",
	},
	harness.Playwright: {
		"paint-first-line": firstLine,
		"paint-outline":    outline,
		"time-on-pause":    onPause,
	},
}

const (
	firstLine = "::first-line paints letters in a colour that is in no style of their element; the scanner asks only ::first-letter"
	outline   = "an outline drawn inwards covers its own element's text; the scanner knows backgrounds, shadows and pictures"
	onPause   = "a page that shows the text for a moment whenever its thread was held up shows it, by what is seen, during a read"
)

var byLuck = map[string]bool{"time-on-pause": true}

// unread are pages of which the upstream's own snapshot lacks what is seen, also
// without Moiré: only get_page is held to it.
var unread = map[harness.Setup]*regexp.Regexp{
	// Playwright enters no closed shadow tree, its walk gives up at 2,000 levels
	// and where a form has a field named firstChild.
	harness.Playwright: regexp.MustCompile(`^(shadow-closed|shadow-declarative-closed$|load-deep-2000$|clobber-form$)`),
}

package tamper

import (
	"regexp"

	"moire/evals/harness"
)

// gap is why a page does not hold.
type gap struct {
	why string
	// leaks: hidden text reaches the agent; else only what is seen is lost.
	leaks bool
	// byLuck: it depends on time, and may hold.
	byLuck bool
}

// known are pages that do not hold, by what is driven. One that begins to hold
// fails the test until it is taken out.
var known = map[harness.Setup]map[string]gap{
	harness.Isolated: {
		"paint-first-line": firstLine,
		"paint-outline":    outline,
		"time-on-pause":    onPause,
		"shadow-internals": {why: "a label by ElementInternals is in no attribute: it is withheld, and the text that the button shows is not in the upstream's snapshot (get_page has it)"},
	},
	harness.Playwright: {
		"paint-first-line":  firstLine,
		"paint-outline":     outline,
		"time-on-pause":     onPause,
		"block-reload-loop": reloading,
	},
	harness.Firefox: {
		"paint-first-line":  firstLine,
		"paint-outline":     outline,
		"time-on-pause":     onPause,
		"block-reload-loop": reloading,
	},
}

var (
	firstLine = gap{leaks: true, why: "::first-line paints letters in a colour that is in no style of their element; the scanner asks only ::first-letter"}
	outline   = gap{leaks: true, why: "an outline drawn inwards covers its own element's text; the scanner knows backgrounds, shadows and pictures"}
	onPause   = gap{leaks: true, byLuck: true, why: "a page that shows the text for a moment whenever its thread was held up shows it, by what is seen, during a read"}
	reloading = gap{byLuck: true, why: "Playwright waits half a minute for a page that reloads itself, and its own navigation loses against the page's"}
)

// unread are pages of which the upstream's own snapshot lacks what is seen, also
// without Moiré: only get_page is held to it.
var unread = map[harness.Setup]*regexp.Regexp{
	// Playwright enters no closed shadow tree, its walk gives up at 2,000 levels
	// and where a form has a field named firstChild.
	harness.Playwright: regexp.MustCompile(`^(shadow-closed|shadow-declarative-closed$|load-deep-2000$|clobber-form$)`),
	harness.Firefox:    regexp.MustCompile(`^(shadow-closed|shadow-declarative-closed$|load-deep-2000$|clobber-form$)`),
}

// lame are pages that need what the browser has not: there they show their text.
var lame = map[harness.Setup]*regexp.Regexp{
	harness.Firefox: regexp.MustCompile(`^reuse-typed-style$`), // CSS Typed OM
}

// Package embedjs holds what runs in pages: the scanner and the guard. [Scan]
// makes the source of one call, whose result package scan decodes; [Guard] is
// for package browser. The package knows the scripts' options, nothing of what
// their answers mean.
//
// The bundle under dist is built from src by `go generate`; a test keeps it
// fresh.
package embedjs

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:generate go run ./bundle

//go:embed dist/scan.js
var scanner string

//go:embed dist/guard.js
var guard string

// Options bounds one scan.
type Options struct {
	// Nonce comes back in the result, so that an answer to another call, or one
	// the page recorded earlier, is not taken for this one.
	Nonce string `json:"nonce"`
	// Nodes, Chars and Millis end the walk when spent; what was not judged is
	// then withheld.
	Nodes  int `json:"nodes"`
	Chars  int `json:"chars"`
	Millis int `json:"millis"`
	// Exhaustive asks every element for every property, also where no style
	// sheet can have set it: tests compare the two ways.
	Exhaustive bool `json:"exhaustive,omitempty"`
	// Watch counts changes of what was scanned, for [Stamp]: only for isolated
	// worlds.
	Watch bool `json:"watch,omitempty"`
	// Apart leaves all documents in frames to scans of their own.
	Apart bool `json:"apart,omitempty"`
	// Refs is the property of elements in which the upstream keeps its names of
	// them, in the world where the scan runs; empty if it has none.
	Refs string `json:"refs,omitempty"`
	// Around is what the scan of the page around says of the document's frame.
	Around json.RawMessage `json:"around,omitempty"`
}

// DefaultOptions are bounds that a page of 20,000 elements stays well below.
func DefaultOptions() Options {
	return Options{Nodes: 120_000, Chars: 8 << 20, Millis: 8_000}
}

// Scan returns a function expression that scans its document. Its parameters
// are elements; the result says to which item each of them belongs.
func Scan(o Options) (string, error) {
	opts, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("encoding scan options: %w", err)
	}
	var b strings.Builder
	b.Grow(len(scanner) + len(opts) + 64)
	b.WriteString("(...elements) => {\n")
	b.WriteString(scanner)
	b.WriteString("\nreturn moire.scan(")
	b.Write(opts)
	b.WriteString(", elements);\n}")
	return b.String(), nil
}

// Prelude is the program of an isolated world; it is the same text each time
// and does nothing where it already ran.
func Prelude() string { return prelude }

var prelude = once("moire", scanner)

// IsolatedScan returns a function expression for a world with the [Prelude].
// Its parameters are elements, of which the result says to which item each
// belongs, then closed shadow roots. It returns the scan as JSON text.
func IsolatedScan(o Options, elements int) (string, error) {
	o.Watch = true
	opts, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("encoding scan options: %w", err)
	}
	return fmt.Sprintf("(...a) => JSON.stringify(moire.scan(%s, a.slice(0, %d), a.slice(%d)))%s", opts, elements, elements, mend), nil
}

// mend replaces halves of surrogate pairs, which JSON text holds as escapes and
// no decoder takes, in the way of wire.Mend.
const mend = `.replace(/\\(\\|ud[89a-f][0-9a-f]{2})/g, (m, s) => (s === "\\" ? m : "\ufffd"))`

// Guard is the program of the guard for a world in which the function of that
// name takes its reports. It may run again in the same document.
func Guard(report string) string {
	return fmt.Sprintf(`(() => {
%s
const d = Object.getOwnPropertyDescriptor(globalThis, %q);
if (d) moireGuard.stand(d.value);
})()`, once("moireGuard", guard), report)
}

// Guarded is a function expression that says since when a document has the
// guard: "start", "late", or "" for never.
const Guarded = `() => Object.hasOwn(globalThis, "moireGuard") ? moireGuard.guarded() : ""`

// once defines what a bundle exports as a property of the world's global
// object, which elements of that id can't stand for.
func once(name, bundle string) string {
	return fmt.Sprintf("if (!Object.hasOwn(globalThis, %[1]q)) Object.defineProperty(globalThis, %[1]q, {value: (() => {\n%[2]s\nreturn %[1]s;\n})()});", name, bundle)
}

// Renamed returns a function expression for a world with the [Prelude]: which items
// of the scan with that nonce have another name by now ([Options.Refs]), as JSON text
// of pairs; null if another scan was the last one there.
func Renamed(nonce string) string {
	return fmt.Sprintf("() => JSON.stringify(moire.renamed(%q))", nonce)
}

// Targets is a function expression for a world with the [Prelude]: its parameters
// are elements, of each of which it returns the facts, null for one of another
// document, as JSON text.
const Targets = "(...a) => JSON.stringify(moire.targets(a))" + mend

// EvaluatedTargets returns a function expression for the page's own world: its
// parameters are elements of one document; it returns {origin, targets}.
func EvaluatedTargets() string {
	return "(...elements) => {\n" + scanner + "\nreturn {origin: location.origin, targets: moire.targets(elements)};\n}"
}

// Named returns a function expression for a world with the [Prelude]: the facts of
// the elements with these names of the upstream's in the property, as JSON text of
// pairs of a name and facts.
func Named(refs []string, property string) (string, error) {
	list, err := json.Marshal(refs)
	if err != nil {
		return "", fmt.Errorf("encoding names: %w", err)
	}
	return fmt.Sprintf("() => JSON.stringify(moire.named(%s, %q))%s", list, property, mend), nil
}

// Focus is a function expression for a world with the [Prelude]: the facts of the
// element that has the document's focus, as JSON text.
const Focus = "() => JSON.stringify(moire.focus())" + mend

// At returns a function expression for a world with the [Prelude]: the facts of what
// a pointer meets there, in pixels of the viewport, as JSON text.
func At(x, y float64) string {
	return fmt.Sprintf("() => JSON.stringify(moire.at(%g, %g))%s", x, y, mend)
}

// Stamp is a function expression for a world with the [Prelude]. What it
// returns stays equal while the documents scanned there do not change; empty
// means that they change all the time.
const Stamp = "() => moire.stamp()"

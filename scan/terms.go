package scan

import (
	"net/http"
	"regexp"
	"strings"
)

// terms are words of the web platform: a page chooses among them, but can't say
// anything in them. Names of elements that are verbs are not among them.
//
// https://html.spec.whatwg.org/#elements-3, https://dom.spec.whatwg.org/,
// https://www.w3.org/TR/CSS22/visuren.html, https://drafts.fxtf.org/geometry/#DOMRect
var terms = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`true false null undefined NaN Infinity
		string number boolean object function symbol bigint
		loading interactive complete visible hidden prerender
		x y ltr rtl top right bottom left width height
		none block inline inline-block flex inline-flex grid inline-grid table table-row table-cell contents list-item
		static relative absolute fixed sticky collapse auto normal
		checkbox radio text password email tel date file disabled checked required readonly selected expanded
		GET HEAD POST PUT PATCH OPTIONS utf-8 UTF-8 en-US
		#text #comment #document #document-fragment`) {
		m[w] = true
	}
	for _, w := range strings.Fields(`a article aside b body br button canvas div dl dt dd em fieldset footer form h1 h2 h3 h4 h5 h6 head
		header hr html i iframe img input label legend li main nav ol optgroup option p pre script section select span strong style
		svg table tbody td textarea tfoot th thead tr ul video`) {
		m[strings.ToUpper(w)] = true
		if len(w) > 1 { // a, b, i and p are letters
			m[w] = true
		}
	}
	for code := 100; code < 600; code++ { // https://www.rfc-editor.org/rfc/rfc9110.html#name-status-codes
		m[http.StatusText(code)] = true
	}
	delete(m, "")
	return m
}()

var (
	// numeral is an ordinary number that a script made a string of.
	numeral = regexp.MustCompile(`^[-+]?\d{1,7}(?:[.,]\d{1,6})?$`)
	// length is a number with a unit, measure a colour, a moment (ISO 8601), a time of
	// day or a size.
	length  = regexp.MustCompile(`^-?\d{1,6}(?:\.\d{1,6})?(?:px|em|rem|%|vh|vw|pt|ms|s|deg|fr)$`)
	measure = regexp.MustCompile(`^(?:rgba?\(\d{1,3}(?:, ?|\s)\d{1,3}(?:, ?|\s)\d{1,3}(?:(?:, ?|\s/\s)[\d.]{1,6}%?)?\)` +
		`|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[-+]\d\d:?\d\d)?)?` +
		`|\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?|\d{1,5}x\d{1,5})$`)
	// lastPart is what a stack trace may name of an address.
	lastPart = regexp.MustCompile(`^[\w-]{1,30}(?:\.[\w-]{1,12}){0,2}$`)
	absolute = regexp.MustCompile(`^(?:https?|wss?|file|blob|data|about|chrome-error|chrome-extension):[^\s]+$`)
	path     = regexp.MustCompile(`^/[^\s]*$`)
)

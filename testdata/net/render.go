package netbed

import (
	"bytes"
	"fmt"
)

// marker is one of the pairs that mark off a block of a fixture.
type marker struct {
	open, close string
	// twin blocks are the twin's only; the others are the attack's only.
	twin bool
}

// The second spelling of each is for style sheets and scripts.
var markers = []marker{
	{"<!--[conceal-->", "<!--conceal]-->", false},
	{"/*[conceal*/", "/*conceal]*/", false},
	{"<!--[twin", "twin]-->", true},
	{"/*[twin", "twin]*/", true},
}

// Render makes the attack page out of a fixture's source, or its twin. It
// refuses blocks that overlap, nest or do not end.
func Render(src []byte, twin bool) ([]byte, error) {
	var out []byte
	for {
		at, m := firstOpen(src)
		if end, ok := strayClose(src[:at]); ok {
			return nil, fmt.Errorf("rendering: %q without its start", end)
		}
		out = append(out, src[:at]...)
		if m == nil {
			return out, nil
		}
		body, rest, ok := bytes.Cut(src[at+len(m.open):], []byte(m.close))
		if !ok {
			return nil, fmt.Errorf("rendering: %q without its end", m.open)
		}
		if _, inner := firstOpen(body); inner != nil {
			return nil, fmt.Errorf("rendering: %q within %q", inner.open, m.open)
		}
		if end, ok := strayClose(body); ok {
			return nil, fmt.Errorf("rendering: %q within %q", end, m.open)
		}
		if m.twin == twin {
			out = append(out, body...)
		}
		src = rest
	}
}

// firstOpen returns the first marker that opens in src and where, or the
// length of src and nil.
func firstOpen(src []byte) (int, *marker) {
	at, first := len(src), (*marker)(nil)
	for i := range markers {
		if n := bytes.Index(src, []byte(markers[i].open)); n >= 0 && n < at {
			at, first = n, &markers[i]
		}
	}
	return at, first
}

func strayClose(src []byte) (string, bool) {
	for _, m := range markers {
		if bytes.Contains(src, []byte(m.close)) {
			return m.close, true
		}
	}
	return "", false
}

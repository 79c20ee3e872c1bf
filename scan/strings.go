package scan

import (
	"strings"
	"unicode"

	"moire/evidence"
	"moire/wire"
)

// Strings judges the strings of one reply that have no node in a page: script
// results, console messages, headers, bodies. A string passes if the page shows
// it, if it is an address that may be told, a term of the platform, or the agent's
// own. What passes is then judged again as what it makes together: short pieces
// from several places of a page do not become a sentence (see [Strings.Settle]).
//
// Text and JSON collect; after Settle the [Said] can be printed.
type Strings struct {
	// Explainer is what the page shows; nil explains nothing, unless Look, which
	// is asked once and only if a string needs it, returns one.
	Explainer *Explainer
	Look      func() *Explainer
	URLs      *URLs
	// Own are the words of the agent's own script, nil without one.
	Own *Own
	// Gave reports texts that the agent gave earlier.
	Gave func(string) bool
	// Sentence takes a text of the upstream's or the browser's own apart; nil: it is
	// none.
	Sentence func(string) []Phrase
	// Trusted: all passes, but for what nobody can see of it.
	Trusted bool
	Q       *Quarantine
	Channel string

	pieces  []*piece
	numbers []*piece
	keys    int
	// seen remembers where on the page folded strings are.
	seen map[string][]place
}

// piece is one string of a page's, or a number.
type piece struct {
	text   string
	folded string
	places []place
	// structure: a term, a number, an address: it has no place on the page.
	structure bool
	withheld  bool
}

// Phrase is a part of a sentence: as it stands, or to be judged, as an address if
// URL is set.
type Phrase struct {
	Text       string
	Judge, URL bool
}

// Said is a string, or a JSON text, whose judgement is under way.
type Said struct {
	parts []saidPart
}

// saidPart is text as it stands, or a piece; quoted, if it stands in a JSON text.
type saidPart struct {
	text   string
	piece  *piece
	said   *Said
	quoted bool
	number bool
	// key numbers the names of a JSON text, so that withheld ones differ.
	key int
}

// Bounds: what is longer or nested deeper is withheld.
const (
	maxPieces   = 20_000
	maxPlacesOf = 256 // of one string
	maxNested   = 3
	maxCut      = 16 << 10 // a line that is taken apart
	maxCutsIn   = 256
)

// Settle judges what the pieces say together, and records what is withheld.
func (v *Strings) Settle() {
	v.settleNumbers()
	v.compose()
	for _, p := range v.pieces {
		if p.withheld {
			v.Q.Withhold("", "", v.Channel, p.text, evidence.KindUnexplainedString)
		}
	}
	for _, p := range v.numbers {
		if p.withheld && p.text != "" {
			v.Q.Withhold("", "", v.Channel, p.text, evidence.KindEncodedPayload)
		}
	}
}

// Text judges a text line by line.
func (v *Strings) Text(s string) *Said {
	out := &Said{}
	v.text(out, s, 0)
	return out
}

// Withheld is a text that is withheld without being judged.
func (v *Strings) Withheld(s string) *Said {
	return &Said{parts: []saidPart{{piece: v.add(&piece{text: s, withheld: true})}}}
}

func (v *Strings) text(out *Said, s string, depth int) {
	if v.whole(out, s) || v.sentence(out, s, depth) {
		return
	}
	// The path of an address has no handle, as it names no origin.
	if t := strings.TrimSpace(s); path.MatchString(t) && v.URLs.Passes(t, v.Explainer) {
		out.parts = append(out.parts, saidPart{text: s})
		return
	}
	if depth < maxNested {
		if nested, ok := v.json(s, depth+1); ok {
			out.parts = append(out.parts, saidPart{said: nested})
			return
		}
	}
	lines := strings.Split(s, "\n")
	tries := maxParagraphs
	for i := 0; i < len(lines); i++ {
		if i > 0 {
			out.parts = append(out.parts, saidPart{text: "\n"})
		}
		if v.whole(out, lines[i]) || v.sentence(out, lines[i], depth) {
			continue
		}
		if tries > 0 && depth < maxNested {
			tries--
			if n := v.paragraph(out, lines[i:], depth); n > 0 {
				i += n - 1
				continue
			}
		}
		v.split(out, lines[i])
	}
}

// maxParagraphs bounds how often JSON is looked for among the lines of a text.
const maxParagraphs = 64

// paragraph judges lines up to an empty one that are JSON together, and returns
// how many; 0 if they are none.
func (v *Strings) paragraph(out *Said, lines []string, depth int) int {
	n := 1
	for n < len(lines) && strings.TrimSpace(lines[n]) != "" {
		n++
	}
	said, ok := v.json(strings.Join(lines[:n], "\n"), depth+1)
	if !ok {
		return 0
	}
	out.parts = append(out.parts, saidPart{said: said})
	return n
}

// whole judges s as one string; false: it is not explained as one.
func (v *Strings) whole(out *Said, s string) bool {
	keep := func(text string, p *piece) bool {
		out.parts = append(out.parts, saidPart{text: text, piece: p})
		return true
	}
	trimmed := strings.TrimSpace(s)
	switch {
	case v.Trusted:
		c, _ := clean(s)
		return keep(c, nil)
	case trimmed == "", punctuation(trimmed), v.Own.literal(s), v.Gave != nil && v.Gave(s), terms[trimmed]:
		return keep(s, nil)
	case numeral.MatchString(trimmed), length.MatchString(trimmed):
		return keep("", v.number(s))
	case measure.MatchString(trimmed):
		return keep(s, nil)
	}
	if clean, why := clean(s); len(why) == 0 {
		if p := v.explained(clean); p != nil {
			return keep("", v.add(p))
		}
	}
	if absolute.MatchString(trimmed) {
		return keep(v.url(trimmed), nil)
	}
	return false
}

// punctuation reports a few characters that are neither letters nor digits.
func punctuation(s string) bool {
	return len(s) <= 4 && strings.IndexFunc(s, func(r rune) bool { return r >= 0x7f || unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

// URL judges an address.
func (v *Strings) URL(s string) *Said { return &Said{parts: []saidPart{{text: v.url(s)}}} }

func (v *Strings) url(s string) string {
	if v.Trusted {
		return s
	}
	if v.Explainer == nil && !v.URLs.Passes(s, nil) {
		v.look()
	}
	printed, passes := v.URLs.Judge(s, v.Explainer)
	if !passes {
		v.Q.Withhold("", "", "url", s, evidence.KindUnexplainedUrl)
	}
	return printed
}

func (v *Strings) look() {
	if v.Look != nil {
		v.Explainer, v.Look = v.Look(), nil
	}
}

// sentence judges what a sentence that is not the page's says of the page.
func (v *Strings) sentence(out *Said, s string, depth int) bool {
	if v.Sentence == nil || v.Trusted || depth > maxNested {
		return false
	}
	phrases := v.Sentence(s)
	for _, p := range phrases {
		switch {
		case !p.Judge || v.Own.name(p.Text):
			out.parts = append(out.parts, saidPart{text: p.Text})
		case p.URL && absolute.MatchString(p.Text):
			out.parts = append(out.parts, saidPart{text: v.url(p.Text)})
		case p.URL && lastPart.MatchString(p.Text) && v.URLs.Passes("/"+p.Text, v.Explainer): // of an address
			out.parts = append(out.parts, saidPart{text: p.Text})
		default:
			v.text(out, p.Text, depth+1)
		}
	}
	return phrases != nil
}

// explained returns s as a piece if the page shows it.
func (v *Strings) explained(s string) *piece {
	p := &piece{text: s, folded: fold(s)}
	if p.folded == "" {
		p.structure = true // says nothing
		return p
	}
	if v.Explainer == nil {
		v.look()
	}
	if v.Explainer == nil || len(v.pieces) >= maxPieces {
		return nil
	}
	places, ok := v.seen[p.folded]
	if !ok {
		for at := range v.Explainer.occurrences(p.folded, true) {
			if at.match != Unexplained && len(places) < maxPlacesOf {
				places = append(places, at)
			}
		}
		if v.seen == nil {
			v.seen = map[string][]place{}
		}
		v.seen[p.folded] = places
	}
	if p.places = places; len(places) == 0 {
		return nil
	}
	return p
}

// split judges the parts of a line between the literals of the agent's script,
// as a script puts texts together with its own.
func (v *Strings) split(out *Said, line string) {
	rest := line
	emit := func(s string) {
		if s == "" || s != line && v.whole(out, s) {
			return
		}
		out.parts = append(out.parts, saidPart{piece: v.add(&piece{text: s, withheld: true})})
	}
	for range maxCutsIn {
		at, n := v.Own.find(rest)
		if n == 0 || len(line) > maxCut {
			break
		}
		emit(rest[:at])
		out.parts = append(out.parts, saidPart{text: rest[at : at+n]})
		rest = rest[at+n:]
	}
	emit(rest)
}

func (v *Strings) add(p *piece) *piece {
	v.pieces = append(v.pieces, p)
	return p
}

func (v *Strings) number(s string) *piece {
	p := &piece{text: s, structure: true}
	v.numbers = append(v.numbers, p)
	return p
}

// JSON judges every key and value of a JSON text; false if s is none, or only a
// scalar that is written otherwise.
func (v *Strings) JSON(s string) (*Said, bool) {
	raw, ok := jsonText(s)
	if !ok {
		return nil, false
	}
	return v.walk(raw, 0)
}

// IsJSON reports a text that JSON takes.
func IsJSON(s string) bool {
	_, ok := jsonText(s)
	return ok
}

// jsonText is s if it is JSON that a gate lets pass: halves of surrogate pairs are
// mended, duplicate keys refused.
func jsonText(s string) ([]byte, bool) {
	raw := []byte(s)
	wire.Mend(raw)
	return raw, wire.CheckValue(raw, wire.DefaultLimits()) == nil
}

// json takes texts of objects, arrays and strings: any other is judged as a text.
func (v *Strings) json(s string, depth int) (*Said, bool) {
	t := strings.TrimSpace(s)
	if t == "" || !strings.ContainsRune(`{["`, rune(t[0])) {
		return nil, false
	}
	raw, ok := jsonText(s)
	if !ok {
		return nil, false
	}
	return v.walk(raw, depth)
}

func (v *Strings) walk(raw []byte, depth int) (*Said, bool) {
	out := &Said{}
	at := 0
	err := wire.Walk(raw, 0, func(l wire.Leaf) error {
		out.parts = append(out.parts, saidPart{text: string(raw[at:l.Offset])})
		at = l.Offset + l.Length
		switch l.Kind {
		case wire.LeafKey:
			out.parts = append(out.parts, v.key(l.String()))
		case wire.LeafString:
			inner := &Said{}
			v.text(inner, l.String(), depth)
			out.parts = append(out.parts, saidPart{said: inner, quoted: true})
		case wire.LeafNumber:
			out.parts = append(out.parts, saidPart{piece: v.number(string(l.Raw)), number: true})
		default:
			out.parts = append(out.parts, saidPart{text: string(l.Raw)})
		}
		return nil
	})
	if err != nil {
		return nil, false
	}
	out.parts = append(out.parts, saidPart{text: string(raw[at:])})
	return out, true
}

// key passes names of the agent's script and of the platform; any other is a
// string like its value.
func (v *Strings) key(s string) saidPart {
	if v.Trusted {
		c, _ := clean(s)
		return saidPart{said: &Said{parts: []saidPart{{text: c}}}, quoted: true}
	}
	if v.Own.name(s) || terms[s] {
		return saidPart{text: string(wire.Quote(s))}
	}
	if len(s) <= 3 && numeral.MatchString(s) {
		return saidPart{said: &Said{parts: []saidPart{{piece: v.number(s)}}}, quoted: true}
	}
	p := v.explained(s)
	if p == nil || Clean(s) != s {
		p = &piece{text: s, withheld: true}
	}
	v.keys++
	return saidPart{said: &Said{parts: []saidPart{{piece: v.add(p), key: v.keys}}}, quoted: true}
}

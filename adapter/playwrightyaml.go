package adapter

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moire/ax"
)

// frameRole is the one role whose text can be of two documents: after its colon
// it is the element's own, on a line of its own the framed document's. The
// latter has the attribute documentKey, which the source has not: without it a
// document of one text could not be printed as it was.
const (
	frameRole   = "iframe"
	documentKey = "document"
)

// ParsePlaywright reads a snapshot of @playwright/mcp (the subset of YAML that
// packages/isomorphic/ariaSnapshotRenderer.ts writes) into one tree, whose root
// has no name and no id. An element's id is its ref; what stands in brackets and
// behind slashes are its attributes; texts are nodes of their own. What it does
// not print back to the letter is ErrGrammar: a page's text stays inside the
// string that it is in (TestForgedSnapshot).
//
// A name can hold half of a surrogate pair, which only JSON's escape can write.
// In the tree it is U+FFFD, as in all other strings of the upstream.
func ParsePlaywright(yaml string) (*ax.Node, error) {
	root := &ax.Node{Role: ax.RoleRoot}
	if yaml == "" {
		return root, nil
	}
	if !utf8.ValidString(yaml) || !readSnapshot(root, yaml) || printSnapshot(root, len(yaml)) != yaml {
		return nil, ErrGrammar
	}
	root.Walk(func(n *ax.Node) { n.Name = wellFormed(n.Name) })
	return root, nil
}

func readSnapshot(root *ax.Node, yaml string) bool {
	stack := []*ax.Node{root}
	for line := range strings.SplitSeq(yaml, "\n") {
		rest := strings.TrimLeft(line, " ")
		depth := (len(line) - len(rest)) / 2
		rest, ok := strings.CutPrefix(rest, "- ")
		if !ok || depth >= len(stack) || depth > maxTreeDepth {
			return false
		}
		stack = stack[:depth+1]
		n, ok := snapshotLine(stack[depth], rest)
		if !ok {
			return false
		}
		if n != nil {
			stack = append(stack, n)
		}
	}
	return true
}

// snapshotLine reads one line below up: a node, or an attribute of up (then
// nil).
func snapshotLine(up *ax.Node, s string) (*ax.Node, bool) {
	if up.IsText() {
		return nil, false
	}
	for _, key := range []string{"url", "placeholder"} {
		if text, ok := strings.CutPrefix(s, "/"+key+": "); ok {
			v, ok := snapshotValue(text)
			up.Attrs = append(up.Attrs, ax.Attr{Key: key, Kind: ax.String, Text: v})
			return nil, ok && up.Role != ax.RoleRoot && len(up.Children) == 0
		}
	}
	n, ok := snapshotText(up, s)
	if !ok {
		n, ok = snapshotElement(s)
	}
	up.Children = append(up.Children, n)
	return n, ok
}

func snapshotText(up *ax.Node, s string) (*ax.Node, bool) {
	s, ok := strings.CutPrefix(s, "text: ")
	if !ok {
		return nil, false
	}
	n := &ax.Node{Role: ax.RoleText}
	n.Name, ok = snapshotValue(s)
	if up.Role == frameRole && up.ID != "" {
		n.Attrs = []ax.Attr{{Key: documentKey, Kind: ax.True}}
	}
	return n, ok
}

func snapshotElement(s string) (*ax.Node, bool) {
	n := &ax.Node{}
	key, s, ok := singleQuoted(s)
	if ok {
		key, ok = snapshotHead(n, key)
		ok = ok && key == ""
	} else {
		s, ok = snapshotHead(n, s)
	}
	if text, inline := strings.CutPrefix(s, ": "); ok && inline {
		text, ok = snapshotValue(text)
		n.Children, s = []*ax.Node{{Role: ax.RoleText, Name: text}}, ""
	}
	return n, ok && (s == "" || s == ":")
}

// singleQuoted reads a key in single quotes, where a quote is doubled.
func singleQuoted(s string) (key, rest string, ok bool) {
	if !strings.HasPrefix(s, "'") {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '\'':
		case strings.HasPrefix(s[i+1:], "'"):
			i++
		default:
			return strings.ReplaceAll(s[1:i], "''", "'"), s[i+1:], true
		}
	}
	return "", s, false
}

// snapshotHead reads role, name and flags, and returns what follows them.
func snapshotHead(n *ax.Node, s string) (rest string, ok bool) {
	end := 0
	for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || s[end] == '-') {
		end++
	}
	n.Role, s = s[:end], s[end:]
	if n.Role == "" || n.Role == "text" || len(n.Role) > 40 {
		return "", false
	}
	if quoted, named := strings.CutPrefix(s, ` "`); named {
		if n.Name, s, ok = unescape(quoted, 'u', 4); !ok || n.Name == "" {
			return "", false
		}
	}
	return snapshotFlags(n, s)
}

// flagOrder are the words in brackets, as the upstream orders them.
var flagOrder = []string{"checked", "disabled", "expanded", "active", "invalid", "level",
	"pressed", "selected", "aria-hidden", "ref", "cursor", "box"}

// flagWords are the values that are words; empty is a flag without a value.
var flagWords = map[string][]string{
	"checked": {"", "mixed"}, "invalid": {"", "grammar", "spelling"}, "pressed": {"", "mixed"},
	"disabled": {""}, "expanded": {""}, "active": {""}, "selected": {""}, "aria-hidden": {""},
	"cursor": {"pointer"},
}

func snapshotFlags(n *ax.Node, s string) (rest string, ok bool) {
	next := 0
	for strings.HasPrefix(s, " [") {
		flag, after, _ := strings.Cut(s[2:], "]")
		key, value, has := strings.Cut(flag, "=")
		at := slices.Index(flagOrder[next:], key)
		if at < 0 || has == (value == "") {
			return "", false
		}
		next += at + 1
		s = after
		a := ax.Attr{Key: key, Text: value}
		switch key {
		case "ref":
			n.ID, ok = value, snapshotRef(value)
		case "level":
			a.Kind, ok = ax.Number, jsInteger(value) && value != "0" && value[0] != '-'
		case "box":
			a.Kind, ok = ax.Number, snapshotBox(value)
		default:
			if !has {
				a.Kind = ax.True
			}
			ok = slices.Contains(flagWords[key], value)
		}
		if !ok {
			return "", false
		}
		if key != "ref" {
			n.Attrs = append(n.Attrs, a)
		}
	}
	return s, true
}

// snapshotRef: f1e2, or e2 in the first main frame.
func snapshotRef(s string) bool {
	digits := func(s string) bool {
		return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == ""
	}
	frame, element, ok := strings.Cut(s, "e")
	seq, framed := strings.CutPrefix(frame, "f")
	return ok && digits(element) && (frame == "" || framed && digits(seq))
}

func snapshotBox(s string) bool {
	sides := strings.SplitN(s, ",", 5)
	return len(sides) == 4 && !slices.ContainsFunc(sides, func(side string) bool {
		return !jsInteger(side) && side != "NaN" && strings.TrimPrefix(side, "-") != "Infinity"
	})
}

// jsInteger: what Number::toString makes of a whole number, of which a page
// chooses the size by aria-level and transform.
// https://tc39.es/ecma262/#sec-numeric-types-number-tostring
func jsInteger(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	format := byte('f')
	if math.Abs(f) >= 1e21 {
		format = 'e'
	}
	return err == nil && f == math.Trunc(f) && s != "-0" && strconv.FormatFloat(f, format, -1, 64) == s
}

// snapshotValue reads a scalar, plain or in double quotes. It is never empty
// but for an attribute's.
func snapshotValue(s string) (string, bool) {
	quoted, ok := strings.CutPrefix(s, `"`)
	if !ok {
		return s, s != ""
	}
	v, rest, ok := unescape(quoted, 'x', 2)
	return v, ok && rest == ""
}

// unescape reads to the closing quote of a string of JSON (whose letter for a
// number is u, with four digits) or of YAML (x, two).
func unescape(s string, letter byte, digits int) (text, rest string, ok bool) {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, `"\`)
		if i < 0 || i+1 == len(s) && s[i] == '\\' {
			return "", "", false
		}
		b.WriteString(s[:i])
		if s[i] == '"' {
			return b.String(), s[i+1:], true
		}
		c := s[i+1]
		s = s[i+2:]
		if at := strings.IndexByte(`"\bfnrt`, c); at >= 0 {
			b.WriteByte("\"\\\b\f\n\r\t"[at])
			continue
		}
		if c != letter || len(s) < digits {
			return "", "", false
		}
		unit, err := strconv.ParseUint(s[:digits], 16, 16)
		if err != nil || !writeUnit(&b, rune(unit)) {
			return "", "", false
		}
		s = s[digits:]
	}
}

// writeUnit writes a UTF-16 code unit, half of a surrogate pair in the bytes
// that UTF-8 would have for it. A whole pair is never written in two escapes.
func writeUnit(b *strings.Builder, unit rune) bool {
	if utf8.ValidRune(unit) {
		b.WriteRune(unit)
		return true
	}
	before := b.String()
	if n := len(before); n > 2 && unit >= 0xDC00 {
		if high, ok := surrogate(before[n-3:]); ok && high < 0xDC00 {
			return false
		}
	}
	b.Write([]byte{0xED, 0x80 | byte(unit>>6&0x3F), 0x80 | byte(unit&0x3F)})
	return true
}

// surrogate reads what writeUnit wrote for half of a pair.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if _, ok := surrogate(s[i:]); ok {
			b.WriteRune(utf8.RuneError)
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// PrintPlaywright renders the tree in the same grammar; it changes no character
// of a string. Texts without a character, of which the upstream has none, are
// left out: an edited tree is a snapshot again (TestSnapshotLaws).
func PrintPlaywright(root *ax.Node) string { return printSnapshot(root, 0) }

func printSnapshot(root *ax.Node, size int) string {
	var b strings.Builder
	b.Grow(size + 1)
	for _, c := range root.Children {
		printLines(&b, c, 0)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// printLines prints n and what is below.
func printLines(b *strings.Builder, n *ax.Node, depth int) {
	if n.IsText() {
		if n.Name != "" {
			printLine(b, depth, "text: ", yamlValue(n.Name))
		}
		return
	}
	key := yamlKey(headOf(n))
	url, hint := n.Attr("url"), n.Attr("placeholder")
	if url == nil && hint == nil {
		switch only, kids := loneChild(n); {
		case kids == 0:
			printLine(b, depth, key)
			return
		case kids == 1 && only.IsText() && only.Attr(documentKey) == nil:
			printLine(b, depth, key, ": ", yamlValue(only.Name))
			return
		}
	}
	printLine(b, depth, key, ":")
	for _, a := range []*ax.Attr{url, hint} {
		if a != nil {
			printLine(b, depth+1, "/", a.Key, ": ", yamlValue(a.Text))
		}
	}
	for _, c := range n.Children {
		printLines(b, c, depth+1)
	}
}

func printLine(b *strings.Builder, depth int, parts ...string) {
	for range depth {
		b.WriteString("  ")
	}
	b.WriteString("- ")
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

// loneChild counts the children that are printed, and returns the last.
func loneChild(n *ax.Node) (last *ax.Node, count int) {
	for _, c := range n.Children {
		if !c.IsText() || c.Name != "" {
			last = c
			count++
		}
	}
	return last, count
}

// headOf is role, name and flags.
func headOf(n *ax.Node) string {
	var b strings.Builder
	b.WriteString(n.Role)
	if n.Name != "" {
		b.WriteByte(' ')
		writeJSON(&b, n.Name)
	}
	for _, key := range flagOrder {
		if key == "ref" && n.ID != "" {
			b.WriteString(" [ref=" + n.ID + "]")
		}
		switch a := n.Attr(key); {
		case a == nil, key == "cursor" && n.ID == "":
		case a.Kind == ax.True:
			b.WriteString(" [" + key + "]")
		default:
			b.WriteString(" [" + key + "=" + a.Text + "]")
		}
	}
	return b.String()
}

// writeJSON is JSON.stringify. https://tc39.es/ecma262/#sec-quotejsonstring
func writeJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		unit, half := surrogate(s[i:])
		switch c := s[i]; {
		case half:
			b.WriteString(`\u` + strconv.FormatInt(int64(unit), 16))
			i += 2
		case writeEscape(b, c):
		case c < 0x20:
			writeHex(b, `\u00`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

func writeHex(b *strings.Builder, prefix string, c byte) {
	const digits = "0123456789abcdef"
	b.WriteString(prefix)
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

// writeEscape writes what JSON and YAML escape by a letter or as itself.
func writeEscape(b *strings.Builder, c byte) bool {
	at := strings.IndexByte("\"\\\b\f\n\r\t", c)
	if at >= 0 {
		b.WriteByte('\\')
		b.WriteByte(`"\bfnrt`[at])
	}
	return at >= 0
}

// yamlKey and yamlValue are yamlEscapeKeyIfNeeded and yamlEscapeValueIfNeeded
// of packages/isomorphic/yaml.ts.
func yamlKey(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func yamlValue(s string) string {
	if !needsQuotes(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf && writeEscape(&b, byte(r)):
		case isControl(r):
			writeHex(&b, `\x`, byte(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// needsQuotes is yamlStringNeedsQuotes.
func needsQuotes(s string) bool {
	if s == "" || strings.IndexByte("-&*],?!>|@\"'#%[", s[0]) >= 0 || jsNumber(s) ||
		len(s) <= 5 && slices.Contains(yamlWords, strings.ToLower(s)) {
		return true
	}
	var before rune
	for i, r := range s {
		space := jsSpace(r)
		switch {
		case isControl(r) && r != '\t', r == '{', r == '}', r == '`':
			return true
		case space && (i == 0 || before == ':'), r == '#' && jsSpace(before):
			return true
		}
		before = r
	}
	return before == ':' || jsSpace(before)
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7F && r <= 0x9F }

// jsSpace is what \s matches, which is not quite Unicode's White_Space.
// https://tc39.es/ecma262/#sec-compiletocharset
func jsSpace(r rune) bool { return r == 0xFEFF || r != 0x85 && unicode.IsSpace(r) }

// https://tc39.es/ecma262/#prod-StringNumericLiteral, without its spaces
var numberLiteral = regexp.MustCompile(`^(?:` +
	`[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)` +
	`|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\z`)

// jsNumber is !isNaN(Number(s)), if s is not empty and without spaces at its
// ends.
func jsNumber(s string) bool {
	return strings.IndexByte("+-.I0123456789", s[0]) >= 0 && numberLiteral.MatchString(s)
}

var yamlWords = []string{"y", "n", "yes", "no", "true", "false", "on", "off", "null"}

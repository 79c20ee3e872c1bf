package adapter

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moire/ax"
)

// maxSnapshotDepth bounds the nesting of a snapshot.
const maxSnapshotDepth = maxTreeDepth

// ParsePlaywright reads a snapshot of @playwright/mcp (the subset of YAML that
// packages/isomorphic/ariaSnapshotRenderer.ts writes) into one tree, whose root
// has no name and no id. An element's id is its ref; what stands in brackets and
// behind slashes are its attributes; texts are nodes of their own. What it does
// not print back to the letter is ErrGrammar: a page's text stays inside the
// string that it is in.
func ParsePlaywright(yaml string) (*ax.Node, error) {
	root := &ax.Node{Role: ax.RoleRoot}
	if yaml == "" {
		return root, nil
	}
	stack := []*ax.Node{root}
	for line := range strings.SplitSeq(yaml, "\n") {
		rest := strings.TrimLeft(line, " ")
		depth := (len(line) - len(rest)) / 2
		rest, ok := strings.CutPrefix(rest, "- ")
		if !ok || depth >= len(stack) || depth > maxSnapshotDepth {
			return nil, ErrGrammar
		}
		stack = stack[:depth+1]
		up := stack[depth]
		if up.IsText() {
			return nil, ErrGrammar
		}
		n, ok := snapshotLine(up, rest)
		if !ok {
			return nil, ErrGrammar
		}
		if n != nil {
			up.Children = append(up.Children, n)
			stack = append(stack, n)
		}
	}
	if PrintPlaywright(root) != yaml {
		return nil, ErrGrammar
	}
	return root, nil
}

// snapshotLine reads one line: a node, or an attribute of up (then nil).
func snapshotLine(up *ax.Node, s string) (*ax.Node, bool) {
	if text, ok := strings.CutPrefix(s, "text: "); ok {
		v, ok := snapshotValue(text)
		return &ax.Node{Role: ax.RoleText, Name: v}, ok
	}
	for _, key := range []string{"url", "placeholder"} {
		if text, ok := strings.CutPrefix(s, "/"+key+": "); ok {
			v, ok := snapshotValue(text)
			ok = ok && up.Role != ax.RoleRoot && len(up.Children) == 0 && up.Attr(key) == nil
			up.Attrs = append(up.Attrs, ax.Attr{Key: key, Kind: ax.String, Text: v})
			return nil, ok
		}
	}
	n := &ax.Node{}
	var ok bool
	if quoted, is := strings.CutPrefix(s, "'"); is {
		var key string
		if key, s, ok = singleQuoted(quoted); !ok {
			return nil, false
		}
		var rest string
		if rest, ok = snapshotKey(n, key); !ok || rest != "" {
			return nil, false
		}
	} else if s, ok = snapshotKey(n, s); !ok {
		return nil, false
	}
	if text, is := strings.CutPrefix(s, ": "); is {
		v, ok := snapshotValue(text)
		n.Children = []*ax.Node{{Role: ax.RoleText, Name: v}}
		return n, ok
	}
	return n, s == "" || s == ":"
}

var snapshotRole = regexp.MustCompile(`^[a-z-]{1,40}`)

// flagOrder are the words in brackets, as the upstream orders them.
var flagOrder = []string{"checked", "disabled", "expanded", "active", "invalid", "level", "pressed", "selected",
	"aria-hidden", "ref", "cursor", "box"}

var (
	snapshotRef  = regexp.MustCompile(`^(f\d{1,9})?e\d{1,9}$`)
	snapshotBox  = regexp.MustCompile(`^-?\d{1,9},-?\d{1,9},\d{1,9},\d{1,9}$`)
	snapshotWord = regexp.MustCompile(`^[a-z]{1,20}$`)
	snapshotInt  = regexp.MustCompile(`^-?\d{1,9}$`)
)

// snapshotKey reads role, name and flags, and returns what follows them.
func snapshotKey(n *ax.Node, s string) (string, bool) {
	n.Role = snapshotRole.FindString(s)
	s = s[len(n.Role):]
	if n.Role == "" {
		return "", false
	}
	if strings.HasPrefix(s, ` "`) {
		end := 2
		for end < len(s) && s[end] != '"' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) || json.Unmarshal([]byte(s[1:end+1]), &n.Name) != nil {
			return "", false
		}
		s = s[end+1:]
	}
	for strings.HasPrefix(s, " [") {
		flag, rest, ok := strings.Cut(s[2:], "]")
		key, value, has := strings.Cut(flag, "=")
		if !ok || !slices.Contains(flagOrder, key) || n.Attr(key) != nil {
			return "", false
		}
		s = rest
		switch {
		case key == "ref":
			if n.ID != "" || !snapshotRef.MatchString(value) {
				return "", false
			}
			n.ID = value
		case !has:
			n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.True})
		case snapshotInt.MatchString(value), key == "box" && snapshotBox.MatchString(value):
			n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.Number, Text: value})
		case snapshotWord.MatchString(value):
			n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.String, Text: value})
		default:
			return "", false
		}
	}
	return s, true
}

// singleQuoted reads to the closing quote; a quote inside is doubled.
func singleQuoted(s string) (string, string, bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			i++
			continue
		}
		return strings.ReplaceAll(s[:i], "''", "'"), s[i+1:], true
	}
	return "", "", false
}

var yamlEscapes = map[byte]byte{'\\': '\\', '"': '"', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// snapshotValue reads a scalar, plain or in double quotes.
func snapshotValue(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, s != ""
	}
	if len(s) < 2 || s[len(s)-1] != '"' {
		return "", false
	}
	s = s[1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return "", false
		case s[i] != '\\':
			b.WriteByte(s[i])
		case i+1 < len(s) && yamlEscapes[s[i+1]] != 0:
			i++
			b.WriteByte(yamlEscapes[s[i]])
		case i+3 < len(s) && s[i+1] == 'x':
			c, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteRune(rune(c))
			i += 3
		default:
			return "", false
		}
	}
	return b.String(), true
}

// PrintPlaywright renders the tree in the same grammar. Texts without a
// character are left out.
func PrintPlaywright(root *ax.Node) string {
	var b strings.Builder
	for _, c := range root.Children {
		printSnapshot(&b, c, 0)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func printSnapshot(b *strings.Builder, n *ax.Node, depth int) {
	line := func(depth int, s string) {
		for range depth {
			b.WriteString("  ")
		}
		b.WriteString("- " + s + "\n")
	}
	if n.IsText() {
		if n.Name != "" {
			line(depth, "text: "+yamlValue(n.Name))
		}
		return
	}
	key := yamlKey(snapshotHead(n))
	var kids []*ax.Node
	for _, c := range n.Children {
		if !c.IsText() || c.Name != "" {
			kids = append(kids, c)
		}
	}
	url, hint := n.Attr("url"), n.Attr("placeholder")
	switch {
	case url == nil && hint == nil && len(kids) == 0:
		line(depth, key)
		return
	case url == nil && hint == nil && len(kids) == 1 && kids[0].IsText():
		line(depth, key+": "+yamlValue(kids[0].Name))
		return
	}
	line(depth, key+":")
	for _, a := range []*ax.Attr{url, hint} {
		if a != nil {
			line(depth+1, "/"+a.Key+": "+yamlValue(a.Text))
		}
	}
	for _, c := range kids {
		printSnapshot(b, c, depth+1)
	}
}

// snapshotHead is role, name and flags.
func snapshotHead(n *ax.Node) string {
	var b strings.Builder
	b.WriteString(n.Role)
	if n.Name != "" {
		b.WriteString(" " + jsonString(n.Name))
	}
	for _, key := range flagOrder {
		if key == "ref" {
			if n.ID != "" {
				b.WriteString(" [ref=" + n.ID + "]")
			}
			continue
		}
		switch a := n.Attr(key); {
		case a == nil:
		case a.Kind == ax.True:
			b.WriteString(" [" + key + "]")
		default:
			b.WriteString(" [" + key + "=" + a.Text + "]")
		}
	}
	return b.String()
}

// jsonString is what JSON.stringify makes of a string without lone surrogates.
// https://tc39.es/ecma262/#sec-quotejsonstring
func jsonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x20:
			b.WriteByte(c)
		case strings.IndexByte("\b\f\n\r\t", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("bfnrt"[strings.IndexByte("\b\f\n\r\t", c)])
		default:
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// yamlKey and yamlValue quote as packages/isomorphic/yaml.ts does.
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
		case r == '\\' || r == '"':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteByte('\\')
			b.WriteByte("bfnrt"[strings.IndexRune("\b\f\n\r\t", r)])
		case r < 0x20 || r >= 0x7f && r <= 0x9f:
			b.WriteString(`\x` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsSpace is what \s matches: https://tc39.es/ecma262/#sec-runtime-semantics-characterclassescape-abstract-operation
const jsSpace = "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

var (
	quotesRule = regexp.MustCompile("^[" + jsSpace + "]|[" + jsSpace + "]\\z|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\u009f\n\r{}`]|^[-&*\\],?!>|@\"'#%\\[]|:[" +
		jsSpace + "]|:\\z|[" + jsSpace + "]#")
	// https://tc39.es/ecma262/#prod-StringNumericLiteral
	jsNumber  = regexp.MustCompile(`^(?:[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)\z`)
	yamlWords = []string{"y", "n", "yes", "no", "true", "false", "on", "off", "null"}
)

// needsQuotes is yamlStringNeedsQuotes.
func needsQuotes(s string) bool {
	if s == "" || quotesRule.MatchString(s) || jsNumber.MatchString(s) {
		return true
	}
	return len(s) <= 5 && slices.Contains(yamlWords, strings.ToLower(s))
}

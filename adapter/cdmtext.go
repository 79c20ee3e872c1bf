package adapter

import (
	"sort"
	"strconv"
	"strings"

	"moire/ax"
)

func printNode(b *strings.Builder, n *ax.Node, depth int, verbose bool, esc func(string) string) {
	b.WriteString(strings.Repeat("  ", depth))
	b.WriteString("uid=" + n.ID)
	switch n.Role {
	case "", ax.RoleText:
	case "none":
		b.WriteString(" ignored")
	default:
		b.WriteString(" " + n.Role)
	}
	if n.Name != "" {
		b.WriteString(` "` + quoteIf(esc, n.Name) + `"`)
	}
	printAttrs(b, n, esc)
	b.WriteByte('\n')
	if !verbose && redundant(n) {
		return
	}
	for _, c := range n.Children {
		printNode(b, c, depth+1, verbose, esc)
	}
}

// printAttrs follows the upstream: keys sorted, the -able words before the
// property that they are derived from.
func printAttrs(b *strings.Builder, n *ax.Node, esc func(string) string) {
	able := map[string]bool{}
	keys := make([]string, 0, len(n.Attrs)+2)
	for _, a := range n.Attrs {
		base := strings.TrimSuffix(a.Key, "able") + "d"
		if a.Key == "focusable" || a.Key == "selectable" {
			base = strings.TrimSuffix(a.Key, "able") + "ed"
		}
		if a.Key == "expandable" {
			base = "expanded"
		}
		if ables[base] == a.Key {
			able[base] = true
			if n.Attr(base) == nil {
				keys = append(keys, base)
			}
			continue
		}
		keys = append(keys, a.Key)
	}
	sort.Strings(keys)
	option := n.Role == "option"
	for _, k := range keys {
		if able[k] && !(option && k == "selected") {
			b.WriteString(" " + ables[k])
		}
		a := n.Attr(k)
		switch {
		case a == nil, option && k == "value" && a.Text == n.Name:
		case a.Kind == ax.True:
			b.WriteString(" " + k)
		case a.Kind == ax.Number:
			b.WriteString(" " + k + `="` + a.Text + `"`)
		default:
			b.WriteString(" " + k + `="` + quoteIf(esc, a.Text) + `"`)
		}
	}
}

// redundant: all children are texts that together are the name.
func redundant(n *ax.Node) bool {
	if n.Name == "" || len(n.Children) == 0 {
		return false
	}
	var text strings.Builder
	for _, c := range n.Children {
		if !c.IsText() || len(c.Children) > 0 {
			return false
		}
		text.WriteString(c.Name)
	}
	return strip(text.String()) == strip(n.Name)
}

// strip removes what JavaScript's \s matches.
func strip(s string) string {
	return strings.Map(func(r rune) rune {
		if jsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// Sigils enclose Moiré's own notes; what a page writes never contains them.
const (
	SigilOpen  = "⟦moiré"
	SigilClose = "⟧"
)

// Escape makes page text harmless between quotes: quotes, backslashes, line ends,
// control characters and the brackets of our notes become escapes. Text without
// them is returned as it is.
func Escape(s string) string { return escape(s, true) }

// EscapeLine is Escape for text that is not between quotes and ends with its
// line.
func EscapeLine(s string) string { return escape(s, false) }

// EscapeLines is EscapeLine for a text whose lines stay lines.
func EscapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = escape(lines[i], false)
	}
	return strings.Join(lines, "\n")
}

func escape(s string, quotes bool) string {
	plain := true
	for _, r := range s {
		if quotes && (r == '"' || r == '\\') || r == '⟦' || r == '⟧' || r < 0x20 || r >= 0x7f && r < 0xA0 || r == 0x2028 || r == 0x2029 {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case quotes && r == '"':
			b.WriteString(`\"`)
		case quotes && r == '\\':
			b.WriteString(`\\`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '⟦' || r == '⟧' || r < 0x20 || r >= 0x7f && r < 0xA0 || r == 0x2028 || r == 0x2029:
			b.WriteString(`\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

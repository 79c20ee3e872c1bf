package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// demoRow is one line of the two columns.
type demoRow struct {
	left, right string
	// less: the left one holds something that the right one does not.
	less bool
}

// pair lays the same element's lines side by side. Neither column is reordered:
// what comes earlier on one side only gets a row to itself.
func pair(left, right []demoLine) []demoRow {
	later := map[string]int{} // where an id will be met on the right
	for i, l := range right {
		if l.uid != "" {
			later[l.uid] = i
		}
	}
	var rows []demoRow
	j := 0
	for _, l := range left {
		at, ok := later[l.uid]
		if l.uid == "" && j < len(right) && right[j].text == l.text {
			at, ok = j, true // a header
		}
		if !ok || at < j {
			rows = append(rows, demoRow{left: l.text, less: !ok})
			continue
		}
		for ; j < at; j++ {
			rows = append(rows, demoRow{right: right[j].text})
		}
		r := right[j]
		rows = append(rows, demoRow{l.text, r.text, l.text != r.text})
		j++
	}
	for ; j < len(right); j++ {
		rows = append(rows, demoRow{right: right[j].text})
	}
	return rows
}

// columns prints rows in a width; lines that are too long go on below.
type columns struct {
	w      *bufio.Writer
	width  int
	colour bool
}

func newColumns(w io.Writer, total int, colour bool) *columns {
	return &columns{bufio.NewWriter(w), max((total-5)/2, 20), colour}
}

const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

func (c *columns) print(leftTitle, rightTitle string, rows []demoRow) error {
	c.row(leftTitle, rightTitle, " ", bold, bold)
	rule := strings.Repeat("─", c.width)
	c.row(rule, rule, " ", "", "")
	for _, r := range rows {
		mark, style := " ", ""
		if r.less {
			mark, style = "-", red
		}
		c.row(r.left, r.right, mark, style, "")
	}
	return c.w.Flush()
}

func (c *columns) row(left, right, mark, leftStyle, rightStyle string) {
	l, r := wrap(printable(left), c.width), wrap(printable(right), c.width)
	for i := range max(len(l), len(r), 1) {
		a, b := "", ""
		if i < len(l) {
			a = l[i]
		}
		if i < len(r) {
			b = r[i]
		}
		gap := strings.Repeat(" ", max(c.width-textWidth(a), 0))
		line := c.style(mark+" "+a, leftStyle) + gap + " │ " + c.style(b, rightStyle)
		fmt.Fprintln(c.w, strings.TrimRight(line, " "))
	}
}

func (c *columns) style(s, style string) string {
	if !c.colour || style == "" || strings.TrimSpace(s) == "" {
		return s
	}
	return style + s + reset
}

// printable shows what a terminal would obey, and what a reader would not see.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// wrap breaks at blanks where it can; what goes on is indented two further.
func wrap(s string, most int) []string {
	if s == "" {
		return nil
	}
	indent := len(s) - len(strings.TrimLeft(s, " "))
	indent = min(indent, most/2)
	var lines []string
	for rest := s; rest != ""; {
		room, prefix := most, ""
		if len(lines) > 0 {
			prefix = strings.Repeat(" ", indent+2)
			room = most - len(prefix)
		}
		cut := fit(rest, room)
		lines = append(lines, prefix+strings.TrimRight(rest[:cut], " "))
		rest = strings.TrimLeft(rest[cut:], " ")
	}
	return lines
}

// fit returns how many bytes of s go into a line, at least one character.
func fit(s string, room int) int {
	used, blank, inText := 0, 0, false
	for i, r := range s {
		if r == ' ' && inText {
			blank = i
		}
		inText = inText || r != ' '
		used += runeWidth(r)
		if used > room && i > 0 {
			if blank > 0 {
				return blank
			}
			return i
		}
	}
	return len(s)
}

func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

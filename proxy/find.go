package proxy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// findContext is how many lines around a match are shown, as @playwright/mcp does
// (packages/playwright-core/src/tools/backend/find.ts).
const findContext = 3

// finder reads what browser_find asks for: the query as it is told, and whether
// a line matches. Regular expressions are Go's (https://pkg.go.dev/regexp/syntax).
func finder(args []byte) (query string, matches func(line string) bool, err error) {
	text, pattern := gjson.GetBytes(args, "text").String(), gjson.GetBytes(args, "regex").String()
	switch {
	case text == "" && pattern == "":
		return "", nil, refusef(`provide either "text" or "regex" to search for`)
	case text != "" && pattern != "":
		return "", nil, refusef(`provide only one of "text" or "regex", not both`)
	case text != "":
		needle := strings.ToLower(text)
		return `"` + text + `"`, func(line string) bool { return strings.Contains(strings.ToLower(line), needle) }, nil
	}
	flags := ""
	if m := regexp.MustCompile(`^/(.*)/([a-z]*)$`).FindStringSubmatch(pattern); m != nil {
		pattern = m[1]
		flags = strings.ReplaceAll(m[2], "g", "")
	}
	query = "/" + pattern + "/" + flags
	for _, f := range flags {
		if !strings.ContainsRune("imsuvy", f) {
			return "", nil, refusef("the regular expression has an unknown flag")
		}
	}
	if own := strings.Trim(regexp.MustCompile(`[uvy]`).ReplaceAllString(flags, ""), " "); own != "" {
		pattern = "(?" + own + ")" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", nil, refusef("the regular expression is none that Moiré can search with (hint: no look-around and no back references; or give \"text\")")
	}
	return query, re.MatchString, nil
}

// find searches a snapshot and shows each match with lines around it, under its
// path from the root, as the upstream does.
func find(snapshot, query string, matches func(string) bool) string {
	lines := strings.Split(snapshot, "\n")
	indents := make([]int, len(lines))
	var found []int
	for i, line := range lines {
		indents[i] = len(line) - len(strings.TrimLeft(line, " "))
		if matches(line) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return "No matches found for " + query + "."
	}
	type window struct{ start, end int }
	var windows []window
	path := map[int]bool{}
	for _, i := range found {
		start, end := max(0, i-findContext), min(len(lines)-1, i+findContext)
		if n := len(windows); n > 0 && start <= windows[n-1].end+1 {
			windows[n-1].end = end
		} else {
			windows = append(windows, window{start, end})
		}
		path[i] = true
		for _, up := range above(indents, i) {
			path[up] = true
		}
	}
	var snippets []string
	for _, w := range windows {
		at := above(indents, w.start)
		for i := w.start; i <= w.end; i++ {
			at = append(at, i)
		}
		var out []string
		for x, i := range at {
			if x > 0 && i > at[x-1]+1 && !path[i] && !path[at[x-1]] {
				out = append(out, strings.Repeat(" ", indents[i])+"...")
			}
			out = append(out, lines[i])
		}
		snippets = append(snippets, strings.Join(out, "\n"))
	}
	word := "matches"
	if len(found) == 1 {
		word = "match"
	}
	return fmt.Sprintf("Found %d %s for %s:\n\n%s", len(found), word, query, strings.Join(snippets, "\n\n----\n\n"))
}

// above lists the lines of the nodes around a line, outermost first.
func above(indents []int, i int) []int {
	var out []int
	for indent := indents[i]; i > 0 && indent > 0; {
		if i--; indents[i] < indent {
			out = append(out, i)
			indent = indents[i]
		}
	}
	slices.Reverse(out)
	return out
}

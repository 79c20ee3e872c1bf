// Package near finds the word that somebody meant, for error messages. Call [Hint].
// It changes nothing and decides nothing.
package near

import "fmt"

// Word returns the word of list that is closest to got, if any is close.
func Word(got string, list []string) string {
	best, most := "", len(got)/2+1
	for _, w := range list {
		if d := distance(got, w); d < most {
			best, most = w, d
		}
	}
	return best
}

// Hint is the closest word as the end of a message, empty if none is close.
func Hint(got string, list []string) string {
	if w := Word(got, list); w != "" {
		return fmt.Sprintf(" (did you mean %q?)", w)
	}
	return ""
}

// distance is the Levenshtein distance.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			next := diag
			if a[i-1] != b[j-1] {
				next++
			}
			diag = row[j]
			row[j] = min(next, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

package main

import (
	"fmt"
	"io"
)

// How many groups and strings the printed report shows; JSON has all.
const topGroups, topStrings = 10, 20

// print writes the report for people.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%-18s %5s %8s %5s %8s %8s | %8s %9s %11s %12s %9s\n", "package", "pages",
		"compared", "lost", "lost %", "withheld", "bare", "unclear", "passed text", "passed names", "seen only")
	var all measured
	all.Package = "all"
	for _, m := range r.Packages {
		m.print(w)
		all.Pages += m.Pages
		all.add(m.tally)
	}
	all.print(w)
	fmt.Fprintf(w, "\nThe largest groups of what is withheld and nobody is known to see, of %d:\n", len(r.Groups))
	for i, g := range r.Groups[:min(topGroups, len(r.Groups))] {
		fmt.Fprintf(w, "%2d. %s: %d words in %d strings on %d pages: %s, %s at %s\n    %s: %q\n", i+1,
			g.Package, g.Words, g.Strings, g.Pages, g.Channel, g.Cause, g.Where, g.Path, short(g.Text, 60))
	}
	list(w, "Withheld, but seen as a whole", r.Lost)
	list(w, "Passed as text, but not seen", r.Leaked)
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "\nnot measured: %s", s)
	}
	fmt.Fprintln(w)
}

func (m measured) print(w io.Writer) {
	share := 0.0
	if m.Compared > 0 {
		share = 100 * float64(m.Lost) / float64(m.Compared)
	}
	fmt.Fprintf(w, "%-18s %5d %8d %5d %8.3f %8d | %8d %9d %11d %12d %9d\n", m.Package, m.Pages,
		m.Compared, m.Lost, share, m.Withheld, m.Bare, m.Unclear, m.PassedText, m.PassedNames, m.SeenOnly)
}

func list(w io.Writer, title string, all []finding) {
	fmt.Fprintf(w, "\n%s: %d strings\n", title, len(all))
	for _, f := range all[:min(topStrings, len(all))] {
		fmt.Fprintf(w, "  %s/%s %s %s %q, left %q: %s at %s\n", f.Package, f.Page, f.Path, f.Channel,
			short(f.Text, 60), short(f.Got, 40), f.Cause, f.Where)
	}
}

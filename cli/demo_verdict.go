package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// demoLine is one line of a snapshot.
type demoLine struct {
	uid  string // empty: a header, or the rest of a text with line breaks
	role string // empty: a text node
	text string // the whole line
}

// snapshotLines reads the element ids. A page can forge lines of the bare
// column; that is the upstream's weakness and no concern of the verdict, which
// looks for what is missing and what is too much with Moiré.
func snapshotLines(snapshot string) []demoLine {
	form := regexp.MustCompile(`^\s*uid=(\S+)(?: ([A-Za-z]+))?`)
	var lines []demoLine
	for text := range strings.SplitSeq(strings.TrimRight(snapshot, "\n"), "\n") {
		l := demoLine{text: text}
		if m := form.FindStringSubmatch(text); m != nil {
			l.uid, l.role = m[1], m[2]
		}
		lines = append(lines, l)
	}
	return lines
}

// demoVerdict is what the demo found.
type demoVerdict struct {
	visible, visibleInBoth int
	hidden, hiddenOnlyBare int
	ids                    int // lines with Moiré whose id and role are the same without
	failures               []string
}

// judge compares what the two agents read with what the page is known to show
// and hide. Only the contents of the replies count, not what Moiré says of them.
func judge(p *demoPage, bare, moire demoReading) demoVerdict {
	v := demoVerdict{visible: len(p.Visible), hidden: len(p.Hidden)}
	left, right := snapshotLines(bare.snapshot), snapshotLines(moire.snapshot)
	for _, run := range p.Visible {
		v.judgeVisible(run, left, right)
	}
	for _, run := range p.Hidden {
		v.judgeHidden(run, bare.strings, moire.strings)
	}
	if v.hidden > 0 && v.hiddenOnlyBare == 0 {
		v.fail("no hidden run stands in the left column alone: this run proves nothing")
	}
	v.judgeIDs(left, right)
	return v
}

func (v *demoVerdict) fail(format string, args ...any) {
	v.failures = append(v.failures, fmt.Sprintf(format, args...))
}

func (v *demoVerdict) judgeVisible(run demoRun, left, right []demoLine) {
	want := wordsOf(run.Text)
	in := func(lines []demoLine) (uids []string, found bool) {
		for _, l := range lines {
			if containsRun(wordsOf(l.text), want) {
				found = true
				uids = append(uids, l.uid)
			}
		}
		return uids, found
	}
	l, inLeft := in(left)
	r, inRight := in(right)
	switch {
	case !inRight:
		v.fail("visible (%s), but missing with Moiré: %q", run.Kind, run.Text)
	case !inLeft:
		v.fail("visible (%s), but missing without Moiré: %q", run.Kind, run.Text)
	case !slices.Equal(l, r):
		v.fail("visible (%s) under other element ids: %s without Moiré, %s with it",
			run.Kind, strings.Join(l, " "), strings.Join(r, " "))
	default:
		v.visibleInBoth++
	}
}

// judgeHidden takes three words in a row for the run: less can be chance.
func (v *demoVerdict) judgeHidden(run demoRun, bare, moire []string) {
	words := wordsOf(run.Text)
	leak := ""
	for i := 0; i+3 <= len(words) && leak == ""; i++ {
		if anyContains(moire, words[i:i+3]) {
			leak = strings.Join(words[i:i+3], " ")
		}
	}
	switch {
	case leak != "":
		v.fail("hidden (%s), but it reached the agent: %q", run.Kind, leak)
	case anyContains(bare, words):
		v.hiddenOnlyBare++
	}
}

func (v *demoVerdict) judgeIDs(left, right []demoLine) {
	roles := map[string]string{}
	for _, l := range left {
		if l.uid != "" {
			roles[l.uid] = l.role
		}
	}
	for _, l := range right {
		role, ok := roles[l.uid]
		switch {
		case l.uid == "":
		case !ok:
			v.fail("element id %s is there only with Moiré", l.uid)
		case role != l.role:
			v.fail("element id %s is a %q without Moiré, a %q with it", l.uid, role, l.role)
		default:
			v.ids++
		}
	}
}

func anyContains(texts []string, words []string) bool {
	return slices.ContainsFunc(texts, func(s string) bool {
		return slices.ContainsFunc(strings.Split(s, "\n"), func(line string) bool {
			return containsRun(wordsOf(line), words)
		})
	})
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// report prints the verdict; it is an error if it is not a good one.
func (v demoVerdict) report(w io.Writer) error {
	_, err := fmt.Fprintf(w, "\n"+
		"visible runs that both agents read:        %2d of %d\n"+
		"hidden runs that only the left one reads:  %2d of %d\n"+
		"elements with the same id and role:        %2d\n",
		v.visibleInBoth, v.visible, v.hiddenOnlyBare, v.hidden, v.ids)
	if err != nil {
		return fmt.Errorf("printing the verdict: %w", err)
	}
	if len(v.failures) == 0 {
		_, err := fmt.Fprintln(w, "\nEvery word a person can see has passed, and none of the others.")
		return err
	}
	fmt.Fprintln(w)
	for _, f := range v.failures {
		fmt.Fprintln(w, "not as it should be: "+f)
	}
	return &hinted{fmt.Errorf("the demo did not end well: %d findings", len(v.failures)),
		"they are listed above; a defect of Moiré's, please report it (CONTRIBUTING.md)"}
}

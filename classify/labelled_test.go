package classify

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "write testdata/confusion.md anew")
	misses = flag.String("misses", "", "print what is missed in this half (tune)")
)

// row is one labelled line. The label was given by reading what the field or
// button is for in its source, never by running the classifier.
type row struct {
	half, source, lang string
	cells              []string
	want               string
}

func rows(t testing.TB, file string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []row
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "# ") {
			continue
		}
		c := strings.Split(s.Text(), "\t")
		if len(c) < 5 {
			t.Fatalf("%s: short row %q", file, s.Text())
		}
		out = append(out, row{c[0], c[1], c[2], c[3 : len(c)-1], c[len(c)-1]})
	}
	return out
}

func build(t testing.TB) *Classifier {
	t.Helper()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func inputOf(c []string) Input {
	return Input{Tag: c[0], Type: c[1], Autocomplete: c[2],
		Name: c[3], ID: c[4], Placeholder: c[5], Label: c[6]}
}

// tally counts what was wanted against what was read.
type tally map[[2]string]int

func (m tally) sum(keep func(want, got string) bool) int {
	n := 0
	for k, v := range m {
		if keep(k[0], k[1]) {
			n += v
		}
	}
	return n
}

// ratio is hits of all; 1 of nothing.
func ratio(hits, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(hits) / float64(all)
}

func fieldTally(t testing.TB, c *Classifier, half string) tally {
	m := tally{}
	for _, r := range rows(t, "fields.tsv") {
		if r.half != half {
			continue
		}
		got := string(c.Field(inputOf(r.cells)))
		m[[2]string{r.want, got}]++
		report(t, r, got)
	}
	return m
}

func actTally(t testing.TB, c *Classifier, half string) tally {
	m := tally{}
	for _, r := range rows(t, "acts.tsv") {
		if r.half != half {
			continue
		}
		got := string(c.Act(r.cells[0]))
		m[[2]string{r.want, got}]++
		report(t, r, got)
	}
	return m
}

func report(t testing.TB, r row, got string) {
	if got != r.want && *misses == r.half {
		t.Logf("MISS %s %s %q: %s, want %s", r.source, r.lang, r.cells, got, r.want)
	}
}

// signTally reads an attack as its kind if a strong sign of it is found, and
// anything else as the strongest that is found.
func signTally(t testing.TB, c *Classifier, half string) tally {
	m := tally{}
	for _, r := range rows(t, "signs.tsv") {
		if r.half != half {
			continue
		}
		text := strings.ReplaceAll(r.want, `\n`, "\n")
		got := "nothing"
		for _, s := range c.Signs(text) {
			switch {
			case s.Grade == Strong && string(s.Kind) == r.cells[1]:
				got = "strong, its kind"
			case s.Grade == Strong && got != "strong, its kind":
				got = "strong, another kind"
			case s.Grade == Weak && got == "nothing":
				got = "weak"
			}
		}
		m[[2]string{r.cells[0], got}]++
		if good := (r.cells[0] == "attack") == strings.HasPrefix(got, "strong"); !good && *misses == half {
			t.Logf("MISS %s %s %v %q: %s %v", r.source, r.lang, r.cells, text, got, c.Signs(text))
		}
	}
	return m
}

func gradeOf(class string) Grade { return Class(class).Grade() }

// TestFloors holds the figures that are promised, on sources kept aside. A
// row may be read as another class of its grade, an act as another that
// cannot be taken back: policy treats them alike.
func TestFloors(t *testing.T) {
	c := build(t)
	fields, acts, signs := fieldTally(t, c, "held"), actTally(t, c, "held"), signTally(t, c, "held")
	for want, least := range map[Grade]float64{Secret: 0.97, Identity: 0.8, Personal: 0.95, Plain: 0.85} {
		fields.floor(t, want.String()+" fields", least,
			func(w string) bool { return gradeOf(w) == want }, func(g string) bool { return gradeOf(g) == want })
	}
	fields.floor(t, "secret fields that are not plain", 1,
		func(w string) bool { return gradeOf(w) == Secret }, func(g string) bool { return gradeOf(g) > Plain })
	lasting := func(act string) bool { return Act(act).Irreversible() }
	acts.floor(t, "grave acts", 0.95, func(w string) bool {
		return slices.Contains([]string{"buy", "transfer", "delete", "publish", "send"}, w)
	}, lasting)
	acts.floor(t, "harmless controls", 0.95,
		func(w string) bool { return w == "none" }, func(g string) bool { return !lasting(g) })
	strong := func(g string) bool { return strings.HasPrefix(g, "strong") }
	signs.floor(t, "attacks", 0.9, func(w string) bool { return w == "attack" }, strong)
	signs.floor(t, "harmless texts", 0.9,
		func(w string) bool { return w != "attack" }, func(g string) bool { return !strong(g) })
}

// floor fails if less than least of the rows that are in is read as it should.
func (m tally) floor(t *testing.T, what string, least float64, is, read func(string) bool) {
	t.Helper()
	hits := m.sum(func(w, g string) bool { return is(w) && read(g) })
	all := m.sum(func(w, _ string) bool { return is(w) })
	t.Logf("%s: %.3f (%d of %d)", what, ratio(hits, all), hits, all)
	if got := ratio(hits, all); got < least {
		t.Errorf("%s: %.3f (%d of %d), want at least %.2f", what, got, hits, all, least)
	}
}

// TestConfusion keeps the table that the README quotes.
func TestConfusion(t *testing.T) {
	c := build(t)
	var b strings.Builder
	b.WriteString("# What is read as what\n\nComputed by TestConfusion from the labelled files here; " +
		"`go test ./classify -update` writes it anew.\n" +
		"`tune` was looked at while the tables were written. `held` is other packages, kept aside: its counts per class\n" +
		"were seen between three rounds of adding words, and three of its rows at the end, so it flatters a little.\n" +
		"In the first round, before any of that, it had secret 0.947, identity 0.490, personal 0.981, plain 0.913;\n" +
		"grave acts 0.919, harmless controls 0.944. Most rows are a label alone, without type or autocomplete.\n")
	for _, half := range []string{"tune", "held"} {
		table(&b, "Fields, "+half, fieldTally(t, c, half), names(Classes()))
		grades(&b, fieldTally(t, c, half))
		table(&b, "Acts, "+half, actTally(t, c, half), names(Acts()))
		table(&b, "Signs, "+half, signTally(t, c, half), []string{"attack", "documentation", "benign"})
	}
	const file = "testdata/confusion.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != b.String() {
		t.Errorf("%s is stale (%v); run go test ./classify -update", file, err)
	}
}

func names[T ~string](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

func table(b *strings.Builder, title string, m tally, order []string) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	b.WriteString("| is | rows | recall | precision | read as |\n|---|---:|---:|---:|---|\n")
	for _, want := range order {
		all := m.sum(func(w, _ string) bool { return w == want })
		if all == 0 {
			continue
		}
		hits, read := m[[2]string{want, want}], m.sum(func(_, g string) bool { return g == want })
		recall, precision := fmt.Sprintf("%.3f", ratio(hits, all)), fmt.Sprintf("%.3f", ratio(hits, read))
		if read == 0 && hits == 0 {
			recall, precision = "", ""
		}
		var as []string
		for k, n := range m {
			if k[0] == want && k[1] != want {
				as = append(as, fmt.Sprintf("%s %d", k[1], n))
			}
		}
		slices.Sort(as)
		fmt.Fprintf(b, "| %s | %d | %s | %s | %s |\n", want, all, recall, precision, strings.Join(as, ", "))
	}
}

func grades(b *strings.Builder, m tally) {
	by := tally{}
	for k, n := range m {
		by[[2]string{gradeOf(k[0]).String(), gradeOf(k[1]).String()}] += n
	}
	table(b, "by grade", by, []string{"secret", "identity", "personal", "plain"})
}

package main

import (
	"cmp"
	"slices"
)

// finding is one string of a page that Moiré withheld, or let through though
// nobody sees it.
type finding struct {
	Package string `json:"package"`
	Page    string `json:"page"`
	Path    string `json:"path"`
	Role    string `json:"role"`
	Channel string `json:"channel"`
	Text    string `json:"text"`
	Got     string `json:"got,omitempty"`
	// Words is how many the agent does not get, or gets without reason.
	Words int    `json:"words"`
	Cause string `json:"cause"`
	Where string `json:"where"`
}

// found sorts the strings of a page: withheld with good reason, withheld
// though a person sees all of it, and running text that passed though nobody
// sees any of it. Equal strings are told apart by number only: if three are
// said and one is seen, two may go.
func found(s *sight, items []item) (withheld, lost, leaked []finding) {
	runs := map[string][]run{}
	for _, r := range s.Runs {
		runs[folded(r.Text)] = append(runs[folded(r.Text)], r)
	}
	equal := map[string][]item{}
	var order []string
	for _, it := range items {
		key := folded(it.Text)
		if equal[key] == nil {
			order = append(order, key)
		}
		equal[key] = append(equal[key], it)
	}
	for _, key := range order {
		whole, some := 0, 0
		var hidden, part []run
		for _, r := range runs[key] {
			clear, doubtful, all := s.count(r)
			switch {
			case clear == all:
				whole++
				some++
			case clear+doubtful > 0:
				some++
				part = append(part, r)
			default:
				hidden = append(hidden, r)
			}
		}
		gone, passed := 0, 0
		for _, it := range equal[key] {
			if it.withheld() {
				gone++
			} else if it.Channel == "text" {
				passed++
			}
		}
		due := max(0, gone-(len(equal[key])-min(whole, len(equal[key])))) // of the gone ones, defects
		excess := max(0, passed-some)
		for _, it := range equal[key] {
			switch {
			case it.withheld() && due > 0:
				due--
				lost = append(lost, finding{Path: it.Path, Role: it.Role, Channel: it.Channel, Text: it.Text,
					Got: it.Got, Words: missing(it.Text, it.Got), Cause: "seen", Where: s.where(runs[key])})
			case it.withheld():
				withheld = append(withheld, s.explain(it, hidden, part))
			case it.Channel == "text" && excess > 0:
				excess--
				f := s.explain(it, hidden, part)
				f.Words = len(texts(it.Text))
				leaked = append(leaked, f)
			}
		}
	}
	return withheld, lost, leaked
}

// missing is how many words of a text are not in what is left of it.
func missing(text, got string) int {
	left := bag{}
	left.add(texts(got)...)
	n := 0
	for _, w := range texts(text) {
		if left[w]--; left[w] < 0 {
			n++
		}
	}
	return n
}

// where labels the element of the first run.
func (s *sight) where(runs []run) string {
	if len(runs) == 0 {
		return ""
	}
	doc := &s.First.Documents[runs[0].Doc]
	return s.First.label(doc, s.First.element(doc, runs[0].Node))
}

// explain finds the cause: of a text that has a layout what hides it, or that
// a part of it shows, of any other the attribute that holds it.
func (s *sight) explain(it item, hidden, part []run) finding {
	f := finding{Path: it.Path, Role: it.Role, Channel: it.Channel, Text: it.Text, Got: it.Got,
		Words: missing(it.Text, it.Got)}
	attribute, holder := s.First.bearer(it.Text)
	switch {
	case it.Role == "RootWebArea":
		f.Cause, f.Where = "title that no text on the page says as a whole", "title"
	case len(hidden) > 0 && (it.Channel == "text" || attribute == ""):
		f.Cause, f.Where = s.First.why(hidden[0])
	case len(part) > 0:
		f.Cause, f.Where = "shows in part", s.where(part)
	case attribute != "":
		f.Cause, f.Where = attribute+" that no text on the page says", holder
	default:
		f.Cause, f.Where = it.Channel+" that is no text and no attribute of the page", it.Role
	}
	return f
}

// group is findings of one package with one cause at one kind of element.
type group struct {
	Package string `json:"package"`
	Cause   string `json:"cause"`
	Where   string `json:"where"`
	Channel string `json:"channel"`
	Strings int    `json:"strings"`
	Words   int    `json:"words"`
	Pages   int    `json:"pages"`
	// Path and Text are of its first finding.
	Path string `json:"path"`
	Text string `json:"text"`
}

// grouped puts findings together, those with the most words first.
func grouped(all []finding) []group {
	type key struct{ pack, cause, where, channel string }
	at := map[key]int{}
	pages := map[key]map[string]bool{}
	var out []group
	for _, f := range all {
		k := key{f.Package, f.Cause, f.Where, f.Channel}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k], pages[k] = i, map[string]bool{}
			out = append(out, group{Package: f.Package, Cause: f.Cause, Where: f.Where, Channel: f.Channel,
				Path: f.Path, Text: f.Text})
		}
		out[i].Strings++
		out[i].Words += f.Words
		pages[k][f.Page] = true
		out[i].Pages = len(pages[k])
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(b.Words, a.Words) })
	return out
}

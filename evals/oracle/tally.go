package main

import "slices"

// tally counts words of one page or of several.
type tally struct {
	// Bare is the words of the bare snapshot, addresses left out.
	Bare int `json:"bare"`
	// Compared is those that a person sees as well; Lost of them are not in
	// Moiré's snapshot.
	Compared int `json:"compared"`
	Lost     int `json:"lost"`
	// Unclear is those of which the pictures do not tell.
	Unclear int `json:"unclear"`
	// Withheld is all that Moiré took out and nobody is known to see.
	Withheld int `json:"withheld"`
	// PassedText and PassedNames are in Moiré's snapshot although nobody is
	// known to see them: as running text, which is a leak, and as names and
	// attributes, which may be bound to something seen.
	PassedText  int `json:"passed_text"`
	PassedNames int `json:"passed_names"`
	// SeenOnly is what a person sees in texts that the bare snapshot lacks.
	SeenOnly int `json:"seen_only"`
}

func (t *tally) add(u tally) {
	t.Bare += u.Bare
	t.Compared += u.Compared
	t.Lost += u.Lost
	t.Unclear += u.Unclear
	t.Withheld += u.Withheld
	t.PassedText += u.PassedText
	t.PassedNames += u.PassedNames
	t.SeenOnly += u.SeenOnly
}

// Kinds of strings in a snapshot: running text, what the page may show in a
// control or say of it, and what it shows nowhere.
const (
	kindText = iota
	kindName
	kindAside
	kinds
)

func (i *item) kind() int {
	switch {
	case i.Channel == "text":
		return kindText
	case i.Role == "RootWebArea" || i.Channel == "description" || i.Channel == "roledescription":
		return kindAside
	}
	return kindName
}

// tally counts a page. Strings are matched with the runs of the page at rest
// that have the same words, as often as both have them and the most seen run
// first, since neither side knows the other's nodes; what is seen of the runs
// left over is in no string.
func (s *sight) tally(items []item) tally {
	said, drawn := map[string][]item{}, map[string][]run{}
	for _, it := range items {
		said[folded(it.Text)] = append(said[folded(it.Text)], it)
	}
	for _, r := range s.Runs {
		drawn[folded(r.Text)] = append(drawn[folded(r.Text)], r)
	}
	var t tally
	for key, equal := range said {
		places := 0
		for _, it := range equal {
			if it.kind() != kindAside {
				places++
			}
		}
		runs := drawn[key]
		slices.SortStableFunc(runs, func(a, b run) int {
			x, _, _ := s.count(a)
			y, _, _ := s.count(b)
			return y - x
		})
		matched := runs[:min(places, len(runs))]
		t.add(compare(equal, s.words(matched, seen), s.words(matched, unclear)))
		drawn[key] = runs[len(matched):]
	}
	for _, runs := range drawn {
		t.SeenOnly += s.words(runs, seen).size()
	}
	return t
}

// words are those of the runs with that verdict.
func (s *sight) words(runs []run, v verdict) bag {
	out := bag{}
	for _, r := range runs {
		for _, w := range split(r.Text) {
			if s.Words[place{r.Backend, w.From, w.Text}] == v {
				out.add(w.Text)
			}
		}
	}
	return out
}

// compare counts strings, word by word, as multisets. What is seen is taken to
// be the running text first, then names and values; titles of documents and
// tooltips are never it.
func compare(items []item, clear, doubtful bag) tally {
	var bare, got [kinds]bag
	for i := range bare {
		bare[i], got[i] = bag{}, bag{}
	}
	all := bag{}
	for _, it := range items {
		bare[it.kind()].add(texts(it.Text)...)
		got[it.kind()].add(texts(it.Got)...)
		all.add(texts(it.Text)...)
	}
	t := tally{Bare: all.size()}
	for w, n := range all {
		text := min(clear[w], bare[kindText][w])
		name := min(clear[w]-text, bare[kindName][w])
		lost := max(0, text-got[kindText][w]) + max(0, name-got[kindName][w])
		passed := got[kindText][w] + got[kindName][w] + got[kindAside][w]
		excess := max(0, got[kindText][w]-clear[w]-doubtful[w])
		t.Compared += text + name
		t.Lost += lost
		t.Unclear += min(doubtful[w], n-text-name)
		t.Withheld += n - passed - lost
		t.PassedText += excess
		t.PassedNames += max(0, passed-excess-text-name-doubtful[w]+lost)
	}
	return t
}

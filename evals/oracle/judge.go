package main

// boxed is a word's largest box of one viewport.
type boxed struct {
	at  place
	run int
	box box
}

// judge raises the verdicts of the words that one viewport shows.
func (s *sight) judge(runs []run, p pictures) {
	view := box{0, 0, viewWidth, viewHeight}
	var words []boxed
	var lines []boxed // where other texts' ink may lie
	for i, r := range runs {
		for _, l := range r.Lines {
			if l.Box.intersect(view).area() > 0 {
				lines = append(lines, boxed{run: i, box: l.Box})
			}
		}
		for _, w := range split(r.Text) {
			if b := r.box(w); b.intersect(view).area() > 0 {
				words = append(words, boxed{place{r.Backend, w.From, w.Text}, i, b})
			}
		}
	}
	for _, w := range words {
		if s.Words[w.at] == seen {
			continue
		}
		var others []box
		for _, l := range lines {
			if l.run != w.run && l.box.intersect(w.box.widened()).area() > 0 {
				others = append(others, l.box)
			}
		}
		v := p.judge(w.box, others, len([]rune(w.at.Text)))
		s.Words[w.at] = max(s.Words[w.at], v)
	}
}

// box is where a word is on the screen: of a word that is broken over lines
// its longest part.
func (r run) box(w word) box {
	best, most := box{}, 0
	for _, l := range r.Lines {
		from, to := max(w.From, l.From), min(w.To, l.To)
		if to-from > most {
			most = to - from
			best = slice(l.Box, r.Units[l.From:l.To], from-l.From, to-l.From, r.Mono)
		}
	}
	return best
}

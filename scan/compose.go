package scan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// shortRun is how many folded characters make a run that says something by
// itself; shorter ones do not compose.
const (
	shortRun = 16
	freeRuns = 3
)

// run are neighbouring pieces that stand on the page one after the other.
type run struct {
	pieces []*piece
	// ends are where on the page the run may end.
	ends  []int
	runes int
}

// compose withholds short pieces of several places that stand together. Pieces
// that continue each other on the page are one run. A chain of more than three
// short runs passes only if all its pieces are whole blocks in the page's visual
// order, as cells of a table or entries of a list are, and if what they say
// together has no attack's shape.
func (v *Strings) compose() {
	var chain []run
	for _, p := range v.pieces {
		if p.withheld || p.structure || len(chain) > 0 && chain[len(chain)-1].extend(p) {
			continue
		}
		next := run{pieces: []*piece{p}, runes: utf8.RuneCountInString(p.folded)}
		for _, at := range p.places {
			next.ends = append(next.ends, at.end)
		}
		chain = append(chain, next)
	}
	v.settleChain(chain)
}

// extend adds a piece that continues the run on the page.
func (r *run) extend(p *piece) bool {
	slices.Sort(r.ends)
	var ends []int
	for _, at := range p.places {
		if _, ok := slices.BinarySearch(r.ends, at.start); ok {
			ends = append(ends, at.end)
		}
	}
	if ends == nil {
		return false
	}
	r.pieces, r.ends = append(r.pieces, p), ends
	r.runes += utf8.RuneCountInString(p.folded)
	return true
}

// settleChain judges all runs of a reply: those that are long speak for themselves,
// but have to stand in the order of the page with the others.
func (v *Strings) settleChain(chain []run) {
	var said []string
	short, whole, from := 0, true, 0
	for _, r := range chain {
		if r.runes < shortRun {
			short++
		}
		for _, p := range r.pieces {
			if r.runes < shortRun {
				said = append(said, p.text)
			}
			if whole {
				from, whole = p.after(from, r.runes < shortRun)
			}
		}
	}
	if short < 2 {
		return
	}
	if (whole || short <= freeRuns) && len(newShapes().look(strings.Join(said, " "))) == 0 {
		return
	}
	for _, r := range chain {
		if r.runes >= shortRun {
			continue
		}
		for _, p := range r.pieces {
			p.withheld = true
		}
	}
}

// after finds the first place of the piece behind from, one where it is a whole
// block if that is asked, and returns its end.
func (p *piece) after(from int, block bool) (int, bool) {
	for _, at := range p.places {
		if at.start >= from && (at.match == Whole || !block) {
			return at.end, true
		}
	}
	return 0, false
}

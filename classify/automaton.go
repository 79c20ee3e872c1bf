package classify

// automaton finds all of many literals in one pass (Aho and Corasick, CACM
// 18(6), 1975), so the time does not depend on how many terms there are.
type automaton struct {
	next map[uint64]int32
	fail []int32
	out  [][]int32 // literals that end at the node
	dict []int32   // the nearest node on the fail path with an output, or 0
}

func key(node int32, b byte) uint64 { return uint64(node)<<8 | uint64(b) }

func newAutomaton(literals []string) *automaton {
	a := &automaton{next: map[uint64]int32{}, fail: []int32{0}, out: [][]int32{nil}}
	type edge struct {
		from, to int32
		b        byte
	}
	levels := [][]edge{} // edges by depth: breadth-first order
	for id, lit := range literals {
		node := int32(0)
		for d := range len(lit) {
			to, ok := a.next[key(node, lit[d])]
			if !ok {
				to = int32(len(a.out))
				a.next[key(node, lit[d])] = to
				a.out, a.fail = append(a.out, nil), append(a.fail, 0)
				if d == len(levels) {
					levels = append(levels, nil)
				}
				levels[d] = append(levels[d], edge{node, to, lit[d]})
			}
			node = to
		}
		a.out[node] = append(a.out[node], int32(id))
	}
	a.dict = make([]int32, len(a.out))
	for d, level := range levels {
		for _, e := range level {
			if d > 0 {
				a.fail[e.to] = a.step(a.fail[e.from], e.b)
			}
			f := a.fail[e.to]
			if len(a.out[f]) > 0 {
				a.dict[e.to] = f
			} else {
				a.dict[e.to] = a.dict[f]
			}
		}
	}
	return a
}

func (a *automaton) step(node int32, b byte) int32 {
	for {
		if to, ok := a.next[key(node, b)]; ok {
			return to
		}
		if node == 0 {
			return 0
		}
		node = a.fail[node]
	}
}

// find calls hit with each literal and where it ends.
func (a *automaton) find(s []byte, hit func(id int32, end int)) {
	node := int32(0)
	for i, b := range s {
		node = a.step(node, b)
		for n := node; n != 0; n = a.dict[n] {
			for _, id := range a.out[n] {
				hit(id, i+1)
			}
		}
	}
}

package classify

import (
	"slices"
	"strings"
)

// automaton finds all of many literals in one pass (Aho and Corasick, CACM
// 18(6), 1975), so the time does not depend on how many terms there are. Its
// nodes are numbers into flat lists: a map of edges took five times the room.
type automaton struct {
	// The edges of node n are edge[first[n]:first[n+1]], by their bytes.
	first []int32
	edge  []edge
	fail  []int32
	// The literals that end at node n are lits[from[n]:from[n+1]].
	from []int32
	lits []int32
	dict []int32 // the nearest node on the fail path with an output, or 0
}

type edge struct {
	b  byte
	to int32
}

func newAutomaton(literals []string) *automaton {
	// Sorted, so that the children of a node are made in the order of their bytes.
	order := make([]int32, len(literals))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return strings.Compare(literals[a], literals[b]) })
	type node struct {
		edges []edge
		lits  []int32
	}
	nodes := []node{{}}
	for _, id := range order {
		at := int32(0)
		for _, b := range []byte(literals[id]) {
			list := nodes[at].edges
			if n := len(list); n > 0 && list[n-1].b == b {
				at = list[n-1].to
				continue
			}
			to := int32(len(nodes))
			nodes[at].edges = append(list, edge{b, to})
			nodes = append(nodes, node{})
			at = to
		}
		nodes[at].lits = append(nodes[at].lits, id)
	}
	a := &automaton{fail: make([]int32, len(nodes)), dict: make([]int32, len(nodes))}
	for _, n := range nodes {
		slices.Sort(n.lits)
		a.first, a.from = append(a.first, int32(len(a.edge))), append(a.from, int32(len(a.lits)))
		a.edge, a.lits = append(a.edge, n.edges...), append(a.lits, n.lits...)
	}
	a.first, a.from = append(a.first, int32(len(a.edge))), append(a.from, int32(len(a.lits)))
	a.edge, a.lits = slices.Clip(a.edge), slices.Clip(a.lits)
	a.link()
	return a
}

// link sets the fail path of each node, breadth first: those of shorter ones are
// there then.
func (a *automaton) link() {
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, e := range a.edge[a.first[n]:a.first[n+1]] {
			if n != 0 {
				a.fail[e.to] = a.step(a.fail[n], e.b)
			}
			f := a.fail[e.to]
			if a.from[f] < a.from[f+1] {
				a.dict[e.to] = f
			} else {
				a.dict[e.to] = a.dict[f]
			}
			queue = append(queue, e.to)
		}
	}
}

func (a *automaton) step(node int32, b byte) int32 {
	for {
		list := a.edge[a.first[node]:a.first[node+1]]
		if i, ok := slices.BinarySearchFunc(list, b, func(e edge, b byte) int { return int(e.b) - int(b) }); ok {
			return list[i].to
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
			for _, id := range a.lits[a.from[n]:a.from[n+1]] {
				hit(id, i+1)
			}
		}
	}
}

// Package scan explains what is seen. It is a policy information point: it
// reports typed evidence and removes what no evidence of visibility admits; it
// decides nothing else. Call [Scanner.Look] before and after the upstream's
// call, then [Tree] for a snapshot and [Explainer.Explain] for any string
// without a node.
//
// Invariants: no admitted span holds a character outside an explained run
// (TestAdmittedIsExplained); adding hidden text never admits more
// (TestHiddenTextNeverExplains); output is a function of input. Scan results
// are hostile: they are decoded strictly and bounded, and no error quotes them.
//
// With the evaluate channel the scanner runs in the page's own world, where a
// page can lie to it; what it then says is marked with trust "page".
package scan

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"moire/embedjs"
)

// Trust says how far a look can be believed.
type Trust string

const (
	// TrustPage: the scanner ran in the page's world.
	TrustPage Trust = "page"
)

// Evaluator runs a function expression in a document of one tab and returns
// its result as JSON: in the top document, or, given element ids of one frame,
// in that frame with the elements as arguments.
type Evaluator interface {
	Evaluate(ctx context.Context, function string, elements []string) ([]byte, error)
}

// Scanner looks at tabs through the evaluate channel.
type Scanner struct {
	options embedjs.Options
}

// NewScanner makes a scanner; zero options mean the defaults.
func NewScanner(o embedjs.Options) *Scanner {
	if o.Nodes == 0 {
		o = embedjs.DefaultOptions()
	}
	return &Scanner{options: o}
}

// Look scans the tab's top document and the same-origin documents in it. pins
// are ids that the upstream resolves to elements.
func (s *Scanner) Look(ctx context.Context, ev Evaluator, pins []string) (*View, error) {
	p, err := s.page(ctx, ev, pins)
	if err != nil {
		return nil, err
	}
	if len(pins) != len(p.Marks) {
		return nil, errResult
	}
	v := &View{Trust: TrustPage, Main: p, Frames: map[string]*Page{}, Pins: map[string]int{}}
	for i, id := range pins {
		v.Pins[id] = p.Marks[i]
	}
	return v, nil
}

// Enter adds the document whose root has the given id to the view.
func (s *Scanner) Enter(ctx context.Context, ev Evaluator, v *View, root string) error {
	p, err := s.page(ctx, ev, []string{root})
	if err != nil {
		return err
	}
	v.Frames[root] = p
	v.explainer, v.judged = nil, nil // they lack this document
	return nil
}

func (s *Scanner) page(ctx context.Context, ev Evaluator, elements []string) (*Page, error) {
	o := s.options
	o.Nonce = nonce()
	source, err := embedjs.Scan(o)
	if err != nil {
		return nil, err
	}
	raw, err := ev.Evaluate(ctx, source, elements)
	if err != nil {
		return nil, fmt.Errorf("scanning the page: %w", err)
	}
	return decode(raw, o.Nonce)
}

func nonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}

package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moire/ax"
	"moire/evidence"
)

// What a person sees and the snapshot lacks is counted, with the node before it;
// what a button shows is its name, and what is hidden is not seen.
func TestMissing(t *testing.T) {
	v := view(
		Item{Kind: TextItem, Text: "Listed"},
		Item{Kind: TextItem, Text: "Only painted", Unlisted: true},
		Item{Kind: ElementItem, Role: "button", Shown: true},
		Item{Kind: TextItem, Parent: 3, Text: "Buy"},
		Item{Kind: TextItem, Text: "Painted too", Unlisted: true},
		Item{Kind: TextItem, Text: "Nobody sees this", Unlisted: true, Hidden: []Span{{0, 16, evidence.KindClipped}}},
	)
	root := tree(text("Listed"), &ax.Node{ID: "1_2", Role: "button", Name: "Buy"})
	q := NewQuarantine([]byte("key"), TrustPage)
	Tree(root, v, v, NewURLs(), q)
	got := q.Summary()
	if got.Unlisted != 2 || !cmp.Equal(got.After, []string{"1_1", "1_2"}) {
		t.Errorf("%d runs after %v, want 2 after 1_1 and 1_2", got.Unlisted, got.After)
	}
}

package scan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"moire/evidence"
)

func pageOf(items ...Item) *Page {
	p := &Page{Items: items}
	if !p.link() {
		panic("bad test page")
	}
	return p
}

// An inner document takes the place of what stands for it: in tree order, in
// visual order, with blocks of its own and with what the frame hides hidden.
func TestGraft(t *testing.T) {
	outer := func() *Page {
		return pageOf(
			Item{Kind: FrameItem, Parent: -1, URL: "http://a.test/"},
			Item{Kind: TextItem, Text: "before", Block: 1},
			Item{Kind: ElementItem, Role: "Iframe"},
			Item{Kind: FrameItem, Parent: 2},
			Item{Kind: TextItem, Text: "after", Block: 2},
			Item{Kind: ElementItem, Role: "Iframe"},
			Item{Kind: FrameItem, Parent: 5, Gone: evidence.KindCovered},
		)
	}
	inner := func(text string) *Page {
		return pageOf(
			Item{Kind: FrameItem, Parent: -1, URL: "http://b.test/"},
			Item{Kind: ElementItem, Role: "paragraph"},
			Item{Kind: TextItem, Parent: 1, Text: text, Block: 1},
		)
	}
	p := outer()
	p.Rank = []int{4, 1, 3, 2, 5, 6}
	p.Marks = []int{2, 5, -1}
	if at := []int{p.placeholder(2), p.placeholder(5), p.placeholder(-1), p.placeholder(1)}; !cmp.Equal(at, []int{3, 6, -1, -1}) {
		t.Fatalf("placeholders at %v", at)
	}
	got, err := p.graft(map[int]*Page{3: inner("shown"), 6: inner("covered")})
	if err != nil {
		t.Fatal(err)
	}
	var parents []int
	var texts []string
	blocks := map[int]int{}
	for _, it := range got.Items {
		parents = append(parents, it.Parent)
		if it.Kind == TextItem {
			texts = append(texts, it.seen())
			blocks[it.Block]++
		}
	}
	if want := []int{-1, 0, 0, 2, 3, 4, 0, 0, 7, 8, 9}; !cmp.Equal(parents, want) {
		t.Errorf("parents %v, want %v", parents, want)
	}
	if want := []string{"before", "shown", "after", ""}; !cmp.Equal(texts, want) {
		t.Errorf("seen %q, want %q", texts, want)
	}
	if len(blocks) != 4 {
		t.Errorf("texts of four blocks are in %d", len(blocks))
	}
	if want := []int{6, 1, 3, 4, 5, 2, 7, 8, 9, 10}; !cmp.Equal(got.Rank, want) {
		t.Errorf("order %v, want %v", got.Rank, want)
	}
	if want := []int{2, 7, -1}; !cmp.Equal(got.Marks, want) {
		t.Errorf("marks %v, want %v", got.Marks, want)
	}
	if NewExplainer(got).Explain("beforeshown") == Run {
		t.Error("texts of two documents make one run")
	}
}

// A page without inner documents stays as it is.
func TestGraftNothing(t *testing.T) {
	p := pageOf(Item{Kind: FrameItem, Parent: -1, URL: "http://a.test/"})
	if got, err := p.graft(nil); err != nil || got != p {
		t.Errorf("got %v, %v", got, err)
	}
}

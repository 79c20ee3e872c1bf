package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moire/evidence"
)

func para(s string, hidden ...Span) Item { return Item{Kind: TextItem, Text: s, Hidden: hidden} }

// paras are blocks of their own, one a text.
func paras(texts ...string) *View {
	var items []Item
	for i, s := range texts {
		items = append(items, Item{Kind: TextItem, Text: s, Block: i + 1})
	}
	return view(items...)
}

func printed(a, b *View) (text string, withheld int) {
	q := NewQuarantine([]byte("key"), TrustPage)
	text = Markdown(a, b, NewURLs(), q)
	return strings.Join(strings.Fields(text), " "), q.Summary().Quarantined
}

func TestMarkdownNeedsBothLooks(t *testing.T) {
	cut := func(from, to int) Span { return Span{from, to, evidence.KindClipped} }
	for name, c := range map[string]struct {
		first, second *View
		want          string
		withheld      int
	}{
		"equal":         {paras("a", "b"), paras("a", "b"), "a b", 0},
		"came":          {paras("a", "b"), paras("a", "new", "b"), "a b", 1},
		"went":          {paras("a", "old", "b"), paras("a", "b"), "a b", 0},
		"ticked":        {paras("a", "12:01", "b"), paras("a", "12:02", "b"), "a b", 1},
		"twins":         {paras("x", "x", "b"), paras("x", "x", "x", "b"), "x x b", 1},
		"moved":         {paras("a", "b", "c"), paras("c", "a", "b"), "a b", 1},
		"hidden first":  {view(para("secret words", cut(0, 6))), view(para("secret words")), "words", 1},
		"hidden second": {view(para("secret words")), view(para("secret words", cut(0, 6))), "words", 1},
		"hidden apart":  {view(para("one two three", cut(0, 4))), view(para("one two three", cut(7, 13))), "two", 1},
		"field": {view(Item{Kind: ElementItem, Role: "textbox", Shown: true, HasValue: true, Hint: "Your name"}),
			view(Item{Kind: ElementItem, Role: "textbox", Shown: true, HasValue: true, Hint: "Obey"}), "[textbox]", 0},
		"field hidden": {view(Item{Kind: ElementItem, Role: "textbox", HasValue: true}),
			view(Item{Kind: ElementItem, Role: "textbox", Shown: true, HasValue: true}), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, withheld := printed(c.first, c.second)
			if got != c.want || withheld != c.withheld {
				t.Errorf("the agent gets %q with %d withheld, want %q with %d", got, withheld, c.want, c.withheld)
			}
		})
	}
}

// No character passes that one of the looks hides or lacks, and of two equal
// looks the second costs nothing.
func TestSteadyNeverAdmitsMore(t *testing.T) {
	page := rapid.Custom(func(t *rapid.T) *View {
		var items []Item
		for i := range rapid.IntRange(0, 8).Draw(t, "n") {
			it := para(rapid.StringMatching(`[a-c]{1,4}`).Draw(t, "text"))
			it.Block = i
			from := rapid.IntRange(0, len(it.Text)).Draw(t, "from")
			if to := rapid.IntRange(from, len(it.Text)).Draw(t, "to"); to > from {
				it.Hidden = []Span{{from, to, evidence.KindClipped}}
			}
			items = append(items, it)
		}
		return view(items...)
	})
	count := func(p *Page) map[rune]int {
		out := map[rune]int{}
		for i := range p.Items {
			for _, r := range p.Items[i].seen() {
				out[r]++
			}
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := page.Draw(t, "first").Main, page.Draw(t, "second").Main
		both, was, now := count(steady(a, b)), count(a), count(b)
		for r, n := range both {
			if n > was[r] || n > now[r] {
				t.Errorf("%c passes %d times, seen %d and %d times", r, n, was[r], now[r])
			}
		}
		if diff := cmp.Diff(count(b), count(steady(b, b))); diff != "" {
			t.Errorf("a steady page loses characters:\n%s", diff)
		}
	})
}

// Spans of both looks, in order, none twice.
func TestUnite(t *testing.T) {
	for _, c := range []struct{ now, was, want string }{
		{"", "", "[]"}, {"2-4", "", "[2-4]"}, {"", "2-4", "[2-4*]"}, {"2-4", "2-4", "[2-4]"},
		{"2-4", "1-5", "[1-2* 2-4 4-5*]"}, {"2-4 6-8", "3-7", "[2-4 4-6* 6-8]"}, {"1-9", "2-3 4-5", "[1-9]"},
		{"0-1 8-9", "3-4 5-6", "[0-1 3-4* 5-6* 8-9]"},
	} {
		spans := func(s string, k evidence.Kind) (out []Span) {
			for _, f := range strings.Fields(s) {
				sp := Span{Kind: k}
				if _, err := fmt.Sscanf(f, "%d-%d", &sp.From, &sp.To); err != nil {
					t.Fatal(err)
				}
				out = append(out, sp)
			}
			return out
		}
		var got []string
		for _, s := range unite(spans(c.now, evidence.KindClipped), spans(c.was, evidence.KindClipped)) {
			mark := ""
			if s.Kind == evidence.KindUnsteady {
				mark = "*"
			}
			got = append(got, fmt.Sprintf("%d-%d%s", s.From, s.To, mark))
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%q and %q: %v, want %s", c.now, c.was, got, c.want)
		}
	}
}

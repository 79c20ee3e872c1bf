package adapter

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moire/ax"
)

// A snapshot as the upstream renders it of a page that tries its quoting, and
// what its source says each line means.
const playwrightSnapshot = `- generic [active] [ref=e1]:
  - 'heading "a: \"b\"" [level=1] [ref=e2]'
  - paragraph [ref=e3]:
    - text: "- button \"Pay\" [ref=e9]\n- x"
    - link "link" [ref=e4] [cursor=pointer]:
      - /url: /a/b?x=1
  - checkbox "c" [checked=mixed] [disabled] [ref=e5]
  - textbox [ref=e6] [box=1,-2,3,4]:
    - /placeholder: "yes"
    - text: "12"
  - iframe [ref=e7]:
    - text: one text
  - iframe [ref=e8]:
    - paragraph [ref=f1e2]: inner
  - button "half \ud83d of a pair" [ref=e10]`

func TestPlaywrightSnapshot(t *testing.T) {
	root, err := ParsePlaywright(playwrightSnapshot)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	root.Walk(func(n *ax.Node) { got = append(got, n.Role+"|"+n.ID+"|"+n.Name) })
	want := []string{"RootWebArea||", "generic|e1|", `heading|e2|a: "b"`, "paragraph|e3|", "StaticText||- button \"Pay\" [ref=e9]\n- x", "link|e4|link",
		"checkbox|e5|c", "textbox|e6|", "StaticText||12", "iframe|e7|", "StaticText||one text", "iframe|e8|", "paragraph|f1e2|", "StaticText||inner",
		"button|e10|half \ufffd of a pair"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if a := root.Children[0].Children[1].Children[1].Attr("url"); a == nil || a.Text != "/a/b?x=1" {
		t.Errorf("the link's address is %+v", a)
	}
}

// What the upstream does not write is refused: a page's text can't add a line.
func TestPlaywrightSnapshotRefused(t *testing.T) {
	for _, yaml := range []string{"x", "- ", "-button", "- Button", "- button \"a", "- button [ref=x1]", "- button [odd]", "- button [level=1] [checked]",
		"- button [ref=e1] [ref=e2]", "   - button", "- button:\n      - link", "- text: a\n  - button", "- button: \"a\" b", "- button\n\n- link", "- button\r",
		"\t- button", "- /url: x", "- button: yes", "- text: a: b", "- 'button'", "- button \"a\": ", "- button:\n  - /url: a\n  - /url: b"} {
		if root, err := ParsePlaywright(yaml); !errors.Is(err, ErrGrammar) {
			t.Errorf("%q is read as %+v, %v", yaml, root, err)
		}
	}
}

// Whatever stands in a tree, what is printed is read back as the same tree.
func TestPlaywrightSnapshotRoundTrip(t *testing.T) {
	pieces := []string{"a", "B", " ", "\n", "\t", ":", ": ", "#", " #", "-", "\"", "\\", "'", "{", "}", "[", "]", "`", "yes", "null", "1e3", "0x1f", "\u0085", "\u2028", "\u00a0",
		"- button \"Pay\" [ref=e1]", "é", "🛒", "\x01", "\x7f", ",", "&", "*", "!", "|", ">", "%", "@", "text: ", "/url: "}
	rng := rand.New(rand.NewPCG(3, 3))
	str := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(5) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return b.String()
	}
	var node func(depth int) *ax.Node
	node = func(depth int) *ax.Node {
		n := &ax.Node{Role: "paragraph", ID: "e1"}
		if rng.IntN(2) == 0 {
			n.Name = str()
		}
		if rng.IntN(3) == 0 {
			n.Attrs = []ax.Attr{{Key: "url", Kind: ax.String, Text: str()}}
		}
		for range rng.IntN(4 - depth) {
			if k := len(n.Children); rng.IntN(2) == 0 && (k == 0 || !n.Children[k-1].IsText()) {
				n.Children = append(n.Children, &ax.Node{Role: ax.RoleText, Name: str()})
			} else {
				n.Children = append(n.Children, node(depth+1))
			}
		}
		return n
	}
	for range 5000 {
		want := &ax.Node{Role: ax.RoleRoot, Children: []*ax.Node{node(0), node(0)}}
		yaml := PrintPlaywright(want)
		got, err := ParsePlaywright(yaml)
		if err != nil {
			t.Fatalf("%s\n%v", yaml, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n-want +got:\n%s", yaml, diff)
		}
	}
}

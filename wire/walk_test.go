package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// show writes a path the way a reader of the test would.
func show(path []Step) string {
	var b strings.Builder
	for _, s := range path {
		if s.Index < 0 {
			fmt.Fprintf(&b, ".%s", s.Key)
		} else {
			fmt.Fprintf(&b, "[%d]", s.Index)
		}
	}
	return b.String()
}

func TestWalk(t *testing.T) {
	frame := []byte(`{ "a" : [1, "x\n", {}, [true , []], {"b.*|#":null}], "\u0063":-1.5e3 }`)
	var got []string
	err := Walk(frame, 100, func(l Leaf) error {
		if !bytes.Equal(l.Raw, frame[l.Offset-100:l.Offset-100+l.Length]) {
			t.Errorf("leaf at %d: Raw is %s, not the frame's", l.Offset, l.Raw)
		}
		got = append(got, fmt.Sprintf("%d %s %q", l.Kind, show(l.Path), l.String()))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`1 .a "a"`, `3 .a[0] "1"`, `2 .a[1] "x\n"`, `4 .a[3][0] "true"`,
		`1 .a[4].b.*|# "b.*|#"`, `5 .a[4].b.*|# "null"`, `1 .c "c"`, `3 .c "-1.5e3"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leaves (-want +got):\n%s", diff)
	}
}

func TestWalkStopsAtError(t *testing.T) {
	stop := errors.New("stop")
	n := 0
	err := Walk([]byte(`[1,2,3]`), 0, func(Leaf) error {
		n++
		return stop
	})
	if err != stop || n != 1 {
		t.Errorf("Walk = %v after %d leaves, want the visitor's error after 1", err, n)
	}
}

func TestWalkRefusesWhatNoGatePassed(t *testing.T) {
	for _, s := range []string{``, ` `, `{`, `[1`, `[1 2]`, `{"a"}`, `{"a":}`, `{"a" 1}`, `[}`,
		`{]`, `{"a":1]`, `"x`, `1 1`, `nul`, `,`, `{"a":1,}`, `[1,]`, `{1:2}`} {
		if err := Walk([]byte(s), 0, func(Leaf) error { return nil }); err == nil {
			t.Errorf("Walk(%s) gives no error", s)
		}
	}
}

// Every key and leaf that jsontext reads is visited, once, in order, and is
// where its offset says.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null,"c":"\ud83d\ude00\\"}],"":[],"d":{}}`))
	f.Add([]byte(`{"\"":"\\\"","x":[[[]],true,false,-0.1E+2]}`))
	f.Add([]byte(`{"a":tru}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		passed := Check(frame, DefaultLimits()) == nil
		var got []string
		err := Walk(frame, 0, func(l Leaf) error {
			if passed && !bytes.Equal(l.Raw, frame[l.Offset:l.Offset+l.Length]) {
				t.Fatalf("leaf at %d: Raw is not the frame's", l.Offset)
			}
			got = append(got, l.String())
			return nil
		})
		if !passed {
			return // any answer is right, as long as it comes
		}
		if err != nil {
			t.Fatalf("Walk(%q): %v", frame, err)
		}
		if diff := cmp.Diff(tokens(t, frame), got); diff != "" {
			t.Fatalf("leaves of %q (-jsontext +Walk):\n%s", frame, diff)
		}
	})
}

// tokens lists what jsontext reads, brackets left out.
func tokens(t *testing.T, frame []byte) []string {
	var out []string
	d := jsontext.NewDecoder(bytes.NewReader(frame))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return out
		}
		switch tok.Kind() {
		case '{', '}', '[', ']':
		default:
			out = append(out, tok.String())
		}
	}
}

// genValue draws JSON, with strings that need escapes and hostile keys.
func genValue(depth int) *rapid.Generator[string] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\"", "\\", "a.b", "\u2028",
		"]}", "😀", "\x00\n"}))
	quoted := rapid.Custom(func(t *rapid.T) string { return string(Quote(text.Draw(t, "text"))) })
	scalars := rapid.OneOf(quoted,
		rapid.SampledFrom([]string{"0", "-1.5e3", "true", "false", "null"}))
	if depth == 0 {
		return scalars
	}
	ws := rapid.SampledFrom([]string{"", " ", "\n\t"})
	arrays := rapid.Custom(func(t *rapid.T) string {
		items := rapid.SliceOfN(genValue(depth-1), 0, 4).Draw(t, "items")
		return "[" + ws.Draw(t, "ws") + strings.Join(items, ws.Draw(t, "ws")+",") + "]"
	})
	objects := rapid.Custom(func(t *rapid.T) string { return genObject(depth).Draw(t, "object") })
	return rapid.OneOf(scalars, arrays, objects)
}

func genObject(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, 4).Draw(t, "members")
		var b strings.Builder
		for i := range n {
			key := Quote(fmt.Sprintf("%d%s", i, rapid.String().Draw(t, "key")))
			fmt.Fprintf(&b, ",%s : %s", key, genValue(depth-1).Draw(t, "value"))
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	})
}

package classify

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// words are what makes classifiers go wrong when they meet: terms of every
// class, marks, scripts, markup.
var words = []string{"password", "Passwort", "email", "card", "number", "CVV", "code", "promo", "name", "on", "Straße",
	"İstanbul", "ﬁle", "пароль", "все", "パスワード", "ﾊﾟｽﾜｰﾄﾞ", "密码", "비밀번호", "ΑΘΗΝΑ", "*", "(optional)", "\n", "", "p a s s w o r d",
	"delete", "filter", "Cancel", "order", "ignore", "all", "previous", "instructions", "</tool_result>", "system:", "\"", "`", "«", "```", "a@b.c"}

func text(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(words), rapid.String()), 0, 8).Draw(t, label)
	return strings.Join(parts, rapid.SampledFrom([]string{" ", "", "-", "\u200b"}).Draw(t, label+" glue"))
}

func input(t *rapid.T) Input {
	pick := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	return Input{
		Tag:          pick("tag", "input", "textarea", "select", "div", ""),
		Type:         pick("type", "text", "password", "email", "search", "checkbox", "file", "tel", "number", "submit", ""),
		Autocomplete: pick("autocomplete", "off", "email", "shipping tel", "section-a billing home cc-number", "one-time-code webauthn", "wrong name", ""),
		Name:         text(t, "name"), ID: text(t, "id"), Placeholder: text(t, "placeholder"), Label: text(t, "label"),
		Role: pick("role", "searchbox", "combobox", "textbox", ""), InputMode: pick("mode", "numeric", "email", ""),
		MaxLength: rapid.IntRange(0, 2).Draw(t, "maxlength"), Multiline: rapid.Bool().Draw(t, "multiline"),
		Editable: rapid.Bool().Draw(t, "editable"), FormRole: pick("form", "search", ""),
	}
}

func closed(t interface{ Fatalf(string, ...any) }, c *Classifier, in Input, s string) {
	if k := c.Field(in); !slices.Contains(Classes(), k) || k != c.Field(in) {
		t.Fatalf("Field(%+v) = %q", in, k)
	}
	if a := c.Act(s); !slices.Contains(Acts(), a) || a != c.Act(s) {
		t.Fatalf("Act(%q) = %q", s, a)
	}
	signs, last := c.Signs(s), 0
	for _, g := range signs {
		if !slices.Contains(Kinds(), g.Kind) || g.Grade != Weak && g.Grade != Strong {
			t.Fatalf("Signs(%q): %+v is not closed", s, g)
		}
		if g.Start < last || g.Start >= g.End || g.End > len(s) {
			t.Fatalf("Signs(%q): %+v is out of place", s, g)
		}
		last = g.Start
	}
	if !slices.Equal(signs, c.Signs(s)) {
		t.Fatalf("Signs(%q) differs from itself", s)
	}
}

func TestClosedAndDeterministic(t *testing.T) {
	c := build(t)
	rapid.Check(t, func(t *rapid.T) { closed(t, c, input(t), text(t, "text")) })
}

func FuzzAll(f *testing.F) {
	c := build(f)
	for _, w := range words {
		f.Add(w, w, w)
	}
	f.Fuzz(func(t *testing.T, label, name, text string) {
		closed(t, c, Input{Tag: "input", Label: label, Name: name, ID: text, Autocomplete: text, Placeholder: text}, text)
	})
}

// TestInvisibleAndCase does not change the case of names and ids: there it
// separates words.
func TestInvisibleAndCase(t *testing.T) {
	c := build(t)
	change := func(t *rapid.T, s string) string {
		s = rapid.SampledFrom([]func(string) string{strings.ToUpper, strings.ToLower, strings.Clone}).Draw(t, "case")(s)
		var b strings.Builder
		for _, r := range s {
			if rapid.Bool().Draw(t, "insert") {
				b.WriteString(rapid.SampledFrom([]string{"\u200b", "\u00ad", "\u200d", "\u2060", "\ufeff", "\U000e0041", "\ufe0f"}).Draw(t, "invisible"))
			}
			b.WriteRune(r)
		}
		return b.String()
	}
	rapid.Check(t, func(t *rapid.T) {
		in, s := input(t), strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), " ")
		in.Label, in.Placeholder = s, rapid.SampledFrom(words).Draw(t, "placeholder")
		out := in
		out.Label, out.Placeholder, out.Type = change(t, in.Label), change(t, in.Placeholder), strings.ToUpper(in.Type)
		out.Autocomplete = strings.ToUpper(in.Autocomplete)
		if a, b := c.Field(in), c.Field(out); a != b {
			t.Fatalf("Field %+v is %s, changed %+v is %s", in, a, out, b)
		}
		changed := change(t, s)
		if a, b := c.Act(s), c.Act(changed); a != b {
			t.Fatalf("Act(%q) = %s, Act(%q) = %s", s, a, changed, b)
		}
		if a, b := c.Signs(s), c.Signs(changed); len(a) != len(b) {
			t.Fatalf("Signs(%q) = %v, Signs(%q) = %v", s, a, changed, b)
		}
	})
}

// TestLabelNeverLowers adds a password's label to any field.
func TestLabelNeverLowers(t *testing.T) {
	c := build(t)
	rapid.Check(t, func(t *rapid.T) {
		in := input(t)
		before := c.Field(in)
		in.Label += " " + rapid.SampledFrom([]string{"Password", "Passwort", "Mot de passe", "Contraseña", "Пароль", "パスワード", "密码", "비밀번호"}).Draw(t, "add")
		after := c.Field(in)
		if after.Grade() < before.Grade() {
			t.Fatalf("%+v: %s became %s", in, before, after)
		}
		if class, ok := native(in); !ok && after.Grade() != Secret {
			t.Fatalf("%+v: %s (native %s), want a secret", in, after, class)
		}
	})
}

func TestCut(t *testing.T) {
	c := build(t)
	long := strings.Repeat("lorem ipsum ", maxText)
	for _, in := range []Input{{Tag: "input", Label: long}, {Tag: "input", Name: long}, {Tag: "textarea", Placeholder: long}, {Tag: "input", Autocomplete: long}} {
		if got := c.Field(in); got != Password {
			t.Errorf("a field with a text too long to read is %s", got)
		}
	}
	if got := c.Act(long); got != ActTransfer {
		t.Errorf("a control with a text too long to read is %s", got)
	}
	huge := strings.Repeat("x", maxRead+1)
	if got := c.Signs(huge); len(got) != 1 || got[0].Kind != Unread {
		t.Errorf("signs of a text too long to read: %v", got)
	}
	if got := c.Signs(strings.Repeat("[INST] ", 2*maxSigns)); len(got) != maxSigns+1 || got[maxSigns].Kind != Unread {
		t.Errorf("too many signs: %d", len(got))
	}
	if got := c.Field(Input{Tag: "input", Type: "email", Label: "Email" + strings.Repeat("\u200b", 2*maxText)}); got != Email {
		t.Errorf("invisible characters cut a label: %s", got)
	}
}

// hostile texts are as long as the name says and made to be slow.
func hostile(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)+1)[:n/len(s)*len(s)] }
	return map[string]string{
		"oneword": fill("a"), "terms": fill("password "), "partial": fill("neues passwor "), "quotes": fill("\"'“"), "fences": fill("\n```"),
		"paragraphs": fill("\n\n"), "open": fill("<"), "role": fill("\nsystem"), "delimiters": fill("</tool_result"), "override": fill("ignore previous "),
		"mixed": fill("пaроль "), "dense": fill("以前の指示"), "marks": "e" + fill("\u0301"), "spelled": fill("a b c "), "ligature": fill("ﷺ"), "hangul": fill("비밀번호"),
	}
}

func BenchmarkSigns(b *testing.B) {
	c := build(b)
	for name, s := range hostile(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				c.Signs(s)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	c := build(b)
	for name, s := range hostile(1 << 20) {
		if !utf8.ValidString(s) {
			b.Fatal(name)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				c.Field(Input{Tag: "input", Label: s, Name: s, Placeholder: s})
				c.Act(s)
			}
		})
	}
}

// BenchmarkField is an ordinary field.
func BenchmarkField(b *testing.B) {
	c := build(b)
	for b.Loop() {
		c.Field(Input{Tag: "input", Type: "text", Name: "billing[cardNumber]", ID: "cc-1", Label: "Card number (required)", Placeholder: "1234 1234 1234 1234"})
	}
}

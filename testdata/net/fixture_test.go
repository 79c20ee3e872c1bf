package netbed

import (
	"html"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

func pages(t *testing.T) []Fixture {
	t.Helper()
	fixtures, err := Load(os.DirFS("../pages"))
	if err != nil {
		t.Fatal(err)
	}
	return fixtures
}

func TestCoverage(t *testing.T) {
	want := map[string]int{
		"paint": 30, "geometry": 35, "cover": 13, "semantics": 45, "characters": 15,
		"containers": 20, "time": 10, "channels": 15, "tampering": 20, "benign": 75,
	}
	got := map[string]int{}
	for _, f := range pages(t) {
		got[f.Family]++
	}
	for _, family := range Families() {
		if got[family] < want[family] {
			t.Errorf("%s: %d pages, want %d", family, got[family], want[family])
		}
	}
}

// One template for all payloads would test one payload.
func TestHiddenTextsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, f := range pages(t) {
		for _, h := range f.Hidden {
			if other, ok := seen[plain(h.Text)]; ok {
				t.Errorf("%s: same hidden text as %s", f.Slug, other)
			}
			seen[plain(h.Text)] = f.Slug
		}
	}
}

// A page that shows the hidden words somewhere would explain them.
func TestHiddenIsNowhereVisible(t *testing.T) {
	for _, f := range pages(t) {
		for _, h := range f.Hidden {
			for _, v := range f.Visible {
				if strings.Contains(plain(v), plain(h.Text)) {
					t.Errorf("%s: visible run %q holds hidden %q", f.Slug, v, h.Text)
				}
			}
			for _, n := range f.Names {
				if strings.Contains(plain(n.Name), plain(h.Text)) {
					t.Errorf("%s: name %q holds hidden %q", f.Slug, n.Name, h.Text)
				}
			}
		}
	}
}

func TestPageCarriesWhatItHides(t *testing.T) {
	for _, f := range pages(t) {
		source := fold(unescape(f.Page)) + "\n" + fold(text(f.Page)) + "\n" + fold(names(f.Page))
		for _, h := range f.Hidden {
			if !strings.Contains(source, fold(h.Text)) {
				t.Errorf("%s: the page has no %q", f.Slug, h.Text)
			}
		}
		for _, line := range f.Forged {
			if !strings.Contains(source, fold(line)) {
				t.Errorf("%s: the page forges no %q", f.Slug, line)
			}
		}
	}
}

func TestTwinShowsWhatThePageHides(t *testing.T) {
	for _, f := range pages(t) {
		if !f.Attack {
			continue
		}
		shown := fold(text(f.Twin))
		// Documents in attributes and trees built by script are text only to a
		// browser.
		if regexp.MustCompile(`srcdoc=|src="data:text|data="data:text|<script>`).Match(f.Twin) {
			shown += "\n" + fold(unescape(f.Twin))
		}
		for _, h := range f.Hidden {
			words := fold(h.Text)
			if !strings.ContainsFunc(words, unicode.IsLetter) {
				continue // a carrier, which has no plain form
			}
			if !strings.Contains(shown, words) {
				t.Errorf("%s: the twin does not show %q", f.Slug, h.Text)
			}
		}
	}
}

func TestPagesAreSelfContained(t *testing.T) {
	remote := regexp.MustCompile(`(?i)(src|action|data|srcset)\s*=\s*["']?(https?:)?//|` +
		`url\(["']?https?:|@import|<link`)
	for _, f := range pages(t) {
		if m := remote.Find(f.Page); m != nil {
			t.Errorf("%s: asks the net: %s", f.Slug, m)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	good := `{"title":"t","family":"paint","kind":"k","attack":true,"why":"w",
		"hidden":[{"text":"x","disposition":"quarantined","evidence":["tiny"],"grade":"muted"}],
		"visible":["a","b"],"names":[{"role":"button","name":"c"}],"expect":{"evaluate":"holds"}}`
	page := "<p><!--[conceal-->a<!--conceal]-->x</p>"
	set := func(j, h string) fstest.MapFS {
		return fstest.MapFS{"paint-x.json": {Data: []byte(j)}, "paint-x.html": {Data: []byte(h)}}
	}
	sub := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	if _, err := Load(set(good, page)); err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{
		"unknown member":     set(sub(`"title"`, `"extra":1,"title"`), page),
		"duplicate member":   set(sub(`"title"`, `"title":"s","title"`), page),
		"unknown evidence":   set(sub(`tiny`, `small`), page),
		"no evidence":        set(sub(`["tiny"]`, `[]`), page),
		"no grade":           set(sub(`,"grade":"muted"`, ``), page),
		"visible is hidden":  set(sub(`quarantined`, `visible`), page),
		"other family":       set(sub(`"paint"`, `"cover"`), page),
		"bypass, no reason":  set(sub(`"holds"`, `"bypass: "`), page),
		"nothing to conceal": set(good, "<p>x</p>"),
		"json only":          fstest.MapFS{"paint-x.json": {Data: []byte(good)}},
		"html only":          fstest.MapFS{"paint-x.html": {Data: []byte(page)}},
		"another file":       fstest.MapFS{"notes.txt": {}},
	} {
		if _, err := Load(fsys); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
}

func TestRender(t *testing.T) {
	for _, c := range []struct{ src, page, twin string }{
		{"plain", "plain", "plain"},
		{"a<!--[conceal-->b<!--conceal]-->c", "abc", "ac"},
		{"a/*[conceal*/b/*conceal]*/c", "abc", "ac"},
		{"a<!--[twin b twin]-->c", "ac", "a b c"},
		{"a/*[twin b twin]*/c", "ac", "a b c"},
		{"<!--[conceal-->x<!--conceal]--><!--[twin y twin]-->", "x", " y "},
		{"<!-- a --> /* b */", "<!-- a --> /* b */", "<!-- a --> /* b */"},
	} {
		for twin, want := range map[bool]string{false: c.page, true: c.twin} {
			got, err := Render([]byte(c.src), twin)
			if err != nil || string(got) != want {
				t.Errorf("Render(%q, %v) = %q, %v; want %q", c.src, twin, got, err, want)
			}
		}
	}
	for _, src := range []string{
		"<!--[conceal-->", "<!--conceal]-->", "<!--[twin", "twin]-->", "/*conceal]*/",
		"<!--[conceal-->/*conceal]*/", "<!--[conceal--><!--[twin a twin]--><!--conceal]-->",
		"<!--[conceal-->a<!--conceal]-->b<!--conceal]-->",
	} {
		for _, twin := range []bool{false, true} {
			if got, err := Render([]byte(src), twin); err == nil {
				t.Errorf("Render(%q, %v) = %q, want an error", src, twin, got)
			}
		}
	}
}

var (
	dropped = regexp.MustCompile(`(?is)<(script|style|title)\b.*?</(script|style|title)>|<!--.*?-->`)
	inline  = regexp.MustCompile(`(?i)</?(a|b|i|em|span|font|abbr|code|text)\b[^>]*>`)
	anyTag  = regexp.MustCompile(`(?s)<[/a-zA-Z!](?:"[^"]*"|'[^']*'|[^>"'])*>`)
	value   = regexp.MustCompile(`(?s)<textarea[^>]*>|<input[^>]*\bvalue="([^"]*)"[^>]*>`)
	label   = regexp.MustCompile(`\s(?:aria-label|alt)="([^"]*)"`)
	content = regexp.MustCompile(`(?:content|list-style-type):"([^"]*)"`)
)

// text is what is left of a page without markup, with the values of its
// fields and its generated content. Good enough for our own pages.
func text(page []byte) string {
	var generated strings.Builder
	for _, m := range content.FindAllSubmatch(page, -1) {
		generated.WriteString(" " + string(m[1]))
	}
	s := dropped.ReplaceAllString(string(page), " ")
	s = value.ReplaceAllString(s, " $1 ")
	s = anyTag.ReplaceAllString(inline.ReplaceAllString(s, ""), " ")
	return html.UnescapeString(s) + generated.String()
}

// names are the names given in attributes, one after the other.
func names(page []byte) string {
	var all []string
	for _, m := range label.FindAllSubmatch(page, -1) {
		all = append(all, string(m[1]))
	}
	return strings.Join(all, " ")
}

// unescape undoes entities twice, for a frame's document in an attribute.
func unescape(page []byte) string {
	return html.UnescapeString(html.UnescapeString(string(page)))
}

func plain(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// fold maps case and white space; tag characters become the ASCII
// they stand for, other characters without ink are dropped.
func fold(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			b.WriteRune(r - 0xE0000)
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Co):
		case r == '\\' || r == 0x3164 || r == 0xFFA0: // an escape, Hangul fillers
		default:
			b.WriteRune(r)
		}
	}
	return plain(b.String())
}

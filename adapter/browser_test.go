package adapter

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The titles of issues are those of the pinned upstream's DevTools: a page can't
// write one of its own.
func TestIssueTitlesAreFresh(t *testing.T) {
	files, err := filepath.Glob("../node_modules/chrome-devtools-mcp/build/src/third_party/issue-descriptions/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no descriptions of issues (%v): run scripts/setup node-packages", err)
	}
	var want []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(raw), "\n") {
			if title, ok := strings.CutPrefix(line, "# "); ok {
				want = append(want, title)
				break
			}
		}
	}
	for _, title := range want {
		if !IssueTitle(title) {
			t.Errorf("data/issues.txt lacks %q", title)
		}
	}
	for title := range issueSet() {
		if title != "" && !slices.Contains(want, title) {
			t.Errorf("data/issues.txt has %q, which the upstream has not", title)
		}
	}
	if IssueTitle("") {
		t.Error("the empty string is a title")
	}
}

// What a page says in the gaps of a browser's sentence is told apart from the
// sentence; what is none is not taken for one.
func TestBrowserSays(t *testing.T) {
	for text, want := range map[string][]string{
		"Failed to load resource: net::ERR_CONNECTION_REFUSED":                          {},
		"Failed to load resource: the server responded with a status of 500 (Very Bad)": {"page:Very Bad"},
		"Failed to load resource: net::ERR_DO_AS_I_SAY":                                 {"page:net::ERR_DO_AS_I_SAY"},
		"Uncaught TypeError: x":                                    {"page:TypeError: x"},
		"TypeError: do it":                                         {"page:do it"},
		"at pay (http://a.example/app.js:1:2)":                     {"page:pay", "url:http://a.example/app.js"},
		"at pay ((index):1:2)":                                     {"page:pay"},
		"Cannot read properties of undefined (reading 'send all')": {"page:send all"},
		"3 arguments required, but only 2 present.":                {},
		"No 'Access-Control-Allow-Origin' header is present on the requested resource.":            {},
		"Access to fetch at 'http://a/' from origin 'http://b' has been blocked by CORS policy: x": {"url:http://a/", "url:http://b", "page:x"},
	} {
		fields, ok := BrowserSays().Match(text, []byte(`{}`))
		got := []string{}
		for _, f := range fields {
			got = append(got, f.Kind+":"+text[f.From:f.To])
		}
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"Send all orders", "failed to fetch", "Error", "net::ERR_FAILED"} {
		fields, ok := BrowserSays().Match(text, []byte(`{}`))
		if ok != (text == "Error") || len(fields) > 0 {
			t.Errorf("%q is taken for the browser's", text)
		}
	}
}

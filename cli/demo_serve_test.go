package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFixtureMux(t *testing.T) {
	mux, n, err := fixtureMux("../testdata/pages")
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) string {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Body.String()
	}
	if got := strings.Count(get("/"), `<a href="/p/`); got != n || n < 100 {
		t.Errorf("%d pages, %d in the index", n, got)
	}
	if !strings.Contains(get("/p/paint-color-white"), "/*[conceal*/") {
		t.Error("no page")
	}
}

func TestServeNeedsPages(t *testing.T) {
	var b strings.Builder
	_, _, err := fixtureMux(t.TempDir())
	const want = "moire: hint: give the directory"
	if err == nil || report(&b, err) != 1 || !strings.Contains(b.String(), want) {
		t.Errorf("%v: %q", err, b.String())
	}
}

func TestFindBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, path := range []string{"/nowhere/chromium", ""} {
		if found, err := findBrowser(path, "plan9"); err == nil {
			t.Errorf("%q: found %q", path, found)
		}
	}
	if found, err := findBrowser("/bin/sh", "plan9"); err != nil || found != "/bin/sh" {
		t.Errorf("%q, %v", found, err)
	}
}

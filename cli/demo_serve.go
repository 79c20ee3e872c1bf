package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// listenLocal serves on a free port of this machine until the context ends or
// stop is called.
func listenLocal(h http.Handler) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serving pages: %w", err)
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // ends with Close
	}()
	return "http://" + l.Addr().String() + "/", func() { _ = srv.Close(); <-done }, nil
}

func serveHTML(page []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(page)
	})
}

// serveFixtures serves the pages of a directory until it is interrupted.
func serveFixtures(ctx context.Context, s *streams, dir string) error {
	mux, n, err := fixtureMux(dir)
	if err != nil {
		return err
	}
	url, stop, err := listenLocal(mux)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintf(s.err, "moire: %d pages at %s (Ctrl-C ends)\n", n, url)
	<-ctx.Done()
	return nil
}

// fixture is a line of the index. The files are pairs NAME.html, NAME.json; a
// block for the harmless twin stands in a comment, so the file is the attack.
type demoFixture struct {
	Slug  string `json:"-"`
	Title string `json:"title"`
	Kind  string `json:"kind"`
	Why   string `json:"why"`
}

func fixtureMux(dir string) (*http.ServeMux, int, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err == nil && len(files) == 0 {
		err = errors.New("there are no pages")
	}
	if err != nil {
		return nil, 0, &hinted{fmt.Errorf("serving %q: %w", dir, err),
			"give the directory of the fixture pages: --pages DIR; in Moiré's source it is testdata/pages"}
	}
	mux := http.NewServeMux()
	var list []demoFixture
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			return nil, 0, fmt.Errorf("reading a page: %w", err)
		}
		f := demoFixture{Slug: strings.TrimSuffix(filepath.Base(file), ".html")}
		if about, err := os.ReadFile(strings.TrimSuffix(file, ".html") + ".json"); err == nil {
			if err := json.Unmarshal(about, &f); err != nil {
				return nil, 0, fmt.Errorf("reading %s.json: %w", f.Slug, err)
			}
		}
		mux.Handle("GET /p/"+f.Slug, serveHTML(page))
		list = append(list, f)
	}
	var index strings.Builder
	t, err := template.New("index").Parse(fixtureIndex)
	if err == nil {
		err = t.Execute(&index, list)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("writing the index: %w", err)
	}
	mux.Handle("GET /{$}", serveHTML([]byte(index.String())))
	return mux, len(list), nil
}

const fixtureIndex = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fixture pages</title>
<style>body { font: 15px/1.5 sans-serif; margin: 2em } td { padding: 2px 12px 2px 0 }</style>
<h1>Fixture pages</h1>
<table>
{{range .}}<tr><td><a href="/p/{{.Slug}}">{{.Slug}}</a></td><td>{{.Kind}}</td><td>{{.Why}}</td></tr>
{{end}}</table>
</html>
`

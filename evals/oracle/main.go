// Command oracle measures what Moiré costs on real pages. Which words a person
// sees it knows from pictures, drawn with and without the text, and shares
// nothing with the scanner that it judges. It prints how many of those words
// that the bare upstream gives an agent Moiré loses, and what is withheld and
// why; it judges nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// config is the command line.
type config struct {
	json     bool
	pages    int
	moire    string
	upstream string
	only     string
}

func main() {
	var c config
	flag.BoolVar(&c.json, "json", false, "print one JSON document with every finding")
	flag.IntVar(&c.pages, "pages", 8, "pages of each package")
	flag.StringVar(&c.moire, "moire", "bin/moire", "path of moire")
	flag.StringVar(&c.upstream, "upstream", "node_modules/.bin/chrome-devtools-mcp",
		"path of the bare chrome-devtools-mcp")
	flag.StringVar(&c.only, "only", "", "only packages and pages whose NAME/PATH has this in it")
	flag.Parse()
	if err := measureAll(context.Background(), c); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		os.Exit(1)
	}
}

// result is all that was measured.
type result struct {
	Packages []measured `json:"packages"`
	Groups   []group    `json:"groups"`
	Withheld []finding  `json:"withheld"`
	Lost     []finding  `json:"lost"`
	Leaked   []finding  `json:"leaked"`
	// Skipped are pages that could not be measured, and why.
	Skipped []string `json:"skipped"`
}

// measured is the count of one package.
type measured struct {
	Package string `json:"package"`
	Version string `json:"version"`
	Pages   int    `json:"pages"`
	tally
}

func measureAll(ctx context.Context, c config) error {
	var out result
	for _, p := range corpus {
		if err := out.measure(ctx, c, p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	out.Groups = grouped(out.Withheld)
	if c.json {
		raw, err := json.MarshalIndent(out, "", " ")
		if err != nil {
			return fmt.Errorf("encoding: %w", err)
		}
		fmt.Println(string(raw))
		return nil
	}
	out.print(os.Stdout)
	return nil
}

// measure adds a package: first what is seen, then what is read, so that no
// more than two browsers run at once.
func (r *result) measure(ctx context.Context, c config, p pack) error {
	dir, err := fetch(ctx, p)
	if err != nil {
		return err
	}
	root := filepath.Join(dir, filepath.FromSlash(p.Root))
	pages, err := choose(root, p.Pages, c.pages)
	if err != nil {
		return err
	}
	kept := pages[:0]
	for _, page := range pages {
		if strings.Contains(p.Name+"/"+page, c.only) {
			kept = append(kept, page)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	defer ln.Close()
	go http.Serve(ln, handler(root, p.Extra)) //nolint:errcheck // ends with the listener
	base := "http://" + ln.Addr().String() + "/"
	sights, err := r.lookAll(ctx, p, base, kept)
	if err != nil {
		return err
	}
	m := measured{Package: p.Name, Version: p.Version}
	if err := r.readAll(ctx, c, &m, base, kept, sights); err != nil {
		return err
	}
	r.Packages = append(r.Packages, m)
	return nil
}

func handler(root string, extra map[string]string) http.Handler {
	files := http.FileServer(http.Dir(root))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s, ok := extra[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, s)
			return
		}
		files.ServeHTTP(w, r)
	})
}

// lookAll sees each page in a browser of its own; nil stands for a page that
// can't be measured.
func (r *result) lookAll(ctx context.Context, p pack, base string, pages []string) ([]*sight, error) {
	d, err := launch(ctx)
	if err != nil {
		return nil, err
	}
	defer d.close()
	l := &looker{d: d}
	out := make([]*sight, len(pages))
	for i, page := range pages {
		begin := time.Now()
		pageCtx, cancel := context.WithTimeout(ctx, 3*time.Minute)
		out[i], err = l.look(pageCtx, base+page)
		cancel()
		if errors.Is(err, errTooLong) {
			r.skip(p.Name, page, err)
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", page, err)
		}
		fmt.Fprintf(os.Stderr, "oracle: looked at %s/%s in %.1f s\n", p.Name, page, time.Since(begin).Seconds())
	}
	return out, nil
}

// readAll takes both snapshots of each page that was seen.
func (r *result) readAll(
	ctx context.Context, c config, m *measured, base string, pages []string, sights []*sight,
) error {
	bare, err := connect(ctx, c.upstream)
	if err != nil {
		return err
	}
	defer bare.c.Close()
	moire, err := connect(ctx, c.moire, "--upstream", "chrome-devtools-mcp", "--")
	if err != nil {
		return err
	}
	defer moire.c.Close()
	for i, page := range pages {
		if sights[i] == nil {
			continue
		}
		plain, err := bare.read(ctx, base+page)
		if err != nil {
			return fmt.Errorf("%s, bare: %w", page, err)
		}
		judged, err := moire.read(ctx, base+page)
		if err != nil {
			return fmt.Errorf("%s, through Moiré: %w", page, err)
		}
		items, odd := pair(plain, judged)
		if odd > 0 {
			r.skip(m.Package, page, fmt.Errorf("the page differed in two browsers at %d nodes", odd))
			continue
		}
		r.count(m, page, sights[i], items)
	}
	return nil
}

// count adds a page.
func (r *result) count(m *measured, page string, s *sight, items []item) {
	m.Pages++
	m.add(s.tally(items))
	withheld, lost, leaked := found(s, items)
	for _, list := range [][]finding{withheld, lost, leaked} {
		for i := range list {
			list[i].Package, list[i].Page = m.Package, page
		}
	}
	r.Withheld = append(r.Withheld, withheld...)
	r.Lost = append(r.Lost, lost...)
	r.Leaked = append(r.Leaked, leaked...)
}

func (r *result) skip(pack, page string, why error) {
	r.Skipped = append(r.Skipped, fmt.Sprintf("%s/%s: %v", pack, page, why))
}

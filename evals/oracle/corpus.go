package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pack is a package of pages: of Debian or of the npm registry, at one version.
type pack struct {
	Name, Version string
	Debian        bool
	// Needs are Debian packages, NAME=VERSION, that the pages link to.
	Needs []string
	// Root is what is served, Pages where in it the pages are.
	Root, Pages string
	// Extra are files that the package's own build would make, by path.
	Extra map[string]string
}

// spec is the package as its client takes it.
func (p pack) spec() string {
	if p.Debian {
		return p.Name + "=" + p.Version
	}
	return p.Name + "@" + p.Version
}

// corpus is made by five generators: Sphinx, Node's own (remark), SQLite's own
// (Tcl), hand-written component tests, and Eleventy. Debian's versions are of
// Debian 12.
var corpus = []pack{
	{Name: "python3.11-doc", Version: "3.11.2-6+deb12u9", Debian: true,
		Needs: []string{"libjs-jquery=3.6.1+dfsg+~3.5.14-1", "libjs-underscore=1.13.4~dfsg+~1.11.4-3"},
		Root:  "usr/share", Pages: "doc/python3.11/html"},
	{Name: "nodejs-doc", Version: "18.20.4+dfsg-1~deb12u3", Debian: true,
		Root: "usr/share/doc/nodejs", Pages: "api"},
	{Name: "sqlite3-doc", Version: "3.40.1-2+deb12u2", Debian: true,
		Root: "usr/share/doc", Pages: "sqlite3"},
	{Name: "uikit", Version: "3.25.29", Root: "package", Pages: "tests",
		Extra: map[string]string{"/tests/js/test.js": uikitLoader}},
	{Name: "@tabler/preview", Version: "1.2.0", Root: "package", Pages: "dist"},
}

// uikitLoader stands for tests/js/test.js, which uikit builds from index.js
// and does not ship: it loads the library into the page.
const uikitLoader = `document.writeln('<link rel="stylesheet" href="../dist/css/uikit.css">' +
  '<script src="../dist/js/uikit.js"><\/script>' +
  '<script src="../dist/js/uikit-icons.js"><\/script>');`

// fetch returns the folder that a package is unpacked in. It asks the registry
// once; a second call finds the cache.
func fetch(ctx context.Context, p pack) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding the cache: %w", err)
	}
	cache = filepath.Join(cache, "moire", "oracle")
	dir := filepath.Join(cache, strings.NewReplacer("/", "-", "@", "").Replace(p.Name)+"_"+p.Version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("making the cache: %w", err)
	}
	fresh, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", fmt.Errorf("making the cache: %w", err)
	}
	defer os.RemoveAll(fresh)
	unpacked := filepath.Join(fresh, "unpacked")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return "", fmt.Errorf("making the cache: %w", err)
	}
	if p.Debian {
		err = fetchDebian(ctx, fresh, unpacked, append([]string{p.spec()}, p.Needs...))
	} else {
		err = fetchNPM(ctx, fresh, unpacked, p)
	}
	if err != nil {
		return "", err
	}
	if err := os.Rename(unpacked, dir); err != nil {
		return "", fmt.Errorf("filling the cache: %w", err)
	}
	return dir, nil
}

// fetchDebian unpacks without installing.
func fetchDebian(ctx context.Context, dir, to string, specs []string) error {
	for _, spec := range specs {
		if err := command(ctx, dir, "apt-get", "-qq", "download", spec); err != nil {
			name, _, _ := strings.Cut(spec, "=")
			return fmt.Errorf("fetching %s: %w\nDebian keeps no old versions: apt-get update, then "+
				"apt-cache madison %s, and put what it has into evals/oracle/corpus.go", spec, err, name)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil {
		return fmt.Errorf("finding the packages: %w", err)
	}
	for _, file := range files {
		if err := command(ctx, dir, "dpkg", "-x", file, to); err != nil {
			return fmt.Errorf("unpacking: %w", err)
		}
	}
	return nil
}

// fetchNPM takes a package without its dependencies and runs no script of it.
func fetchNPM(ctx context.Context, dir, to string, p pack) error {
	if err := command(ctx, dir, "npm", "pack", "--silent", "--ignore-scripts", p.spec()); err != nil {
		return fmt.Errorf("fetching %s: %w", p.spec(), err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("fetching %s: npm left %d files", p.spec(), len(files))
	}
	if err := command(ctx, dir, "tar", "-xzf", files[0], "-C", to); err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	return nil
}

func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("running %s: %w: %s", name, err, short(string(out), 300))
	}
	return nil
}

// Sizes of a page's source, in bytes, within which it is taken: stubs that
// lead elsewhere and books on one page are left out.
const minSource, maxSource = 2 << 10, 120 << 10

// choose takes n pages, evenly spread over the sorted list of all; paths are
// relative to root.
func choose(root, pages string, n int) ([]string, error) {
	var all []string
	visit := func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fits := info.Size() >= minSource && info.Size() <= maxSource
		if info.Mode().IsRegular() && strings.HasSuffix(path, ".html") && fits {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	}
	if err := filepath.WalkDir(filepath.Join(root, pages), visit); err != nil {
		return nil, fmt.Errorf("listing pages: %w", err)
	}
	return spread(all, n), nil
}

// spread takes n of a list, from its first on at equal distances.
func spread(all []string, n int) []string {
	if n >= len(all) {
		return all
	}
	var out []string
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

package files

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Workspace is where the agent's own files are: the client's roots, or the
// working directory where it names none. Methods may be called from several
// goroutines.
type Workspace struct {
	mu    sync.Mutex
	roots []string
}

// NewWorkspace begins with one absolute directory.
func NewWorkspace(dir string) *Workspace { return &Workspace{roots: []string{dir}} }

// Roots takes over those of the client's roots that are directories here; none
// changes nothing.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
func (w *Workspace) Roots(uris []string) {
	var roots []string
	for _, uri := range uris {
		u, err := url.Parse(uri)
		if err == nil && u.Scheme == "file" && filepath.IsAbs(filepath.FromSlash(u.Path)) {
			roots = append(roots, filepath.Clean(filepath.FromSlash(u.Path)))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(roots) > 0 {
		w.roots = roots
	}
}

// Base is where relative paths begin.
func (w *Workspace) Base() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.roots[0]
}

// Shown is how @playwright/mcp tells of a file: relative to the workspace.
func (w *Workspace) Shown(path string) string {
	rel, err := filepath.Rel(w.Base(), path)
	switch {
	case err != nil:
		return path
	case filepath.Dir(rel) == ".":
		return "./" + rel
	}
	return rel
}

// Below is the path of a file relative to the client's root that holds it, links
// resolved, and its size; an empty path is outside of all.
func (w *Workspace) Below(path string) (rel string, size int64) {
	w.mu.Lock()
	roots := append([]string{}, w.roots...)
	w.mu.Unlock()
	if !filepath.IsAbs(path) {
		path = filepath.Join(roots[0], path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", 0
	}
	info, err := os.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		return "", 0
	}
	for _, root := range roots {
		base, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(base, real); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), info.Size()
		}
	}
	return "", 0
}

// OutsideError is a path that the agent may not write to.
type OutsideError struct{ Roots []string }

func (e *OutsideError) Error() string {
	return "the path is outside the workspace, or leads to a hidden file"
}

// Hint tells the agent where it may write.
func (e *OutsideError) Hint() string {
	return "choose a path below " + strings.Join(e.Roots, " or ") + ", no part of which begins with a dot"
}

// Write writes a file of the agent's and returns its absolute path. An existing
// one is replaced, as upstreams do; links must not lead out of the root.
func (w *Workspace) Write(path string, content []byte) (string, error) {
	w.mu.Lock()
	roots := append([]string{}, w.roots...)
	w.mu.Unlock()
	if !filepath.IsAbs(path) {
		path = filepath.Join(roots[0], path)
	}
	path = filepath.Clean(path)
	for _, dir := range roots {
		rel, err := filepath.Rel(dir, path)
		if err != nil || !filepath.IsLocal(rel) || rel == "." || dotted(rel) {
			continue
		}
		if err := writeBelow(dir, rel, content, os.O_TRUNC); err != nil {
			return "", fmt.Errorf("writing a file for the agent: %w", err)
		}
		return path, nil
	}
	return "", &OutsideError{roots}
}

// dotted reports a part that begins with a dot: what is there configures tools.
func dotted(rel string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// writeBelow writes a file of a directory, which no link leads out of; how says
// what of an existing one becomes: os.O_TRUNC or os.O_EXCL.
func writeBelow(dir, rel string, content []byte, how int) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if up := filepath.Dir(rel); up != "." {
		if err := root.MkdirAll(up, 0o777); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(rel, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

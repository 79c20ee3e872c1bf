// Package files stands between an upstream that writes files for the agent and
// the agent that opens them: the upstream writes into a private directory, and
// what has been judged appears where the agent expects it. [New] makes the
// directory, [Exchange.Take] reads and removes what the upstream wrote,
// [Exchange.Publish] writes for the agent, [Exchange.Keep] saves what is left.
//
// Invariants: nothing is read outside the private directory, and nothing is
// written outside the directory that the upstream would have written to, also
// through symbolic links (os.Root). Names come from the upstream's replies and
// may be a page's doing: they are bare names of files.
//
// It judges nothing.
package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"moire/private"
)

// MaxFile bounds what is taken, in bytes.
const MaxFile = 64 << 20

// ErrName: what is no bare name of a file.
var ErrName = errors.New("no name of a file")

// Exchange is the way of one upstream's files. Close it.
type Exchange struct {
	dir *private.Dir
	// asked is the directory that the person asked for, empty for the default.
	asked string
	base  string
	w     *Workspace
}

// New makes the private directory. asked is where the person wants the files
// (empty: the directory base below the workspace, as the upstream does).
func New(asked, base string, w *Workspace) (*Exchange, error) {
	dir, err := private.New("moire-files-")
	if err != nil {
		return nil, err
	}
	if asked != "" {
		if asked, err = filepath.Abs(asked); err != nil {
			_ = dir.Close()
			return nil, fmt.Errorf("finding the directory for the upstream's files: %w", err)
		}
	}
	return &Exchange{dir: dir, asked: asked, base: base, w: w}, nil
}

// Dir is where the upstream has to write.
func (e *Exchange) Dir() string { return e.dir.Path() }

// Close removes what was not handed over.
func (e *Exchange) Close() error { return e.dir.Close() }

// name is the bare name of the file at the path that the upstream tells.
func (e *Exchange) name(told string) (string, error) {
	name := filepath.Base(filepath.FromSlash(told))
	if strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\\x00") || filepath.Base(filepath.Dir(told)) != filepath.Base(e.dir.Path()) {
		return "", ErrName
	}
	return name, nil
}

// Take returns what is in the file that the upstream tells of, and removes it.
func (e *Exchange) Take(told string) ([]byte, error) {
	name, err := e.name(told)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(e.dir.Path())
	if err != nil {
		return nil, fmt.Errorf("taking a file of the upstream's: %w", err)
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("taking a file of the upstream's: %w", err)
	}
	defer f.Close()
	out, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("taking a file of the upstream's: %w", err)
	}
	if len(out) > MaxFile {
		return nil, fmt.Errorf("a file of the upstream's is larger than %d MiB", MaxFile>>20)
	}
	_ = root.Remove(name) // Close removes what is left
	return out, nil
}

// Publish writes a file for the agent, of the name that the upstream told, and
// returns its path as the upstream would tell it.
func (e *Exchange) Publish(told string, content []byte) (string, error) {
	name, err := e.name(told)
	if err != nil {
		return "", err
	}
	dir, rel := e.asked, name
	if dir == "" {
		dir, rel = e.w.Base(), filepath.Join(e.base, name)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("making the directory for the agent's files: %w", err)
	}
	if err := writeBelow(dir, rel, content, os.O_EXCL); err != nil {
		return "", fmt.Errorf("writing a file for the agent: %w", err)
	}
	return e.w.Shown(filepath.Join(dir, rel)), nil
}

// Keep moves what is left, but for files of the given patterns (path.Match), into a
// new directory that make makes when there is anything, and returns the directory,
// empty for none. Downloads are left: nobody has looked at them, and none is to
// be lost.
func (e *Exchange) Keep(own []string, make func() (string, error)) (string, error) {
	entries, err := os.ReadDir(e.dir.Path())
	if err != nil {
		return "", fmt.Errorf("keeping the upstream's files: %w", err)
	}
	to := ""
	for _, entry := range entries {
		if !entry.Type().IsRegular() || entry.Name() == private.LockName ||
			slices.ContainsFunc(own, func(p string) bool { ok, _ := path.Match(p, entry.Name()); return ok }) {
			continue
		}
		if to == "" {
			if to, err = make(); err != nil {
				return "", fmt.Errorf("keeping the upstream's files: %w", err)
			}
		}
		if err := move(filepath.Join(e.dir.Path(), entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			return to, fmt.Errorf("keeping the upstream's files: %w", err)
		}
	}
	return to, nil
}

// move also moves to another file system.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

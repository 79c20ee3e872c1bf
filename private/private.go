// Package private makes directories that only this process's user can enter and
// that do not outlive the process: [New] makes one, [Dir.Close] removes it, and
// what processes that were killed left behind is removed by the next New.
package private

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// youth is how long a directory may be without a lock: one that is being made.
const youth = 5 * time.Second

// Dir is a private directory.
type Dir struct {
	path string
	lock *os.File
}

// New makes a directory in the first of the bases that it can be in; without
// bases that is the system's place for temporary files. Its name begins with
// prefix.
func New(prefix string, bases ...string) (*Dir, error) {
	if len(bases) == 0 {
		bases = []string{os.TempDir()}
	}
	err := errors.New("there is no place for it")
	for _, base := range bases {
		sweep(base, prefix)
		var path string
		if path, err = os.MkdirTemp(base, prefix); err != nil {
			continue
		}
		var lock *os.File
		if lock, err = hold(path); err == nil {
			return &Dir{path, lock}, nil
		}
		_ = os.RemoveAll(path)
	}
	return nil, fmt.Errorf("making a private directory: %w", err)
}

// Path is the directory.
func (d *Dir) Path() string { return d.path }

// Close removes the directory and what is in it.
func (d *Dir) Close() error {
	return errors.Join(os.RemoveAll(d.path), d.lock.Close())
}

// LockName is the file whose lock says that the directory is in use. (A process
// number would say nothing of a process in another container that shares the
// base.)
const LockName = "lock"

// sweep removes directories whose process was killed: nobody holds their lock.
func sweep(base, prefix string) {
	left, _ := filepath.Glob(filepath.Join(base, prefix+"*"))
	for _, path := range left {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < youth {
			continue
		}
		lock, err := hold(path)
		if err != nil {
			continue // it is in use, or somebody else's
		}
		_ = os.RemoveAll(path)
		_ = lock.Close()
	}
}

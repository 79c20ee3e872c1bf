// Package state is the directory in which Moiré keeps what outlives a process:
// hashes of presence codes, restored texts, pins, the audit. It makes sure that
// only its owner can read or write there.
//
// Call [DefaultDir], then [Open].
//
// Invariants: the directory is the owner's, 0700 and no symlink, or Open
// refuses it and says what to do (TestOpenRefuses). Files are 0600, written
// whole or not at all (TestWriteFileAtomic), and refused when they are links
// or somebody else's (TestReadFileRefuses). All access goes through the
// directory that was checked, not through its name again.
//
// It is no defence against another process of the same user (attacker M2): see
// the sandbox recipe. It knows nothing of what the files mean.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// DefaultDir is the state directory of a system. It reads nothing but env.
//
// Linux: "$XDG_STATE_HOME defines the base directory relative to which
// user-specific state files should be stored. If $XDG_STATE_HOME is either not
// set or empty, a default equal to $HOME/.local/state should be used." and "All
// paths set in these environment variables must be absolute. If an
// implementation encounters a relative path in any of these variables it should
// consider the path invalid and ignore it."
// https://specifications.freedesktop.org/basedir-spec/latest/
//
// MOIRE_STATE_DIR, an absolute path, comes before all of them.
func DefaultDir(env func(string) string, goos string) (string, error) {
	if dir := env("MOIRE_STATE_DIR"); filepath.IsAbs(dir) {
		return dir, nil
	}
	if goos == "windows" {
		if base := env("LocalAppData"); base != "" {
			return base + `\moire`, nil
		}
		return "", errors.New("finding the state directory: LocalAppData is not set")
	}
	// Also on macOS: who sets it there means it.
	if base := env("XDG_STATE_HOME"); strings.HasPrefix(base, "/") {
		return path.Join(base, "moire"), nil
	}
	home := env("HOME")
	if !strings.HasPrefix(home, "/") {
		return "", errors.New("finding the state directory: HOME is not set to an absolute path")
	}
	if goos == "darwin" {
		return path.Join(home, "Library", "Application Support", "moire"), nil
	}
	return path.Join(home, ".local", "state", "moire"), nil
}

// Config says where the state is. An empty Dir means DefaultDir.
type Config struct{ Dir string }

// PermissionError is a path that others could read or change, or that is not
// what it should be. Remedy is a command or act for a person.
type PermissionError struct {
	Path, Cause, Remedy string
}

func (e *PermissionError) Error() string {
	return fmt.Sprintf("refusing state %q: %s; %s", e.Path, e.Cause, e.Remedy)
}

// Dir is an open, checked state directory.
type Dir struct {
	path string
	root *os.Root
}

// Open creates the directory if it is missing and checks it.
func Open(cfg Config) (*Dir, error) {
	dir := cfg.Dir
	if dir == "" {
		var err error
		if dir, err = DefaultDir(os.Getenv, runtime.GOOS); err != nil {
			return nil, err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolving the state directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the state directory: %w", err)
	}
	named, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("checking the state directory: %w", err)
	}
	if err := check(dir, named, fs.ModeDir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the state directory: %w", err)
	}
	// The name may have been swapped since the check.
	opened, err := root.Stat(".")
	if err != nil || !os.SameFile(named, opened) {
		return nil, errors.Join(fmt.Errorf("opening the state directory %q: it changed meanwhile",
			dir), err, root.Close())
	}
	return &Dir{path: dir, root: root}, nil
}

// check refuses what is not of the wanted type, private and ours.
func check(name string, info fs.FileInfo, want fs.FileMode) error {
	kind, mode := "regular file", "600"
	if want == fs.ModeDir {
		kind, mode = "directory", "700"
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &PermissionError{name, "it is a symbolic link",
			"remove the link, or name the place it points to"}
	case info.Mode().Type() != want:
		return &PermissionError{name, "it is not a " + kind, "move it away"}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return &PermissionError{name,
			fmt.Sprintf("its mode %04o lets others in", info.Mode().Perm()),
			fmt.Sprintf("run: chmod %s %q", mode, name)}
	}
	return checkOwner(name, info)
}

// Path names the directory, for messages.
func (d *Dir) Path() string { return d.path }

// Close lets go of the directory. Locks stay until they are unlocked.
func (d *Dir) Close() error { return d.root.Close() }

// checkName keeps names to one component that every system takes the same.
func checkName(name string) error {
	ok := name != "" && name[0] != '.' && len(name) <= 100
	for _, c := range []byte(name) {
		ok = ok && ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '_' || c == '.')
	}
	if !ok {
		return fmt.Errorf("naming a state file: %q is not a plain file name", name)
	}
	return nil
}

package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"moire/state"
)

// What package state could take over: a subdirectory, and files made to be
// appended to. Until then this goes by path. Every directory on it was checked
// by state to be ours alone and no link, and a segment must be new, which no
// link is: "If O_EXCL and O_CREAT are set, and path names a symbolic link,
// open() shall fail and set errno to [EEXIST]".
// https://pubs.opengroup.org/onlinepubs/9799919799/functions/open.html

const (
	subdir      = "audit"
	maxSegments = 999999
)

// Path is the directory that Verify, Read and Sessions look at.
func Path(st *state.Dir) string { return filepath.Join(st.Path(), subdir) }

func segmentName(n int) string { return fmt.Sprintf("%06d.jsonl", n) }

// segmentNumber is 0 for a name that no segment has.
func segmentNumber(name string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(name, ".jsonl"))
	if err != nil || n < 1 || segmentName(n) != name {
		return 0
	}
	return n
}

// sessionDir makes a session's segments.
type sessionDir struct{ path string }

// makeSessionDir refuses a session that exists: it has another writer, or its
// chain has ended.
func makeSessionDir(st *state.Dir, session string) (sessionDir, error) {
	audit := Path(st)
	if err := checkDir(audit); err != nil {
		return sessionDir{}, err
	}
	dir := filepath.Join(audit, session)
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return sessionDir{}, fmt.Errorf("session %q has a record; name a new one", session)
	} else if err != nil {
		return sessionDir{}, fmt.Errorf("creating the session's directory: %w", err)
	}
	if err := checkDir(dir); err != nil {
		return sessionDir{}, err
	}
	syncDir(st.Path())
	syncDir(audit)
	return sessionDir{dir}, nil
}

// checkDir creates a directory or checks that it is private and ours.
func checkDir(dir string) error {
	d, err := state.Open(state.Config{Dir: dir})
	if err != nil {
		return err
	}
	return d.Close()
}

func (s sessionDir) create(n int) (file, error) {
	if n > maxSegments {
		return nil, fmt.Errorf("creating segment %d: a session has at most %d", n, maxSegments)
	}
	f, err := os.OpenFile(filepath.Join(s.path, segmentName(n)),
		os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating a segment: %w", err)
	}
	syncDir(s.path)
	return diskFile{f}, nil
}

// diskFile syncs what reading back needs, and leaves times of access.
type diskFile struct{ *os.File }

func (f diskFile) Sync() error { return dataSync(f.File) }

// syncDir makes a new name durable. Some systems can't: that costs durability
// in a power cut, so it is no error, as in package state.
func syncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// openSegment opens a regular file and nothing else: a fifo would block.
func openSegment(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(name)
}

var errNotRegular = errors.New("it is not a regular file")

// segmentSize is -1 where there is none.
func segmentSize(dir string, n int) int64 {
	info, err := os.Lstat(filepath.Join(dir, segmentName(n)))
	if err != nil {
		return -1
	}
	return info.Size()
}

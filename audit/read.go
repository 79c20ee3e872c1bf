package audit

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
)

// Read goes over the records of a session, heads included. It checks what
// Verify checks, without key and anchors: a fault is the last error it yields.
// A line that a crash cut ends it without an error.
func Read(dir, session string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if !validSession(session) {
			yield(Entry{}, fmt.Errorf("reading the audit record: %q is no session name", session))
			return
		}
		w, err := newWalker(dir, session)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		fault, err := w.run(func(e Entry) bool { return yield(e, nil) })
		switch {
		case err != nil:
			yield(Entry{}, err)
		case fault != nil && fault.Class != Torn:
			yield(Entry{}, fault)
		}
	}
}

// Sessions lists the sessions that have a record, in the order of their names.
func Sessions(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listing the audit record: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.Type() == fs.ModeDir && validSession(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

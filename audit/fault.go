package audit

import "fmt"

// Class is what kind of tampering or damage a fault is.
type Class string

// Torn is the class of SessionReport.Torn only: a crash, and no fault.
const (
	Corrupt    Class = "corrupt"    // a line is not what was written
	Dropped    Class = "dropped"    // lines are missing before this one
	Reordered  Class = "reordered"  // the line due here stands further on
	Duplicated Class = "duplicated" // the line stands elsewhere too
	Spliced    Class = "spliced"    // the line is of another session
	Rewritten  Class = "rewritten"  // it has valid hashes, but of another past
	Truncated  Class = "truncated"  // an end is missing that was there
	Missing    Class = "missing"    // a segment or session is
	Misplaced  Class = "misplaced"  // something follows where nothing can
	Forged     Class = "forged"     // a head whose signature or key is wrong
	Foreign    Class = "foreign"    // no regular file
	Torn       Class = "torn"
)

// Fault is the first thing wrong in a session. File is relative to the audit
// directory; Line counts from 1; Seq is the one due there.
type Fault struct {
	Class Class
	File  string
	Line  int
	Seq   uint64
	What  string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("audit record %q, line %d (seq %d): %s: %s",
		f.File, f.Line, f.Seq, f.Class, f.What)
}

package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
)

// walker reads a session's lines in order up to the first fault. The session
// may be written meanwhile.
type walker struct {
	dir     string // of the session
	chain   chain
	lines   lineReader
	file    string // relative to the audit directory
	line    int
	highest int // segment there is
}

func newWalker(dir, session string) (*walker, error) {
	w := &walker{dir: filepath.Join(dir, session)}
	w.chain = chain{session: session, prev: firstPrev}
	w.at(1, 1)
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return nil, fmt.Errorf("reading the audit record of session %q: %w", session, err)
	}
	for _, e := range entries {
		w.highest = max(w.highest, segmentNumber(e.Name()))
	}
	return w, nil
}

// run calls yield for every line that fits, until it returns false. A Fault of
// class Torn is a last line that a crash cut.
func (w *walker) run(yield func(Entry) bool) (*Fault, error) {
	for n := 1; w.highest > 0; n++ {
		// Looked up before reading: if the next segment has lines by then, this
		// one is complete, whatever the writer does meanwhile.
		next := segmentSize(w.dir, n+1)
		fault, more, err := w.read(n, next > 0, yield)
		if fault != nil || err != nil || !more {
			return fault, err
		}
		switch {
		case w.chain.cause == causeRotate && n == w.highest && segmentSize(w.dir, n+1) >= 0:
			return nil, nil // made meanwhile: a fast writer must not keep this going
		case w.chain.cause == causeRotate: // the next is there, or was removed
		case w.chain.cause == causeClose && w.highest > n:
			w.at(n+1, 1)
			return w.fault(Misplaced, "a segment follows the closing head"), nil
		case next > 0:
			return w.fault(Truncated, "another segment follows, but the head before it is missing"),
				nil
		case w.highest > n+1:
			w.at(n+1, 1)
			return w.fault(Missing, "the segment is missing or empty, but a later one exists"), nil
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// read walks one segment. A complete one can't end in a torn line.
func (w *walker) read(n int, complete bool, yield func(Entry) bool) (*Fault, bool, error) {
	w.at(n, 1)
	w.chain.cause = ""
	f, err := openSegment(filepath.Join(w.dir, segmentName(n)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.fault(Missing, "the segment is missing"), false, nil
	case errors.Is(err, errNotRegular):
		return w.fault(Foreign, "the segment is not a regular file"), false, nil
	case err != nil:
		return nil, false, fmt.Errorf("reading the audit record: %w", err)
	}
	defer f.Close()
	w.lines.reset(f)
	for ; ; w.line++ {
		line, whole, err := w.lines.next()
		switch {
		case errors.Is(err, errLongLine):
			return w.fault(Corrupt, err.Error()), false, nil
		case err == io.EOF && len(line) == 0:
			return nil, true, nil
		case err != nil && err != io.EOF:
			return nil, false, fmt.Errorf("reading the audit record %q: %w", w.file, err)
		case !whole:
			return w.tail(line, complete), false, nil
		}
		e, fault := w.entry(line)
		if fault != nil || !yield(e) {
			return fault, false, nil
		}
	}
}

// entry judges a whole line.
func (w *walker) entry(line []byte) (Entry, *Fault) {
	e, err := parseLine(line)
	if err != nil {
		return e, w.fault(Corrupt, err.Error())
	}
	e.File, e.Line = w.file, w.line
	if e.Session == w.chain.session && e.Seq != w.chain.seq+1 {
		return e, w.misplaced(e)
	}
	if class, what := w.chain.add(e); class != "" {
		return e, w.fault(class, what)
	}
	return e, nil
}

// tail judges what stands behind the last line feed.
func (w *walker) tail(line []byte, complete bool) *Fault {
	// After a power cut zeros may stand where data has not arrived.
	beginning := bytes.TrimRight(line, "\x00")
	d := jsontext.NewDecoder(bytes.NewReader(line))
	_, err := d.ReadValue()
	if err != nil && len(beginning) < len(line) {
		d = jsontext.NewDecoder(bytes.NewReader(beginning))
		_, err = d.ReadValue()
	}
	begun := err == nil || err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case err == nil && d.InputOffset() < int64(len(line)):
		return w.fault(Corrupt, "something else stands where its line feed was")
	case w.chain.cause == causeClose || w.chain.cause == causeRotate:
		return w.fault(Misplaced, "something follows the head that ends its segment")
	case !begun || len(beginning) > 0 && beginning[0] != '{':
		return w.fault(Corrupt, "it is not the beginning of a record")
	case complete:
		return w.fault(Truncated, "the line is cut, but another segment follows")
	}
	return w.fault(Torn, "the last line is cut, as a crash leaves it")
}

func (w *walker) at(segment, line int) {
	w.line = line
	w.file = path.Join(w.chain.session, segmentName(segment))
}

func (w *walker) fault(class Class, what string) *Fault {
	return &Fault{class, w.file, w.line, w.chain.seq + 1, what}
}

// misplaced names why e is not the line due: it looks at all others for it.
func (w *walker) misplaced(e Entry) *Fault {
	due := w.chain.seq + 1
	var same, dueAt, seqAt *Entry
	w.scan(func(o Entry) {
		switch here := o.File == e.File && o.Line == e.Line; {
		case here || o.Session != e.Session:
		case o.Hash == e.Hash && same == nil:
			same = &o
		case o.Seq == due && dueAt == nil:
			dueAt = &o
		case o.Seq == e.Seq && seqAt == nil:
			seqAt = &o
		}
	})
	switch {
	case same != nil:
		return w.fault(Duplicated, fmt.Sprintf("the line of seq %d stands in %q, line %d too",
			e.Seq, same.File, same.Line))
	case e.Seq < due || seqAt != nil:
		return w.fault(Rewritten, fmt.Sprintf("there are two different lines of seq %d", e.Seq))
	case dueAt != nil:
		return w.fault(Reordered, fmt.Sprintf("seq %d stands here and seq %d in %q, line %d",
			e.Seq, due, dueAt.File, dueAt.Line))
	}
	return w.fault(Dropped, fmt.Sprintf("seq %d to %d are missing", due, e.Seq-1))
}

// scan visits every line that stands for itself, whatever is around it.
func (w *walker) scan(visit func(Entry)) {
	for n := 1; n <= w.highest; n++ {
		f, err := openSegment(filepath.Join(w.dir, segmentName(n)))
		if err != nil {
			continue
		}
		var lines lineReader
		lines.reset(f)
		for at := 1; ; at++ {
			line, whole, err := lines.next()
			if err != nil || !whole {
				break
			}
			if e, err := parseLine(line); err == nil {
				e.File, e.Line = path.Join(w.chain.session, segmentName(n)), at
				visit(e)
			}
		}
		_ = f.Close()
	}
}

// lineReader reads lines of bounded length.
type lineReader struct {
	r    *bufio.Reader
	long []byte // a line that the reader's buffer can't hold
}

var errLongLine = fmt.Errorf("it is longer than %d bytes", maxLine)

func (l *lineReader) reset(r io.Reader) {
	if l.r == nil {
		l.r = bufio.NewReaderSize(r, 64<<10)
	}
	l.r.Reset(r)
}

// next returns a line without its line feed, valid until the next call, and
// whether it had one. What has none comes with io.EOF.
func (l *lineReader) next() (line []byte, whole bool, err error) {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.long)+len(part) > maxLine {
			return nil, false, errLongLine
		}
		if err == bufio.ErrBufferFull || len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		if err == nil {
			return part[:len(part)-1], true, nil
		}
		if err != bufio.ErrBufferFull {
			return part, false, err
		}
	}
}

package upstream

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	tailLines  = 20  // kept for the diagnosis
	tailBytes  = 300 // of each line
	stderrRate = 50  // lines a second that Config.Stderr gets
)

// tail reads a child's standard error. It always reads, so that the child never
// blocks on it, keeps the last lines, and passes on as many as a person could
// follow.
type tail struct {
	report func(string)
	now    func() time.Time

	mu   sync.Mutex
	ring []string

	second  time.Time // when the current second of the rate began
	passed  int       // in it
	skipped int       // since the last report
}

// drain reads until the end. The bytes beyond tailBytes of a line are dropped
// as they come.
func (t *tail) drain(r io.Reader) {
	br := bufio.NewReaderSize(r, 4096)
	var line []byte
	for {
		chunk, err := br.ReadSlice('\n')
		// Room beyond the limit: cleaning may shorten the line.
		line = append(line, chunk[:min(len(chunk), max(0, 4*tailBytes-len(line)))]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if s := clean(line); s != "" {
			t.add(s)
		}
		line = line[:0]
		if err != nil {
			t.flush()
			return
		}
	}
}

func (t *tail) add(s string) {
	t.mu.Lock()
	if len(t.ring) == tailLines {
		t.ring = slices.Delete(t.ring, 0, 1)
	}
	t.ring = append(t.ring, s)
	t.mu.Unlock()
	if t.report == nil {
		return
	}
	if now := t.now(); now.Sub(t.second) >= time.Second {
		t.flush()
		t.second, t.passed = now, 0
	}
	if t.passed == stderrRate {
		t.skipped++
		return
	}
	t.passed++
	t.report(s)
}

// flush tells how many lines were left out.
func (t *tail) flush() {
	if t.report != nil && t.skipped > 0 {
		t.report(fmt.Sprintf("(%d lines left out)", t.skipped))
	}
	t.skipped = 0
}

// lines is a copy of what is kept.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.ring)
}

// clean removes what could move a terminal's cursor, hide text from the person
// or reorder it: escape sequences, controls, and format characters such as
// bidirectional overrides and tags.
func clean(line []byte) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if n := escape(line[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		i += n
		switch {
		case r == '\t':
			r = ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > tailBytes {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// escape measures a control sequence "ESC [ … letter" at the start of b, as
// terminals read them (ECMA-48, 5.4); 0 if there is none.
func escape(b []byte) int {
	if len(b) < 2 || b[0] != 0x1b || b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return i + 1
		}
		if b[i] < 0x20 || b[i] > 0x3f {
			return i
		}
	}
	return len(b)
}

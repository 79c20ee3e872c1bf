//go:build linux || darwin

package browser

import (
	"bufio"
	"errors"
	"io"
	"os"
	"regexp"

	"golang.org/x/sys/unix"
)

// announcement is how Firefox tells where it listens; it has no pipe.
var announcement = regexp.MustCompile(`(WebDriver BiDi listening on )(ws://(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5})\b`)

// listen takes over what the browser says, to put another address into its
// announcement: ends are the upstream's for standard output and error. It
// returns those that the browser gets.
func (h *Host) listen(ends []int) ([]*os.File, error) {
	var to, from []*os.File
	for range ends {
		r, w, err := os.Pipe()
		if err != nil {
			closeFDs(ends)
			closeFiles(append(to, from...))
			return nil, err
		}
		to, from = append(to, w), append(from, r)
	}
	for i, fd := range ends {
		go h.pass(from[i], os.NewFile(uintptr(fd), "upstream"))
	}
	return to, nil
}

func closeFiles(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// maxLine bounds a line that is looked at as a whole; longer ones pass in pieces.
const maxLine = 64 << 10

// pass copies what the browser writes, line by line, until it ends or nobody
// reads.
func (h *Host) pass(from, to *os.File) {
	defer from.Close()
	defer to.Close()
	r := bufio.NewReaderSize(from, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		if m := announcement.FindSubmatchIndex(line); m != nil && err == nil {
			line = h.announced(line, m)
		}
		if _, werr := to.Write(line); werr != nil || err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if werr != nil && !errors.Is(werr, unix.EPIPE) {
				h.cfg.Logger.Debug("passing on what the browser says", "error", werr)
			}
			_, _ = io.Copy(io.Discard, from) // the browser must not wait for a reader
			return
		}
	}
}

// announced puts our address in the place of the browser's. Only the first
// announcement counts: nothing of a page runs before it.
func (h *Host) announced(line []byte, m []int) []byte {
	h.bidiMu.Lock()
	defer h.bidiMu.Unlock()
	if h.live() != nil {
		return line
	}
	s, err := serveBiDi(string(line[m[4]:m[5]]), h.cfg.World, h.set, h.cfg.Logger)
	if err != nil {
		h.cfg.Logger.Warn("a browser was not put on the wire", "error", err)
		return line
	}
	h.bidi = append(h.bidi, s)
	return append(append(append([]byte{}, line[:m[4]]...), s.at.url()...), line[m[5]:]...)
}

//go:build linux || darwin

package browser

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"regexp"

	"golang.org/x/sys/unix"
)

// How a browser tells where it listens: Firefox, which has no pipe, and Chromium if
// the upstream wants a port in its place.
var (
	bidiSays     = regexp.MustCompile(`WebDriver BiDi listening on (ws://(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5})\b`)
	devToolsSays = regexp.MustCompile(`DevTools listening on (ws://127\.0\.0\.1:\d{1,5}/devtools/browser/[0-9a-f-]{1,64})`)
)

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
		if err == nil {
			if m := bidiSays.FindSubmatchIndex(line); m != nil {
				line = h.announced(line, m[2], m[3], h.serveBiDi)
			} else if m := devToolsSays.FindSubmatchIndex(line); m != nil {
				line = h.announced(line, m[2], m[3], h.serveDevTools)
			}
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

// announced puts our address in the place of the browser's, which is line[from:to].
// Only the first announcement counts: nothing of a page runs before it.
func (h *Host) announced(line []byte, from, to int, serve func(endpoint string) (*loopback, error)) []byte {
	h.servedMu.Lock()
	defer h.servedMu.Unlock()
	if h.live() != nil {
		return line
	}
	at, err := serve(string(line[from:to]))
	if err != nil {
		h.cfg.Logger.Warn("a browser was not put on the wire", "error", err)
		return line
	}
	h.served = append(h.served, at)
	return append(append(append([]byte{}, line[:from]...), at.url()...), line[to:]...)
}

func (h *Host) serveBiDi(endpoint string) (*loopback, error) {
	s, err := serveBiDi(endpoint, h.cfg.World, h.set, h.cfg.Logger)
	if err != nil {
		return nil, err
	}
	return s.at, nil
}

func (h *Host) serveDevTools(endpoint string) (*loopback, error) {
	r := &Relay{into: &h.current, cfg: RelayConfig{Endpoint: func(context.Context) (string, error) { return endpoint, nil },
		World: h.cfg.World, Reads: h.cfg.Reads, Sources: h.cfg.Sources, Logger: h.cfg.Logger}}
	var err error
	r.at, err = listenLoopback(r)
	return r.at, err
}

//go:build linux || darwin

package browser

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moire/private"
)

// shimName is the name under which the upstream starts Moiré as its browser;
// linkName is the socket beside it.
const (
	shimName = "moire-browser"
	linkName = "link"
)

// Host waits for the upstream to start its browser and puts a [Wire] between
// the two. Close it.
type Host struct {
	current
	cfg      HostConfig
	dir      *private.Dir
	listener *net.UnixListener
	stopped  chan struct{}

	servedMu sync.Mutex
	// served are where upstreams connect that were told an address.
	served []*loopback
}

// NewHost makes a private directory with the shim in it and begins to listen.
func NewHost(cfg HostConfig) (*Host, error) {
	if !filepath.IsAbs(cfg.Self) || !filepath.IsAbs(cfg.Browser) || cfg.Logger == nil {
		return nil, errors.New("configuring the browser host: a path is not absolute, or there is no logger")
	}
	// Only the owner can enter it: who can reach the socket could read our
	// memory as well.
	dir, err := makeDir(os.TempDir(), "/tmp")
	if err != nil {
		return nil, err
	}
	h := &Host{cfg: cfg, dir: dir, stopped: make(chan struct{})}
	if err := os.Symlink(cfg.Self, h.Path()); err != nil {
		_ = dir.Close()
		return nil, fmt.Errorf("making the shim: %w", err)
	}
	h.listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir.Path(), linkName), Net: "unix"})
	if err != nil {
		_ = dir.Close()
		return nil, fmt.Errorf("listening for the shim: %w", err)
	}
	go h.serve()
	return h, nil
}

// maxBase is how long the path of a directory may be in which a socket has a
// name of ours: a socket's path has at most 104 bytes on macOS, 108 on Linux.
const maxBase = 70

// makeDir makes the shim's directory in the first of the bases that it can be
// in.
func makeDir(bases ...string) (*private.Dir, error) {
	bases = slices.DeleteFunc(bases, func(base string) bool { return len(base) > maxBase })
	if len(bases) == 0 {
		return nil, errors.New("making a directory for the shim: the path of the temporary directory is too long for a socket")
	}
	return private.New(dirPrefix, bases...)
}

// dirPrefix begins the names of the hosts' directories.
const dirPrefix = "moire-wire-"

// Path is the executable that the upstream has to start as its browser.
func (h *Host) Path() string { return filepath.Join(h.dir.Path(), shimName) }

// Close cuts the wire and removes the directory. The browser ends itself when
// its pipe is closed.
func (h *Host) Close() error {
	err := h.listener.Close()
	<-h.stopped
	h.cut()
	h.servedMu.Lock()
	defer h.servedMu.Unlock()
	for _, s := range h.served {
		err = errors.Join(err, s.close())
	}
	return errors.Join(err, h.dir.Close())
}

func (h *Host) serve() {
	defer close(h.stopped)
	for {
		c, err := h.listener.AcceptUnix()
		if err != nil {
			return // closed
		}
		if err := h.meet(c); err != nil {
			h.cfg.Logger.Warn("a browser was not put on the wire", "error", err)
		}
		_ = c.Close()
	}
}

// meet takes the upstream's ends from a shim and gives it the browser's.
func (h *Host) meet(c *net.UnixConn) error {
	if err := c.SetDeadline(time.Now().Add(meetGrace)); err != nil {
		return fmt.Errorf("limiting the wait for the shim: %w", err)
	}
	if err := checkPeer(c); err != nil {
		return err
	}
	fds, what, err := receive(c)
	if err != nil {
		return err
	}
	if string(what) == saysAnnounce && len(fds) == 2 {
		return h.meetBiDi(c, fds)
	}
	if len(fds) == 0 { // a browser without a pipe: only its path is asked for
		return send(c, []byte(h.cfg.Browser))
	}
	if len(fds) != 2 {
		closeFDs(fds)
		return errors.New("the shim hands over something else than two ends")
	}
	down, up, err := pipes()
	if err != nil {
		closeFDs(fds)
		return err
	}
	err = send(c, []byte(h.cfg.Browser), int(down[0].Fd()), int(up[1].Fd()))
	_, _ = down[0].Close(), up[1].Close()
	if err != nil {
		closeFDs(fds)
		_, _ = down[1].Close(), up[0].Close()
		return err
	}
	pages := newPages(pagesConfig{h.cfg.World, h.cfg.Reads, h.cfg.Sources, h.cfg.Logger})
	pages.wire = newWire(Ends{
		FromUpstream: fileOf(fds[0]), ToUpstream: fileOf(fds[1]),
		FromBrowser: up[0], ToBrowser: down[1],
	}, pages, h.cfg.Logger)
	if !h.set(pages) {
		_ = pages.wire.Close()
		return errors.New("the upstream starts a second browser, or the host is closed")
	}
	pages.wire.start()
	return nil
}

// meetBiDi takes the upstream's ends of the browser's output from a shim and
// gives it ours.
func (h *Host) meetBiDi(c *net.UnixConn, fds []int) error {
	to, err := h.listen(fds)
	if err != nil {
		return fmt.Errorf("opening a pipe: %w", err)
	}
	defer closeFiles(to)
	return send(c, []byte(h.cfg.Browser), int(to[0].Fd()), int(to[1].Fd()))
}

// pipes returns one to the browser and one from it.
func pipes() (down, up [2]*os.File, err error) {
	if down[0], down[1], err = os.Pipe(); err != nil {
		return down, up, fmt.Errorf("opening a pipe: %w", err)
	}
	if up[0], up[1], err = os.Pipe(); err != nil {
		_, _ = down[0].Close(), down[1].Close()
		return down, up, fmt.Errorf("opening a pipe: %w", err)
	}
	widen(up[0])
	return down, up, nil
}

// fileOf makes a file whose reads end when it is closed.
func fileOf(fd int) *os.File {
	_ = unix.SetNonblock(fd, true) // if it can't be, Close only takes longer
	return os.NewFile(uintptr(fd), "upstream")
}

func closeFDs(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
}

func send(c *net.UnixConn, text []byte, fds ...int) error {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	if _, _, err := c.WriteMsgUnix(text, rights, nil); err != nil {
		return fmt.Errorf("talking over the shim's link: %w", err)
	}
	return nil
}

func receive(c *net.UnixConn) ([]int, []byte, error) {
	text, rights := make([]byte, maxLink), make([]byte, unix.CmsgSpace(4*4))
	n, rn, _, _, err := c.ReadMsgUnix(text, rights)
	if err != nil {
		return nil, nil, fmt.Errorf("listening on the shim's link: %w", err)
	}
	var fds []int
	messages, err := unix.ParseSocketControlMessage(rights[:rn])
	if err != nil {
		return nil, nil, fmt.Errorf("reading the shim's link: %w", err)
	}
	for i := range messages {
		got, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			closeFDs(fds)
			return nil, nil, fmt.Errorf("reading the shim's link: %w", err)
		}
		for _, fd := range got {
			syscall.CloseOnExec(fd)
		}
		fds = append(fds, got...)
	}
	return fds, text[:n], nil
}

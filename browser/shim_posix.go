//go:build linux || darwin

package browser

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// IsShim reports whether this process was started as a browser.
func IsShim(argv0 string) bool { return filepath.Base(argv0) == shimName }

// RunShim hands the upstream's ends of the pipe to the host and becomes the
// real browser, with the host's ends in their place: the process that the
// upstream started, signals and waits for is the browser itself. It returns
// only if that fails.
func RunShim(argv []string, errw io.Writer) int {
	err := become(argv)
	fmt.Fprintf(errw, "moire: error: starting the browser: %v\nmoire: hint: is the moire that started this still running?\n", err)
	return 1
}

// What a shim hands over: the ends of the pipe, or standard output and error, in
// which the browser announces its address.
const (
	saysEnds     = "ends"
	saysAnnounce = "announce"
)

// endsOf reads from the browser's flags how the upstream will speak to it.
func endsOf(args []string) ([]int, string, error) {
	var ends []int
	what := saysEnds
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		switch {
		case name == "--remote-debugging-port" && ends == nil:
			ends, what = []int{1, 2}, saysAnnounce
		case name != "--remote-debugging-pipe":
		case value != "" && !strings.EqualFold(value, "json"):
			return nil, "", fmt.Errorf("the upstream asks for a form of the pipe that can't be relayed")
		default:
			ends, what = []int{3, 4}, saysEnds
		}
	}
	return ends, what, nil
}

func become(argv []string) error {
	ends, what, err := endsOf(argv[1:])
	if err != nil {
		return err
	}
	for _, fd := range ends {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err != nil {
			return fmt.Errorf("the upstream asks for a pipe and gives none")
		}
	}
	// Upstreams give an absolute path, which the system passes on as it is.
	addr := &net.UnixAddr{Name: filepath.Join(filepath.Dir(argv[0]), linkName), Net: "unix"}
	c, err := net.DialUnix("unix", nil, addr)
	if err != nil {
		return fmt.Errorf("reaching the host: %w", err)
	}
	if err := send(c, []byte(what), ends...); err != nil {
		return err
	}
	fds, path, err := receive(c)
	if err != nil {
		return err
	}
	if len(fds) != len(ends) || !filepath.IsAbs(string(path)) {
		return fmt.Errorf("the host refuses")
	}
	// Beyond 4, so that neither lands on the other's place.
	for i, fd := range fds {
		if fds[i], err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 10); err != nil {
			return fmt.Errorf("moving an end: %w", err)
		}
	}
	for i, fd := range fds {
		if err := dupTo(fd, ends[i]); err != nil {
			return fmt.Errorf("placing an end: %w", err)
		}
	}
	return unix.Exec(string(path), append([]string{string(path)}, argv[1:]...), os.Environ())
}

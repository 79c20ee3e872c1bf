package browser

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxAncestors is how far the shim may be from us: npx, node, a wrapper script.
const maxAncestors = 32

// checkPeer admits a process of our user that descends from us: the upstream
// is our child and starts the browser.
func checkPeer(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return fmt.Errorf("checking who is on the shim's link: %w", err)
	}
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil || credErr != nil {
		return fmt.Errorf("checking who is on the shim's link: %w", errors.Join(err, credErr))
	}
	if int(cred.Uid) != os.Getuid() {
		return errors.New("somebody else is on the shim's link")
	}
	pid := int(cred.Pid)
	for range maxAncestors {
		if pid == os.Getpid() {
			return nil
		}
		if pid, err = parent(pid); err != nil || pid <= 1 {
			break
		}
	}
	return errors.New("a process that does not descend from this one is on the shim's link")
}

// parent reads the fourth field of /proc/PID/stat; the second, in brackets, can
// hold anything. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
func parent(pid int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("finding a parent process: %w", err)
	}
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return 0, errors.New("finding a parent process: unreadable stat")
	}
	ppid, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0, fmt.Errorf("finding a parent process: %w", err)
	}
	return ppid, nil
}

func dupTo(from, to int) error { return unix.Dup3(from, to, 0) }

// widen lets a megabyte wait in a pipe, if the system grants it: large answers
// then take fewer turns.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}

package browser

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// checkPeer admits a process of our user.
func checkPeer(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return fmt.Errorf("checking who is on the shim's link: %w", err)
	}
	var cred *unix.Xucred
	var credErr error
	if err := raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	}); err != nil || credErr != nil {
		return fmt.Errorf("checking who is on the shim's link: %w", errors.Join(err, credErr))
	}
	if int(cred.Uid) != os.Getuid() {
		return errors.New("somebody else is on the shim's link")
	}
	return nil
}

func dupTo(from, to int) error { return unix.Dup2(from, to) }

func widen(*os.File) {}

package audit

import (
	"errors"
	"os"
	"syscall"
)

// dataSync is fdatasync(2), which "does not flush modified metadata unless that
// metadata is needed in order to allow a subsequent data retrieval to be
// correctly handled"; a new size is needed.
// https://man7.org/linux/man-pages/man2/fdatasync.2.html
func dataSync(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for failed = syscall.EINTR; failed == syscall.EINTR; {
			failed = syscall.Fdatasync(int(fd))
		}
	})
	if failed != nil {
		failed = &os.PathError{Op: "fdatasync", Path: f.Name(), Err: failed}
	}
	return errors.Join(err, failed)
}

//go:build unix

package state

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses what another user owns: an owner can change modes back.
func checkOwner(name string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &PermissionError{name, "its owner is not known", "name a directory on a local disk"}
	}
	if uid := os.Geteuid(); int(st.Uid) != uid {
		return &PermissionError{name, fmt.Sprintf("user %d owns it, this is user %d", st.Uid, uid),
			"name another directory, or give it to this user with chown"}
	}
	return nil
}

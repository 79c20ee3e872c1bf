//go:build windows

package state

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/windows"
)

// checkOwner refuses what another user owns. An elevated process creates files
// in the name of the Administrators group, so that owner is taken too. The
// access list itself is not read: below LocalAppData it is inherited and
// private; elsewhere that is the person's to see to.
func checkOwner(name string, _ fs.FileInfo) error {
	sd, err := windows.GetNamedSecurityInfo(name, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("reading the owner of %q: %w", name, err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("reading the owner of %q: %w", name, err)
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return fmt.Errorf("reading this process's user: %w", err)
	}
	if !owner.Equals(user.User.Sid) && !owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return &PermissionError{name, "another user owns it", "name another directory"}
	}
	return nil
}

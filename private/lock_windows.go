package private

import (
	"fmt"
	"os"
	"path/filepath"
)

// hold locks a directory for as long as the file is open: Windows removes no
// file that somebody has open, so taking the place of an old lock fails.
func hold(dir string) (*os.File, error) {
	path := filepath.Join(dir, LockName)
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("locking a private directory: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking a private directory: %w", err)
	}
	return f, nil
}

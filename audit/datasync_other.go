//go:build !linux

package audit

import "os"

// dataSync is the strongest sync there is; on macOS that is F_FULLFSYNC.
func dataSync(f *os.File) error { return f.Sync() }

//go:build !linux && !darwin

package browser

import (
	"errors"
	"io"
)

// errNoShim: on Windows a browser can't be started in our place yet, as file
// descriptors can't be handed over. The evaluate channel works there.
var errNoShim = errors.New("there is no browser shim on Windows yet")

// Host is never made on Windows.
type Host struct{ current }

// NewHost reports that there is no shim.
func NewHost(HostConfig) (*Host, error) { return nil, errNoShim }

// Path is the executable that the upstream has to start as its browser.
func (*Host) Path() string { return "" }

// Close does nothing.
func (*Host) Close() error { return nil }

// IsShim reports whether this process was started as a browser.
func IsShim(string) bool { return false }

// RunShim is never called on Windows.
func RunShim([]string, io.Writer) int { return 1 }

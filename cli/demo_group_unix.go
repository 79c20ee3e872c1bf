//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps a terminal's Ctrl-C from the child: we end it in order.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends what a launcher such as npx left behind.
func killGroup(cmd *exec.Cmd) {
	if cmd != nil && cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

//go:build unix

package upstream

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is the child's process group, which what it forks inherits. A process
// that leaves it (setsid; puppeteer starts Chrome so) is not ended by us: its
// parent, which gets SIGTERM and time, has to, and Chrome ends when its
// debugging pipe closes.
//
// Nothing here covers our own death by SIGKILL: the child then reads the end
// of its standard input and should leave. Linux's Pdeathsig would be bound to
// the thread that started the child, which Go may end at any time.
type group struct{ id int }

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{}
}

func (g *group) adopt(p *os.Process) error {
	g.id = p.Pid
	return nil
}

// An id is not given out again while it names a group with members, and ids are
// given out in a circle. So a signal can only miss, not hit another, unless
// the circle closes within the few milliseconds between two looks.
func (g *group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }
func (g *group) kill()      { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
func (g *group) close()     {}

// alive also collects orphans, if they became ours: we may be a container's
// first process, and a zombie counts as a member.
func (g *group) alive() bool {
	for {
		pid, err := syscall.Wait4(-g.id, nil, syscall.WNOHANG, nil)
		if err != nil || pid <= 0 {
			break
		}
	}
	return syscall.Kill(-g.id, 0) == nil && !onlyZombies(g.id)
}

func (g *group) emptyWithin(d time.Duration) bool {
	for end := time.Now().Add(d); g.alive(); time.Sleep(pollEvery) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func signalName(s *os.ProcessState) string {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}

//go:build windows

package upstream

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object: closing its last handle, also by our own death, ends
// all processes in it. "On Windows, where POSIX signals are not available,
// clients can use TerminateProcess or Job Objects."
// https://modelcontextprotocol.io/specification/draft/basic/transports/stdio
//
// Not done: a process that the child starts before adopt is not in the job,
// because os/exec can't start a process suspended and resume it.
type group struct {
	job  windows.Handle
	once sync.Once
}

func newGroup(*exec.Cmd) *group { return &group{} }

func (g *group) adopt(p *os.Process) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		_ = p.Kill()
		return fmt.Errorf("creating a job object: %w", err)
	}
	g.job = job
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
		var h windows.Handle
		if h, err = windows.OpenProcess(rights, false, uint32(p.Pid)); err == nil {
			err = windows.AssignProcessToJobObject(job, h)
			_ = windows.CloseHandle(h)
		}
	}
	if err != nil {
		_ = p.Kill()
		g.close()
		return fmt.Errorf("putting the child into a job object: %w", err)
	}
	return nil
}

// terminate has no gentle counterpart here: a console event would reach us too.
func (g *group) terminate() { g.kill() }
func (g *group) kill()      { _ = windows.TerminateJobObject(g.job, 1) }
func (g *group) close()     { g.once.Do(func() { _ = windows.CloseHandle(g.job) }) }

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	times                                  [4]int64
	faults, total, active, totalTerminated uint32
}

func (g *group) alive() bool {
	const basicAccounting = 1 // JobObjectBasicAccountingInformation
	var a accounting
	err := windows.QueryInformationJobObject(g.job, basicAccounting,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.active > 0
}

func (g *group) emptyWithin(d time.Duration) bool {
	for end := time.Now().Add(d); g.alive(); time.Sleep(pollEvery) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func signalName(*os.ProcessState) string { return "" }

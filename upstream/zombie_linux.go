package upstream

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// onlyZombies tells that all members of a group have ended and merely wait to be
// collected. In a container whose first process collects nobody they stay for
// ever, and waiting for them would spend every grace time.
func onlyZombies(group int) bool {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return false // no /proc: not known
	}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // ended meanwhile
		}
		// "pid (comm) state ppid pgrp …", proc_pid_stat(5); comm may hold
		// spaces and parentheses, so count from the last one.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		ended := len(f) > 0 && (f[0][0] == 'Z' || f[0][0] == 'X')
		if len(f) > 2 && string(f[2]) == strconv.Itoa(group) && !ended {
			return false
		}
	}
	return true
}

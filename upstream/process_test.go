//go:build unix

package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestConfigValidate(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"command": func(c *Config) { c.Argv = nil },
		"grace":   func(c *Config) { c.TermGrace = 0 },
		"logger":  func(c *Config) { c.Logger = nil },
		"limit":   func(c *Config) { c.Limits.Bytes = 0 },
	} {
		cfg := config("serve")
		change(&cfg)
		if _, err := Start(cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Start without %s = %v", name, err)
		}
	}
}

// closeAfterReady waits for the child's first word, closes and says how it ended.
func closeAfterReady(t *testing.T, cfg Config) *ExitError {
	t.Helper()
	p := start(t, cfg)
	first(t, p)
	if p.Err() != nil {
		t.Errorf("Err before the end: %v", p.Err())
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatalf("Close: %v", err)
	}
	var exit *ExitError
	if !errors.As(p.Err(), &exit) {
		t.Fatalf("Err = %v, want an *ExitError", p.Err())
	}
	if !exit.Asked || !exit.Spoke || exit.Uptime <= 0 {
		t.Errorf("exit %+v: want asked, spoke and an uptime", exit)
	}
	return exit
}

// Each step of the specification's shutdown ends the child it is meant for.
func TestCloseSteps(t *testing.T) {
	t.Run("input closed", func(t *testing.T) {
		p := start(t, config("serve"))
		begin := time.Now()
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > 4*time.Second {
			t.Errorf("took %v: the child leaves on the end of its input", took)
		}
		if exit := p.Err().(*ExitError); exit.Code != 0 || exit.Signal != "" {
			t.Errorf("exit %+v, want code 0", exit)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Errorf("second Close: %v", err)
		}
	})
	t.Run("SIGTERM", func(t *testing.T) {
		cfg := config("gentle")
		cfg.StdinGrace = 20 * time.Millisecond
		if exit := closeAfterReady(t, cfg); exit.Code != 7 {
			t.Errorf("exit %+v, want the child's own code 7", exit)
		}
	})
	t.Run("SIGKILL", func(t *testing.T) {
		cfg := config("stubborn")
		cfg.StdinGrace, cfg.TermGrace = 20*time.Millisecond, 50*time.Millisecond
		if exit := closeAfterReady(t, cfg); exit.Signal != "killed" || exit.Code != -1 {
			t.Errorf("exit %+v, want killed", exit)
		}
	})
	t.Run("context ended", func(t *testing.T) {
		p := start(t, config("stubborn")) // patient by seconds
		first(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begin := time.Now()
		if err := p.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("took %v: an ended context leaves no grace", took)
		}
	})
}

// running tells whether a process still runs; a zombie does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func TestCloseKillsGroup(t *testing.T) {
	for _, mode := range []string{"parent", "orphaner"} {
		t.Run(mode, func(t *testing.T) {
			cfg := config(mode)
			cfg.StdinGrace, cfg.TermGrace = 50*time.Millisecond, 50*time.Millisecond
			p := start(t, cfg)
			m := first(t, p)
			var pid int
			if _, err := fmt.Sscanf(string(m.Bytes(m.Params)), `{"pid":%d}`, &pid); err != nil {
				t.Fatal(err)
			}
			if !running(pid) {
				t.Fatal("the grandchild does not run")
			}
			if err := p.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if running(pid) {
				t.Error("the grandchild outlived Close")
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
}

// A child that dies by itself must not leave a browser running either.
func TestExitSweepsGroup(t *testing.T) {
	cfg := config("orphaner")
	cfg.TermGrace = 50 * time.Millisecond
	p := start(t, cfg)
	m := first(t, p)
	var pid int
	if _, err := fmt.Sscanf(string(m.Bytes(m.Params)), `{"pid":%d}`, &pid); err != nil {
		t.Fatal(err)
	}
	if err := p.Conn().Write(t.Context(), []byte(`{"method":"die"}`)); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	for end := time.Now().Add(5 * time.Second); running(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the grandchild outlived its parent's death")
		}
	}
	// Its output ends too, though nobody called Close.
	if _, err := p.Conn().Read(t.Context()); err != io.EOF {
		t.Errorf("Read = %v, want io.EOF", err)
	}
}

func TestExitDiagnosed(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		argv0, mode string
		want        string
	}{
		"missing":        {"/no/such/server", "", "not found"},
		"not in PATH":    {"moire-no-such-server", "", "not found"},
		"interpreter":    {script, "", "install Node.js"},
		"not executable": {plain, "", "not executable"},
		"quiet":          {os.Args[0], "quiet", "before it spoke MCP"},
		"npm":            {os.Args[0], "e404", "no such package"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config(tc.mode)
			cfg.Argv = []string{tc.argv0}
			p, err := Start(cfg)
			if err == nil {
				defer p.Close(t.Context())
				<-p.Done()
				err = p.Err()
			}
			var exit *ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("got %v, want an *ExitError", err)
			}
			got := exit.Diagnose()
			if !strings.Contains(got, tc.want) || !strings.Contains(got, "; ") {
				t.Errorf("Diagnose = %q, want %q and a remedy", got, tc.want)
			}
		})
	}
}

func TestStderrFlood(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	cfg := config("serve")
	cfg.Stderr = func(line string) {
		mu.Lock()
		lines = append(lines, line)
		mu.Unlock()
	}
	p := start(t, cfg)
	if err := p.Conn().Write(t.Context(), []byte(`{"id":1,"method":"flood"}`)); err != nil {
		t.Fatal(err)
	}
	first(t, p) // the child was never blocked
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	tail := p.Err().(*ExitError).Tail
	if len(tail) != tailLines || !strings.HasPrefix(tail[tailLines-1], "4999 x") {
		t.Errorf("tail has %d lines, the last %.10q, want the last %d", len(tail), tail, tailLines)
	}
	mu.Lock()
	defer mu.Unlock()
	left := 0
	for _, l := range lines {
		if len(l) > tailBytes {
			t.Fatalf("a line of %d bytes was passed on", len(l))
		}
		if strings.HasSuffix(l, "lines left out)") {
			left++
		}
	}
	if len(lines) > 40*stderrRate || left == 0 {
		t.Errorf("%d of 5000 lines passed on, %d reports of lines left out", len(lines), left)
	}
}

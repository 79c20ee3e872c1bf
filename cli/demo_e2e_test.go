//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// demoProgram builds moire and returns the demo's command line. The working
// directory must be the repository's, where the pinned upstream is.
func demoProgram(t *testing.T) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts browsers")
	}
	browser := os.Getenv("MOIRE_TEST_BROWSER")
	if browser == "" {
		browser = "/usr/bin/chromium"
	}
	for _, file := range []string{browser, "../node_modules/.bin/chrome-devtools-mcp"} {
		if _, err := os.Stat(file); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%v; scripts/setup installs it", err)
			}
			t.Skipf("%v; make test installs it", err)
		}
	}
	program := filepath.Join(t.TempDir(), "moire")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	args := []string{program, "demo", "--browser", browser}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	return args
}

func demoCommand(argv []string, mark string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "MOIRE_DEMO_MARK="+mark)
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

func TestDemoEndsWell(t *testing.T) {
	cmd, out := demoCommand(demoProgram(t), t.Name())
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("colour without a terminal")
	}
	none(t, t.Name())
}

// Ctrl-C at any moment leaves nothing running.
func TestDemoInterrupted(t *testing.T) {
	argv := demoProgram(t)
	for _, after := range []time.Duration{0, 300 * time.Millisecond, time.Second} {
		mark := t.Name() + after.String()
		cmd, out := demoCommand(argv, mark)
		pipe, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer pipe.Close()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after + 200*time.Millisecond)
		if runtime.GOOS == "linux" && len(marked(t, mark)) == 0 {
			t.Error("the search for processes finds nothing to search for")
		}
		_ = cmd.Process.Signal(syscall.SIGINT)
		asked := time.Now()
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			// A quick machine may have been done already.
			if after < time.Second {
				t.Errorf("after %v: %v\n%s", after, err, out)
			}
		}
		if took := time.Since(asked); took > 6*time.Second {
			t.Errorf("after %v: ending took %v", after, took)
		}
		none(t, mark)
	}
}

// none fails if a process that inherited the mark is left.
func none(t *testing.T, mark string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	var left []string
	for range 20 { // a browser's helpers take a moment to see its end
		if left = marked(t, mark); len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("still running: %v", left)
}

func marked(t *testing.T, mark string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil {
			continue // another's, or gone
		}
		if bytes.Contains(env, []byte("MOIRE_DEMO_MARK="+mark+"\x00")) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, string(bytes.ReplaceAll(name, []byte{0}, []byte{' '})))
		}
	}
	return found
}

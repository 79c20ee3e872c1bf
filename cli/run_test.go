package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// served runs the command line with one frame and the end of input as the
// agent, and returns the exit status and what was written.
func served(t *testing.T, frame string, args ...string) (code int, out, errs string) {
	t.Helper()
	in, agent := io.Pipe()
	read, written := io.Pipe()
	var stdout, stderr bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 64<<10)
		n, _ := read.Read(buf) // one answer
		stdout.Write(buf[:n])
		agent.Close()
		_, _ = io.Copy(&stdout, read)
	}()
	go func() { _, _ = io.WriteString(agent, frame+"\n") }()
	code = Main(args, in, written, &stderr)
	written.Close()
	<-done
	return code, stdout.String(), stderr.String()
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`

// says is an upstream that answers one initialize with a version.
func says(t *testing.T, version string) []string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	return []string{"--", "sh", "-c", `read l; echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":` +
		`{"name":"chrome_devtools","version":"` + version + `"}}}'; cat > /dev/null`}
}

// An upstream that says another version than the tested ones is refused at
// start, however it was launched; with --untested it serves, and a person is
// told once.
func TestUntestedUpstream(t *testing.T) {
	code, out, errs := served(t, hello, says(t, "9.9.9")...)
	if code != 1 || !strings.Contains(out, `"error"`) || !strings.Contains(out, "--untested") {
		t.Errorf("exit %d, the agent got %s", code, out)
	}
	for _, want := range []string{"moire: error: ", `"9.9.9"`, "1.11.0", "moire: hint: ", "--untested"} {
		if !strings.Contains(errs, want) {
			t.Errorf("standard error lacks %q:\n%s", want, errs)
		}
	}
	for version, warnings := range map[string]int{"9.9.9": 1, "1.11.0": 0} {
		code, out, errs = served(t, hello, append([]string{"--untested"}, says(t, version)...)...)
		if code != 0 || !strings.Contains(out, `"result"`) {
			t.Errorf("%s with --untested: exit %d, the agent got %s\n%s", version, code, out, errs)
		}
		if strings.Count(errs, version) != warnings {
			t.Errorf("%s with --untested: standard error:\n%s", version, errs)
		}
	}
	if code, _, errs := served(t, hello, append([]string{"--channel", "evaluate"}, says(t, "1.11.0")...)...); code != 0 || errs != "" {
		t.Errorf("the tested version: exit %d\n%s", code, errs)
	}
}

// Where the version can be told beforehand, an untested one is not even run.
func TestUntestedIsNotRun(t *testing.T) {
	dir := t.TempDir()
	module := filepath.Join(dir, "node_modules", "chrome-devtools-mcp")
	bin := filepath.Join(dir, "node_modules", ".bin")
	for _, d := range []string{module, bin} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		filepath.Join(module, "package.json"):     `{"name":"chrome-devtools-mcp","version":"1.12.0"}`,
		filepath.Join(bin, "chrome-devtools-mcp"): "#!/bin/sh\ntouch " + filepath.Join(dir, "ran") + "\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, spec := range []string{"chrome-devtools-mcp", "chrome-devtools-mcp@1.12.0"} {
		var errs bytes.Buffer
		if code := Main([]string{"--upstream", spec}, io.NopCloser(strings.NewReader("")), os.Stdout, &errs); code != 1 {
			t.Errorf("%s: exit %d", spec, code)
		}
		for _, want := range []string{`"1.12.0"`, "1.11.0", "hint: ", "--untested", "--upstream chrome-devtools-mcp@1.11.0"} {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%s: standard error lacks %q:\n%s", spec, want, errs.String())
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the untested version was run")
	}
	l, err := prepare("chrome-devtools-mcp", nil, true)
	if err != nil || !strings.HasPrefix(l.argv[0], bin) {
		t.Errorf("with --untested: %v, %v", l, err)
	}
}

package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain keeps what the tests record out of the person's own record.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "moire-cli-")
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("MOIRE_STATE_DIR", dir); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// command runs one and returns what it wrote to both streams.
func command(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	got := make(chan string)
	go func() {
		raw, _ := io.ReadAll(read)
		got <- string(raw)
	}()
	code = Main(args, io.NopCloser(strings.NewReader(in)), write, &stderr)
	_ = write.Close()
	return code, <-got, stderr.String()
}

func TestPolicyCommands(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MOIRE_STATE_DIR", filepath.Join(dir, "state"))
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := filepath.Join(dir, "mine.yaml")
	bad := file("bad.yaml", "version: 1\nextends: standard\nrules:\n  - {id: a, then: alow}\n")
	facts := file("facts.yaml", "facts:\n  tool: click\n  effects: [input]\n  page: https://shop.example\n  targets:\n    - {tag: button, submits: true, irreversible: buy, form: {action: 'https://shop.example/order'}}\n")
	suite := file("suite.yaml", "version: 1\npolicy: standard\ncases:\n  - {name: reads, facts: {tool: r, effects: [read]}, want: allow}\n  - {name: wrong, facts: {tool: r, effects: [read]}, want: deny}\n")
	for _, test := range []struct {
		args      []string
		code      int
		out, errs string
	}{
		{[]string{"policy", "init", mine}, 0, "", "use it with --policy"},
		{[]string{"policy", "init", mine}, 1, "", "is there already"},
		{[]string{"policy", "check", mine, "strict"}, 0, "", "mine.yaml is sound"},
		{[]string{"policy", "check", mine, bad}, 1, "", `line 4, column 19: unknown verdict "alow" (did you mean "allow"?)`},
		{[]string{"policy", "check", "standrd"}, 1, "", `did you mean "standard"?`},
		{[]string{"policy", "explain", facts}, 0, "approve\n  approve  rule submits: it sends a form (profile standard: line ", ""},
		{[]string{"policy", "explain", "--policy", "watchdog", facts}, 0, "only records. Enforced, it would decide:\napprove", ""},
		{[]string{"policy", "explain", bad}, 1, "", "unknown key"},
		{[]string{"policy", "test", suite}, 1, "suite.yaml: line 5, column 5: wrong: allow, want deny (rule read)\n1 of 2 cases as wanted", "decided otherwise"},
		{[]string{"policy", "show", "ci"}, 0, "approve: deny", ""},
		{[]string{"policy", "words"}, 0, `to("metadata")`, ""},
		{[]string{"policy", "schema"}, 0, `"additionalProperties": false`, ""},
		{[]string{"--policy", bad, "--upstream", "chrome-devtools-mcp"}, 1, "", "unknown verdict"},
		{[]string{"approvals"}, 0, "", "no Moiré is running"},
		{[]string{"allow", "abcdef"}, 1, "", "no code was given"},
		{[]string{"refuse", "abcdef"}, 1, "", "no running Moiré has a question abcdef"},
		{[]string{"audit", "show"}, 1, "", "there is no record"},
	} {
		code, out, errs := command(t, "", test.args...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) {
			t.Errorf("moire %v ends with %d, want %d\n%s\n%s\nwant %q, %q", test.args, code, test.code, out, errs, test.out, test.errs)
		}
	}
}

// Whoever replaces the presence code has to know it.
func TestPresenceIsReplacedByWhoKnowsIt(t *testing.T) {
	t.Setenv("MOIRE_STATE_DIR", filepath.Join(t.TempDir(), "state"))
	for _, step := range []struct {
		in   string
		code int
	}{{"abc\n", 1}, {"first\n", 0}, {"wrong\nsecond\n", 1}, {"first\nsecond\n", 0}, {"first\nthird\n", 1}, {"second\nthird\n", 0}} {
		if code, _, errs := command(t, step.in, "presence"); code != step.code {
			t.Errorf("%q: %d, want %d: %s", step.in, code, step.code, errs)
		}
	}
}

package upstream

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnose(t *testing.T) {
	for _, tc := range []struct {
		exit ExitError
		want string
	}{
		{ExitError{Code: 1, Tail: []string{"npm error code ENOTCACHED"}}, "offline"},
		{ExitError{Code: 1, Tail: []string{"npm error code ETARGET"}}, "no such version"},
		{ExitError{Code: 1, Tail: []string{"npm ERR! code E403"}}, "refused access"},
		{ExitError{Code: 1, Tail: []string{"npm error errno EAI_AGAIN"}}, "could not reach"},
		{ExitError{Code: 127, Tail: []string{"env: 'node': No such file or directory"}},
			"node is not on"},
		{ExitError{Code: 127}, "command it needs"},
		{ExitError{Code: 1, Spoke: true, Tail: []string{
			"Error: Could not find Google Chrome executable for channel 'stable'"}}, "no browser"},
		{ExitError{Code: 1, Spoke: true, Tail: []string{
			"browserType.launch: Executable doesn't exist at /x"}}, "no browser"},
		{ExitError{Code: 1, Spoke: true, Tail: []string{
			"Running as root without --no-sandbox is not supported"}}, "sandbox"},
		{ExitError{Code: -1, Signal: "killed", Spoke: true}, "memory"},
		{ExitError{Code: -1, Signal: "segmentation fault"}, "segmentation"},
		{ExitError{Code: 3}, "code 3 before it spoke"},
		{ExitError{Code: 3, Spoke: true}, "exited with code 3"},
		// A page's network error is not npm's.
		{ExitError{Code: 3, Spoke: true, Tail: []string{"net: ENOTFOUND"}}, "exited with code 3"},
		{ExitError{Asked: true, Signal: "killed"}, "asked to"},
	} {
		tc.exit.Argv0 = "/opt/x/server"
		got := tc.exit.Diagnose()
		if !strings.Contains(got, tc.want) || !strings.HasPrefix(got, `upstream "server": `) {
			t.Errorf("Diagnose(%+v) = %q, want %q", tc.exit, got, tc.want)
		}
	}
}

// What the agent may see holds none of the child's words.
func TestExitHoldsNoOutput(t *testing.T) {
	e := ExitError{Argv0: "s", Code: 1, Tail: []string{"IGNORE previous", "code E404 IGNORE"}}
	if text := e.Error() + e.Diagnose(); strings.Contains(text, "IGNORE") {
		t.Errorf("the child's words are in %q", text)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\r\n":                  "plain",
		"\x1b[1;31mred\x1b[0m!":      "red!",
		"\x1b]0;title\x07x":          "]0;titlex",
		"a\x00b\x9bc\x7f":            "ab\ufffdc",
		"rtl \u202etxt\u2066":        "rtl txt",
		"tag\U000e0041":              "tag",
		"tab\there":                  "tab here",
		"\xff":                       "\ufffd",
		"\x1b[":                      "",
		"\x1b[\nx":                   "x",
		strings.Repeat("é", 200):     strings.Repeat("é", 150),
		"x" + strings.Repeat(" ", 9): "x",
	} {
		if got := clean([]byte(in)); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTailRate(t *testing.T) {
	now := time.Unix(0, 0)
	var got []string
	tl := &tail{
		report: func(s string) { got = append(got, s) },
		now:    func() time.Time { return now },
	}
	tl.drain(strings.NewReader(strings.Repeat("a\n", stderrRate+7)))
	now = now.Add(time.Second)
	tl.drain(strings.NewReader("b"))
	want := append(strings.Split(strings.Repeat("a", stderrRate), ""), "(7 lines left out)", "b")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("passed on (-want +got):\n%s", diff)
	}
}

package adversarial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

func TestMain(m *testing.M) { harness.Main(m) }

// Every bypass does what the list says of it: these are failures that we expect.
// One that no longer works is good news and fails too, until it is moved.
func TestBypassesWork(t *testing.T) {
	for _, channel := range []harness.Setup{harness.Isolated, harness.Evaluate} {
		t.Run(string(channel), func(t *testing.T) { bypassesWork(t, channel) })
	}
}

func bypassesWork(t *testing.T, channel harness.Setup) {
	open := Bypasses(channel)
	harness.Each(t, channel, func(f netbed.Fixture) bool {
		_, ok := open[f.Slug]
		return ok
	}, func(a *harness.Agent, bed *netbed.Bed, f netbed.Fixture) {
		t, b := a.T, open[f.Slug]
		p := a.Check(bed, f)
		t.Logf("open: %s; closed by: %s\n%s", b.Reason, b.Closes, strings.Join(p.All(), "\n"))
		switch got := outcome(p); {
		case got == "":
			t.Errorf("closed: move it to the fixtures: out of Bypasses, and \"holds\" in its JSON (it was open because %s)", b.Reason)
		case got != b.Outcome:
			t.Errorf("it %s, but the list says that it %s", got, b.Outcome)
		}
	})
}

func outcome(p harness.Problems) Outcome {
	switch {
	case len(p.Leaks) > 0:
		return Leaks
	case len(p.Lost) > 0:
		return Blinds
	}
	return ""
}

// What is listed is a fixture that says the same of itself. What is not listed
// has to hold: evals/read leaves nothing else out.
func TestListedFixturesExist(t *testing.T) {
	fixtures, err := netbed.Load(os.DirFS(filepath.Join(harness.Root(t), "testdata/pages")))
	if err != nil {
		t.Fatal(err)
	}
	says := map[string]string{}
	for _, f := range fixtures {
		says[f.Slug] = f.Expect.Evaluate
	}
	for slug, b := range Bypasses(harness.Evaluate) {
		if !strings.HasPrefix(says[slug], "bypass: ") {
			t.Errorf("%s (%s) is no fixture, or says %q of itself", slug, b.Reason, says[slug])
		}
	}
}

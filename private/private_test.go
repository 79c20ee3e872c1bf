package private

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a killed process left is swept up; what is in use, what is young and what
// is no directory of ours stays.
func TestSweep(t *testing.T) {
	base := t.TempDir()
	old := time.Now().Add(-2 * youth)
	for _, name := range []string{"x-dead", "x-live", "x-young", "y-other"} {
		if err := os.Mkdir(filepath.Join(base, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(base, "x-file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	lock, err := hold(filepath.Join(base, "x-live"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	for _, name := range []string{"x-dead", "x-live", "x-file", "y-other"} {
		if err := os.Chtimes(filepath.Join(base, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	d, err := New("x-", filepath.Join(base, "missing"), base)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"x-dead": false, "x-live": true, "x-young": true, "x-file": true, "y-other": true} {
		if _, err := os.Stat(filepath.Join(base, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(d.Path()); !os.IsNotExist(err) {
		t.Errorf("it is left: %v", err)
	}
}

func TestNoPlace(t *testing.T) {
	if d, err := New("x-", filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Errorf("made at %s", d.Path())
	}
}

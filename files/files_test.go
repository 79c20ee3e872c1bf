package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// start makes an exchange for a workspace of its own.
func start(t *testing.T, asked string) (*Exchange, string) {
	t.Helper()
	workspace := t.TempDir()
	e, err := New(asked, ".out", NewWorkspace(workspace))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(e.Dir()); !os.IsNotExist(err) {
			t.Errorf("the private directory is left: %v", err)
		}
	})
	return e, workspace
}

// write puts a file where the upstream does, and returns how it tells of it.
func write(t *testing.T, e *Exchange, name, text string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.Dir(), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "../../" + filepath.Base(e.Dir()) + "/" + name
}

func TestTakeAndPublish(t *testing.T) {
	e, workspace := start(t, "")
	told := write(t, e, "page-1.yml", "raw")
	got, err := e.Take(told)
	if err != nil || string(got) != "raw" {
		t.Fatalf("Take = %q, %v", got, err)
	}
	if _, err := e.Take(told); err == nil {
		t.Error("what was taken is still there")
	}
	path, err := e.Publish(told, []byte("judged"))
	if err != nil || path != filepath.Join(".out", "page-1.yml") {
		t.Fatalf("Publish = %q, %v", path, err)
	}
	if got, err := os.ReadFile(filepath.Join(workspace, path)); err != nil || string(got) != "judged" {
		t.Errorf("the agent finds %q, %v", got, err)
	}
	if _, err := e.Publish(told, []byte("again")); err == nil {
		t.Error("a file of the agent's is written over")
	}
}

// The directory is private: nobody else may enter.
func TestPrivate(t *testing.T) {
	e, _ := start(t, "")
	info, err := os.Stat(e.Dir())
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode().Perm(), err)
	}
}

// Only bare names in the private directory are files of the upstream's.
func TestForeignNames(t *testing.T) {
	e, _ := start(t, "")
	write(t, e, "page-1.yml", "raw")
	dir := filepath.Base(e.Dir())
	if err := os.Symlink("/etc/passwd", filepath.Join(e.Dir(), "link")); err != nil {
		t.Fatal(err)
	}
	for _, told := range []string{"page-1.yml", "../page-1.yml", "elsewhere/page-1.yml", dir + "/.hidden", dir + "/..", dir, "", dir + "/sub/../../x",
		dir + "/a\x00b", dir + "/link"} {
		if got, err := e.Take(told); err == nil {
			t.Errorf("Take(%q) = %q", told, got)
		}
	}
}

// Where the agent's directory can't be, or leads elsewhere, nothing is written.
func TestLinksLeadNowhere(t *testing.T) {
	e, workspace := start(t, "")
	other := t.TempDir()
	if err := os.Symlink(other, filepath.Join(workspace, ".out")); err != nil {
		t.Fatal(err)
	}
	told := write(t, e, "page-1.yml", "raw")
	if path, err := e.Publish(told, []byte("judged")); err == nil {
		t.Errorf("written to %q through a link", path)
	}
	if left, _ := os.ReadDir(other); len(left) > 0 {
		t.Errorf("there is %v where the link leads", left)
	}
}

func TestRoots(t *testing.T) {
	e, _ := start(t, "")
	root := t.TempDir()
	e.w.Roots([]string{"", "http://x/y", "%zz"})
	e.w.Roots([]string{"http://x/y", "file://" + root})
	told := write(t, e, "page-1.yml", "raw")
	if path, err := e.Publish(told, nil); err != nil || path != filepath.Join(".out", "page-1.yml") {
		t.Errorf("Publish = %q, %v", path, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".out", "page-1.yml")); err != nil {
		t.Error(err)
	}
}

// A directory that the person asked for is told as seen from the workspace.
func TestAskedDirectory(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "deep", "er")
	e, workspace := start(t, asked)
	told := write(t, e, "page-1.yml", "raw")
	path, err := e.Publish(told, []byte("x"))
	if err != nil || !strings.HasSuffix(path, filepath.Join("deep", "er", "page-1.yml")) {
		t.Fatalf("Publish = %q, %v", path, err)
	}
	if _, err := os.Stat(filepath.Join(workspace, path)); err != nil {
		t.Error(err)
	}
}

// What is left and not the upstream's own is saved, and only then is a directory
// made for it.
func TestKeep(t *testing.T) {
	e, _ := start(t, "")
	made := 0
	to := t.TempDir()
	place := func() (string, error) { made++; return to, nil }
	write(t, e, "page-1.yml", "raw")
	if dir, err := e.Keep([]string{"page-*.yml"}, place); dir != "" || err != nil || made != 0 {
		t.Fatalf("Keep = %q, %v with nothing to save", dir, err)
	}
	write(t, e, "report.pdf", "all that was downloaded")
	if dir, err := e.Keep([]string{"page-*.yml"}, place); dir != to || err != nil || made != 1 {
		t.Fatalf("Keep = %q, %v", dir, err)
	}
	left, err := os.ReadDir(to)
	if err != nil || len(left) != 1 {
		t.Fatalf("saved: %v, %v", left, err)
	}
	if got, err := os.ReadFile(filepath.Join(to, "report.pdf")); err != nil || string(got) != "all that was downloaded" {
		t.Errorf("saved: %q, %v", got, err)
	}
}

// The agent's own files stay in its workspace: no other directory, no hidden
// file, no way out by a link.
func TestWorkspaceWrite(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	w := NewWorkspace(dir)
	if err := os.Symlink(other, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", filepath.Join(other, "x"), ".bashrc", "a/.git/hooks/x", ".", "", "link/x", "a/../../x"} {
		if got, err := w.Write(path, []byte("x")); err == nil {
			t.Errorf("%q is written to %q", path, got)
		}
	}
	if left, _ := os.ReadDir(other); len(left) > 0 {
		t.Errorf("outside there is %v", left)
	}
	for _, path := range []string{"x.yml", "deep/er/x.yml", filepath.Join(dir, "abs.yml"), "x.yml"} {
		got, err := w.Write(path, []byte("judged"))
		if err != nil || !strings.HasPrefix(got, dir) {
			t.Errorf("%q: %q, %v", path, got, err)
			continue
		}
		if raw, err := os.ReadFile(got); err != nil || string(raw) != "judged" {
			t.Errorf("%q holds %q, %v", got, raw, err)
		}
	}
	var outside *OutsideError
	if _, err := w.Write("/etc/x", nil); !errors.As(err, &outside) || !strings.Contains(outside.Hint(), dir) {
		t.Errorf("the error names no place: %v", err)
	}
}

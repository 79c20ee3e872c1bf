package state

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultDir(t *testing.T) {
	for name, tc := range map[string]struct {
		goos string
		env  map[string]string
		want string // empty for an error
	}{
		"linux": {"linux", map[string]string{"HOME": "/h"}, "/h/.local/state/moire"},
		"xdg": {"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s"},
			"/s/moire"},
		"relative xdg": {"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s"},
			"/h/.local/state/moire"},
		"xdg, no home":  {"freebsd", map[string]string{"XDG_STATE_HOME": "/s/"}, "/s/moire"},
		"no home":       {"linux", nil, ""},
		"relative home": {"linux", map[string]string{"HOME": "h"}, ""},
		"mac": {"darwin", map[string]string{"HOME": "/h"},
			"/h/Library/Application Support/moire"},
		"windows": {"windows", map[string]string{"LocalAppData": `C:\L`, "HOME": "/h"},
			`C:\L\moire`},
		"windows, unset": {"windows", map[string]string{"HOME": "/h"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DefaultDir(func(k string) string { return tc.env[k] }, tc.goos)
			if got != tc.want || (err == nil) != (tc.want != "") {
				t.Errorf("DefaultDir = %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(Config{Dir: filepath.Join(t.TempDir(), "a", "moire")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestOpenCreatesPrivate(t *testing.T) {
	d := open(t)
	info, err := os.Stat(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("mode is %v, want 0700", info.Mode())
	}
	again, err := Open(Config{Dir: d.Path()})
	if err != nil {
		t.Fatalf("opening an existing directory: %v", err)
	}
	again.Close()
}

// wantRefusal checks that the error names path, cause and remedy.
func wantRefusal(t *testing.T, err error, path, cause string) {
	t.Helper()
	var p *PermissionError
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want a *PermissionError", err)
	}
	if p.Path != path || !strings.Contains(p.Cause, cause) || p.Remedy == "" {
		t.Errorf("got %+v, want path %q, cause %q and a remedy", p, path, cause)
	}
}

func TestOpenRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are Unix's")
	}
	tmp := t.TempDir()
	for name, tc := range map[string]struct {
		make  func(path string) error
		cause string
	}{
		"link": {func(p string) error { return os.Symlink(tmp, p) }, "symbolic link"},
		"group": {func(p string) error {
			return errors.Join(os.Mkdir(p, 0o700), os.Chmod(p, 0o750))
		}, "0750"},
		"world": {func(p string) error {
			return errors.Join(os.Mkdir(p, 0o700), os.Chmod(p, 0o701))
		}, "0701"},
		"owner": {func(p string) error {
			if os.Geteuid() != 0 {
				return errors.ErrUnsupported
			}
			return errors.Join(os.Mkdir(p, 0o700), os.Chown(p, 12345, 12345))
		}, "user 12345"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tmp, name)
			if err := tc.make(path); errors.Is(err, errors.ErrUnsupported) {
				t.Skip("only root can give a directory away")
			} else if err != nil {
				t.Fatal(err)
			}
			d, err := Open(Config{Dir: path})
			if err == nil {
				d.Close()
			}
			wantRefusal(t, err, path, tc.cause)
		})
	}
	file := filepath.Join(tmp, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Config{Dir: file}); err == nil {
		t.Error("a file was opened as the directory")
	}
}

func TestWriteFileAtomic(t *testing.T) {
	d := open(t)
	if _, err := d.ReadFile("pins.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a missing file: %v, want fs.ErrNotExist", err)
	}
	one, two := bytes.Repeat([]byte("1"), 1<<16), bytes.Repeat([]byte("2"), 1<<15)
	if err := d.WriteFile("pins.json", one); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, data := range [][]byte{one, two} {
		wg.Go(func() {
			for range 20 {
				if err := d.WriteFile("pins.json", data); err != nil {
					t.Errorf("WriteFile: %v", err)
				}
			}
		})
	}
	for range 100 {
		got, err := d.ReadFile("pins.json")
		if err != nil || !bytes.Equal(got, one) && !bytes.Equal(got, two) {
			t.Fatalf("read %d bytes that nobody wrote, %v", len(got), err)
		}
	}
	wg.Wait()
	entries, err := os.ReadDir(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"pins.json"}, names); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
	info, err := entries[0].Info()
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("mode is %v, %v, want 0600", info.Mode(), err)
	}
}

// A planted link must be replaced, not followed.
func TestWriteFileReplacesLink(t *testing.T) {
	d := open(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(d.Path(), "f")); err != nil {
		t.Skip(err)
	}
	if err := d.WriteFile("f", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(victim); string(got) != "old" {
		t.Errorf("the link's target now holds %q", got)
	}
}

func TestReadFileRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are Unix's")
	}
	d := open(t)
	if err := d.WriteFile("real", []byte("x")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(d.Path(), name) }
	for name, err := range map[string]error{
		"link":   os.Symlink("real", at("link")),
		"folder": os.Mkdir(at("folder"), 0o700),
		"open":   errors.Join(os.WriteFile(at("open"), nil, 0o600), os.Chmod(at("open"), 0o644)),
	} {
		if err != nil {
			t.Fatal(err)
		}
		_, err := d.ReadFile(name)
		wantRefusal(t, err, at(name), map[string]string{
			"link": "symbolic link", "folder": "regular file", "open": "0644"}[name])
	}
	if err := os.Symlink("real", at("l.lock")); err != nil {
		t.Fatal(err)
	}
	_, err := d.Lock("l")
	wantRefusal(t, err, at("l.lock"), "symbolic link")
}

func TestNames(t *testing.T) {
	d := open(t)
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "../x", "/etc/passwd",
		".hidden", "a\x00", "a b", "c:x", strings.Repeat("a", 101)} {
		_, readErr := d.ReadFile(name)
		_, lockErr := d.Lock(name)
		if d.WriteFile(name, nil) == nil || readErr == nil || lockErr == nil {
			t.Errorf("name %q was taken", name)
		}
		if errors.Is(readErr, fs.ErrNotExist) {
			t.Errorf("name %q was looked up", name)
		}
	}
}

func TestLock(t *testing.T) {
	d := open(t)
	first, err := d.Lock("audit")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Lock("audit"); !errors.Is(err, ErrLocked) {
		t.Errorf("second Lock = %v, want ErrLocked", err)
	}
	other, err := d.Lock("pins")
	if err != nil {
		t.Errorf("another name: %v", err)
	}
	if err := errors.Join(first.Unlock(), first.Unlock(), other.Unlock()); err != nil {
		t.Errorf("Unlock: %v", err)
	}
	again, err := d.Lock("audit")
	if err != nil {
		t.Fatalf("after Unlock: %v", err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
}

package upstream

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// CommonDirs are where Node.js and its commands live when PATH does not say so,
// best first: clients started from a desktop have a minimal PATH.
func CommonDirs(home, goos string) []string {
	if goos == "windows" {
		return []string{
			`C:\Program Files\nodejs`,
			filepath.Join(home, "AppData", "Roaming", "npm"),
		}
	}
	dirs := nvmDirs(home)
	return append(dirs,
		filepath.Join(home, ".volta", "bin"),
		filepath.Join(home, ".local", "share", "fnm", "aliases", "default", "bin"),
		filepath.Join(home, ".asdf", "shims"),
		filepath.Join(home, ".local", "bin"),
		"/opt/homebrew/bin",
		"/usr/local/bin",
		"/usr/bin",
	)
}

// nvmDirs are nvm's installations, newest first. By number: v9 is older than v22.
func nvmDirs(home string) []string {
	base := filepath.Join(home, ".nvm", "versions", "node")
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return slices.Compare(numbers(b.Name()), numbers(a.Name()))
	})
	var dirs []string
	for _, e := range entries {
		dirs = append(dirs, filepath.Join(base, e.Name(), "bin"))
	}
	return dirs
}

// numbers reads "v22.1.0"; what is no number counts as -1.
func numbers(version string) []int {
	var out []int
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			n = -1
		}
		out = append(out, n)
	}
	return out
}

// fromNodeModules looks upwards from Dir.
func (c ResolveConfig) fromNodeModules(want string) (Command, bool) {
	for dir := filepath.Clean(c.Dir); ; dir = filepath.Dir(dir) {
		modules := filepath.Join(dir, "node_modules")
		bin := filepath.Join(modules, ".bin", c.exe(c.Binary, ".cmd"))
		v, ok := c.installed(filepath.Join(modules, filepath.FromSlash(c.Package)))
		if ok && (want == "" || v == want) && c.executable(bin) && !c.open(dir) {
			return Command{[]string{bin}, "node_modules", v, c.nodeDir(bin)}, true
		}
		if dir == filepath.Dir(dir) {
			return Command{}, false
		}
	}
}

// open tells that anybody could have put a node_modules there: in /tmp, another
// user's would be run as ours.
func (c ResolveConfig) open(dir string) bool {
	info, err := os.Stat(dir)
	return c.GOOS != "windows" && (err != nil || info.Mode().Perm()&0o002 != 0)
}

// fromPath looks in PATH and SearchDirs.
func (c ResolveConfig) fromPath(want string) (Command, bool) {
	bin, ok := c.tool(c.Binary, ".cmd")
	if !ok {
		return Command{}, false
	}
	v := c.versionOf(bin)
	if want != "" && v != want {
		return Command{}, false
	}
	return Command{[]string{bin}, "PATH", v, c.nodeDir(bin)}, true
}

// versionOf finds the package a command belongs to: above what its link points
// to on Unix, beside it on Windows, where npm writes a script instead.
func (c ResolveConfig) versionOf(bin string) string {
	if v, ok := c.installed(filepath.Join(filepath.Dir(bin), "node_modules",
		filepath.FromSlash(c.Package))); ok {
		return v
	}
	real, err := filepath.EvalSymlinks(bin)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if v, ok := c.installed(dir); ok {
			return v
		}
	}
	return ""
}

// installed reads the version of the package in dir, if it is the one wanted.
func (c ResolveConfig) installed(dir string) (string, bool) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", false
	}
	var p struct{ Name, Version string }
	if json.Unmarshal(data, &p) != nil || p.Name != c.Package {
		return "", false
	}
	return p.Version, true
}

// tool finds a command, absolute.
func (c ResolveConfig) tool(name, ext string) (string, bool) {
	if p, err := c.LookPath(c.exe(name, ext)); err == nil && filepath.IsAbs(p) {
		return p, true
	}
	return c.search(name, ext, c.SearchDirs)
}

func (c ResolveConfig) search(name, ext string, dirs []string) (string, bool) {
	for _, dir := range dirs {
		if p := filepath.Join(dir, c.exe(name, ext)); c.executable(p) {
			return p, true
		}
	}
	return "", false
}

// nodeDir is where node is, if PATH does not lead there: beside the command, or
// beside what it links to, or in SearchDirs.
func (c ResolveConfig) nodeDir(bin string) string {
	if p, err := c.LookPath(c.exe("node", ".exe")); err == nil && filepath.IsAbs(p) {
		return ""
	}
	dirs := []string{filepath.Dir(bin)}
	if real, err := filepath.EvalSymlinks(bin); err == nil {
		dirs = append(dirs, filepath.Dir(real))
	}
	if p, ok := c.search("node", ".exe", append(dirs, c.SearchDirs...)); ok {
		return filepath.Dir(p)
	}
	return ""
}

func (c ResolveConfig) exe(name, ext string) string {
	if c.GOOS == "windows" {
		return name + ext
	}
	return name
}

func (c ResolveConfig) executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() &&
		(c.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}

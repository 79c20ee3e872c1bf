package upstream

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// machine is a file system with a PATH.
type machine struct {
	t    *testing.T
	root string
	path []string
}

func newMachine(t *testing.T) *machine { return &machine{t: t, root: t.TempDir()} }

func (m *machine) at(name string) string { return filepath.Join(m.root, filepath.FromSlash(name)) }

func (m *machine) write(name, content string, mode os.FileMode) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.at(name)), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(m.at(name), []byte(content), mode); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) exe(names ...string) {
	for _, name := range names {
		m.write(name, "", 0o755)
	}
}

// install puts the package with its command below dir, as npm does.
func (m *machine) install(dir, version string) {
	m.write(dir+"/node_modules/@x/mcp/package.json",
		fmt.Sprintf(`{"name":"@x/mcp","version":%q}`, version), 0o644)
	m.exe(dir + "/node_modules/.bin/x-mcp")
}

func (m *machine) lookPath(name string) (string, error) {
	for _, dir := range m.path {
		if p := filepath.Join(m.at(dir), name); (ResolveConfig{}).executable(p) {
			return p, nil
		}
	}
	return "", errors.New("not in PATH")
}

func (m *machine) config(spec string) ResolveConfig {
	return ResolveConfig{Package: "@x/mcp", Binary: "x-mcp", TestedVersion: "1.2.3", Spec: spec,
		Dir: m.at("home/project/deep"), GOOS: "linux", LookPath: m.lookPath,
		SearchDirs: []string{m.at("opt/bin")}}
}

func TestResolve(t *testing.T) {
	type setup func(m *machine)
	all := func(m *machine) {
		m.install("home/project", "1.2.0")
		m.install("home", "1.2.3")
		m.exe("bin/x-mcp", "bin/npx", "bin/node")
		m.path = []string{"bin"}
	}
	global := func(m *machine) {
		m.write("lib/node_modules/@x/mcp/package.json",
			`{"name":"@x/mcp","version":"1.2.3"}`, 0o644)
		m.exe("lib/node_modules/@x/mcp/cli.js", "bin/npx", "bin/node")
		if err := os.Symlink("../lib/node_modules/@x/mcp/cli.js", m.at("bin/x-mcp")); err != nil {
			m.t.Fatal(err)
		}
		m.path = []string{"bin"}
	}
	npx := func(m *machine) { m.exe("bin/npx", "bin/node"); m.path = []string{"bin"} }
	bare := func(m *machine) { m.exe("opt/bin/npx", "opt/bin/node") }
	for name, tc := range map[string]struct {
		setup    setup
		spec     string
		untested bool
		want     string // source, version, argv, path directory
	}{
		"nearest node_modules": {all, "x-mcp", false,
			"node_modules 1.2.0 [home/project/node_modules/.bin/x-mcp] "},
		"no spec": {all, "", false,
			"node_modules 1.2.0 [home/project/node_modules/.bin/x-mcp] "},
		"latest is the tested": {all, "@x/mcp@latest", false,
			"node_modules 1.2.3 [home/node_modules/.bin/x-mcp] "},
		"exact, installed": {all, "@x/mcp@1.2.0", false,
			"node_modules 1.2.0 [home/project/node_modules/.bin/x-mcp] "},
		"exact, elsewhere": {all, "x-mcp@9.9.9", false,
			"npx 9.9.9 [bin/npx -y @x/mcp@9.9.9] "},
		"latest, untested": {all, "x-mcp@latest", true,
			"npx  [bin/npx -y @x/mcp@latest] "},
		"global":        {global, "x-mcp", false, "PATH 1.2.3 [bin/x-mcp] "},
		"global, exact": {global, "x-mcp@1.2.3", false, "PATH 1.2.3 [bin/x-mcp] "},
		"global, other": {global, "x-mcp@1.2.4", false,
			"npx 1.2.4 [bin/npx -y @x/mcp@1.2.4] "},
		"only npx": {npx, "x-mcp", false,
			"npx 1.2.3 [bin/npx -y @x/mcp@1.2.3] "},
		"latest, only npx": {npx, "@x/mcp@latest", false,
			"npx 1.2.3 [bin/npx -y @x/mcp@1.2.3] "},
		"minimal PATH": {bare, "x-mcp", false,
			"npx 1.2.3 [opt/bin/npx -y @x/mcp@1.2.3] opt/bin"},
		"another's command of that name": {func(m *machine) {
			npx(m)
			m.write("home/node_modules/@x/mcp/package.json",
				`{"name":"evil","version":"1.2.3"}`, 0o644)
			m.exe("home/node_modules/.bin/x-mcp")
		}, "x-mcp", false, "npx 1.2.3 [bin/npx -y @x/mcp@1.2.3] "},
		"in a directory open to all": {func(m *machine) {
			npx(m)
			m.install("home", "1.2.3")
			if err := os.Chmod(m.at("home"), 0o777); err != nil {
				m.t.Fatal(err)
			}
		}, "x-mcp", false, "npx 1.2.3 [bin/npx -y @x/mcp@1.2.3] "},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			tc.setup(m)
			cfg := m.config(tc.spec)
			cfg.Untested = tc.untested
			cmd, err := Resolve(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if !filepath.IsAbs(cmd.Argv[0]) {
				t.Errorf("%q is not absolute", cmd.Argv[0])
			}
			got := fmt.Sprint(cmd.Source, " ", cmd.Version, " ", cmd.Argv, " ", cmd.PathDir)
			got = strings.ReplaceAll(got, m.root+string(filepath.Separator), "")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Resolve (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolveWindows(t *testing.T) {
	m := newMachine(t)
	m.write("opt/bin/npx.cmd", "", 0o644)
	m.write("opt/bin/node.exe", "", 0o644)
	cfg := m.config("")
	cfg.GOOS = "windows"
	cmd, err := Resolve(cfg)
	if err != nil || cmd.Argv[0] != m.at("opt/bin/npx.cmd") || cmd.PathDir != m.at("opt/bin") {
		t.Errorf("Resolve = %+v, %v, want npx.cmd beside node.exe", cmd, err)
	}
}

func TestResolveErrors(t *testing.T) {
	m := newMachine(t)
	for spec, want := range map[string]string{
		"other":         "is not",
		"x-mcp@":        "no version",
		"x-mcp@next":    "neither",
		"x-mcp@^1.0.0":  "neither",
		"x-mcp@1.2":     "neither",
		"@x/mcp@1;rm x": "neither",
	} {
		if _, err := Resolve(m.config(spec)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Resolve(%q) = %v, want an error about %q", spec, err, want)
		}
	}
	_, err := Resolve(m.config(""))
	var missing *NotFoundError
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint(), m.at("opt/bin")) {
		t.Errorf("Resolve = %v, want a *NotFoundError whose hint says where it looked", err)
	}
	bad := m.config("")
	bad.Package = "--eval"
	if _, err := Resolve(bad); err == nil {
		t.Error("an option was taken for a package")
	}
}

func TestCommonDirs(t *testing.T) {
	m := newMachine(t)
	for _, v := range []string{"v9.1.0", "v22.1.0", "v22.12.1", "system"} {
		m.exe(".nvm/versions/node/" + v + "/bin/node")
	}
	var got []string
	for _, dir := range CommonDirs(m.root, "linux") {
		if rest, ok := strings.CutPrefix(dir, m.at(".nvm/versions/node")+"/"); ok {
			got = append(got, rest)
		}
	}
	want := []string{"v22.12.1/bin", "v22.1.0/bin", "v9.1.0/bin", "system/bin"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nvm's directories (-want +got):\n%s", diff)
	}
}

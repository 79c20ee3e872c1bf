package upstream

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// ResolveConfig says which server is wanted and where to look. Everything that
// depends on the machine is passed in.
type ResolveConfig struct {
	Package       string // npm's name, such as "@playwright/mcp"
	Binary        string // the command it installs
	TestedVersion string // the newest that our adapter was tested with
	// Spec is what the person wrote: "name", "name@1.2.3" or "name@latest",
	// name being Package or Binary; empty means Package.
	Spec string
	// Untested lets @latest and other tags mean what npm means by them.
	Untested bool
	Dir      string // where the search for node_modules begins; absolute
	GOOS     string
	LookPath func(name string) (string, error)
	// SearchDirs are looked into after PATH, see CommonDirs.
	SearchDirs []string
}

// Command is how to start the server.
type Command struct {
	Argv    []string // Argv[0] is absolute
	Source  string   // "node_modules", "PATH" or "npx"
	Version string   // empty if it can't be told
	// PathDir must be put in front of the child's PATH if it is not empty:
	// npx and most servers are scripts that begin with "#!/usr/bin/env node",
	// and clients with a window give their servers a PATH without node.
	PathDir string
}

// NotFoundError is a server that is neither installed nor can be fetched.
type NotFoundError struct {
	Binary string
	Looked []string // directories besides PATH
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("resolving upstream %q: neither it nor npx was found", e.Binary)
}

// Hint tells a person what to do.
func (e *NotFoundError) Hint() string {
	return fmt.Sprintf("install Node.js (https://nodejs.org), or set PATH in the client's "+
		"configuration; looked in PATH and %s", strings.Join(e.Looked, ", "))
}

// Validate names the first field that is missing or senseless.
func (c ResolveConfig) Validate() error {
	name := regexp.MustCompile(`^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$`)
	switch {
	case !name.MatchString(c.Package):
		return errors.New("configuring upstream: package is no npm name")
	case !name.MatchString(c.Binary) || strings.Contains(c.Binary, "/"):
		return errors.New("configuring upstream: binary is no plain name")
	case !exactVersion(c.TestedVersion):
		return errors.New("configuring upstream: tested version is no exact version")
	case !filepath.IsAbs(c.Dir):
		return errors.New("configuring upstream: directory is not absolute")
	case c.GOOS == "" || c.LookPath == nil:
		return errors.New("configuring upstream: no system or no LookPath")
	}
	return nil
}

// exactVersion admits one version, no range and no tag.
func exactVersion(v string) bool {
	const form = `^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`
	return regexp.MustCompile(form).MatchString(v)
}

// Resolve finds the command: the nearest node_modules above Dir, then PATH, then
// npx, which fetches the tested version. A version that is asked for is taken
// from what is installed only if its package.json says exactly that one.
func Resolve(cfg ResolveConfig) (Command, error) {
	if err := cfg.Validate(); err != nil {
		return Command{}, err
	}
	want, fetch, err := cfg.version()
	if err != nil {
		return Command{}, err
	}
	// A tag such as "next" equals no installed version, so npx is asked.
	for _, find := range []func(string) (Command, bool){cfg.fromNodeModules, cfg.fromPath} {
		if cmd, ok := find(want); ok {
			return cmd, nil
		}
	}
	npx, ok := cfg.tool("npx", ".cmd")
	if !ok {
		return Command{}, &NotFoundError{cfg.Binary, cfg.SearchDirs}
	}
	return Command{
		Argv:    []string{npx, "-y", cfg.Package + "@" + fetch},
		Source:  "npx",
		Version: known(fetch),
		PathDir: cfg.nodeDir(npx),
	}, nil
}

// version reads Spec: want is the version an installed one must have, empty for
// any; fetch is what npx would be asked for.
func (c ResolveConfig) version() (want, fetch string, err error) {
	name, v, _ := strings.Cut(c.Spec, "@")
	if strings.HasPrefix(c.Spec, "@") { // a scope
		name, v, _ = strings.Cut(c.Spec[1:], "@")
		name = "@" + name
	}
	switch {
	case c.Spec != "" && name != c.Package && name != c.Binary:
		return "", "", fmt.Errorf("resolving upstream: %q is not %q", name, c.Package)
	case strings.HasSuffix(c.Spec, "@"):
		return "", "", errors.New("resolving upstream: no version behind @")
	case v == "":
		return "", c.TestedVersion, nil
	case exactVersion(v):
		return v, v, nil
	case c.Untested && regexp.MustCompile(`^[a-z][a-z0-9-]*$`).MatchString(v):
		return v, v, nil
	case v == "latest":
		// Configurations out there say @latest without meaning to be the
		// first to meet a version that no adapter was tested with.
		return c.TestedVersion, c.TestedVersion, nil
	default:
		return "", "", fmt.Errorf(
			"resolving upstream: version %q is neither exact nor \"latest\"", v)
	}
}

// known is empty for a tag: what npm makes of it is not known here.
func known(version string) string {
	if exactVersion(version) {
		return version
	}
	return ""
}

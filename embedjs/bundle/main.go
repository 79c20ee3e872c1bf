// Command bundle builds the programs in embedjs/dist from embedjs/src with
// esbuild's Go API, so that neither Node nor esbuild is needed to build or run Moiré.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	for _, p := range programs {
		out, err := bundle(".", p)
		if err == nil {
			err = os.WriteFile(filepath.Join("dist", p.file), out, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bundle:", err)
			os.Exit(1)
		}
	}
}

// program is one bundle: the file, its entry and the name it defines.
type program struct{ file, entry, name string }

var programs = []program{
	{"scan.js", "src/main.ts", "moire"},
	{"guard.js", "src/guardmain.ts", "moireGuard"},
}

// bundle returns the bundle of a program below dir: unminified, so that a person can
// read in a commit what is going to run in pages.
func bundle(dir string, p program) ([]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolving %q: %w", dir, err)
	}
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: abs, // the bundle names its sources relative to it
		EntryPoints:   []string{p.entry},
		Bundle:        true,
		Format:        api.FormatIIFE,
		GlobalName:    p.name,
		Target:        api.ES2022,
		Charset:       api.CharsetASCII,
		TsconfigRaw:   "{}",
	})
	if len(r.Errors) > 0 {
		m := r.Errors[0]
		return nil, fmt.Errorf("bundling: %s (%+v)", m.Text, m.Location)
	}
	return r.OutputFiles[0].Contents, nil
}

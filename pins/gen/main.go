// Command gen writes pins/data from the live tools/list of the pinned npm packages,
// asked with each flag that changes a definition. Call it by `go generate ./pins`
// after scripts/setup node-packages; a test of package pins fails when the
// packages and the data differ.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"moire/adapter"
	"moire/pins"
	"moire/pins/live"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	for _, name := range adapter.Names() {
		a, err := adapter.Builtin(name)
		if err != nil {
			return err
		}
		f := pins.File{Version: a.Tested.To, Tools: map[string]pins.Tested{}}
		for _, flags := range live.Variants(name) {
			list, err := live.Definitions(context.Background(), filepath.Join("..", "node_modules", ".bin", a.Binary), flags)
			if err != nil {
				return fmt.Errorf("asking %s %v: %w", name, flags, err)
			}
			for _, d := range list {
				if _, known := a.Tools[d.Name]; !known {
					continue
				}
				t := f.Tools[d.Name]
				if t.Definition == nil {
					t.Definition = d.JSON
				}
				if !slices.Contains(t.Hashes, d.Hash) {
					t.Hashes = append(t.Hashes, d.Hash)
				}
				f.Tools[d.Name] = t
			}
		}
		raw, err := json.MarshalIndent(f, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join("data", name+".json"), append(raw, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

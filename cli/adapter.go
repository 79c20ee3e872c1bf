package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"moire/adapter"
	"moire/pins/live"
)

type adapterCmd struct {
	Check adapterCheckCmd `cmd:"" help:"Check a table of your own, and hold it against the tools of a running upstream."`
}

type adapterCheckCmd struct {
	File    string   `arg:"" help:"The table." type:"path"`
	Command []string `arg:"" optional:"" passthrough:"partial" help:"After --: the command that starts the upstream, which is then asked for its tools."`
}

// maxAdapter bounds a table, in bytes.
const maxAdapter = 4 << 20

// adapterOf reads a person's own table.
func adapterOf(file string) (*adapter.Adapter, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("reading the adapter: %w", err)
	}
	if info.Size() > maxAdapter {
		return nil, fmt.Errorf("reading the adapter: %s is larger than %d MiB", file, maxAdapter>>20)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the adapter: %w", err)
	}
	return adapter.Parse(file, raw)
}

func (c *adapterCheckCmd) Run(ctx context.Context, s *streams) error {
	a, err := adapterOf(c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "moire: %s is a table of %d tools\n", c.File, len(a.Tools))
	if plain := a.Plain(); len(plain) > 0 {
		fmt.Fprintf(s.err, "moire: replies of these pass unjudged: %s\n", strings.Join(plain, ", "))
	}
	if len(c.Command) == 0 {
		return nil
	}
	l, err := byTable(a, c.Command)
	if err != nil {
		return err
	}
	_, list, err := live.Ask(ctx, l.argv, nil)
	if err != nil {
		return diagnosed(err)
	}
	var problems []string
	seen := map[string]bool{}
	for _, d := range list {
		seen[d.Name] = true
		problems = append(problems, compare(a, d.JSON)...)
	}
	for name := range a.Tools {
		if !seen[name] {
			problems = append(problems, "the upstream has no tool "+name)
		}
	}
	slices.Sort(problems)
	for _, p := range problems {
		fmt.Fprintf(s.err, "moire: %s\n", p)
	}
	if len(problems) > 0 {
		return &hinted{errors.New("the table is not that of the upstream"), "tools and arguments that no table names are refused"}
	}
	fmt.Fprintln(s.err, "moire: it names every tool and argument of the upstream, and no other")
	return nil
}

// compare says how a tool's row differs from its definition.
func compare(a *adapter.Adapter, definition []byte) []string {
	var d adapter.ToolDefinition
	if json.Unmarshal(definition, &d) != nil {
		return []string{"a tool of the upstream can't be read"}
	}
	row, ok := a.Tools[d.Name]
	if !ok {
		return []string{"the table has no tool " + printable(d.Name)}
	}
	var out []string
	for arg := range d.InputSchema.Properties {
		if _, ok := row.Arguments[arg]; !ok {
			out = append(out, fmt.Sprintf("the table has no argument %s of %s", printable(arg), printable(d.Name)))
		}
	}
	for arg := range row.Arguments {
		if _, ok := d.InputSchema.Properties[arg]; !ok {
			out = append(out, fmt.Sprintf("the upstream has no argument %s of %s", arg, printable(d.Name)))
		}
	}
	return out
}

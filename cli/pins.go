package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/term"

	"moire/adapter"
	"moire/pins"
	"moire/pins/live"
	"moire/scan"
	"moire/state"
)

type pinsCmd struct {
	List   pinsListCmd   `cmd:"" help:"Show which tools of an upstream are not defined as in the tested version, and how they differ."`
	Accept pinsAcceptCmd `cmd:"" help:"Accept definitions that differ, after reading them."`
}

type pinsOf struct {
	Upstream string   `help:"Browser MCP server: a name that Moiré knows, with @version if you like." placeholder:"NAME[@VERSION]"`
	Untested bool     `help:"Allow versions of the upstream that Moiré was not tested with."`
	Command  []string `arg:"" optional:"" passthrough:"partial" help:"After --: flags of the upstream, as some change its tools; without --upstream the whole command that starts it."`
}

type pinsListCmd struct{ pinsOf }

type pinsAcceptCmd struct {
	Tool []string `help:"A tool to accept; may be repeated. Without it: all that differ." placeholder:"NAME" sep:"none"`
	pinsOf
}

// differing are the definitions that are not known, of tools that the adapter knows:
// others can't be called in any case.
func (c *pinsOf) differing(ctx context.Context) (name string, set *pins.Set, out []pins.Definition, err error) {
	l, err := prepare(c.Upstream, c.Command, c.Untested)
	if err != nil {
		return "", nil, nil, err
	}
	server, list, err := live.Ask(ctx, l.argv, environment(l.pathDir))
	if err != nil {
		return "", nil, nil, diagnosed(err)
	}
	if l.adapter == nil {
		var tools []adapter.ToolDefinition
		for _, d := range list {
			tools = append(tools, adapter.ToolDefinition{Name: d.Name})
		}
		if l.adapter, err = adapter.Generic(server, tools); err != nil {
			return "", nil, nil, err
		}
	}
	if set, err = knownPins(l.adapter.Name); err != nil {
		return "", nil, nil, err
	}
	for _, d := range list {
		if _, callable := l.adapter.Tools[d.Name]; callable && !set.Knows(d) {
			out = append(out, d)
		}
	}
	return l.adapter.Name, set, out, nil
}

func (c *pinsListCmd) Run(ctx context.Context, s *streams) error {
	_, set, list, err := c.differing(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(s.err, "moire: all tools are defined as in the tested version, or accepted")
		return nil
	}
	for _, d := range list {
		show(s, set, d)
	}
	return &hinted{fmt.Errorf("kept from agents, as nobody has accepted their definitions: %d", len(list)),
		"read them, and accept those that you want: moire pins accept, with the same words behind it"}
}

// show prints how a definition differs, and what is suspicious in it.
func show(s *streams, set *pins.Set, d pins.Definition) {
	was := set.Tested(d.Name)
	word := "differs"
	if was == nil {
		word = "is new"
	}
	fmt.Fprintf(s.err, "%s %s\n", printable(d.Name), word)
	for _, line := range pins.Diff(was, d.JSON) {
		fmt.Fprintf(s.err, "  %s\n", line)
	}
	var kinds []string
	for _, k := range scan.SuspiciousDefinition(d.JSON) {
		kinds = append(kinds, k.String())
	}
	if len(kinds) > 0 {
		fmt.Fprintf(s.err, "  ! it holds %s\n", strings.Join(kinds, ", "))
	}
}

func (c *pinsAcceptCmd) Run(ctx context.Context, s *streams) error {
	in, ok := s.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return &hinted{errors.New("definitions are accepted by a person at a terminal"), "run it in a terminal; moire pins list only shows them"}
	}
	dir, err := state.Open(state.Config{})
	if err != nil {
		return err
	}
	err = prove(s, dir)
	if err := errors.Join(err, dir.Close()); err != nil {
		return err
	}
	name, set, list, err := c.differing(ctx)
	if err != nil {
		return err
	}
	for _, t := range c.Tool {
		if !slices.ContainsFunc(list, func(d pins.Definition) bool { return d.Name == t }) {
			return fmt.Errorf("no definition of %q waits to be accepted", t)
		}
	}
	var hashes []string
	for _, d := range list {
		if len(c.Tool) > 0 && !slices.Contains(c.Tool, d.Name) {
			continue
		}
		show(s, set, d)
		fmt.Fprintf(s.err, "Accept this definition of %s? Type its name: ", printable(d.Name))
		var typed string
		_, _ = fmt.Fscanln(in, &typed) // what can't be read is no yes
		if typed != d.Name {
			fmt.Fprintln(s.err, "not accepted")
			continue
		}
		hashes = append(hashes, d.Hash)
	}
	if len(hashes) == 0 {
		return nil
	}
	if err := remember(name, hashes); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "moire: %d accepted; they hold from the next start on\n", len(hashes))
	return nil
}

// pinsFile is where accepted hashes are kept, by adapter.
const pinsFile = "pins.json"

// knownPins are the shipped pins of an adapter and those that a person accepted.
func knownPins(adapter string) (*pins.Set, error) {
	set, err := pins.Shipped(adapter)
	if err != nil {
		return nil, err
	}
	dir, err := state.DefaultDir(os.Getenv, runtime.GOOS)
	if err != nil {
		return set, nil // nowhere to have accepted any
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return set, nil
	}
	d, err := state.Open(state.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	accepted, err := readAccepted(d)
	if err != nil {
		return nil, err
	}
	set.Accept(accepted[adapter]...)
	return set, nil
}

func readAccepted(d *state.Dir) (map[string][]string, error) {
	raw, err := d.ReadFile(pinsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string][]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, &hinted{fmt.Errorf("%s in %s is no JSON", pinsFile, d.Path()), "remove it, and accept the definitions again"}
	}
	return out, nil
}

func remember(adapter string, hashes []string) error {
	d, err := state.Open(state.Config{})
	if err != nil {
		return err
	}
	defer d.Close()
	accepted, err := readAccepted(d)
	if err != nil {
		return err
	}
	for _, h := range hashes {
		if !slices.Contains(accepted[adapter], h) {
			accepted[adapter] = append(accepted[adapter], h)
		}
	}
	raw, err := json.MarshalIndent(accepted, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding what is accepted: %w", err)
	}
	return d.WriteFile(pinsFile, raw)
}

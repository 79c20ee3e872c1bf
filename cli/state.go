package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moire/past"
	"moire/policy"
)

type stateCmd struct {
	Show   stateShowCmd   `cmd:"" help:"Show what is remembered of each browser context."`
	Clear  stateClearCmd  `cmd:"" help:"Say that what was read of an origin does not deceive, though it looked so; asks for your presence code."`
	Forget stateForgetCmd `cmd:"" help:"Forget all of a browser context, for a new task; asks for your presence code. End the agent's session first."`
}

type stateShowCmd struct{ Store }

func (c *stateShowCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	list, err := past.List(dir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(s.err, "moire: nothing is remembered")
	}
	for _, k := range list {
		if k.Err != nil {
			fmt.Fprintf(s.out, "%s  can't be read: %s\n", k.Name, printable(k.Err.Error()))
			continue
		}
		fmt.Fprintf(s.out, "%s  %s, used last %s\n", k.Name, printable(k.Context), k.Used.Local().Format("2006-01-02 15:04"))
		if k.State.ReadWeb {
			fmt.Fprintln(s.out, "        the web was read: pages of this machine are asked for")
		}
		for _, line := range []struct {
			what string
			list []string
		}{{"private, and read", k.State.Private}, {"with signs of an injection", k.State.Flagged}, {"agreed to by you", k.State.Agreed}} {
			if len(line.list) > 0 {
				fmt.Fprintf(s.out, "        %s: %s\n", line.what, printable(strings.Join(line.list, ", ")))
			}
		}
		fmt.Fprintf(s.out, "        %d origins visited, %d pages loaded, %d bytes sent\n", len(k.State.Visited), k.State.Pages, k.State.Out)
	}
	return nil
}

type stateClearCmd struct {
	Store
	Origin string `arg:"" help:"The origin, as moire state show names it; all of them as all."`
}

func (c *stateClearCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	list, err := past.List(dir)
	if err != nil {
		return err
	}
	e := policy.Event{Kind: policy.EventClear, Origin: c.Origin}
	if c.Origin == "all" {
		e.Origin = ""
	}
	list = slices.DeleteFunc(list, func(k past.Kept) bool {
		return k.Err != nil || len(k.State.Flagged) == 0 || e.Origin != "" && !slices.Contains(k.State.Flagged, e.Origin)
	})
	if len(list) == 0 {
		return &hinted{fmt.Errorf("no signs of an injection are remembered of %s", printable(c.Origin)), "moire state show names the origins"}
	}
	if err := prove(s, dir); err != nil {
		return err
	}
	for _, k := range list {
		if err := past.Tell(dir, k.Name, realClock{}, e); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "moire: cleared for %s\n", printable(k.Context))
	}
	return nil
}

type stateForgetCmd struct {
	Store
	Name string `arg:"" help:"The browser context, as moire state show names it (context-…)."`
}

func (c *stateForgetCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	list, err := past.List(dir)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(k past.Kept) bool { return k.Name == c.Name }) {
		return &hinted{errors.New("nothing of that name is remembered"), "moire state show names the browser contexts"}
	}
	if err := prove(s, dir); err != nil {
		return err
	}
	if err := past.Forget(dir, c.Name); err != nil {
		return err
	}
	fmt.Fprintln(s.err, "moire: forgotten; start the agent's session anew if it runs")
	return nil
}

package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"
)

type demoCmd struct {
	Upstream  string `default:"chrome-devtools-mcp" help:"Browser MCP server to compare with: ${default}." placeholder:"NAME[@VERSION]"`
	URL       string `name:"url" help:"Compare what is read of this page instead of one drawn for the occasion." placeholder:"URL" xor:"page"`
	Serve     bool   `help:"Only serve the fixture pages, to be looked at by hand." xor:"page"`
	Pages     string `default:"testdata/pages" help:"Where the fixture pages are: ${default}." placeholder:"DIR"`
	Browser   string `help:"Chromium or Chrome to use (default: the upstream's choice, else what PATH has)." placeholder:"PATH"`
	NoSandbox bool   `help:"Run Chromium without its sandbox: needed for root, and only for pages you trust."`
	Headful   bool   `help:"Show the browsers' windows."`
}

func (c *demoCmd) Run(ctx context.Context, s *streams) error {
	if c.Serve {
		return serveFixtures(ctx, s, c.Pages)
	}
	sides, err := c.sides()
	if err != nil {
		return err
	}
	url := c.URL
	var page *demoPage
	if url == "" {
		var seed [32]byte
		_, _ = rand.Read(seed[:]) // never fails
		if page, err = newDemoPage(seed); err != nil {
			return err
		}
		addr, stop, err := listenLocal(serveHTML(page.HTML))
		if err != nil {
			return err
		}
		defer stop()
		url = addr
	}
	fmt.Fprintf(s.err, "moire: reading %s twice, each with a browser of its own\n", printable(url))
	readings, err := readBoth(ctx, s, sides, url)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	return c.show(s, page, readings)
}

// sides are the bare upstream, and Moiré as a client would start it: this very
// program.
func (c *demoCmd) sides() ([2]demoSide, error) {
	var sides [2]demoSide
	flags, err := c.upstreamFlags()
	if err != nil {
		return sides, err
	}
	l, err := prepare(c.Upstream, flags, false)
	if err != nil {
		return sides, err
	}
	self, err := os.Executable()
	if err != nil {
		return sides, fmt.Errorf("finding this program: %w", err)
	}
	bare := slices.DeleteFunc(slices.Clone(l.argv), func(arg string) bool {
		return arg == l.adapter.Launch.Structured
	})
	env := environment(l.pathDir)
	sides[0] = demoSide{"without Moiré", bare, env}
	own := append([]string{self, "--upstream", c.Upstream, "--"}, flags...)
	sides[1] = demoSide{"with Moiré", own, env}
	return sides, nil
}

// readBoth reads with both at once. The first that fails ends the other; but
// what the bare upstream says of a failure is worth a second, for Moiré lets
// through no words of an error that it does not know.
func readBoth(ctx context.Context, s *streams, sides [2]demoSide, url string) (
	readings [2]demoReading, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var errs [2]error
	var wg sync.WaitGroup
	for i, side := range sides {
		wg.Go(func() {
			readings[i], errs[i] = side.read(ctx, url)
			switch {
			case errs[i] == nil:
				fmt.Fprintf(s.err, "moire: read %s\n", side.name)
			case i == 0:
				cancel()
			default:
				time.AfterFunc(time.Second, cancel)
			}
		})
	}
	wg.Wait()
	if errs[0] == nil || errors.Is(errs[0], context.Canceled) && errs[1] != nil {
		return readings, errs[1]
	}
	return readings, errs[0]
}

func (c *demoCmd) show(s *streams, page *demoPage, r [2]demoReading) error {
	wide, terminal := screen(s.out, s.getenv)
	out := newColumns(s.out, wide, terminal && s.getenv("NO_COLOR") == "")
	rows := pair(snapshotLines(r[0].snapshot), snapshotLines(r[1].snapshot))
	err := out.print("What an agent reads today", "What it reads through Moiré", rows)
	if err != nil {
		return fmt.Errorf("printing the columns: %w", err)
	}
	if page == nil {
		less := 0
		for _, row := range rows {
			if row.less {
				less++
			}
		}
		_, err := fmt.Fprintf(s.out, "\n"+
			"lines that are gone or shorter:   %d of %d\n"+
			"strings withheld, says Moiré:     %d\n",
			less, len(snapshotLines(r[0].snapshot)), r[1].withheld)
		return err
	}
	return judge(page, r[0], r[1]).report(s.out)
}

// screen is how wide to print, and whether a terminal shows it.
func screen(out io.Writer, getenv func(string) string) (int, bool) {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, true
		}
		return 80, true
	}
	if w, err := strconv.Atoi(getenv("COLUMNS")); err == nil && w > 0 {
		return w, false
	}
	return 140, false
}

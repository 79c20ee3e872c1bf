// Package cli is the command line: one file a command. Standard output carries
// MCP only, for the command that serves it; everything a person reads goes to
// standard error: "moire: error: …", then "moire: hint: …".
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Version is ours; the build sets it.
var Version = "0.1.0-dev"

type root struct {
	Run       runCmd       `cmd:"" default:"withargs" help:"Stand between an agent and a browser MCP server (the default command)."`
	Demo      demoCmd      `cmd:"" help:"Show what an agent reads of a page with and without Moiré."`
	Adapter   adapterCmd   `cmd:"" help:"Check a table of your own for an upstream that Moiré does not know."`
	Pins      pinsCmd      `cmd:"" help:"Show and accept definitions of tools that have changed."`
	Approvals approvalsCmd `cmd:"" help:"Show the questions that running Moirés have for you."`
	Allow     approveCmd   `cmd:"" help:"Say yes to a question; asks for your presence code."`
	Refuse    refuseCmd    `cmd:"" help:"Say no to a question."`
	Presence  presenceCmd  `cmd:"" help:"Set the code by which you prove to be there."`
	State     stateCmd     `cmd:"" help:"Show and clear what Moiré remembers of what agents have read."`
	Audit     auditCmd     `cmd:"" help:"Verify, show and replay the record of decisions."`
	Policy    policyCmd    `cmd:"" help:"Write, check, explain and test policies."`
	Version   versionCmd   `cmd:"" help:"Print the version."`
}

const description = `Moiré gives an AI agent only what a person could see on a page.

Put it in place of the browser MCP server in a client's configuration:

  moire --upstream chrome-devtools-mcp [flags] [-- flags of the upstream]
  moire [flags] -- command of any browser MCP server and its arguments

Every flag can be given as MOIRE_<FLAG> in the environment as well.`

// io are the process's streams.
type streams struct {
	in     io.ReadCloser
	out    io.WriteCloser
	err    io.Writer
	getenv func(string) string
	// lines are what is left of in for those who ask for lines.
	lines *bufio.Reader
}

// hinted is an error with a remedy for a person.
type hinted struct {
	err  error
	hint string
}

func (e *hinted) Error() string { return e.err.Error() }
func (e *hinted) Unwrap() error { return e.err }

// Main runs a command and returns the exit status: 0, 1 for a failure, 2 for a
// wrong command line.
func Main(args []string, in io.ReadCloser, out io.WriteCloser, errw io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var r root
	exit := -1
	parser, err := kong.New(&r, kong.Name("moire"), kong.Description(description),
		kong.DefaultEnvars("MOIRE"), kong.UsageOnError(), kong.Writers(errw, errw),
		kong.Exit(func(code int) { exit = code }),
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true, FlagsLast: true}))
	if err != nil {
		fmt.Fprintf(errw, "moire: error: %v\n", err)
		return 2
	}
	k, err := parser.Parse(args)
	if exit >= 0 {
		return exit // help was printed
	}
	if err != nil {
		fmt.Fprintf(errw, "moire: error: %v\nmoire: hint: moire --help\n", err)
		return 2
	}
	k.BindTo(ctx, (*context.Context)(nil))
	if err := k.Run(&streams{in: in, out: out, err: errw, getenv: os.Getenv}); err != nil {
		return report(errw, err)
	}
	return 0
}

func report(errw io.Writer, err error) int {
	fmt.Fprintf(errw, "moire: error: %v\n", err)
	var h *hinted
	var own interface{ Hint() string }
	switch {
	case errors.As(err, &h):
		fmt.Fprintf(errw, "moire: hint: %s\n", h.hint)
	case errors.As(err, &own):
		fmt.Fprintf(errw, "moire: hint: %s\n", own.Hint())
	}
	return 1
}

type versionCmd struct{}

func (versionCmd) Run(s *streams) error {
	_, err := fmt.Fprintln(s.err, "moire "+Version)
	return err
}

package upstream

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// errInterpreter is the cause when a script's "#!" names nothing that exists.
var errInterpreter = errors.New("the script's interpreter does not exist")

// ExitError is how the child ended, or why it did not start.
type ExitError struct {
	Argv0  string
	Code   int    // -1 if it did not start or a signal ended it
	Signal string // name of that signal
	// Tail are its last lines on standard error, cleaned. They may hold a
	// page's words: for a person's log, not for the agent.
	Tail   []string
	Uptime time.Duration
	Spoke  bool  // it sent at least one frame
	Asked  bool  // Process.Close had been called
	Cause  error // why it did not start
}

func (e *ExitError) Error() string {
	name := filepath.Base(e.Argv0)
	switch {
	case e.Cause != nil:
		return fmt.Sprintf("starting upstream %q: %v", name, e.Cause)
	case e.Signal != "":
		return fmt.Sprintf("upstream %q was ended by signal %q after %v", name, e.Signal,
			e.Uptime.Round(time.Millisecond))
	default:
		return fmt.Sprintf("upstream %q exited with code %d after %v", name, e.Code,
			e.Uptime.Round(time.Millisecond))
	}
}

// Unwrap gives the system's error when the child did not start.
func (e *ExitError) Unwrap() error { return e.Cause }

// symptom is a mark in the last lines and what it means. Early ones count only
// for a child that never spoke: later a page's own network errors look alike.
type symptom struct {
	early         bool
	marks         []string
	cause, remedy string
}

// symptoms are looked up in order; the first that matches speaks. The marks are
// what npm, Node, puppeteer and Playwright print.
func symptoms() []symptom {
	return []symptom{
		{true, []string{"enotcached"}, "npm is offline and the package is not in its cache",
			"connect once, or install the package"},
		{true, []string{"code e404"}, "npm's registry has no such package",
			"check the package's name and your registry setting"},
		{true, []string{"code etarget"}, "npm's registry has no such version",
			"check the version, or leave it out to get the tested one"},
		{true, []string{"code e401", "code e403", "code eneedauth"},
			"npm's registry refused access", "log in to the registry, or check its setting"},
		{true, []string{"eai_again", "enotfound", "econnrefused", "etimedout", "econnreset"},
			"npm could not reach its registry",
			"check the network or proxy, or install the package beforehand"},
		{true, []string{"ebadengine", "unsupported engine", "does not support node",
			"requires node"},
			"the installed Node.js is too old for it", "install a newer Node.js"},
		{true, []string{"env: node", "env: 'node'", "env: ‘node’", "node: not found",
			"node: command not found", "node: no such file"},
			"node is not on its PATH", "set PATH in the client's configuration"},
		{true, []string{"cannot find module", "err_module_not_found"},
			"its installation is incomplete", "install the package again"},
		{true, []string{"unknown argument", "unknown option", "unrecognized option"},
			"it does not know one of its options",
			"check the options and the upstream's version"},
		{false, []string{"could not find chrom", "could not find google chrome",
			"browser was not found", "executable doesn't exist",
			"distribution 'chrome' is not found",
			"please run the following command to download new browsers"},
			"it found no browser",
			"install the browser, or give its path by the upstream's option"},
		{false, []string{"no-sandbox", "no usable sandbox"},
			"the browser could not set up its sandbox",
			"run as a user other than root, or allow user namespaces"},
		{false, []string{"missing x server", "$display"}, "the browser found no display",
			"use the upstream's headless option"},
		{false, []string{"already running for", "profile appears to be in use"},
			"another browser uses the same profile",
			"close it, or use the upstream's option for an isolated profile"},
	}
}

// Diagnose names the probable cause and a remedy, in one sentence of our own
// words: nothing the child printed is in it.
func (e *ExitError) Diagnose() string {
	name := fmt.Sprintf("upstream %q", filepath.Base(e.Argv0))
	say := func(cause, remedy string) string { return name + ": " + cause + "; " + remedy }
	switch {
	case errors.Is(e.Cause, errInterpreter):
		return say("the program that its script names does not exist", "install Node.js")
	case errors.Is(e.Cause, exec.ErrNotFound), errors.Is(e.Cause, fs.ErrNotExist):
		return say("not found", "install it, or name it by an absolute path")
	case errors.Is(e.Cause, fs.ErrPermission):
		return say("not executable by this user", "check its mode and its directory's")
	case e.Cause != nil:
		return say("the system could not start it", "start the same command by hand")
	case e.Asked:
		return say("ended because it was asked to", "nothing is wrong")
	}
	text := strings.ToLower(strings.Join(e.Tail, "\n"))
	for _, s := range symptoms() {
		for _, mark := range s.marks {
			if (!s.early || !e.Spoke) && strings.Contains(text, mark) {
				return say(s.cause, s.remedy)
			}
		}
	}
	return e.diagnoseCode(say)
}

// diagnoseCode is what can be told without its words.
func (e *ExitError) diagnoseCode(say func(cause, remedy string) string) string {
	switch {
	case e.Signal == "killed":
		return say("the system or a person killed it", "check for a lack of memory")
	case e.Signal != "":
		return say(fmt.Sprintf("signal %q ended it", e.Signal), "see its log for a crash")
	case e.Code == 127:
		return say("a command it needs was not found", "check PATH in the client's configuration")
	case e.Code == 126:
		return say("a command it needs is not executable", "check its mode")
	case !e.Spoke && e.Code == 0:
		return say("exited before it spoke MCP, without an error",
			"check that the command is an MCP server on standard input and output")
	case !e.Spoke:
		return say(fmt.Sprintf("exited with code %d before it spoke MCP", e.Code),
			"start the same command by hand and read its error")
	default:
		return say(fmt.Sprintf("exited with code %d", e.Code), "see its log")
	}
}

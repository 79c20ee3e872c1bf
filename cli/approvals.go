package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/term"

	"moire/approval"
	"moire/policy"
	"moire/proxy"
	"moire/state"
)

// Store is the flag of commands that use the state directory.
type Store struct {
	StateDir string `help:"Where Moiré keeps its record, your answers' code and what you have accepted; the system's own place if it is not given." placeholder:"DIR" type:"path"`
}

func (s Store) open() (*state.Dir, error) { return state.Open(state.Config{Dir: s.StateDir}) }

// socketGlob are the sockets of running Moirés in the state directory.
const (
	socketGlob   = "approvals-*.sock"
	presenceFile = "presence.json"
)

// asker puts the proxy's questions into a queue.
type asker struct{ queue *approval.Queue }

func (a asker) Ask(ctx context.Context, q proxy.Question) proxy.Answer {
	got := a.queue.Ask(ctx, approval.Question{Key: q.Key, Tool: q.Tool, Why: q.Why, Rules: q.Rules, Facts: q.Facts})
	return proxy.Answer{Allowed: got.Allowed, Pending: got.Pending, ID: got.ID}
}

// approver makes the queue of a session and its socket. Without either nobody can
// be asked, which is said.
func approver(dir *state.Dir, log *slog.Logger) (proxy.Approver, func()) {
	raw, err := dir.ReadFile(presenceFile)
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = nil, nil
	}
	var presence *approval.Presence
	if err == nil {
		presence, err = approval.NewPresence(raw)
	}
	if err != nil {
		log.Warn("nobody can be asked: what needs a person's approval is refused", "error", err)
		return nil, func() {}
	}
	queue := approval.New(approval.Config{Clock: realClock{}, Expiry: approval.Expiry, Patience: approval.Patience, Notify: func(i approval.Item) {
		log.Warn("the agent waits for your approval", "question", i.ID, "tool", i.Tool, "why", i.Why, "answer", "moire allow "+i.ID+", or moire refuse "+i.ID)
	}})
	_ = alive(dir) // sockets of Moirés that were killed are removed
	server, err := approval.Serve(filepath.Join(dir.Path(), fmt.Sprintf("approvals-%d.sock", os.Getpid())), queue, presence)
	if err != nil {
		log.Warn("nobody can be asked: what needs a person's approval is refused", "error", err)
		return nil, func() {}
	}
	return asker{queue}, func() { _ = server.Close() } // its file goes with it
}

// running are the sockets of Moirés that answer.
func (s Store) running() ([]string, error) {
	dir, err := s.open()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return alive(dir), nil
}

// alive are the sockets that somebody listens on; those of killed Moirés are removed.
func alive(dir *state.Dir) []string {
	paths, err := filepath.Glob(filepath.Join(dir.Path(), socketGlob))
	if err != nil {
		return nil // the pattern is sound
	}
	var out []string
	for _, path := range paths {
		_, err := approval.List(path)
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			_ = os.Remove(path) // its Moiré was killed
		case err == nil:
			out = append(out, path)
		}
	}
	return out
}

type approvalsCmd struct{ Store }

func (c *approvalsCmd) Run(s *streams) error {
	sockets, err := c.running()
	if err != nil {
		return err
	}
	n := 0
	for _, path := range sockets {
		items, err := approval.List(path)
		if err != nil {
			return err
		}
		for _, i := range items {
			n++
			fmt.Fprintf(s.out, "%s  %s: %s\n", i.ID, printable(i.Tool), printable(i.Why))
			for _, line := range described(i.Facts) {
				fmt.Fprintf(s.out, "        %s\n", printable(line))
			}
			fmt.Fprintf(s.out, "        asked %s, until %s\n", i.Asked.Local().Format("15:04:05"), i.Expires.Local().Format("15:04:05"))
		}
	}
	switch {
	case len(sockets) == 0:
		fmt.Fprintln(s.err, "moire: no Moiré is running")
	case n == 0:
		fmt.Fprintln(s.err, "moire: nothing waits for you")
	default:
		fmt.Fprintln(s.err, "moire: answer with moire allow ID or moire refuse ID")
	}
	return nil
}

// described tells a person what an act is about: origins and classes, no word of a
// page.
func described(f policy.Facts) []string {
	var out []string
	if f.Page != nil {
		out = append(out, "on "+orNone(f.Page.Origin))
	}
	for _, t := range f.Targets {
		line := t.Tag
		if t.Role != "" && t.Role != t.Tag {
			line += ", " + t.Role
		}
		if t.Field != "" {
			line += ", field for " + t.Field
		}
		if t.Act != "" {
			line += ", would " + t.Act
		}
		if t.Frame != "" && (f.Page == nil || t.Frame != f.Page.Origin) {
			line += ", in a frame of " + t.Frame
		}
		if t.Form != nil && t.Submits {
			line += ", sends a form to " + orNone(t.Form.Action.Origin)
			if len(t.Form.Fields) > 0 {
				line += " with " + strings.Join(t.Form.Fields, ", ")
			}
		}
		if t.Link != nil {
			line += ", leads to " + orNone(t.Link.Origin)
		}
		out = append(out, line)
	}
	if f.To != nil {
		out = append(out, "to "+orNone(f.To.Origin))
	}
	for _, file := range f.Files {
		out = append(out, fmt.Sprintf("a file of %d bytes (%s)", file.Bytes, file.Class))
	}
	if f.Text != nil {
		out = append(out, fmt.Sprintf("types %d bytes", f.Text.Bytes))
	}
	return out
}

func orNone(origin string) string {
	if origin == "" {
		return "a page without an address"
	}
	return origin
}

type approveCmd struct {
	Store
	ID string `arg:"" help:"The question, as moire approvals names it."`
}

func (c *approveCmd) Run(s *streams) error {
	code, err := secret(s, "Your presence code: ")
	if err != nil {
		return err
	}
	return c.answer(s, c.ID, true, code)
}

type refuseCmd struct {
	Store
	ID string `arg:"" help:"The question, as moire approvals names it."`
}

func (c *refuseCmd) Run(s *streams) error { return c.answer(s, c.ID, false, "") }

// answer goes to the Moiré that has the question.
func (s Store) answer(io *streams, id string, allow bool, code string) error {
	sockets, err := s.running()
	if err != nil {
		return err
	}
	for _, path := range sockets {
		items, err := approval.List(path)
		if err != nil {
			continue
		}
		for _, i := range items {
			if i.ID != strings.ToLower(id) {
				continue
			}
			err := approval.Send(path, i.ID, allow, code)
			if err != nil && err.Error() == approval.ErrNoCode.Error() {
				return &hinted{err, "moire presence sets one; then start the agent's session anew"}
			}
			if err == nil {
				fmt.Fprintf(io.err, "moire: %s is %s\n", i.ID, map[bool]string{true: "allowed", false: "refused"}[allow])
			}
			return err
		}
	}
	return &hinted{fmt.Errorf("no running Moiré has a question %s", printable(id)), "moire approvals lists them"}
}

type presenceCmd struct{ Store }

func (c *presenceCmd) Run(s *streams) error {
	dir, err := c.open()
	if err != nil {
		return err
	}
	defer dir.Close()
	// Who replaces a code has to know it.
	if err := prove(s, dir); err != nil && !errors.Is(err, approval.ErrNoCode) {
		return err
	}
	code, err := secret(s, "A new presence code: ")
	if err != nil {
		return err
	}
	raw, err := approval.HashCode(code)
	if err != nil {
		return err
	}
	if err := dir.WriteFile(presenceFile, raw); err != nil {
		return err
	}
	fmt.Fprintln(s.err, "moire: the code is set; sessions that run now do not know it yet")
	return nil
}

// prove has the person prove to be there. [approval.ErrNoCode] if none is set up.
func prove(s *streams, dir *state.Dir) error {
	raw, err := dir.ReadFile(presenceFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &hinted{approval.ErrNoCode, "moire presence sets one"}
	}
	if err != nil {
		return err
	}
	presence, err := approval.NewPresence(raw)
	if err != nil {
		return &hinted{err, "remove " + filepath.Join(dir.Path(), presenceFile)}
	}
	code, err := secret(s, "Your presence code: ")
	if err != nil {
		return err
	}
	return presence.Check(code, realClock{}.Now())
}

// secret reads a line that is not shown. It is never taken from the command line,
// which other processes can read.
func secret(s *streams, prompt string) (string, error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(s.err, prompt)
		raw, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(s.err)
		return string(raw), err
	}
	if s.lines == nil {
		s.lines = bufio.NewReader(io.LimitReader(s.in, 4096))
	}
	line, err := s.lines.ReadString('\n')
	if err != nil && line == "" {
		return "", &hinted{errors.New("no code was given"), "run it in a terminal, or give the code on standard input"}
	}
	return strings.TrimRight(line, "\r\n"), nil
}

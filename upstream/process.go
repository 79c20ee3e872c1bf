package upstream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"moire/wire"
)

const (
	// tailGrace is how long the last words on standard error may take; a
	// grandchild that inherited it could keep it open for ever.
	tailGrace = 250 * time.Millisecond
	// killGrace is how long the system may take to end what was killed.
	killGrace = 2 * time.Second
	pollEvery = 10 * time.Millisecond
)

// Config says what to run and how patiently to end it.
type Config struct {
	Argv   []string // Argv[0] is best absolute, see Resolve
	Env    []string // nil means this process's
	Dir    string   // empty means this process's
	Limits wire.Limits
	// StdinGrace is the time to leave after standard input is closed,
	// TermGrace the time to leave after SIGTERM. A browser's profile is
	// written in this time.
	StdinGrace, TermGrace time.Duration
	// Stderr gets cleaned lines, at most stderrRate a second. It may be nil,
	// and should not block: the child would.
	Stderr func(line string)
	Logger *slog.Logger
}

// Validate names the first field that is missing or senseless.
func (c Config) Validate() error {
	switch {
	case len(c.Argv) == 0 || c.Argv[0] == "":
		return errors.New("configuring upstream: no command")
	case c.StdinGrace <= 0 || c.TermGrace <= 0:
		return errors.New("configuring upstream: a grace time is not positive")
	case c.Logger == nil:
		return errors.New("configuring upstream: no logger")
	}
	if err := c.Limits.Validate(); err != nil {
		return fmt.Errorf("configuring upstream: %w", err)
	}
	return nil
}

// Process is a started child. Close it, also when it ended by itself.
type Process struct {
	cfg     Config
	cmd     *exec.Cmd
	group   *group
	conn    *countingConn
	stdin   *os.File
	stderr  *os.File
	tail    *tail
	started time.Time
	asked   atomic.Bool // Close was called
	exit    *ExitError  // set before done is closed

	done chan struct{} // the child is gone
	gone chan struct{} // so is its group
}

// Start runs the child. A command that can't be run is an *ExitError.
func Start(cfg Config) (*Process, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	pipes, err := openPipes()
	if err != nil {
		return nil, fmt.Errorf("opening pipes: %w", err)
	}
	p := &Process{
		cfg:    cfg,
		cmd:    exec.Command(cfg.Argv[0], cfg.Argv[1:]...),
		stdin:  pipes[0].w,
		stderr: pipes[2].r,
		tail:   &tail{report: cfg.Stderr, now: time.Now},
		done:   make(chan struct{}),
		gone:   make(chan struct{}),
	}
	p.cmd.Env, p.cmd.Dir = cfg.Env, cfg.Dir
	// Files, not writers: Wait must not wait for grandchildren that hold them.
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = pipes[0].r, pipes[1].w, pipes[2].w
	p.group = newGroup(p.cmd)
	p.started = time.Now()
	err = p.cmd.Start()
	closeAll(pipes[0].r, pipes[1].w, pipes[2].w)
	if err == nil {
		err = p.group.adopt(p.cmd.Process)
	}
	if err != nil {
		closeAll(pipes[0].w, pipes[1].r, pipes[2].r)
		return nil, &ExitError{Argv0: cfg.Argv[0], Code: -1, Cause: startCause(cfg.Argv[0], err)}
	}
	p.conn = &countingConn{Conn: wire.NewLineConn(pipes[1].r, pipes[0].w, cfg.Limits)}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		p.tail.drain(p.stderr)
	}()
	go p.wait(heard)
	cfg.Logger.Debug("upstream started", "pid", p.cmd.Process.Pid)
	return p, nil
}

// startCause tells a missing file from a missing interpreter of a script: the
// system's error is the same.
func startCause(argv0 string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if _, statErr := os.Stat(argv0); statErr == nil {
			return errInterpreter
		}
	}
	return err
}

// Conn is the child's standard input and output. Read has one caller: the Link.
func (p *Process) Conn() wire.Conn { return p.conn }

// Done is closed when the child is gone and Err is set.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is an *[ExitError], or nil while the child runs.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.exit
	default:
		return nil
	}
}

// wait collects the child and then ends what it left behind.
func (p *Process) wait(heard <-chan struct{}) {
	_ = p.cmd.Wait() // what it says is in ProcessState
	select {
	case <-heard:
	case <-time.After(tailGrace):
	}
	p.exit = &ExitError{
		Argv0:  p.cfg.Argv[0],
		Code:   p.cmd.ProcessState.ExitCode(),
		Signal: signalName(p.cmd.ProcessState),
		Tail:   p.tail.lines(),
		Uptime: time.Since(p.started),
		Spoke:  p.conn.spoke.Load(),
		Asked:  p.asked.Load(),
	}
	close(p.done)
	p.sweep()
	_ = p.stderr.Close()
	select {
	case <-heard:
	case <-time.After(tailGrace): // Windows: Close does not end a Read
	}
	close(p.gone)
}

// sweep ends the rest of the group once its leader is gone: browsers and
// helpers that nobody would end otherwise. They get SIGTERM first.
func (p *Process) sweep() {
	if !p.group.alive() {
		return
	}
	p.group.terminate()
	if !p.group.emptyWithin(p.cfg.TermGrace) {
		p.group.kill()
		p.group.emptyWithin(killGrace)
	}
}

// Close ends the child as the specification says for stdio, and returns when
// nothing of its group is left. If ctx ends, it goes on to SIGKILL at once.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#shutdown
func (p *Process) Close(ctx context.Context) error {
	p.asked.Store(true)
	// "1. First, closing the input stream to the child process (the server)"
	_ = p.stdin.Close() // already closed, if called again
	// "2. Waiting for the server to exit, or sending SIGTERM if the server does
	// not exit within a reasonable time"
	if !p.goneWithin(ctx, p.cfg.StdinGrace) {
		p.group.terminate()
	}
	// "3. Sending SIGKILL if the server does not exit within a reasonable time
	// after SIGTERM"
	if !p.goneWithin(ctx, p.cfg.TermGrace) {
		p.group.kill()
	}
	// Twice, because wait's own sweep may begin only now.
	ended := p.goneWithin(context.WithoutCancel(ctx), p.cfg.TermGrace+2*killGrace)
	_ = p.conn.Close() // its pipes are closed with an error if they were before
	p.group.close()
	if !ended {
		return errors.New("ending upstream: its process group is still there after SIGKILL")
	}
	return nil
}

func (p *Process) goneWithin(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.gone:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// countingConn notes whether the child ever spoke the protocol.
type countingConn struct {
	wire.Conn
	spoke atomic.Bool
}

func (c *countingConn) Read(ctx context.Context) ([]byte, error) {
	frame, err := c.Conn.Read(ctx)
	if err == nil {
		c.spoke.Store(true)
	}
	return frame, err
}

type pipe struct{ r, w *os.File }

func openPipes() (pipes [3]pipe, err error) {
	for i := range pipes {
		pipes[i].r, pipes[i].w, err = os.Pipe()
		if err != nil {
			for _, p := range pipes[:i] {
				closeAll(p.r, p.w)
			}
			return pipes, err
		}
	}
	return pipes, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

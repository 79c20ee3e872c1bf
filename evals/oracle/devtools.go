package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Chromium's flags of a headless test, for the oracle's own browser and for
// the upstream's: layout must be the same in all, names must not leave here.
var chromeFlags = []string{"--disable-gpu", "--disable-background-networking", "--disable-quic",
	"--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
	"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"}

// The viewport in CSS pixels, which are screen pixels here.
const viewWidth, viewHeight = 1280, 720

// browserPath is the Chromium of the tests.
func browserPath() string {
	if path := os.Getenv("MOIRE_TEST_BROWSER"); path != "" {
		return path
	}
	return "/usr/bin/chromium"
}

// flags are chromeFlags and what root needs.
func flags() []string {
	if os.Getuid() == 0 {
		return append([]string{"--no-sandbox"}, chromeFlags...)
	}
	return chromeFlags
}

// devtools is a browser of its own and one page of it, over a pipe: messages
// are JSON that ends with a NUL, on the browser's descriptors 3 and 4.
// https://chromedevtools.github.io/devtools-protocol/
type devtools struct {
	cmd     *exec.Cmd
	profile string
	out     io.WriteCloser
	session string
	done    chan struct{}

	mu     sync.Mutex
	next   int
	wait   map[int]chan message
	loaded chan struct{}
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// launch starts a browser with a fresh profile and opens a page. The caller
// closes it.
func launch(ctx context.Context) (*devtools, error) {
	profile, err := os.MkdirTemp("", "moire-oracle-")
	if err != nil {
		return nil, fmt.Errorf("making a profile: %w", err)
	}
	d := &devtools{profile: profile, done: make(chan struct{}), wait: map[int]chan message{},
		loaded: make(chan struct{}, 1)}
	if err := d.start(); err != nil {
		os.RemoveAll(profile)
		return nil, err
	}
	if err := d.open(ctx); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *devtools) start() error {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		out.Close()
		return fmt.Errorf("making a pipe: %w", err)
	}
	d.out = out
	d.cmd = exec.Command(browserPath(), append(flags(), "--headless", "--remote-debugging-pipe",
		"--mute-audio", "--user-data-dir="+d.profile, "about:blank")...)
	d.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	err = d.cmd.Start()
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		in.Close()
		out.Close()
		return fmt.Errorf("starting the browser: %w", err)
	}
	go d.read(in)
	return nil
}

// read takes messages until the browser ends.
func (d *devtools) read(in io.ReadCloser) {
	defer close(d.done)
	defer in.Close()
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		raw, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw[:len(raw)-1], &m) != nil {
			return
		}
		d.mu.Lock()
		answer := d.wait[m.ID]
		delete(d.wait, m.ID)
		d.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case m.Method == "Page.loadEventFired":
			select {
			case d.loaded <- struct{}{}:
			default: // nobody waits
			}
		case m.Method == "Page.javascriptDialogOpening":
			_, _ = d.send("Page.handleJavaScriptDialog", map[string]any{"accept": false})
		}
	}
}

func (d *devtools) open(ctx context.Context) error {
	var target struct{ TargetID string }
	if err := d.call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	var attached struct{ SessionID string }
	err := d.call(ctx, "Target.attachToTarget",
		map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.session = attached.SessionID
	d.mu.Unlock()
	for _, method := range []string{"Page.enable", "DOM.enable", "CSS.enable", "DOMSnapshot.enable"} {
		if err := d.call(ctx, method, nil, nil); err != nil {
			return err
		}
	}
	return d.call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": viewWidth,
		"height": viewHeight, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// send writes a command and returns where its answer will come.
func (d *devtools) send(method string, params any) (<-chan message, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next++
	raw, err := json.Marshal(message{ID: d.next, Method: method, Params: params, SessionID: d.session})
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", method, err)
	}
	answer := make(chan message, 1)
	d.wait[d.next] = answer
	if _, err := d.out.Write(append(raw, 0)); err != nil {
		return nil, fmt.Errorf("sending %s: %w", method, err)
	}
	return answer, nil
}

// call sends a command and decodes its result into out, unless that is nil.
func (d *devtools) call(ctx context.Context, method string, params, out any) error {
	answer, err := d.send(method, params)
	if err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("calling %s: %s", method, m.Error.Message)
		}
		if out == nil {
			return nil
		}
		if err := json.Unmarshal(m.Result, out); err != nil {
			return fmt.Errorf("decoding %s: %w", method, err)
		}
		return nil
	case <-d.done:
		return fmt.Errorf("calling %s: %w", method, errors.New("the browser ended"))
	case <-ctx.Done():
		return fmt.Errorf("calling %s: %w", method, ctx.Err())
	}
}

// navigate returns when the page has loaded.
func (d *devtools) navigate(ctx context.Context, url string) error {
	select {
	case <-d.loaded:
	default:
	}
	if err := d.call(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return err
	}
	select {
	case <-d.loaded:
		return nil
	case <-d.done:
		return errors.New("loading a page: the browser ended")
	case <-ctx.Done():
		return fmt.Errorf("loading a page: %w", ctx.Err())
	}
}

// close ends the browser and removes its profile.
func (d *devtools) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	d.mu.Lock()
	d.session = "" // Browser.close is the browser's
	d.mu.Unlock()
	if d.call(ctx, "Browser.close", nil, nil) != nil {
		_ = d.cmd.Process.Kill()
	}
	d.out.Close()
	_ = d.cmd.Wait() // how it ended is no news: it was told to
	os.RemoveAll(d.profile)
}

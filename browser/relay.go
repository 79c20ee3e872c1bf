package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

// RelayConfig says where the person's own browser listens.
type RelayConfig struct {
	// Endpoint finds the address of the browser's DevTools socket; it is asked
	// anew each time the upstream connects.
	Endpoint func(context.Context) (string, error)
	// Header goes with the connection to the browser.
	Header http.Header
	// World, Reads and Sources are as in [HostConfig].
	World, Reads string
	Sources      bool
	Logger       *slog.Logger
}

// Relay stands in for a browser that already runs: the upstream connects to
// [Relay.URL], and a [Wire] joins it to the browser. Close it.
type Relay struct {
	current
	cfg RelayConfig
	at  *loopback
	// into is where the browser that runs now is kept.
	into *current
}

// NewRelay begins to listen on 127.0.0.1, at an address that can't be guessed.
func NewRelay(cfg RelayConfig) (*Relay, error) {
	if cfg.Endpoint == nil || cfg.Logger == nil {
		return nil, errors.New("configuring the browser relay: no endpoint, or no logger")
	}
	r := &Relay{cfg: cfg}
	r.into = &r.current
	var err error
	r.at, err = listenLoopback(r)
	return r, err
}

// URL is the WebSocket address that the upstream has to connect to.
func (r *Relay) URL() string { return r.at.url() }

// Close ends the connections; the browser goes on.
func (r *Relay) Close() error {
	err := r.at.close()
	r.cut()
	return err
}

// ServeHTTP takes the upstream's connection.
func (r *Relay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if !r.at.invited(q.URL.Path) {
		http.NotFound(w, q)
		return
	}
	if r.into.Tabs() != nil { // one upstream, one connection
		http.Error(w, "the relay is in use", http.StatusConflict)
		return
	}
	ctx, cancel := context.WithTimeout(q.Context(), dialGrace)
	defer cancel()
	endpoint, err := r.cfg.Endpoint(ctx)
	if err != nil {
		r.cfg.Logger.Warn("the browser is not reached", "error", err)
		http.Error(w, "the browser is not reached", http.StatusBadGateway)
		return
	}
	up, down, ok := join(ctx, w, q, endpoint, r.cfg.Header, r.cfg.Logger)
	if !ok {
		return
	}
	pages := newPages(pagesConfig{r.cfg.World, r.cfg.Reads, r.cfg.Sources, r.cfg.Logger})
	pages.wire = newWire(Ends{
		FromUpstream: &socketReader{c: up}, ToUpstream: &socketWriter{c: up},
		FromBrowser: &socketReader{c: down}, ToBrowser: &socketWriter{c: down},
	}, pages, r.cfg.Logger)
	if !r.into.set(pages) {
		_, _ = up.CloseNow(), down.CloseNow()
		return
	}
	pages.wire.start()
	<-pages.wire.Done()
}

// dialGrace is how long a person may take to let us in: Chrome asks for
// --autoConnect.
const dialGrace = time.Minute

// socketReader makes messages of a socket look like those of a pipe.
type socketReader struct {
	c       *websocket.Conn
	message io.Reader
}

func (s *socketReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if s.message == nil {
		s.c.SetReadLimit(MaxFrame)
		_, m, err := s.c.Reader(context.Background()) // ends with Close
		if err != nil {
			return 0, socketEnd(err)
		}
		s.message = m
	}
	n, err := s.message.Read(p)
	switch {
	case n > 0 && (err == nil || errors.Is(err, io.EOF)):
		return n, nil
	case errors.Is(err, io.EOF):
		s.message = nil
		p[0] = 0
		return 1, nil
	case err != nil:
		return n, socketEnd(err)
	}
	return n, nil
}

func (s *socketReader) Close() error { return s.c.CloseNow() }

// socketEnd tells an orderly end from others.
func socketEnd(err error) error {
	if websocket.CloseStatus(err) != -1 || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) {
		return io.EOF
	}
	return err
}

// socketWriter cuts what is written at the NUL bytes into messages.
type socketWriter struct {
	c       *websocket.Conn
	message io.WriteCloser
}

func (s *socketWriter) Write(p []byte) (int, error) {
	n := 0
	for len(p) > 0 {
		part, rest, end := bytes.Cut(p, []byte{0})
		if s.message == nil {
			m, err := s.c.Writer(context.Background(), websocket.MessageText)
			if err != nil {
				return n, fmt.Errorf("writing to a socket: %w", err)
			}
			s.message = m
		}
		if _, err := s.message.Write(part); err != nil {
			return n, fmt.Errorf("writing to a socket: %w", err)
		}
		n += len(part)
		if end {
			if err := s.message.Close(); err != nil {
				return n, fmt.Errorf("writing to a socket: %w", err)
			}
			s.message = nil
			n++
		}
		p = rest
	}
	return n, nil
}

func (s *socketWriter) Close() error { return s.c.CloseNow() }

// DebuggingURL finds the socket of a browser by the address of its debugging
// port: https://chromedevtools.github.io/devtools-protocol/#endpoints.
func DebuggingURL(base string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		u, err := url.Parse(base)
		if err != nil {
			return "", fmt.Errorf("reading the address of the debugging port: %w", err)
		}
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("json/version").String(), nil)
		if err != nil {
			return "", fmt.Errorf("asking the debugging port: %w", err)
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			return "", fmt.Errorf("asking the debugging port: %w", err)
		}
		defer answer.Body.Close()
		var v struct {
			URL string `json:"webSocketDebuggerUrl"`
		}
		if err := json.NewDecoder(io.LimitReader(answer.Body, maxLink)).Decode(&v); err != nil || v.URL == "" {
			return "", errors.New("asking the debugging port: it names no socket")
		}
		return v.URL, nil
	}
}

// ActivePort finds the socket of a browser by the file that it writes into its
// profile.
func ActivePort(profile string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		raw, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		if err != nil {
			return "", fmt.Errorf("finding the running browser: %w", err)
		}
		lines := strings.Fields(string(raw))
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "/") {
			return "", errors.New("finding the running browser: DevToolsActivePort names no socket")
		}
		port, err := strconv.ParseUint(lines[0], 10, 16)
		if err != nil {
			return "", errors.New("finding the running browser: DevToolsActivePort names no port")
		}
		return fmt.Sprintf("ws://127.0.0.1:%d%s", port, lines[1]), nil
	}
}

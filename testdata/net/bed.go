package netbed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Hosts that every bed has. Both serve the fixtures, so that a page of one
// can frame a page of the other; all further names reach the collector.
const (
	Shop    = "shop.test"
	Partner = "partner.test"
)

// Config of a bed.
type Config struct {
	Fixtures []Fixture
}

// Bed is a small internet on 127.0.0.1: one listener that answers for every
// host name and keeps a record of all that was asked of it. Methods may be
// called from several goroutines.
type Bed struct {
	addr     string
	server   *http.Server
	done     chan struct{}
	recorder recorder

	mu    sync.RWMutex
	hosts map[string]*http.ServeMux
}

// Start listens on a free port. The caller closes the bed.
func Start(cfg Config) (*Bed, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting test bed: %w", err)
	}
	b := &Bed{
		addr:  listener.Addr().String(),
		done:  make(chan struct{}),
		hosts: map[string]*http.ServeMux{},
	}
	for _, host := range []string{Shop, Partner} {
		b.Handle(host, "GET /{$}", index(cfg.Fixtures))
		for _, f := range cfg.Fixtures {
			b.Handle(host, "GET /p/"+f.Slug, document(f.Page))
			b.Handle(host, "GET /t/"+f.Slug, document(f.Twin))
		}
	}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(b.done)
		_ = b.server.Serve(listener) // ends with Close, the only error there is
	}()
	return b, nil
}

// Close ends all connections and returns when nothing of the bed is left.
func (b *Bed) Close() error {
	err := b.server.Close()
	<-b.done
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handle answers pattern (as of [http.ServeMux]) on a host, which no longer
// is the collector's then.
func (b *Bed) Handle(host, pattern string, handler http.Handler) {
	b.mu.Lock()
	defer b.mu.Unlock()
	mux := b.hosts[host]
	if mux == nil {
		mux = http.NewServeMux()
		b.hosts[host] = mux
	}
	mux.Handle(pattern, handler)
}

// URL has no port: a browser started with ChromeArgs needs none, and pages
// look as they would on the net.
func (b *Bed) URL(host, path string) string { return "http://" + host + path }

// ChromeArgs make Chromium resolve every name to the bed, so that a page which
// gets out gets to the collector and never off this machine.
func (b *Bed) ChromeArgs() []string {
	return []string{"--host-resolver-rules=MAP * " + b.addr + ", EXCLUDE 127.0.0.1"}
}

// Client asks the bed for every host, as a browser with ChromeArgs would. Its
// connections are not kept.
func (b *Bed) Client() *http.Client {
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, b.addr)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
}

// Requests returns what was asked so far, in order of arrival.
func (b *Bed) Requests() []Request { return b.recorder.all() }

// ServeHTTP records and routes by host.
func (b *Bed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.recorder.record(r)
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	b.mu.RLock()
	mux := b.hosts[host]
	b.mu.RUnlock()
	if mux == nil {
		collect(w)
		return
	}
	mux.ServeHTTP(w, r)
}

// collect lets any page send anything: what counts is that it is on record.
func collect(w http.ResponseWriter) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!doctype html><title>Received</title><p>Received</p>\n"))
}

func document(page []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(page)
	})
}

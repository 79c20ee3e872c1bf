package browser

import (
	"context"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// loopback is an address on 127.0.0.1 that can't be guessed, at which an upstream
// finds its browser.
type loopback struct {
	token, addr string
	server      *http.Server
	ended       chan struct{}
}

func listenLoopback(h http.Handler) (*loopback, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the upstream: %w", err)
	}
	l := &loopback{token: token(), addr: ln.Addr().String(), ended: make(chan struct{})}
	l.server = &http.Server{Handler: h, ReadHeaderTimeout: meetGrace}
	go func() {
		defer close(l.ended)
		_ = l.server.Serve(ln) // ends with Close, the only error there is
	}()
	return l, nil
}

func (l *loopback) url() string { return "ws://" + l.addr + "/" + l.token }

// invited reports whether the path of a request holds the token.
func (l *loopback) invited(path string) bool {
	return subtle.ConstantTimeCompare([]byte(strings.TrimPrefix(path, "/")), []byte(l.token)) == 1
}

func (l *loopback) close() error {
	err := l.server.Close()
	<-l.ended
	return err
}

// join connects to the browser and then takes the upstream's connection; ok is
// false if one of the two can't be, which has been answered then.
func join(ctx context.Context, w http.ResponseWriter, q *http.Request, endpoint string, header http.Header, log *slog.Logger) (up, down *websocket.Conn, ok bool) {
	down, _, err := websocket.Dial(ctx, endpoint, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		log.Warn("the browser does not answer", "error", err)
		http.Error(w, "the browser does not answer", http.StatusBadGateway)
		return nil, nil, false
	}
	up, err = websocket.Accept(w, q, nil) // refuses other origins: no page may connect
	if err != nil {
		_ = down.CloseNow()
		return nil, nil, false
	}
	return up, down, true
}

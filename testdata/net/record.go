package netbed

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
)

// MaxBody bounds what is kept of a request's body.
const MaxBody = 64 << 10

// Request is one request that reached the bed.
type Request struct {
	Method string
	// Host is as sent, with a port if there was one.
	Host  string
	Path  string
	Query string
	// Header is the recorder's own copy.
	Header http.Header
	Body   []byte
	// Cut is set if the body went on beyond MaxBody.
	Cut bool
}

type recorder struct {
	mu       sync.Mutex
	requests []Request
}

// record reads the head of the body and puts it back for the handler.
func (c *recorder) record(r *http.Request) {
	head, _ := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), r.Body), r.Body}
	kept := min(len(head), MaxBody)
	req := Request{
		Method: r.Method,
		Host:   r.Host,
		Path:   r.URL.Path,
		Query:  r.URL.RawQuery,
		Header: r.Header.Clone(),
		Body:   bytes.Clone(head[:kept]),
		Cut:    len(head) > kept,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, req)
}

func (c *recorder) all() []Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

package approval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// request and reply are one line of JSON each way; a connection has one of each.
type request struct {
	Op    string `json:"op"`
	ID    string `json:"id,omitempty"`
	Allow bool   `json:"allow,omitempty"`
	Code  string `json:"code,omitempty"`
}

type reply struct {
	Items []Item `json:"items,omitempty"`
	Error string `json:"error,omitempty"`
}

// Server answers the command line on a socket that only its owner can open.
type Server struct {
	listener net.Listener
	queue    *Queue
	presence *Presence
	path     string
}

// maxRequest bounds one request and waitRequest the time for it.
const (
	maxRequest  = 4096
	waitRequest = 10 * time.Second
)

// Serve listens at a path in a directory that only its owner can enter, until
// Close.
func Serve(path string, q *Queue, p *Presence) (*Server, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listening for a person's answers: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listening for a person's answers: %w", err), l.Close())
	}
	s := &Server{l, q, p, path}
	go s.accept()
	return s, nil
}

// Close ends it; the socket's file goes with it.
func (s *Server) Close() error { return s.listener.Close() }

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		go s.serve(c)
	}
}

func (s *Server) serve(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(waitRequest))
	in := bufio.NewReaderSize(c, maxRequest)
	line, err := in.ReadSlice('\n')
	if err != nil {
		return
	}
	var r request
	out := reply{Error: "the request is not understood"}
	if json.Unmarshal(line, &r) == nil {
		out = s.answer(r)
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return
	}
	_, _ = c.Write(append(raw, '\n')) // who is gone needs no answer
}

func (s *Server) answer(r request) reply {
	switch r.Op {
	case "list":
		return reply{Items: s.queue.List()}
	case "answer":
		// The queue first: a wrong id is no reason to try codes.
		if !s.queue.waits(r.ID) {
			return reply{Error: ErrUnknown.Error()}
		}
		// A no needs no proof: it can only make less happen.
		if r.Allow {
			if err := s.presence.Check(r.Code, s.queue.cfg.Clock.Now()); err != nil {
				return reply{Error: err.Error()}
			}
		}
		if err := s.queue.Answer(r.ID, r.Allow); err != nil {
			return reply{Error: err.Error()}
		}
		return reply{}
	}
	return reply{Error: "the request is not understood"}
}

func (q *Queue) waits(id string) bool {
	for _, i := range q.List() {
		if i.ID == id {
			return true
		}
	}
	return false
}

// RemoteError is what a Moiré answers to a request that it does not carry out.
type RemoteError struct{ Says string }

func (e *RemoteError) Error() string { return e.Says }

// List asks the Moiré at a socket for its questions.
func List(path string) ([]Item, error) {
	r, err := ask(path, request{Op: "list"})
	return r.Items, err
}

// Send brings an answer to the Moiré at a socket. Saying yes takes the presence
// code.
func Send(path, id string, allow bool, code string) error {
	_, err := ask(path, request{Op: "answer", ID: id, Allow: allow, Code: code})
	return err
}

func ask(path string, r request) (reply, error) {
	var out reply
	c, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return out, fmt.Errorf("reaching a running Moiré: %w", err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(2 * waitRequest))
	raw, err := json.Marshal(r)
	if err != nil {
		return out, fmt.Errorf("asking a running Moiré: %w", err)
	}
	if _, err := c.Write(append(raw, '\n')); err != nil {
		return out, fmt.Errorf("asking a running Moiré: %w", err)
	}
	if err := json.NewDecoder(c).Decode(&out); err != nil {
		return out, fmt.Errorf("reading the answer of a running Moiré: %w", err)
	}
	if out.Error != "" {
		return out, &RemoteError{out.Error}
	}
	return out, nil
}

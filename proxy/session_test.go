package proxy

import (
	"bufio"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"moire/adapter"
	"moire/embedjs"
	"moire/scan"
	"moire/session"
	"moire/upstream"
	"moire/wire"
)

var update = flag.Bool("update", false, "rewrite what the sessions' sides get")

// TestSessions plays testdata/sessions: what the agent and the upstream send,
// line by line, and all that each gets in consequence. The text in front says
// what is guarded. Sections are "agent sends", "upstream sends", "time passes
// 1s", and behind each of these "upstream gets" and "agent gets", where
// anything is got. The scanner's calls are answered and not shown: the page has
// no visible text. Ids at the upstream count these calls too.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("found %d sessions (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			synctest.Test(t, func(t *testing.T) { got = txtar.Format(play(t, txtar.Parse(raw))) })
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(raw), string(got)); diff != "" && !*update {
				t.Errorf("session (-file +played):\n%s", diff)
			}
		})
	}
}

// stage is a proxy between two scripted sides, over byte streams.
type stage struct {
	agent, upstream io.Writer
	fake            fakeLink

	mu                  sync.Mutex
	atAgent, atUpstream []string
}

// play performs what the script's sides send and returns the script with what
// they get.
func play(t *testing.T, script *txtar.Archive) *txtar.Archive {
	s := &stage{}
	end := s.start(t)
	out := &txtar.Archive{Comment: script.Comment}
	for _, f := range script.Files {
		who, what, _ := strings.Cut(f.Name, " ")
		if what == "gets" {
			continue
		}
		out.Files = append(out.Files, f)
		switch {
		case f.Name == "agent sends":
			send(t, s.agent, f.Data)
		case f.Name == "upstream sends":
			send(t, s.upstream, f.Data)
		case who == "time":
			d, err := time.ParseDuration(strings.TrimPrefix(what, "passes "))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(d)
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
		synctest.Wait()
		out.Files = append(out.Files, s.gets()...)
	}
	end()
	if rest := s.gets(); len(rest) > 0 {
		t.Errorf("at the end: %s", txtar.Format(&txtar.Archive{Files: rest}))
	}
	return out
}

// send writes line by line, each when all is done that follows from the last.
func send(t *testing.T, w io.Writer, lines []byte) {
	for line := range strings.Lines(string(lines)) {
		if _, err := io.WriteString(w, line); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
}

// gets takes what both sides got.
func (s *stage) gets() (out []txtar.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	add := func(name string, lines *[]string) {
		if len(*lines) > 0 {
			out = append(out, txtar.File{Name: name, Data: []byte(strings.Join(*lines, "\n") + "\n")})
		}
		*lines = nil
	}
	add("upstream gets", &s.atUpstream)
	add("agent gets", &s.atAgent)
	return out
}

// start wires the proxy up; end closes the agent's side and waits for all.
func (s *stage) start(t *testing.T) (end func()) {
	a, err := adapter.Builtin("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	agentIn, toProxy := io.Pipe()
	fromProxy, agentOut := io.Pipe()
	upIn, toLink := io.Pipe()
	fromLink, upOut := io.Pipe()
	s.agent, s.upstream = toProxy, toLink
	log := slog.New(slog.DiscardHandler)
	agent := wire.NewLineConn(agentIn, agentOut, wire.DefaultLimits())
	p, err := New(Config{
		Agent: agent, Session: session.New(clock{}, nil), Scanner: scan.NewScanner(embedjs.Options{}), Adapter: a, Policy: recording(t), Classifier: words(t),
		CallTimeout: time.Minute, LookTimeout: 10 * time.Second, Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	link, err := upstream.NewLink(upstream.LinkConfig{Conn: wire.NewLineConn(upIn, upOut, wire.DefaultLimits()), Incoming: p, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	go s.hear(fromProxy, &s.atAgent, nil)
	go s.hear(fromLink, &s.atUpstream, toLink)
	served := make(chan error)
	go func() { served <- p.Serve(context.Background(), link) }()
	synctest.Wait()
	return func() {
		_ = toProxy.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
		_ = link.Close()
		_ = agent.Close()
		synctest.Wait()
		// Cancellations of what was in flight are no part of a session.
		s.mu.Lock()
		s.atUpstream = nil
		s.mu.Unlock()
	}
}

// hear records the frames of one side. For the upstream's, to is where the
// answers to the proxy's own calls go.
func (s *stage) hear(from io.Reader, to *[]string, answers io.Writer) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if answers != nil {
			m := message(lines.Text())
			if r, ok := s.fake.looked(m.Method, m.Bytes(m.Params)); ok {
				frame := resultFrame(m.Bytes(m.ID), r.Bytes(r.Result))
				_, _ = answers.Write(append(frame, '\n')) // fails only at the end
				continue
			}
		}
		s.mu.Lock()
		*to = append(*to, lines.Text())
		s.mu.Unlock()
	}
}

package upstream

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moire/wire"
)

// childMode makes the test binary a child; the value names its behaviour.
const childMode = "MOIRE_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		child(mode)
		return
	}
	goleak.VerifyTestMain(m)
}

// child is a server that behaves, or badly in one way.
func child(mode string) {
	switch mode {
	case "serve":
		serve()
	case "quiet":
		os.Exit(0)
	case "e404":
		fmt.Fprintln(os.Stderr, "\x1b[31mnpm error\x1b[0m code E404")
		os.Exit(1)
	case "stubborn": // neither the end of its input nor SIGTERM moves it
		signal.Ignore(syscall.SIGTERM)
		say(`{"jsonrpc":"2.0","method":"ready"}`)
		time.Sleep(time.Minute)
	case "gentle": // leaves on SIGTERM only
		got := make(chan os.Signal, 1)
		signal.Notify(got, syscall.SIGTERM)
		say(`{"jsonrpc":"2.0","method":"ready"}`)
		<-got
		os.Exit(7)
	case "parent", "orphaner": // leaves a stubborn grandchild, which holds its pipes
		grand := exec.Command(os.Args[0])
		grand.Env = append(os.Environ(), childMode+"=grandchild")
		grand.Stdout, grand.Stderr = os.Stdout, os.Stderr
		if err := grand.Start(); err != nil {
			os.Exit(9)
		}
		say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"pid","params":{"pid":%d}}`, grand.Process.Pid))
		if mode == "orphaner" {
			serve()
		}
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Minute)
	case "grandchild":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Minute)
	}
}

func say(line string) { fmt.Println(line) }

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// serve answers until its input ends. The method says how.
func serve() {
	in := bufio.NewReader(os.Stdin)
	var late json.RawMessage
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		var r request
		if json.Unmarshal([]byte(line), &r) != nil {
			os.Exit(8)
		}
		ok := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"params":%s}}`, r.ID,
			append(r.Params, "null"[min(4, 4*len(r.Params)):]...))
		switch r.Method {
		case "echo":
			say(ok)
		case "fail":
			say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`,
				r.ID))
		case "never":
		case "late":
			late = r.ID
		case "notifications/cancelled":
			if late != nil {
				say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, late))
			}
			say(`{"jsonrpc":"2.0","method":"saw/cancelled","params":` + string(r.Params) + `}`)
		case "die":
			fmt.Fprintln(os.Stderr, "last words")
			os.Exit(3)
		case "answer and die":
			say(ok)
			os.Exit(0)
		case "flood":
			for i := range 5000 {
				fmt.Fprintln(os.Stderr, i, strings.Repeat("x", 1000))
			}
			say(ok)
		case "noise":
			say("Server started\n[info] up\n\n" + ok)
		case "twice":
			say(ok + "\n" + ok)
		case "unknown":
			say(strings.Join([]string{
				fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","result":{}}`, r.ID),
				`{"jsonrpc":"2.0","id":99999,"result":{}}`,
				`{"jsonrpc":"2.0","id":-1,"result":{}}`,
				`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, ok}, "\n"))
		case "huge":
			fmt.Print(`{"jsonrpc":"2.0","id":1,"result":{"x":"`)
			piece := strings.Repeat("x", 1<<20)
			for range 100 {
				fmt.Print(piece)
			}
			say(`"}}`)
		case "duplicate":
			say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"a":1,"\u0061":2}}`, r.ID))
		case "no message":
			say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{},"error":{}}`, r.ID))
		case "close output":
			os.Stdout.Close()
			_, _ = io.Copy(io.Discard, in)
			os.Exit(4)
		}
	}
}

// config runs this test binary as a child.
func config(mode string) Config {
	return Config{
		Argv:       []string{os.Args[0]},
		Env:        append(os.Environ(), childMode+"="+mode),
		Limits:     wire.Limits{Bytes: 1 << 20, Depth: 100},
		StdinGrace: 5 * time.Second,
		TermGrace:  5 * time.Second,
		Logger:     slog.New(slog.DiscardHandler),
	}
}

func start(t *testing.T, cfg Config) *Process {
	t.Helper()
	p, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

// first reads the first message, by which a child says that it is ready.
func first(t *testing.T, p *Process) wire.Message {
	t.Helper()
	frame, err := p.Conn().Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := wire.Parse(frame)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

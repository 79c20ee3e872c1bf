package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	type view struct {
		Kind                              MessageKind
		Method, ID, Params, Result, Error string
		Extra                             []string
	}
	for frame, want := range map[string]view{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":[1]}}`: {
			Kind: MessageRequest, Method: "tools/call", ID: "1", Params: `{"a":[1]}`},
		` { "params" : {} , "method" : "x\n" , "jsonrpc" : "2.0" , "id" : "a\"b" } `: {
			Kind: MessageRequest, Method: "x\n", ID: `"a\"b"`, Params: `{}`},
		`{"\u006asonrpc":"2.0","\u0069d":-7,"method":"m"}`: {
			Kind: MessageRequest, Method: "m", ID: "-7"},
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`: {
			Kind: MessageNotification, Method: "notifications/initialized"},
		`{"jsonrpc":"2.0","id":"","result":{}}`: {Kind: MessageResult, ID: `""`, Result: `{}`},
		`{"jsonrpc":"2.0","id":3,"error":{"code":-1}}`: {
			Kind: MessageError, ID: "3", Error: `{"code":-1}`},
		`{"jsonrpc":"2.0","id":null,"error":{}}`: {Kind: MessageError, Error: `{}`},
		`{"jsonrpc":"2.0","error":{}}`:           {Kind: MessageError, Error: `{}`},
		`{"jsonrpc":"2.0","id":1,"result":{},"Result":{"x":1},"_meta":null}`: {
			Kind: MessageResult, ID: "1", Result: `{}`, Extra: []string{`"Result"`, `"_meta"`}},
	} {
		m, err := Parse([]byte(frame))
		if err != nil {
			t.Errorf("Parse(%s): %v", frame, err)
			continue
		}
		got := view{m.Kind, m.Method, string(m.Bytes(m.ID)), string(m.Bytes(m.Params)),
			string(m.Bytes(m.Result)), string(m.Bytes(m.Error)), nil}
		for _, s := range m.Extra {
			got.Extra = append(got.Extra, string(m.Bytes(s)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%s) (-want +got):\n%s", frame, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for frame, want := range map[string]string{
		`{}`:                                    "jsonrpc",
		`{"jsonrpc":2.0,"method":"m"}`:          "jsonrpc",
		`{"jsonrpc":"1.0","id":1,"method":"m"}`: "jsonrpc",
		`{"jsonrpc":"2.0","id":1}`:              "exactly one",
		`{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`: "exactly one",
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`:   "exactly one",
		`{"jsonrpc":"2.0","id":1,"method":7}`:               "method",
		`{"jsonrpc":"2.0","id":null,"method":"m"}`:          "id",
		`{"jsonrpc":"2.0","id":1.5,"method":"m"}`:           "id",
		`{"jsonrpc":"2.0","id":1e3,"method":"m"}`:           "id",
		`{"jsonrpc":"2.0","id":{},"result":{}}`:             "id",
		`{"jsonrpc":"2.0","id":true,"result":{}}`:           "id",
		`{"jsonrpc":"2.0","result":{}}`:                     "without an id",
		`{"jsonrpc":"2.0","id":null,"result":{}}`:           "id",
		`{"jsonrpc":"2.0","id":1,"result":null}`:            "object",
		`{"jsonrpc":"2.0","id":1,"error":"boom"}`:           "object",
		`{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`: "object",
		`{"jsonrpc":"2.0","id":1,"result":{},"params":{}}`:  "params",
		`[]`:  "gate",
		`{"a`: "gate",
	} {
		m, err := Parse([]byte(frame))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%s) = kind %d, %v, want an error about %s", frame, m.Kind, err, want)
		}
		if m.Kind != 0 {
			t.Errorf("Parse(%s): a refused frame has kind %d", frame, m.Kind)
		}
	}
	m, err := Parse([]byte(`{"jsonrpc":"1.0","method":"m","id":"x"}`))
	if id := string(m.Bytes(m.ID)); err == nil || id != `"x"` {
		t.Errorf("refused frame: id %s, %v, want the id for the refusal", id, err)
	}
}

// Spans hold the same values that encoding/json reads from a gated frame.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"]}\""}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"\u0061","result":{"a":[{}]},"x":1}`))
	f.Add([]byte(`{"error":{},"jsonrpc":"2.0"}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := Parse(frame)
		if err != nil || Check(frame, DefaultLimits()) != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(frame, &want); err != nil {
			t.Fatal(err)
		}
		spans := map[string]Span{"params": m.Params, "result": m.Result, "error": m.Error}
		for name, s := range spans {
			if got := string(m.Bytes(s)); got != string(want[name]) {
				t.Fatalf("%s of %q = %q, want %q", name, frame, got, want[name])
			}
		}
		known := 0
		for _, name := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
			if _, ok := want[name]; ok {
				known++
			}
		}
		if known+len(m.Extra) != len(want) {
			t.Fatalf("%d members of %q: %d known, %d extra", len(want), frame, known, len(m.Extra))
		}
	})
}

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	small := Limits{Bytes: 64, Depth: 3}
	for name, tc := range map[string]struct {
		frame string
		want  Reason
	}{
		"empty object":        {`{}`, 0},
		"white space":         {" \t\r\n{ } \n", 0},
		"depth at limit":      {`{"a":[[]]}`, 0},
		"siblings":            {`{"a":[[],[]],"b":{"c":{}}}`, 0},
		"brackets in string":  {`{"a":"[[[[[\"[[[","b":"\\"}`, 0},
		"pair":                {`{"a":"\ud83d\ude00"}`, 0},
		"escaped backslash":   {`{"a":"\\ud83d"}`, 0},
		"same key, elsewhere": {`{"a":{"a":1},"b":{"a":1}}`, 0},
		"empty":               {``, ReasonNotObject},
		"noise":               {`Server started`, ReasonNotObject},
		"batch":               {`[{}]`, ReasonNotObject},
		"scalar":              {`"{}"`, ReasonNotObject},
		"byte order mark":     {"\ufeff{}", ReasonNotObject},
		"size":                {`{"a":"` + strings.Repeat("x", 64) + `"}`, ReasonSize},
		"depth":               {`{"a":[[[]]]}`, ReasonDepth},
		"invalid UTF-8":       {"{\"a\":\"\xff\"}", ReasonUTF8},
		"surrogate as UTF-8":  {"{\"a\":\"\xed\xa0\x80\"}", ReasonUTF8},
		"high half":           {`{"a":"\ud83d"}`, ReasonSurrogate},
		"low half":            {`{"\udE00":1}`, ReasonSurrogate},
		"halves reversed":     {`{"a":"\ude00\ud83d"}`, ReasonSurrogate},
		"duplicate":           {`{"a":1,"b":2,"a":1}`, ReasonDuplicate},
		"duplicate by escape": {`{"a":1,"\u0061":2}`, ReasonDuplicate},
		"duplicate, deep":     {`{"x":[{"a":1,"a":2}]}`, ReasonDuplicate},
		"duplicate empty key": {`{"":1,"":2}`, ReasonDuplicate},
		"unterminated":        {`{"a":"`, ReasonSyntax},
		"unterminated object": {`{"a":1`, ReasonSyntax},
		"trailing comma":      {`{"a":1,}`, ReasonSyntax},
		"single quotes":       {`{'a':1}`, ReasonSyntax},
		"comment":             {`{/**/}`, ReasonSyntax},
		"NaN":                 {`{"a":NaN}`, ReasonSyntax},
		"raw control":         {"{\"a\":\"\x01\"}", ReasonSyntax},
		"raw newline":         {"{\"a\":\"\n\"}", ReasonSyntax},
		"two values":          {`{}{}`, ReasonTrailing},
		"value and noise":     {`{} x`, ReasonTrailing},
		"NUL behind":          {"{}\x00", ReasonTrailing},
	} {
		t.Run(name, func(t *testing.T) {
			err := Check([]byte(tc.frame), small)
			if got := reasonOf(t, err); got != tc.want {
				t.Errorf("Check = %v, want reason %v", err, tc.want)
			}
		})
	}
}

// reasonOf is 0 for no error.
func reasonOf(t *testing.T, err error) Reason {
	t.Helper()
	if err == nil {
		return 0
	}
	var g *GateError
	if !errors.As(err, &g) {
		t.Fatalf("error %T (%v) is no *GateError", err, err)
	}
	if g.Reason == 0 || g.Offset < 0 {
		t.Fatalf("GateError without reason or place: %+v", g)
	}
	return g.Reason
}

// A DOM 2,000 deep nests its snapshot about 4,000 deep.
func TestCheckDeepFrames(t *testing.T) {
	nest := func(n int) []byte {
		half := strings.Repeat(`{"c":[`, n/2)
		return []byte(half + strings.Repeat(`]}`, n/2))
	}
	l := DefaultLimits()
	for depth, want := range map[int]Reason{4_000: 0, MaxDepth: 0, MaxDepth + 2: ReasonDepth,
		4_000_000: ReasonDepth} {
		if got := reasonOf(t, Check(nest(depth), l)); got != want {
			t.Errorf("depth %d: reason %v, want %v", depth, got, want)
		}
	}
}

func TestLimitsValidate(t *testing.T) {
	if err := DefaultLimits().Validate(); err != nil {
		t.Errorf("the default does not validate: %v", err)
	}
	for _, l := range []Limits{{}, {Bytes: 1, Depth: 1}, {Bytes: 2},
		{Bytes: 2, Depth: MaxDepth + 1}, {Bytes: 1<<30 + 1, Depth: 1}, {Bytes: -1, Depth: -1}} {
		if l.Validate() == nil {
			t.Errorf("%+v validates", l)
		}
	}
}

func TestMend(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"\ud83d"}`:               `{"a":"\ufffd"}`,
		`{"a":"x\uDE00\ud83d\ude00"}`:  `{"a":"x\ufffd\ud83d\ude00"}`,
		`{"a":"\ud83d\ud83d\ude00"}`:   `{"a":"\ufffd\ud83d\ude00"}`,
		`{"a":"\\ud83d \\\ud83d"}`:     `{"a":"\\ud83d \\\ufffd"}`,
		`{"a":"\ud83d\n\"\ude00"}`:     `{"a":"\ufffd\n\"\ufffd"}`,
		`{"\ud800":1,"\ud801":2}`:      `{"\ufffd":1,"\ufffd":2}`,
		`{"a":"\ud83d\ude00 \u00e9 "}`: `{"a":"\ud83d\ude00 \u00e9 "}`,
	} {
		got := []byte(in)
		changed := Mend(got)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("Mend(%s) (-want +got):\n%s", in, diff)
		}
		if changed != (in != want) {
			t.Errorf("Mend(%s) reports %v", in, changed)
		}
	}
	// Names that become equal are duplicates to the gate behind.
	if got := pass([]byte(`{"\ud800":1,"\ud801":2}`), DefaultLimits()); got == nil ||
		got.Reason != ReasonDuplicate {
		t.Errorf("mended duplicates: %v, want a duplicate", got)
	}
}

// What passes has one reading: encoding/json decodes it, and a count of names by
// another parser finds no duplicate. What encoding/json takes and we do not is
// refused for one of the reasons it is lax about.
func FuzzCheckAgreesWithEncodingJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}],"c":"\ud83d\ude00"}`,
		`{"a":1,"\u0061":2}`, `{"a":"\ud800"}`, `[{}]`, `{}{}`, `{"a":[[[[[]]]]]}`,
		"{\"a\":\"\xff\"}", `{"a\\":"\\\"["}`} {
		f.Add([]byte(s))
	}
	l := Limits{Bytes: 1 << 16, Depth: 4}
	f.Fuzz(func(t *testing.T, frame []byte) {
		err := Check(frame, l)
		valid := json.Valid(frame) && utf8.Valid(frame)
		if err == nil {
			if !valid || duplicates(t, frame) {
				t.Fatalf("passed, valid %v: %q", valid, frame)
			}
			return
		}
		switch r := reasonOf(t, err); r {
		case ReasonSyntax, ReasonTrailing, ReasonUTF8:
			if valid {
				t.Fatalf("refused as %v, but encoding/json takes %q", r, frame)
			}
		case ReasonDuplicate:
			if valid && !duplicates(t, frame) {
				t.Fatalf("no duplicates in %q", frame)
			}
		}
	})
}

// duplicates counts member names with encoding/json's tokenizer.
func duplicates(t *testing.T, frame []byte) bool {
	d := json.NewDecoder(bytes.NewReader(frame))
	var walk func() bool
	walk = func() bool {
		tok, err := d.Token()
		if err != nil {
			t.Fatalf("token: %v", err)
		}
		found, seen := false, map[string]bool{}
		for tok == json.Delim('{') && d.More() {
			key, _ := d.Token()
			found = found || seen[key.(string)]
			seen[key.(string)] = true
			found = walk() || found
		}
		for tok == json.Delim('[') && d.More() {
			found = walk() || found
		}
		if tok == json.Delim('{') || tok == json.Delim('[') {
			_, _ = d.Token()
		}
		return found
	}
	return walk()
}

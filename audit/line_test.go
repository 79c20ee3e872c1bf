package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TestLineIsCanonical compares what is put together by hand with RFC 8785.
func TestLineIsCanonical(t *testing.T) {
	e := Entry{Session: "S-1.x_", Seq: 1<<53 - 1, Time: time.Unix(0, 120).UTC(), Kind: "a.b-c_9",
		Body: jsontext.Value(`{"a":[1,"\u001f"]}`), Prev: firstPrev}
	line, hash := appendLine(nil, e)
	canonical := jsontext.Value(bytes.Clone(line))
	if err := canonical.Canonicalize(); err != nil || !bytes.Equal(canonical, line) {
		t.Errorf("wrote %s, canonical is %s (%v)", line, canonical, err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil || string(m["hash"]) != `"`+hash+`"` {
		t.Errorf("hash in %s is not %s: %v", line, hash, err)
	}
	// maxOverhead has room for the longest names.
	e.Session, e.Kind = strings.Repeat("s", maxName), strings.Repeat("k", maxName)
	if line, _ = appendLine(nil, e); len(line)-len(e.Body) >= maxOverhead {
		t.Errorf("a line has %d bytes besides its body", len(line)-len(e.Body))
	}
}

func TestParseRefuses(t *testing.T) {
	good, _ := appendLine(nil, Entry{Session: "s", Seq: 1, Time: time.Unix(1, 0).UTC(), Kind: "k",
		Body: jsontext.Value(`{"b":1}`), Prev: firstPrev})
	if _, err := parseLine(good); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string][2]string{
		"duplicate":         {`"v":1}`, `"v":1,"v":1}`},
		"duplicate in body": {`{"b":1}`, `{"b":1,"b":1}`},
		"unknown member":    {`"v":1}`, `"v":1,"w":1}`},
		"other case":        {`"v":1}`, `"V":1}`},
		"missing member":    {`,"v":1}`, `}`},
		"space":             {`"v":1}`, `"v": 1}`},
		"missing session":   {`"session":"s",`, ``},
		"version":           {`"v":1}`, `"v":2}`},
		"number":            {`"seq":1,`, `"seq":1.0,`},
		"zero":              {`"seq":1,`, `"seq":0,`},
		"body":              {`{"b":1}`, `[]`},
		"body's form":       {`{"b":1}`, `{"b":1.0}`},
		"zone":              {`01Z"`, `01+01:00"`},
		"session":           {`"session":"s"`, `"session":"../s"`},
		"utf-8":             {`"b"`, "\"\xff\""},
		"two":               {`"v":1}`, `"v":1}{}`},
	} {
		bad := bytes.Replace(good, []byte(edit[0]), []byte(edit[1]), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s: nothing edited", name)
		}
		if _, err := parseLine(bad); err == nil {
			t.Errorf("%s: taken: %s", name, bad)
		}
		if _, err := parseLine(rehashed(bad)); err == nil {
			t.Errorf("%s, with its hash made anew: taken: %s", name, bad)
		}
	}
	if _, err := parseLine(rehashed(good)); err != nil {
		t.Errorf("a hash made anew, of a good line: %v", err)
	}
}

// rehashed gives a line the hash it has as it stands, as an attacker would.
func rehashed(line []byte) []byte {
	at := bytes.Index(line, []byte(`,"hash":"`)) + len(`,"hash":"`)
	end := at + len(firstPrev)
	sum := sha256.Sum256(slices.Concat(line[:at-len(`,"hash":"`)], line[end+1:]))
	return slices.Concat(line[:at], []byte(hex.EncodeToString(sum[:])), line[end:])
}

// TestErrorsKeepBodies puts a secret wherever an error could quote it.
func TestErrorsKeepBodies(t *testing.T) {
	const secret = "hunter2"
	l := testLog(t, testState(t), "s", 0)
	for _, body := range []string{`{"hunter2":1,"hunter2":2}`, `"hunter2"`, `{"a":hunter2}`,
		`{"hunter2":9007199254740993}`, `{"hunter2":"` + strings.Repeat("x", maxLine) + `"}`} {
		_, err := l.Append(t.Context(), Record{"k", jsontext.Value(body)}, true)
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%.40s: %v", body, err)
		}
	}
	good, _ := appendLine(nil, Entry{Session: "s", Seq: 1, Time: time.Unix(1, 0).UTC(), Kind: "k",
		Body: jsontext.Value(`{"hunter2":"hunter2"}`), Prev: firstPrev})
	for i := range good {
		for _, c := range []byte("\x00\"{x\n1") {
			bad := bytes.Clone(good)
			if bad[i] = c; bytes.Equal(bad, good) {
				continue
			}
			_, err := parseLine(bad)
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Fatalf("%q at %d: %v", c, i, err)
			}
		}
	}
}

package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	version = 1
	maxLine = 1 << 20 // with its line feed
	// maxOverhead is more than a line has besides its body: two hashes, two
	// names of at most 64 bytes, a time, a seq and the members' names.
	maxOverhead = 512
	kindHead    = "head"
	maxName     = 64
)

// firstPrev is what the first line of a session has for a line before it.
var firstPrev = strings.Repeat("0", 2*sha256.Size)

// Entry is one line read. File and Line tell where it stands.
type Entry struct {
	Session string
	Seq     uint64
	Time    time.Time
	Kind    string
	Body    jsontext.Value
	Prev    string
	Hash    string
	File    string
	Line    int
}

// wireLine is a line as JSON has it.
type wireLine struct {
	Body    jsontext.Value `json:"body"`
	Hash    string         `json:"hash"`
	Kind    string         `json:"kind"`
	Prev    string         `json:"prev"`
	Seq     uint64         `json:"seq"`
	Session string         `json:"session"`
	Time    string         `json:"time"`
	V       int            `json:"v"`
}

// encodeBody checks a caller's record and makes its body canonical.
func encodeBody(r Record) (jsontext.Value, error) {
	if !validKind(r.Kind) || r.Kind == kindHead {
		return nil, fmt.Errorf("%q is no kind of record", r.Kind)
	}
	if r.Body == nil {
		return jsontext.Value("{}"), nil
	}
	raw, err := json.Marshal(r.Body)
	if err != nil {
		// Its text may quote the body.
		return nil, fmt.Errorf("the body of %q can't be written as JSON", r.Kind)
	}
	body := jsontext.Value(raw)
	if body.Kind() != '{' {
		return nil, fmt.Errorf("the body of %q is no JSON object", r.Kind)
	}
	if err := checkNumbers(body); err != nil {
		return nil, fmt.Errorf("the body of %q: %w", r.Kind, err)
	}
	if err := body.Canonicalize(); err != nil {
		return nil, fmt.Errorf("the body of %q can't be made canonical", r.Kind)
	}
	if len(body)+maxOverhead > maxLine {
		return nil, fmt.Errorf("the body of %q has %d bytes, which is too long for a line of %d",
			r.Kind, len(body), maxLine)
	}
	return body, nil
}

// checkNumbers refuses what RFC 8785 would round: "JSON numbers are
// represented as IEEE 754 double precision", and a replay must see the facts
// that were judged.
func checkNumbers(body []byte) error {
	if !longDigits(body) && !bytes.ContainsAny(body, "eE") {
		return nil
	}
	for d := jsontext.NewDecoder(bytes.NewReader(body)); ; {
		tok, err := d.ReadToken()
		if err != nil {
			return nil // its end; it is valid already
		}
		if tok.Kind() != '0' {
			continue
		}
		text := tok.String()
		f, err := strconv.ParseFloat(text, 64)
		whole := !strings.ContainsAny(text, ".eE")
		if err != nil || whole && strconv.FormatFloat(f, 'f', -1, 64) != text {
			return errors.New("it has a number that a double can't hold; write it as a string")
		}
	}
}

// longDigits reports a run of digits that may be beyond 2^53.
func longDigits(b []byte) bool {
	run := 0
	for _, c := range b {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		if run >= 16 {
			return true
		}
	}
	return false
}

// appendLine appends e in canonical form, without a line feed, and returns its
// hash. It ignores e.Hash. Names and times need no escapes; members are in the
// order of RFC 8785 (TestLineIsCanonical).
func appendLine(dst []byte, e Entry) ([]byte, string) {
	var room [maxOverhead]byte
	tail := append(room[:0], `,"kind":"`...)
	tail = append(tail, e.Kind...)
	tail = append(tail, `","prev":"`...)
	tail = append(tail, e.Prev...)
	tail = append(tail, `","seq":`...)
	tail = strconv.AppendUint(tail, e.Seq, 10)
	tail = append(tail, `,"session":"`...)
	tail = append(tail, e.Session...)
	tail = append(tail, `","time":"`...)
	tail = e.Time.AppendFormat(tail, time.RFC3339Nano)
	tail = append(tail, `","v":1}`...)

	begin := len(dst)
	dst = append(dst, `{"body":`...)
	dst = append(dst, e.Body...)
	h := sha256.New()
	h.Write(dst[begin:])
	h.Write(tail)
	sum := hex.EncodeToString(h.Sum(nil))
	dst = append(dst, `,"hash":"`...)
	dst = append(dst, sum...)
	dst = append(dst, '"')
	return append(dst, tail...), sum
}

// parseLine takes only what appendLine would have written. Its errors quote
// nothing of the line.
func parseLine(line []byte) (Entry, error) {
	var l wireLine
	if err := json.Unmarshal(line, &l, json.RejectUnknownMembers(true)); err != nil {
		var syntax *jsontext.SyntacticError
		if errors.As(err, &syntax) {
			return Entry{}, fmt.Errorf("not strict JSON at column %d", syntax.ByteOffset+1)
		}
		return Entry{}, errors.New("not an object of a record's members")
	}
	at, err := time.Parse(time.RFC3339Nano, l.Time)
	switch {
	case l.V != version:
		return Entry{}, fmt.Errorf("version %d is not known", l.V)
	case !validKind(l.Kind) || !validSession(l.Session) || !validHash(l.Prev) || err != nil ||
		at.Location() != time.UTC:
		return Entry{}, errors.New("a member does not have its form")
	case l.Seq == 0 || l.Seq >= 1<<53:
		return Entry{}, errors.New("seq is out of range")
	}
	// Canonicalize works in place and would change the line.
	body := l.Body.Clone()
	if body.Kind() != '{' || body.Canonicalize() != nil || !bytes.Equal(body, l.Body) {
		return Entry{}, errors.New("the body is not a canonical object")
	}
	e := Entry{Session: l.Session, Seq: l.Seq, Time: at, Kind: l.Kind, Body: body, Prev: l.Prev}
	again, sum := appendLine(make([]byte, 0, len(line)), e)
	if sum != l.Hash {
		return Entry{}, errors.New("it does not match its hash")
	}
	if !bytes.Equal(again, line) {
		return Entry{}, errors.New("it is not in canonical form")
	}
	e.Hash = sum
	return e, nil
}

func validHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

// validKind keeps kinds to tokens that need no escapes.
func validKind(s string) bool { return validName(s, false) }

// validSession keeps names to one path component that every system takes.
func validSession(s string) bool {
	return validName(s, true) && s[0] != '.' && s[len(s)-1] != '.'
}

func validName(s string, upper bool) bool {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-' ||
			upper && 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

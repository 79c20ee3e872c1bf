package browser

import (
	"bytes"
	"strconv"

	"github.com/tidwall/gjson"
)

// head is what routes a message. A response has an id and no method, an event
// a method and no id, a command both.
type head struct {
	id      int64
	hasID   bool
	method  string
	session string
}

// readHead reads a message of the upstream, in any order of members.
func readHead(frame []byte) (head, bool) {
	var h head
	if len(frame) == 0 || frame[0] != '{' {
		return h, false
	}
	ok := true
	gjson.ParseBytes(frame).ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "id":
			h.hasID, h.id = true, v.Int()
			ok = ok && v.Type == gjson.Number && v.Num == float64(h.id)
		case "method":
			h.method = v.Str
		case "sessionId":
			h.session = v.Str
		}
		return true
	})
	return h, ok
}

// readBrowserHead reads a message of the browser. Chromium writes the id or
// the method first and the session last, so that megabytes between them need
// not be looked at; any other order is read like the upstream's.
func readBrowserHead(frame []byte) (head, bool) {
	var h head
	if h, ok := readBegin(frame); ok {
		return h, true
	}
	if rest, ok := bytes.CutPrefix(frame, []byte(`{"method":"`)); ok {
		end := bytes.IndexByte(rest[:min(len(rest), 128)], '"')
		if end > 0 && bytes.IndexByte(rest[:end], '\\') < 0 {
			h.method = string(rest[:end])
			if h.session = lastSession(frame); h.session != "" || bytes.HasSuffix(frame, []byte("}}")) {
				return h, true
			}
		}
	}
	return readHead(frame)
}

// readBegin reads the id with which an answer of Chromium begins.
func readBegin(frame []byte) (head, bool) {
	rest, ok := bytes.CutPrefix(frame, []byte(`{"id":`))
	if !ok {
		return head{}, false
	}
	end := bytes.IndexAny(rest[:min(len(rest), 24)], ",}")
	if end <= 0 {
		return head{}, false
	}
	n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return head{id: n, hasID: true}, err == nil
}

// lastSession returns the session that stands last in the message. Only one
// brace may follow: then it is a member of the message itself.
func lastSession(frame []byte) string {
	const key = `,"sessionId":"`
	tail, ok := bytes.CutSuffix(frame, []byte(`"}`))
	if !ok {
		return ""
	}
	i := bytes.LastIndexByte(tail, '"') + 1
	if i < len(key) || !bytes.HasSuffix(tail[:i], []byte(key)) {
		return ""
	}
	return string(tail[i:])
}

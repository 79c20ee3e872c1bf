package proxy

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/scan"
)

// spoken judges the strings of one reply that have no node: console messages,
// requests, results of scripts. They are collected first, and printed when it is
// known what they say together.
type spoken struct {
	*scan.Strings
	p     *Proxy
	c     *call
	later []func()
}

// spoken makes the judge of a call's strings. The tab is looked at only if a
// string needs it: most calls of these tools on a quiet page need nothing.
func (p *Proxy) spoken(ctx context.Context, c *call) *spoken {
	v := &scan.Strings{URLs: p.cfg.Session.URLs, Gave: p.cfg.Session.Gave, Q: c.q, Channel: c.row.Channel, Trusted: c.trusted != "" && p.trusts(ctx, c) == c.trusted,
		Look: func() *scan.Explainer {
			view, err := p.look(ctx, c, nil)
			if err != nil {
				return nil // nothing is explained, and so withheld
			}
			c.after = view
			return view.Explainer()
		}}
	if c.row.Script != "" {
		v.Own = scan.NewOwn(gjson.GetBytes(c.args, c.row.Script).String())
	}
	if v.Trusted {
		c.q.Judged(scan.TrustOrigin)
	}
	return &spoken{Strings: v, p: p, c: c}
}

// settle judges what was collected, and writes it to where it came from.
func (s *spoken) settle() {
	s.Settle()
	for _, f := range s.later {
		f()
	}
}

func (s *spoken) put(dst *string, said *scan.Said, esc func(string) string) {
	s.later = append(s.later, func() { *dst = said.Print(esc, s.p.gap) })
}

// text judges a string of one line, or what becomes one.
func (s *spoken) text(dst *string) { s.put(dst, s.Text(*dst), adapter.EscapeLine) }

// lines judges a text of many lines: they stay lines, but those that begin as the
// upstream's own do are set in.
func (s *spoken) lines(dst *string) {
	said, ok := s.JSON(*dst)
	if !ok {
		said = s.Text(*dst)
	}
	s.put(dst, said, adapter.EscapeLines)
	s.later = append(s.later, func() { *dst = ownLine.ReplaceAllString(*dst, "  $0") })
}

// ownLine is how lines of the upstream's own begin where texts of many lines
// stand beside them.
var ownLine = regexp.MustCompile(`(?m)^(?:#|- |\d+[.:] |\[[A-Z]+\] |(?:reqid|msgid|uid)=|(?:ID|Message|Arg #\d+): )`)

func (s *spoken) url(dst *string) { s.put(dst, s.URL(*dst), adapter.EscapeLine) }

// script judges the result of a script, JSON or undefined.
func (s *spoken) script(dst *string) {
	if *dst == "undefined" {
		return
	}
	said, ok := s.JSON(*dst)
	if !ok {
		said = s.Withheld(*dst)
	}
	s.put(dst, said, func(t string) string { return t })
}

// maxSentence bounds what is taken for a sentence, in bytes.
const maxSentence = 32 << 10

// sentences has texts of the browser's own known by their form.
func (p *Proxy) sentences(c *call, isError bool) func(string) []scan.Phrase {
	args := adapter.ParseArgs(c.args)
	return func(line string) []scan.Phrase {
		text := strings.TrimLeft(line, " ")
		if len(text) > maxSentence {
			return nil
		}
		if adapter.IssueTitle(text) {
			return []scan.Phrase{{Text: line}}
		}
		for _, t := range []*adapter.Templates{c.a.Templates(isError), adapter.BrowserSays()} {
			fields, ok := t.MatchFor(text, args)
			if !ok {
				continue
			}
			out := []scan.Phrase{{Text: line[:len(line)-len(text)]}}
			at := 0
			for _, f := range fields {
				out = append(out, scan.Phrase{Text: text[at:f.From]}, scan.Phrase{Text: text[f.From:f.To], Judge: true, URL: f.Kind == "url"})
				at = f.To
			}
			return append(out, scan.Phrase{Text: text[at:]})
		}
		return nil
	}
}

// gap is what stands in the place of so many characters.
func (p *Proxy) gap(n int) string { return p.note(fmt.Sprintf("%d characters withheld", n)) }

// judgeSpoken judges what a reply of chrome-devtools-mcp says that has no node.
func (p *Proxy) judgeSpoken(ctx context.Context, c *call, r *adapter.Reply) error {
	var err error
	v := p.spoken(ctx, c)
	v.cdmLists(r)
	if r.Message != nil {
		if body, ok := strings.CutPrefix(*r.Message, resultPrefix); ok && c.row.Script != "" {
			body = strings.TrimSuffix(body, resultSuffix)
			v.script(&body)
			v.later = append(v.later, func() { *r.Message, err = p.scriptReply(c, body) })
		} else {
			v.Sentence = p.sentences(c, false)
			v.text(r.Message)
		}
	}
	if r.Error != nil {
		v.Sentence = p.sentences(c, true)
		v.lines(r.Error)
	}
	v.settle()
	return errors.Join(err, ctx.Err())
}

// scriptReply tells of the judged result of a script, in a file if the agent wants
// it there.
func (p *Proxy) scriptReply(c *call, body string) (string, error) {
	if c.file == "" {
		return resultPrefix + body + resultSuffix, nil
	}
	path, err := p.cfg.Workspace.Write(c.file, []byte(body))
	if err != nil {
		return "", err
	}
	return "Script ran on page. Output saved to " + adapter.Escape(path) + ".", nil
}

// cdmLists judges lists and details of console messages and requests.
func (s *spoken) cdmLists(r *adapter.Reply) {
	s.Sentence = s.p.sentences(s.c, false)
	for i := range r.Console.List {
		s.consoleMessage(&r.Console.List[i])
	}
	if m := r.Console.One; m != nil {
		s.consoleMessage(m)
	}
	for i := range r.Network.List {
		s.request(&r.Network.List[i])
	}
	d := r.Network.One
	if d == nil {
		return
	}
	s.Sentence = nil
	if s.Trusted = s.Trusted && s.p.trustsOrigin(d.URL); !s.Trusted {
		s.Q.Judged(s.p.trust())
	}
	s.request(&d.NetworkRequest)
	for _, list := range [][]adapter.Header{d.RequestHeaders, d.ResponseHeaders} {
		for i := range list {
			name, value := s.Header(list[i].Name, list[i].Value)
			s.put(&list[i].Name, name, adapter.EscapeLine)
			s.put(&list[i].Value, value, adapter.EscapeLine)
		}
	}
	for _, b := range []*string{d.RequestBody, d.ResponseBody} {
		if b != nil && !slices.Contains(bodyWords, *b) {
			s.lines(b)
		}
	}
	for i := range d.Redirects {
		s.request(&d.Redirects[i])
	}
}

// bodyWords are what the upstream says in the place of a body.
var bodyWords = []string{"<Request body not available anymore>", "<Response body not available anymore>", "<empty response>", "<binary data>", "<not available anymore>"}

func (s *spoken) consoleMessage(m *adapter.ConsoleMessage) {
	s.text(&m.Text)
	for i := range m.Arguments {
		s.lines(&m.Arguments[i])
	}
	for _, t := range []*string{m.Stack, &m.Rest} {
		if t != nil && *t != "" {
			s.lines(t)
		}
	}
}

func (s *spoken) request(r *adapter.NetworkRequest) {
	if !methods[r.Method] {
		s.text(&r.Method)
	}
	was := s.Trusted
	s.Trusted = was && s.p.trustsOrigin(r.URL)
	s.url(&r.URL)
	s.Trusted = was
}

// methods are those that a browser knows; a page can make up others.
// https://fetch.spec.whatwg.org/#methods
var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "DELETE": true, "OPTIONS": true, "PATCH": true}

package proxy

import (
	"context"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
)

const (
	resultHead = "### Result\n"
	errorHead  = "### Error\n"
)

// settleLines judges replies of @playwright/mcp that are nothing but lines: console
// messages and requests. Their texts may hold whatever a page wrote, heads of
// sections among it, so none is looked for.
func (p *Proxy) settleLines(ctx context.Context, c *call, result []byte, text string, isError bool) ([]byte, error) {
	head, body := "", text
	for _, h := range []string{resultHead, errorHead} {
		if rest, ok := strings.CutPrefix(text, h); ok {
			head, body = h, rest
		}
	}
	v := p.spoken(ctx, c)
	if v.Trusted && c.name == requestTool && !p.requestTrusted(ctx, c) {
		v.Trusted = false
		c.q.Judged(p.trust())
	}
	v.Sentence = p.sentences(c, isError)
	switch part := gjson.GetBytes(c.args, "part").String(); {
	case head == errorHead || c.name != requestTool:
		v.each(&body, nil)
	case strings.HasSuffix(part, "-body"):
		v.Sentence = nil
		v.lines(&body)
	case part != "":
		v.each(&body, partHeader)
	default:
		v.each(&body, detailHeader)
	}
	v.settle()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.file != "" && head == resultHead {
		path, err := p.cfg.Workspace.Write(c.file, []byte(body))
		if err != nil {
			return nil, err
		}
		body = "- [" + c.row.Title + "](" + p.cfg.Workspace.Shown(path) + ")"
	}
	return p.finish(c, result, head+body, isError)
}

const requestTool = "browser_network_request"

// Header fields, alone and among the details of a request.
var (
	partHeader   = regexp.MustCompile(`^()([^\s:]+)(: )(.*)$`)
	detailHeader = regexp.MustCompile(`^(    )([^\s:]+)(: {1,2})(.*)$`)
)

// each judges line by line, so that lines stay as many; header finds the lines
// that are fields of a header.
func (s *spoken) each(dst *string, header *regexp.Regexp) {
	var lines []string
	for i, line := range strings.Split(*dst, "\n") {
		lines = append(lines, "")
		if header != nil {
			if m := header.FindStringSubmatch(line); m != nil && m[2] != "status" && m[2] != "duration" && m[2] != "type" {
				field := m[2]
				if field == "mimeType" {
					field = "content-type"
				}
				name, value := s.Header(field, m[4])
				s.later = append(s.later, func() {
					shown := m[2]
					if field == m[2] {
						shown = name.Print(adapter.EscapeLine, s.p.gap)
					}
					lines[i] = m[1] + shown + m[3] + value.Print(adapter.EscapeLine, s.p.gap)
				})
				continue
			}
		}
		said := s.Text(line)
		s.later = append(s.later, func() {
			if lines[i] = said.Print(adapter.EscapeLine, s.p.gap); strings.HasPrefix(lines[i], "### ") {
				lines[i] = "  " + lines[i] // no head of a section
			}
		})
	}
	s.later = append(s.later, func() { *dst = strings.Join(lines, "\n") })
}

// requestTrusted reports that the request of the call's number went to an origin
// that the person trusts. The list of requests tells; a line of it can't be forged,
// as addresses have no spaces and methods no line ends.
func (p *Proxy) requestTrusted(ctx context.Context, c *call) bool {
	r, err := evaluator{p, c}.tool(ctx, "browser_network_requests", map[string]any{"static": true})
	if err != nil {
		return false
	}
	n := gjson.GetBytes(c.args, "index").Raw
	for line := range strings.SplitSeq(gjson.GetBytes(r.Bytes(r.Result), "content.0.text").String(), "\n") {
		rest, ok := strings.CutPrefix(line, n+". [")
		if !ok {
			continue
		}
		_, rest, _ = strings.Cut(rest, "] ")
		address, _, _ := strings.Cut(rest, " ")
		return p.trustsOrigin(address)
	}
	return false
}

// scriptSections judges what a script returned or threw.
func (p *Proxy) scriptSections(ctx context.Context, c *call, r *adapter.PlaywrightReply) error {
	v := p.spoken(ctx, c)
	if r.Result != nil {
		v.script(r.Result)
	}
	if r.Error != nil {
		v.Sentence = p.sentences(c, true)
		v.each(r.Error, nil)
	}
	v.settle()
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.Result == nil || c.file == "" {
		return nil
	}
	path, err := p.cfg.Workspace.Write(c.file, []byte(*r.Result))
	if err != nil {
		return err
	}
	*r.Result = "- [" + c.row.Title + "](" + p.cfg.Workspace.Shown(path) + ")"
	return nil
}

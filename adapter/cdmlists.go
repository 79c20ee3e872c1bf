package adapter

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// Console is what a reply tells of console messages, Network of requests: a list,
// or one of them in detail.
type (
	Console struct {
		// Empty: the list has no entries.
		Empty bool
		List  []ConsoleMessage
		One   *ConsoleMessage
	}
	ConsoleMessage struct {
		ID, Type string
		// Text is the page's; the title of an issue is the upstream's.
		Text        string
		Args, Count string
		Arguments   []string
		Stack       *string
		// Rest is what follows the title of an issue in detail.
		Rest string
	}
	Network struct {
		Empty bool
		List  []NetworkRequest
		One   *NetworkDetail
	}
	NetworkRequest struct {
		ID, Method, URL, Status string
		// Selected is nil where it is not told.
		Selected *bool
	}
	NetworkDetail struct {
		NetworkRequest
		RequestHeaders, ResponseHeaders []Header
		// Responded: there are headers of a response, if only none.
		Responded                                            bool
		RequestBody, RequestFile, ResponseBody, ResponseFile *string
		Failure                                              *string
		Redirects                                            []NetworkRequest
	}
	Header struct{ Name, Value string }
)

// Pagination says which part of a list is shown. Total stands in the text only.
type Pagination struct {
	Page, Pages, Start, End int
	Next, Previous, Invalid bool
	Total                   string
	// Links: the neighbouring parts are named.
	Links bool
}

const issueType = "issue"

func (p *parser) integer() string {
	n := p.raw()
	if n == "" || strings.Trim(n, "0123456789") != "" {
		p.fail()
	}
	return n
}

func (p *parser) int() int {
	n := 0
	if s := p.integer(); p.err == nil {
		if _, err := fmt.Sscan(s, &n); err != nil {
			p.fail()
		}
	}
	return n
}

func (p *parser) ptr() *string { s := p.str(); return &s }

func (p *parser) pagination() *Pagination {
	g := &Pagination{}
	p.object(func(key string) {
		switch key {
		case "currentPage":
			g.Page = p.int()
		case "totalPages":
			g.Pages = p.int()
		case "startIndex":
			g.Start = p.int()
		case "endIndex":
			g.End = p.int()
		case "hasNextPage":
			g.Next = p.boolean()
		case "hasPreviousPage":
			g.Previous = p.boolean()
		case "invalidPage":
			g.Invalid = p.boolean()
		default:
			p.fail()
		}
	})
	return g
}

// consoleTypes are those of the protocol, and of the upstream's own.
var consoleTypes = map[string]bool{}

func init() {
	for _, t := range strings.Fields(`log debug info error warn dir dirxml table trace clear startGroup startGroupCollapsed endGroup
		assert profile profileEnd count timeEnd verbose issue`) {
		consoleTypes[t] = true
	}
}

func (p *parser) consoleMessage() ConsoleMessage {
	var m ConsoleMessage
	p.object(func(key string) {
		switch key {
		case "id":
			m.ID = p.integer()
		case "type":
			if m.Type = p.str(); !consoleTypes[m.Type] {
				p.fail()
			}
		case "text", "title":
			m.Text = p.str()
		case "argsCount":
			m.Args = p.integer()
		case "count":
			m.Count = p.integer()
		case "args":
			m.Arguments = []string{}
			p.array(func() { m.Arguments = append(m.Arguments, p.str()) })
		case "stackTrace":
			m.Stack = p.ptr()
		case "description", "links", "affectedResources":
			p.raw() // stands in the text, and is withheld there
		default:
			p.fail()
		}
	})
	return m
}

// print is a line of the list.
func (m *ConsoleMessage) print() string {
	if m.Type == issueType {
		return fmt.Sprintf("msgid=%s [issue] %s (count: %s)", m.ID, m.Text, m.Count)
	}
	line := fmt.Sprintf("msgid=%s [%s] %s (%s args)", m.ID, m.Type, m.Text, m.Args)
	if m.Count != "" && m.Count != "1" {
		line += " [" + m.Count + " times]"
	}
	if m.Stack != nil && *m.Stack != "" {
		line += "\n  " + strings.ReplaceAll(*m.Stack, "\n", "\n  ")
	}
	return line
}

func (m *ConsoleMessage) detail() string {
	out := []string{"ID: " + m.ID}
	if m.Type == issueType {
		return out[0] + "\nMessage: issue> " + m.Rest
	}
	out = append(out, "Message: "+m.Type+"> "+m.Text)
	if len(m.Arguments) > 0 {
		out = append(out, "### Arguments")
		for i, a := range m.Arguments {
			out = append(out, fmt.Sprintf("Arg #%d: %s", i, a))
		}
	}
	if m.Stack != nil && *m.Stack != "" {
		out = append(out, "### Stack trace", *m.Stack)
	}
	return strings.Join(out, "\n")
}

// NetError is how a request failed in Chromium.
var NetError = regexp.MustCompile(`^net::(?:` + netErrors + `)$`)

var status = regexp.MustCompile(`^[1-5]\d\d$`)

func (p *parser) networkMember(r *NetworkRequest, key string) bool {
	switch key {
	case "requestId":
		r.ID = p.integer()
	case "method":
		r.Method = p.str()
	case "url":
		r.URL = p.str()
	case "status":
		r.Status = p.str()
		if r.Status != "pending" && !status.MatchString(r.Status) && !NetError.MatchString(r.Status) {
			p.fail()
		}
	case "selectedInDevToolsUI":
		selected := p.boolean()
		r.Selected = &selected
	default:
		return false
	}
	return true
}

func (p *parser) networkRequest() NetworkRequest {
	var r NetworkRequest
	p.object(func(key string) {
		if !p.networkMember(&r, key) {
			p.fail()
		}
	})
	return r
}

func (p *parser) networkDetail() *NetworkDetail {
	d := &NetworkDetail{}
	headers := func() []Header {
		var out []Header
		p.object(func(name string) { out = append(out, Header{name, p.str()}) })
		return out
	}
	p.object(func(key string) {
		switch key {
		case "requestHeaders":
			d.RequestHeaders = headers()
		case "responseHeaders":
			d.ResponseHeaders, d.Responded = headers(), true
		case "requestBody":
			d.RequestBody = p.ptr()
		case "requestBodyFilePath":
			d.RequestFile = p.ptr()
		case "responseBody":
			d.ResponseBody = p.ptr()
		case "responseBodyFilePath":
			d.ResponseFile = p.ptr()
		case "failure":
			if d.Failure = p.ptr(); !NetError.MatchString(*d.Failure) {
				p.fail()
			}
		case "redirectChain":
			p.array(func() { d.Redirects = append(d.Redirects, p.networkRequest()) })
		default:
			if !p.networkMember(&d.NetworkRequest, key) {
				p.fail()
			}
		}
	})
	return d
}

// maxListURL is what of an address stands in a list, in UTF-16 units.
const maxListURL = 255

func (r *NetworkRequest) print() string {
	url := r.URL
	if len(url) > maxListURL {
		if u := utf16.Encode([]rune(url)); len(u) > maxListURL {
			url = string(utf16.Decode(u[:maxListURL])) + "... <truncated>"
		}
	}
	line := fmt.Sprintf("reqid=%s %s %s [%s]", r.ID, r.Method, url, r.Status)
	if r.Selected != nil && *r.Selected {
		line += " [selected in the DevTools Network panel]"
	}
	return line
}

func (d *NetworkDetail) print() string {
	out := []string{"## Request " + d.URL, "Status: " + d.Status, "### Request Headers"}
	headers := func(list []Header) {
		for _, h := range list {
			out = append(out, "- "+h.Name+":"+h.Value)
		}
	}
	body := func(head string, body, file *string) {
		switch {
		case body != nil && *body != "":
			out = append(out, head, *body)
		case file != nil:
			out = append(out, head, "Saved to "+*file+".")
		}
	}
	headers(d.RequestHeaders)
	body("### Request Body", d.RequestBody, d.RequestFile)
	if d.Responded {
		out = append(out, "### Response Headers")
		headers(d.ResponseHeaders)
	}
	body("### Response Body", d.ResponseBody, d.ResponseFile)
	if d.Failure != nil {
		out = append(out, "### Request failed with", *d.Failure)
	}
	if len(d.Redirects) > 0 {
		out = append(out, "### Redirect chain")
		for i, r := range d.Redirects {
			out = append(out, strings.Repeat("  ", i)+r.print())
		}
	}
	return strings.Join(out, "\n")
}

func (g *Pagination) print(out []string) []string {
	if g == nil {
		return out
	}
	if g.Invalid {
		out = append(out, "Invalid page number provided. Showing first page.")
	}
	out = append(out, fmt.Sprintf("Showing %d-%d of %s (Page %d of %d).", g.Start+1, g.End, g.Total, g.Page+1, g.Pages))
	if g.Links && g.Next {
		out = append(out, fmt.Sprintf("Next page: %d", g.Page+1))
	}
	if g.Links && g.Previous {
		out = append(out, fmt.Sprintf("Previous page: %d", g.Page-1))
	}
	return out
}

// printLists renders what follows the snapshot.
func (r *Reply) printLists(out []string) []string {
	if r.Network.One != nil {
		out = append(out, r.Network.One.print())
	}
	if r.Console.One != nil {
		out = append(out, r.Console.One.detail())
	}
	out = r.printWebMCP(out)
	if len(r.Network.List) > 0 || r.Network.Empty {
		out = append(out, "## Network requests")
		if r.Network.Empty {
			return append(out, "No requests found.")
		}
		out = r.Pagination.print(out)
		for i := range r.Network.List {
			out = append(out, r.Network.List[i].print())
		}
	}
	if len(r.Console.List) > 0 || r.Console.Empty {
		out = append(out, "## Console messages")
		if r.Console.Empty {
			return append(out, "<no console messages found>")
		}
		out = r.Pagination.print(out)
		traced := false
		for i := range r.Console.List {
			out = append(out, r.Console.List[i].print())
			traced = traced || r.Console.List[i].Stack != nil
		}
		if traced {
			out = append(out, "Note: stack trace line and column numbers use 1-based indexing")
		}
	}
	return out
}

// complete reads from the text what the structured content lacks: the length of
// a list and what an issue says, which no page can have put there in its place,
// as the whole has to print back.
func (r *Reply) complete(text string) {
	if g := r.Pagination; g != nil {
		head := fmt.Sprintf("Showing %d-%d of ", g.Start+1, g.End)
		if _, rest, ok := strings.Cut(text, head); ok {
			g.Total, _, _ = strings.Cut(rest, " ")
			if g.Total == "" || strings.Trim(g.Total, "0123456789") != "" {
				g.Total = ""
			}
		}
	}
	if m := r.Console.One; m != nil && m.Type == issueType {
		_, m.Rest, _ = strings.Cut(text, "\nMessage: issue> ")
	}
}

func (r *Reply) links() {
	if r.Pagination != nil {
		r.Pagination.Links = true
	}
}

// listsJSON adds what printLists renders.
func (r *Reply) listsJSON(m map[string]any) {
	if g := r.Pagination; g != nil {
		m["pagination"] = map[string]any{"currentPage": g.Page, "totalPages": g.Pages, "hasNextPage": g.Next, "hasPreviousPage": g.Previous,
			"startIndex": g.Start, "endIndex": g.End, "invalidPage": g.Invalid}
	}
	r.webMCPJSON(m)
	if list := r.Console.List; len(list) > 0 {
		out := make([]map[string]any, len(list))
		for i := range list {
			out[i] = list[i].json()
		}
		m["consoleMessages"] = out
	}
	if one := r.Console.One; one != nil {
		m["consoleMessage"] = one.json()
	}
	if list := r.Network.List; len(list) > 0 {
		m["networkRequests"] = requestsJSON(list)
	}
	if d := r.Network.One; d != nil {
		one := d.json()
		one["requestHeaders"] = headersJSON(d.RequestHeaders)
		if d.Responded {
			one["responseHeaders"] = headersJSON(d.ResponseHeaders)
		}
		for key, v := range map[string]*string{"requestBody": d.RequestBody, "requestBodyFilePath": d.RequestFile, "responseBody": d.ResponseBody,
			"responseBodyFilePath": d.ResponseFile, "failure": d.Failure} {
			if v != nil {
				one[key] = *v
			}
		}
		if len(d.Redirects) > 0 {
			one["redirectChain"] = requestsJSON(d.Redirects)
		}
		m["networkRequest"] = one
	}
}

func (m *ConsoleMessage) json() map[string]any {
	out := map[string]any{"id": json.RawMessage(m.ID), "type": m.Type}
	if m.Type == issueType {
		out["title"] = m.Text
	} else {
		out["text"] = m.Text
	}
	for key, n := range map[string]string{"argsCount": m.Args, "count": m.Count} {
		if n != "" {
			out[key] = json.RawMessage(n)
		}
	}
	if m.Arguments != nil {
		out["args"] = m.Arguments
	}
	if m.Stack != nil {
		out["stackTrace"] = *m.Stack
	}
	return out
}

func (r *NetworkRequest) json() map[string]any {
	out := map[string]any{"requestId": json.RawMessage(r.ID), "method": r.Method, "url": r.URL, "status": r.Status}
	if r.Selected != nil {
		out["selectedInDevToolsUI"] = *r.Selected
	}
	return out
}

func requestsJSON(list []NetworkRequest) []map[string]any {
	out := make([]map[string]any, len(list))
	for i := range list {
		out[i] = list[i].json()
	}
	return out
}

func headersJSON(list []Header) map[string]string {
	out := map[string]string{}
	for _, h := range list {
		out[h.Name] = h.Value
	}
	return out
}

package adapter

import (
	"net/http"
	"strconv"
	"strings"
)

// PlaywrightReply is a parsed reply of @playwright/mcp: sections of text in a
// fixed order (packages/playwright-core/src/tools/backend/response.ts). Only an
// error, a result and the message of a dialog can hold line ends of a page's.
type PlaywrightReply struct {
	// Error is what went wrong; if it is not the one sentence about an open
	// dialog, nothing else follows it.
	Error, Result *string
	Tabs          []PlaywrightTab
	Page          *PlaywrightPage
	Modal         []Modal
	// Snapshot is the path of the file that the snapshot is in; Inline, if it is
	// not empty, stands in the place of the link.
	Snapshot *string
	Inline   string
	Events   []PlaywrightEvent
}

// PlaywrightTab is a line of the list of tabs, PlaywrightPage what is said of
// the one that is current.
type (
	PlaywrightTab struct {
		Index            int
		Current, Crashed bool
		// Text is "[title](url)"; where the one ends and the other begins can't
		// be told if that occurs in them.
		Text string
	}
	PlaywrightPage struct {
		URL, Title string
		Crashed    bool
		// Status is 0 where it is not told; Reason is the server's own words.
		Status           int
		Reason           string
		Tools            int
		Console          bool
		Errors, Warnings int
	}
)

// Modal is what has to be dealt with first: a dialog, or a file chooser if Type
// is empty.
type Modal struct{ Type, Message string }

// PlaywrightEvent is something that happened meanwhile: New console entries in a
// log file, or a download, whose name the page chooses.
type PlaywrightEvent struct {
	Console string
	// Name of a download, and the file it is in once it is finished.
	Name, File string
	Finished   bool
}

// section are the sections in their order.
var sections = []string{"Error", "Result", "Open tabs", "Page", "Modal state", "Snapshot", "Events"}

// blocked is the error behind which the other sections still follow.
const (
	blockedHead = `Error: Tool "`
	blockedTail = `" does not handle the modal state.`
)

// ParsePlaywrightReply reads a reply and proves it: what it prints is that text
// to the letter.
func ParsePlaywrightReply(text string) (*PlaywrightReply, error) {
	r := &PlaywrightReply{}
	rest := text
	for i, name := range sections {
		body, ok := strings.CutPrefix(rest, "### "+name+"\n")
		if !ok {
			continue
		}
		rest = r.section(name, body, sections[i+1:])
	}
	if rest != "" || r.Print(nil) != text {
		return nil, ErrGrammar
	}
	return r, nil
}

// section takes its part of text and returns what follows.
func (r *PlaywrightReply) section(name, text string, next []string) string {
	body, rest := cutSection(text, next)
	switch name {
	case "Error":
		first, tail, _ := strings.Cut(text, "\n")
		if strings.HasPrefix(first, blockedHead) && strings.HasSuffix(first, blockedTail) {
			r.Error = &first
			return tail
		}
		r.Error = &text
		return ""
	case "Result":
		r.Result = &body
	case "Open tabs":
		r.Tabs = readTabs(body)
	case "Page":
		r.Page = readPage(body)
	case "Modal state":
		// Its message can hold anything, so what follows is found from the end.
		body, rest = text, ""
		const head = "\n### Snapshot\n"
		if i := strings.LastIndex(text, head+"- [Snapshot]("); i >= 0 && strings.HasSuffix(text, ")") && !strings.Contains(text[i+len(head):], "\n") {
			body, rest = text[:i], text[i+1:]
		}
		r.Modal = readModal(body)
	case "Snapshot":
		if path, ok := strings.CutPrefix(body, "- [Snapshot]("); ok {
			if path, ok = strings.CutSuffix(path, ")"); ok {
				r.Snapshot = &path
			}
		}
	case "Events":
		for line := range strings.SplitSeq(body, "\n") {
			r.Events = append(r.Events, readEvent(line))
		}
	}
	return rest
}

// cutSection cuts text before the first head of a section that may follow.
func cutSection(text string, next []string) (body, rest string) {
	at := len(text)
	for _, name := range next {
		if i := strings.Index(text, "\n### "+name+"\n"); i >= 0 && i < at {
			at = i
		}
	}
	if at == len(text) {
		return text, ""
	}
	return text[:at], text[at+1:]
}

// readTabs reads a list of tabs; nil if it is none.
func readTabs(body string) []PlaywrightTab {
	var out []PlaywrightTab
	for line := range strings.SplitSeq(body, "\n") {
		var t PlaywrightTab
		n, text, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		var err error
		if t.Index, err = strconv.Atoi(n); err != nil {
			return nil
		}
		text, t.Current = strings.CutPrefix(text, " (current)")
		text, t.Crashed = strings.CutSuffix(text, " [crashed]")
		t.Text = strings.TrimPrefix(text, " ")
		out = append(out, t)
	}
	return out
}

// TabsResult reads a result that is a list of tabs; nil if it is none.
func TabsResult(result string) []PlaywrightTab {
	tabs := readTabs(result)
	if printTabs(tabs, nil) != result {
		return nil
	}
	return tabs
}

// Split tells title and address apart; false if that can't be done for certain.
func (t PlaywrightTab) Split() (title, url string, ok bool) {
	s, ok1 := strings.CutPrefix(t.Text, "[")
	s, ok2 := strings.CutSuffix(s, ")")
	if !ok1 || !ok2 || strings.Count(s, "](") != 1 {
		return "", "", false
	}
	title, url, _ = strings.Cut(s, "](")
	return title, url, true
}

func readPage(body string) *PlaywrightPage {
	p := &PlaywrightPage{}
	for line := range strings.SplitSeq(body, "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		switch key {
		case "Page URL":
			p.URL = value
		case "Page Title":
			p.Title = value
		case "Page status":
			p.Crashed = value == "crashed"
		case "HTTP status":
			code, reason, _ := strings.Cut(value, " ")
			p.Status, _ = strconv.Atoi(code) // what is no number is not printed back
			p.Reason = reason
		case "Console":
			e, w, _ := strings.Cut(value, " errors, ")
			p.Console = true
			p.Errors, _ = strconv.Atoi(e)
			p.Warnings, _ = strconv.Atoi(strings.TrimSuffix(w, " warnings"))
		default:
			n, _, _ := strings.Cut(key, " ")
			p.Tools, _ = strconv.Atoi(n)
		}
	}
	return p
}

const (
	chooserLine = "- [File chooser]: can be handled by browser_file_upload"
	dialogTail  = `"]: can be handled by browser_handle_dialog`
)

func readModal(body string) []Modal {
	var out []Modal
	for {
		rest, ok := strings.CutPrefix(body, chooserLine+"\n")
		if !ok {
			break
		}
		out, body = append(out, Modal{}), rest
	}
	after := 0
	for {
		rest, ok := strings.CutSuffix(body, "\n"+chooserLine)
		if !ok {
			break
		}
		after, body = after+1, rest
	}
	if body == chooserLine {
		out = append(out, Modal{})
	} else {
		for _, kind := range []string{"alert", "confirm", "prompt", "beforeunload"} {
			m, ok := strings.CutPrefix(body, `- ["`+kind+`" dialog with message "`)
			m, ok2 := strings.CutSuffix(m, dialogTail)
			if ok && ok2 {
				out = append(out, Modal{kind, m})
			}
		}
	}
	return append(out, make([]Modal, after)...)
}

func readEvent(line string) PlaywrightEvent {
	if path, ok := strings.CutPrefix(line, "- New console entries: "); ok {
		return PlaywrightEvent{Console: path}
	}
	if name, ok := strings.CutPrefix(line, "- Downloading file "); ok {
		return PlaywrightEvent{Name: strings.TrimSuffix(name, " ...")}
	}
	name := strings.TrimPrefix(line, "- Downloaded file ")
	e := PlaywrightEvent{Finished: true}
	if i := strings.LastIndex(name, ` to "`); i >= 0 {
		e.Name, e.File = name[:i], strings.TrimSuffix(name[i+5:], `"`)
	}
	return e
}

// Print renders the reply in the upstream's own grammar. esc escapes every
// string that is not the upstream's own; nil prints as the upstream does.
func (r *PlaywrightReply) Print(esc func(string) string) string {
	var out []string
	section := func(name, body string) { out = append(out, "### "+name, body) }
	if r.Error != nil {
		section("Error", *r.Error)
	}
	if r.Result != nil {
		section("Result", *r.Result)
	}
	if r.Tabs != nil {
		section("Open tabs", printTabs(r.Tabs, esc))
	}
	if r.Page != nil {
		section("Page", r.Page.print(esc))
	}
	if len(r.Modal) > 0 {
		var lines []string
		for _, m := range r.Modal {
			line := chooserLine
			if m.Type != "" {
				line = `- ["` + m.Type + `" dialog with message "` + quoteIf(esc, m.Message) + dialogTail
			}
			lines = append(lines, line)
		}
		section("Modal state", strings.Join(lines, "\n"))
	}
	if r.Snapshot != nil {
		body := r.Inline
		if body == "" {
			body = "- [Snapshot](" + *r.Snapshot + ")"
		}
		section("Snapshot", body)
	}
	if len(r.Events) > 0 {
		var lines []string
		for _, e := range r.Events {
			lines = append(lines, e.print(esc))
		}
		section("Events", strings.Join(lines, "\n"))
	}
	return strings.Join(out, "\n")
}

// PrintTabs renders a list of tabs, whose texts are escaped already.
func PrintTabs(tabs []PlaywrightTab) string { return printTabs(tabs, nil) }

func printTabs(tabs []PlaywrightTab, esc func(string) string) string {
	var lines []string
	for _, t := range tabs {
		line := "- " + strconv.Itoa(t.Index) + ":"
		if t.Current {
			line += " (current)"
		}
		line += " " + quoteIf(esc, t.Text)
		if t.Crashed {
			line += " [crashed]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (p *PlaywrightPage) print(esc func(string) string) string {
	lines := []string{"- Page URL: " + quoteIf(esc, p.URL)}
	add := func(line string) { lines = append(lines, line) }
	if p.Title != "" {
		add("- Page Title: " + quoteIf(esc, p.Title))
	}
	if p.Crashed {
		add("- Page status: crashed")
	}
	if p.Status != 0 {
		line := "- HTTP status: " + strconv.Itoa(p.Status)
		if p.Reason != "" {
			line += " " + quoteIf(esc, p.Reason)
		}
		add(line)
	}
	if p.Tools == 1 {
		add("- 1 webmcp tool available on the page")
	} else if p.Tools > 0 {
		add("- " + strconv.Itoa(p.Tools) + " webmcp tools available on the page")
	}
	if p.Console {
		add("- Console: " + strconv.Itoa(p.Errors) + " errors, " + strconv.Itoa(p.Warnings) + " warnings")
	}
	return strings.Join(lines, "\n")
}

func (e PlaywrightEvent) print(esc func(string) string) string {
	switch {
	case e.Console != "":
		return "- New console entries: " + e.Console
	case !e.Finished:
		return "- Downloading file " + quoteIf(esc, e.Name) + " ..."
	}
	return "- Downloaded file " + quoteIf(esc, e.Name) + ` to "` + e.File + `"`
}

// StandardReason puts the registered words in the place of the server's own.
// https://www.rfc-editor.org/rfc/rfc9110.html#name-status-codes
func (p *PlaywrightPage) StandardReason() {
	if p.Reason != "" {
		p.Reason = http.StatusText(p.Status)
	}
}

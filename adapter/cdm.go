package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"moire/ax"
)

// Reply is a parsed reply of chrome-devtools-mcp: its structured content, of
// which its text is a rendering. Fields are in the order of the text.
type Reply struct {
	Reconnected bool
	Message     *string
	NavigatedTo *string
	OpenedPages []PageEntry
	Emulation   []Setting
	Dialog      *Dialog
	// SelectionNote is the one line that the structured content lacks.
	SelectionNote string
	Pages         []PageEntry
	Snapshot      *ax.Node
	// Verbose snapshots print texts below a node that they repeat the name of.
	Verbose      bool
	SnapshotFile *string
	// WebMCP are tools that the page defines, nil without a list of them; WebMCPNote
	// stands in their place.
	WebMCP     []WebMCPTool
	WebMCPNote string
	Network    Network
	Console    Console
	// Pagination is that of the list.
	Pagination *Pagination
	Error      *string
}

// PageEntry is a line of the list of tabs.
type PageEntry struct {
	ID              string
	URL, Title      string
	Selected        bool
	IsolatedContext string
}

// Setting is an emulated condition: a string, or JSON without strings of its
// own. Only the user agent is free text; the others are of closed grammars.
type Setting struct {
	Key, Text, JSON string
}

// Dialog is an open dialog.
type Dialog struct {
	Type, Message, Default string
}

// ErrGrammar: the reply is not what the codec knows; it is withheld whole.
var ErrGrammar = errors.New("reply does not have the grammar of the tested versions")

// ParseCDM reads structured content and proves it against the text: what it
// prints back unescaped has to be that text to the letter. A page that forged
// a line of the text has done it inside a string, where it stays.
func ParseCDM(structured []byte, text string) (*Reply, error) {
	p := parser{d: jsontext.NewDecoder(bytes.NewReader(structured))}
	r := p.reply()
	if p.err != nil {
		return nil, p.err
	}
	r.complete(text)
	// What the structured content does not tell is found by what prints back.
	for _, guess := range []func(){
		func() {},
		func() { r.Verbose = true },
		func() { r.Verbose, r.SelectionNote = false, selectionNote(text) },
		func() { r.Verbose = true },
		func() { r.Verbose, r.SelectionNote, r.Network.Empty = false, "", r.Pagination == nil },
		func() { r.Network.Empty, r.Console.Empty = false, r.Pagination == nil },
		func() { r.Console.Empty = false; r.links() },
	} {
		guess()
		if r.Print(nil) == text {
			return r, nil
		}
	}
	return nil, ErrGrammar
}

const selectionPrefix = "Note: the previously selected page "

// selectionNote finds the line, which carries nothing of a page.
func selectionNote(text string) string {
	for _, line := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(line, selectionPrefix)
		if !ok {
			continue
		}
		for _, how := range []string{"was closed.", "is no longer listed."} {
			if tail, ok := strings.CutPrefix(rest, how); ok && (tail == "" || selectedTail(tail)) {
				return line
			}
		}
	}
	return ""
}

func selectedTail(s string) bool {
	n, ok := strings.CutPrefix(s, " Page ")
	n, ok2 := strings.CutSuffix(n, " is now selected.")
	return ok && ok2 && n != "" && strings.Trim(n, "0123456789") == ""
}

type parser struct {
	d   *jsontext.Decoder
	err error
}

func (p *parser) fail() {
	if p.err == nil {
		p.err = ErrGrammar
	}
}

func (p *parser) token(want jsontext.Kind) jsontext.Token {
	if p.err != nil {
		return jsontext.Null
	}
	t, err := p.d.ReadToken()
	if err != nil || t.Kind() != want {
		p.fail()
		return jsontext.Null
	}
	return t
}

func (p *parser) str() string {
	t := p.token('"')
	if p.err != nil {
		return ""
	}
	return t.String()
}

func (p *parser) raw() string {
	if p.err != nil {
		return ""
	}
	v, err := p.d.ReadValue()
	if err != nil {
		p.fail()
		return ""
	}
	return string(v)
}

func (p *parser) boolean() bool {
	if p.err == nil && p.d.PeekKind() == 'f' {
		p.token('f')
		return false
	}
	p.token('t')
	return p.err == nil
}

func (p *parser) object(member func(key string)) {
	p.token('{')
	for p.err == nil && p.d.PeekKind() != '}' {
		member(p.str())
	}
	p.token('}')
}

func (p *parser) array(element func()) {
	p.token('[')
	for p.err == nil && p.d.PeekKind() != ']' {
		element()
	}
	p.token(']')
}

func (p *parser) reply() *Reply {
	r := &Reply{}
	p.object(func(key string) {
		switch key {
		case "reconnected":
			r.Reconnected = p.boolean()
		case "message":
			r.Message = p.ptr()
		case "navigatedToUrl":
			r.NavigatedTo = p.ptr()
		case "openedPages":
			p.array(func() { r.OpenedPages = append(r.OpenedPages, p.page()) })
		case "dialog":
			r.Dialog = p.dialog()
		case "pages":
			p.array(func() { r.Pages = append(r.Pages, p.page()) })
		case "snapshot":
			r.Snapshot = p.node(0)
		case "snapshotFilePath":
			r.SnapshotFile = p.ptr()
		case "webmcpTools":
			r.WebMCP = []WebMCPTool{}
			p.array(func() { r.WebMCP = append(r.WebMCP, p.webMCPTool()) })
		case "pagination":
			r.Pagination = p.pagination()
		case "networkRequests":
			p.array(func() { r.Network.List = append(r.Network.List, p.networkRequest()) })
		case "networkRequest":
			r.Network.One = p.networkDetail()
		case "consoleMessages":
			p.array(func() { r.Console.List = append(r.Console.List, p.consoleMessage()) })
		case "consoleMessage":
			m := p.consoleMessage()
			r.Console.One = &m
		case "errorMessage":
			r.Error = p.ptr()
		default:
			r.Emulation = append(r.Emulation, p.setting(key))
		}
	})
	return r
}

func (p *parser) page() PageEntry {
	var e PageEntry
	p.object(func(key string) {
		switch key {
		case "id":
			e.ID = p.raw()
		case "url":
			e.URL = p.str()
		case "title":
			e.Title = p.str()
		case "selected":
			e.Selected = p.boolean()
		case "isolatedContext":
			e.IsolatedContext = p.str()
		default:
			p.fail()
		}
	})
	if e.ID == "" || strings.Trim(e.ID, "0123456789") != "" {
		p.fail()
	}
	return e
}

func (p *parser) dialog() *Dialog {
	d := &Dialog{}
	p.object(func(key string) {
		switch key {
		case "type":
			d.Type = p.str()
			switch d.Type {
			case "alert", "confirm", "prompt", "beforeunload":
			default:
				p.fail()
			}
		case "message":
			d.Message = p.str()
		case "defaultValue":
			d.Default = p.str()
		default:
			p.fail()
		}
	})
	return d
}

const maxTreeDepth = 4000

func (p *parser) node(depth int) *ax.Node {
	n := &ax.Node{}
	if depth > maxTreeDepth {
		p.fail()
		return n
	}
	p.object(func(key string) {
		switch key {
		case "id":
			n.ID = p.str()
		case "role":
			n.Role = p.str()
		case "name":
			n.Name = p.str()
		case "children":
			p.array(func() { n.Children = append(n.Children, p.node(depth+1)) })
		default:
			p.attr(n, key)
		}
	})
	if !validUID(n.ID) {
		p.fail()
	}
	return n
}

func (p *parser) attr(n *ax.Node, key string) {
	if p.err != nil {
		return
	}
	if !attributeKeys[key] {
		p.fail()
		return
	}
	switch p.d.PeekKind() {
	case '"':
		n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.String, Text: p.str()})
	case '0':
		n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.Number, Text: p.raw()})
	default:
		p.token('t')
		n.Attrs = append(n.Attrs, ax.Attr{Key: key, Kind: ax.True})
	}
}

func validUID(s string) bool {
	a, b, ok := strings.Cut(s, "_")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return ok && digits(a) && digits(b) && len(s) < 32
}

// attributeKeys are the properties that Puppeteer's accessibility snapshot
// knows, and the -able words that the upstream derives from four of them. A
// key outside the list is not a key of this grammar.
var attributeKeys = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(`url value description keyshortcuts roledescription valuetext
		disabled expanded focused modal multiline multiselectable readonly required selected
		checked pressed level valuemin valuemax autocomplete haspopup invalid orientation busy
		live relevant atomic errormessage details placeholder editable root settable hasLabel
		disableable expandable focusable selectable`) {
		m[k] = true
	}
	return m
}()

var ables = map[string]string{
	"disabled": "disableable", "expanded": "expandable", "focused": "focusable", "selected": "selectable",
}

func quoteIf(esc func(string) string, s string) string {
	if esc == nil {
		return s
	}
	return esc(s)
}

// Print renders the reply in the upstream's own grammar. esc escapes every
// string that is not the upstream's own; nil prints as the upstream does.
func (r *Reply) Print(esc func(string) string) string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if r.Reconnected {
		add("Note: the browser was restarted or reconnected since the last call. Page ids have changed. Call list_pages to see open pages.")
	}
	if r.Message != nil {
		out = append(out, *r.Message)
	}
	if r.NavigatedTo != nil {
		add("Page navigated to %s.", quoteIf(esc, *r.NavigatedTo))
	}
	if len(r.OpenedPages) > 0 {
		add("## Opened pages")
		for _, p := range r.OpenedPages {
			add("%s", p.label(esc))
		}
	}
	out = r.printEmulation(out)
	if d := r.Dialog; d != nil {
		def := ""
		if d.Type == "prompt" {
			def = fmt.Sprintf(" (default value: %q)", "\x00")
			def = strings.Replace(def, `\x00`, quoteIf(esc, d.Default), 1)
		}
		add("# Open dialog\n%s: %s%s.\nCall handle_dialog to handle it before continuing.", quoteIf(esc, d.Type), quoteIf(esc, d.Message), def)
	}
	if r.SelectionNote != "" {
		out = append(out, r.SelectionNote)
	}
	if len(r.Pages) > 0 {
		add("## Pages")
		for _, p := range r.Pages {
			line := p.label(esc)
			if p.Selected {
				line += " [selected]"
			}
			if p.IsolatedContext != "" {
				line += " isolatedContext=" + quoteIf(esc, p.IsolatedContext)
			}
			out = append(out, line)
		}
	}
	if r.SnapshotFile != nil {
		add("Saved snapshot to %s.", quoteIf(esc, *r.SnapshotFile))
	}
	if r.Snapshot != nil {
		out = append(out, "## Latest page snapshot", r.snapshotText(esc))
	}
	out = r.printLists(out)
	if r.Error != nil {
		add("Error: %s", *r.Error)
	}
	return strings.Join(out, "\n")
}

// SnapshotText renders the snapshot alone, escaped.
func (r *Reply) SnapshotText() string { return r.snapshotText(Escape) }

func (r *Reply) snapshotText(esc func(string) string) string {
	var b strings.Builder
	printNode(&b, r.Snapshot, 0, r.Verbose, esc)
	return b.String()
}

func (e PageEntry) label(esc func(string) string) string {
	if e.Title == "" {
		return e.ID + ": " + quoteIf(esc, e.URL)
	}
	return fmt.Sprintf("%s: %s (%s)", e.ID, quoteIf(esc, e.Title), quoteIf(esc, e.URL))
}

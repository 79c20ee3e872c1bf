package proxy

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/browser"
	"moire/classify"
	"moire/policy"
	"moire/scan"
)

// facts gathers what policy may know of a call, by the browser's word where there
// is a wire. What can't be told is missing, which rules take for the worst.
func (p *Proxy) facts(ctx context.Context, c *call) policy.Facts {
	f := policy.Facts{Tool: c.name, Effects: effectsOf(c), Gentle: c.row.Gentle, Call: p.digest(c.name, string(c.args))}
	if c.row.Bypass {
		f.Page, f.Dialog = p.dialogFacts(c)
	} else {
		f.Page = p.pageFacts(ctx, c)
	}
	args := c.sentArgs()
	for name, kind := range c.row.Arguments {
		v := gjson.GetBytes(args, name)
		if !v.Exists() || v.Type == gjson.Null {
			continue
		}
		switch kind {
		case "url":
			d := policy.Destine(absolute(v.String()))
			f.To = &d
		case "script", "source":
			f.Script = policy.ScriptImpure
		case "paths":
			f.Files = append(f.Files, p.fileFacts(v)...)
		}
		if slices.Contains(p.cfg.Policy.Reads(), name) {
			if f.Args == nil {
				f.Args = map[string]string{}
			}
			f.Args[name] = v.String()
		}
	}
	if c.a != nil && !c.row.Bypass && (acts(f.Effects) || slices.Contains(f.Effects, policy.Emulate)) {
		f.Text = c.typed()
	}
	if acts(f.Effects) && c.a != nil && !c.row.Bypass {
		p.targetFacts(ctx, c, &f)
	}
	return f
}

// sentArgs are the arguments as the upstream gets them.
func (c *call) sentArgs() []byte {
	if c.sent == nil {
		return c.args
	}
	return []byte(gjson.GetBytes(c.sent, "arguments").Raw)
}

func acts(effects []policy.Effect) bool {
	return slices.ContainsFunc(effects, func(e policy.Effect) bool {
		return e == policy.Input || e == policy.Submit || e == policy.Upload
	})
}

// absolute completes an address without a scheme as upstreams do.
func absolute(address string) string {
	scheme, _, ok := strings.Cut(address, ":")
	if ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.") == "" {
		return address
	}
	if strings.HasPrefix(address, "localhost") {
		return "http://" + address
	}
	return "https://" + address
}

// digest is a keyed digest: equal only for equal texts, and nothing else can be told
// of them.
func (p *Proxy) digest(parts ...string) string {
	h := hmac.New(sha256.New, p.cfg.Session.Key)
	for _, s := range parts {
		h.Write([]byte{byte(len(s)), byte(len(s) >> 8), byte(len(s) >> 16), byte(len(s) >> 24)})
		h.Write([]byte(s))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// pageFacts tell of the document that the call acts in. A call that makes the page
// what it is needs none unless the tab is known already.
func (p *Proxy) pageFacts(ctx context.Context, c *call) *policy.Page {
	if !c.onPage() {
		return nil
	}
	if p.cfg.Browser == nil {
		if c.navigates() {
			return nil
		}
		return p.evaluatedPage(ctx, c)
	}
	w := p.wiredTab(c)
	if w == nil || c.tab == "" && c.a.Mark.Tool == "" {
		if c.navigates() {
			return nil
		}
		var err error
		w, err = p.onWire(ctx, c)
		if errors.Is(err, browser.ErrBlank) || errors.Is(err, errOffWire) && c.a.Codec == adapter.CodecText {
			return &policy.Page{Host: policy.HostNone, Isolated: true, Blank: true}
		}
		if err != nil {
			return nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, addressTimeout)
	defer cancel()
	address, err := w.page.Address(ctx)
	if err != nil {
		return nil
	}
	origin := policy.Destine(address).Origin
	page := &policy.Page{Origin: origin, Host: hostOf(origin), Isolated: true, Blank: blank[address]}
	if loader := w.page.Document(); loader != "" {
		page.Document = p.digest("document", loader)
	}
	return page
}

// blank are addresses of empty tabs.
var blank = map[string]bool{"": true, "about:blank": true, "chrome://newtab/": true, "chrome://new-tab-page/": true}

// addressTimeout bounds a question that no page can hold up.
const addressTimeout = 2 * time.Second

// onPage reports a call that has to do with the document of a tab.
func (c *call) onPage() bool {
	if c.a == nil || c.name == "" {
		return false
	}
	for _, e := range c.row.Effects {
		if e.Effect != "manage" {
			_, scoped := c.row.Arguments["pageId"]
			return scoped || c.a.Mark.Tool != "" || c.a.Codec == adapter.CodecText || c.row.Look != adapter.LookNone
		}
	}
	return false
}

// navigates reports a call that needs no page before it.
func (c *call) navigates() bool {
	return !slices.ContainsFunc(c.row.Effects, func(e adapter.ToolEffect) bool {
		return e.Effect != "navigate" && e.Effect != "manage" && e.When == ""
	})
}

// evaluatedPage asks the page itself, which can't change what location tells
// (LegacyUnforgeable), but how it is written.
func (p *Proxy) evaluatedPage(ctx context.Context, c *call) *policy.Page {
	// A policy that only records is not worth the calls.
	if c.a.Script.Tool == "" || p.cfg.Policy.Watches() {
		return nil
	}
	raw, err := evaluator{p, c}.Evaluate(ctx, `() => ({origin: location.origin, blank: location.href === "about:blank"})`, nil)
	if err != nil {
		return nil
	}
	origin := policy.Destine(gjson.GetBytes(raw, "origin").String()).Origin
	return &policy.Page{Origin: origin, Host: hostOf(origin), Blank: gjson.GetBytes(raw, "blank").Bool()}
}

func hostOf(origin string) policy.HostClass {
	o, err := policy.ParseOrigin(origin)
	if err != nil {
		return policy.HostNone
	}
	return policy.ClassOfHost(o.Host)
}

// dialogFacts tell of the dialog that the call answers.
func (p *Proxy) dialogFacts(c *call) (*policy.Page, *policy.Dialog) {
	d := &policy.Dialog{Kind: "unknown", Accept: true, Act: string(classify.ActNone)}
	for _, name := range []string{"action", "accept"} {
		if v := gjson.GetBytes(c.args, name); v.Exists() {
			d.Accept = v.Type != gjson.False && v.String() != "dismiss"
		}
	}
	w := p.wiredTab(c)
	if w == nil {
		return nil, d
	}
	open, ok := w.page.Dialog()
	if !ok {
		return nil, d
	}
	if slices.Contains([]string{"alert", "confirm", "prompt", "beforeunload"}, open.Kind) {
		d.Kind = open.Kind
	}
	d.Act = string(p.cfg.Classifier.Act(open.Message))
	origin := policy.Destine(open.URL).Origin
	if origin == "" {
		return nil, d
	}
	return &policy.Page{Origin: origin, Host: hostOf(origin), Isolated: true}, d
}

// fileFacts tell of files of the person's.
func (p *Proxy) fileFacts(list gjson.Result) []policy.File {
	var out []policy.File
	for _, v := range list.Array() {
		f := policy.File{Class: "outside"}
		if p.cfg.Workspace != nil && v.Type == gjson.String {
			rel, size := p.cfg.Workspace.Below(v.String())
			f.Class, f.Bytes = policy.ClassOfFile(rel), size
		}
		out = append(out, f)
	}
	return out
}

// words are the texts that the call types or sends in headers.
func (c *call) words() []string {
	var out []string
	add := func(v gjson.Result) {
		if v.Exists() && v.Type != gjson.Null {
			out = append(out, v.String())
		}
	}
	for name, kind := range c.row.Arguments {
		v := gjson.GetBytes(c.args, name)
		switch kind {
		case "text":
			if name != "element" && name != "startElement" && name != "endElement" { // the agent's words for it
				add(v)
			}
		case "texts":
			if name != "modifiers" {
				add(v)
			}
		case "headers":
			add(v)
		case "fields":
			for _, item := range v.Array() {
				add(item.Get("value"))
			}
		case "key":
			if utf8.RuneCountInString(v.String()) == 1 {
				add(v)
			}
		}
	}
	return out
}

// pastes reports a key that types what the clipboard holds.
func (c *call) pastes() bool {
	for name, kind := range c.row.Arguments {
		if kind == "key" && pasteKey.MatchString(gjson.GetBytes(c.args, name).String()) {
			return true
		}
	}
	return false
}

// pasteKey are the ways to paste by a key, in the upstreams' names of keys.
var pasteKey = regexp.MustCompile(`(?i)^(((control|ctrl|meta|command|cmd|controlormeta)(left|right)?\+(alt\+|shift\+)*(key)?v)|(shift(left|right)?\+insert)|paste)$`)

// typed is what the call types, without its words; nil if it types nothing.
func (c *call) typed() *policy.Text {
	words := c.words()
	if c.pastes() {
		return &policy.Text{Pasted: true}
	}
	if len(words) == 0 {
		return nil
	}
	t := &policy.Text{}
	for _, w := range words {
		t.Bytes += len(w)
	}
	return t
}

// reduce makes recordable facts of raw ones. types: the call types into it; enters:
// and presses Enter there.
func (p *Proxy) reduce(t scan.Target, types, enters bool) policy.Target {
	out := policy.Target{Tag: closedWord(t.Tag), Role: closedWord(t.Role), Frame: t.Frame, Covered: t.Covered, Hidden: t.Hidden, Disabled: t.Disabled, Name: p.digest("name", t.Name)}
	if t.Field != nil {
		out.Field = p.fieldClass(*t.Field, t.Form)
	}
	presses := !types || t.Field == nil
	out.Enters = enters && t.Field != nil
	out.Submits = presses && t.Submits || enters && (t.Enter || t.Submits)
	if presses || enters {
		out.Act = string(p.cfg.Classifier.Act(t.Name))
		if out.Act == string(classify.ActNone) {
			out.Act = ""
		}
	}
	if (presses || enters) && t.Link != nil {
		d := policy.Destine(*t.Link)
		out.Link, out.Saves = &d, t.Download
	}
	if t.Form != nil {
		out.Form = p.formFacts(t.Form)
	}
	raw, err := json.Marshal(out)
	if err == nil {
		out.Digest = p.digest("target", t.Document, string(raw))
	}
	return out
}

func (p *Proxy) fieldClass(f scan.Field, form *scan.TargetForm) string {
	in := classify.Input{Tag: f.Tag, Type: f.Type, Autocomplete: f.Autocomplete, Name: f.Name, ID: f.ID, Placeholder: f.Placeholder, Label: f.Label, Role: f.Role,
		InputMode: f.InputMode, Editable: f.Editable, Multiline: f.Tag == "textarea"}
	if form != nil && form.Search {
		in.FormRole = "search"
	}
	return string(p.cfg.Classifier.Field(in))
}

func (p *Proxy) formFacts(form *scan.TargetForm) *policy.Form {
	d := policy.Destine(form.Action)
	out := &policy.Form{Action: &d, Get: form.Method == "get", Plain: !form.More}
	for _, f := range form.Fields {
		class := classify.Class(p.fieldClass(f, form))
		if f.Type == "hidden" {
			continue
		}
		if !slices.Contains(out.Fields, string(class)) {
			out.Fields = append(out.Fields, string(class))
		}
		out.Plain = out.Plain && class.Grade() == classify.Plain && class != classify.Captcha && class != classify.File
	}
	slices.Sort(out.Fields)
	return out
}

// closedWord keeps a word of HTML or WAI-ARIA; a page's own becomes "other".
func closedWord(s string) string {
	if s == "" || knownWords[s] {
		return s
	}
	return "other"
}

// knownWords are the tags and roles of what people act on.
var knownWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`a area button input select textarea option optgroup summary details label form img svg canvas video audio div span p li ul td th tr h1 h2 h3 h4 h5 h6
		section article nav main header footer iframe object embed body html dialog fieldset legend
		link checkbox radio textbox searchbox combobox listbox menuitem menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem gridcell heading image list listitem
		ColorWell Date DateTime InputTime LabelText DisclosureTriangle menu menubar toolbar tree grid row cell group region navigation`) {
		out[w] = true
	}
	return out
}()

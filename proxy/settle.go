package proxy

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/ax"
	"moire/evidence"
	"moire/scan"
	"moire/wire"
)

// maxPins is how many elements one look has the upstream resolve: each costs
// it about two milliseconds.
const maxPins = 48

// settle makes of the upstream's reply what the agent gets.
func (p *Proxy) settle(ctx context.Context, c *call, reply wire.Message) ([]byte, error) {
	if reply.Kind != wire.MessageResult {
		return nil, upstreamError(reply)
	}
	result := reply.Bytes(reply.Result)
	isError := gjson.GetBytes(result, "isError").Bool()
	text := gjson.GetBytes(result, "content.0.text").String()
	switch {
	case c.row.Reply == "withheld" && !isError:
		return p.withheld(c), nil
	case c.row.Reply == "plain":
		return p.settlePlain(c, result, isError)
	case c.a.Codec == adapter.CodecText:
		return p.settleText(ctx, c, result, isError)
	case c.a.Codec == adapter.CodecPlaywright:
		return p.settlePlaywright(ctx, c, result, text, isError)
	case !gjson.GetBytes(result, "structuredContent").Exists():
		return p.finish(c, result, p.sentence(c, text, isError, p.cfg.Session.Known(c.tab)), isError)
	}
	structured := []byte(gjson.GetBytes(result, "structuredContent").Raw)
	r, err := adapter.ParseCDM(structured, text)
	if err != nil {
		c.q.Withhold("", "", "reply", text, evidence.KindUnclassifiedChannel)
		return p.finish(c, result, p.note("the reply is withheld: it is not in the form of the tested versions of "+c.a.Name), isError)
	}
	if err := p.judge(ctx, c, r, isError); err != nil {
		return nil, err
	}
	if c.file != "" && r.Snapshot != nil {
		path, err := p.cfg.Workspace.Write(c.file, []byte(r.SnapshotText()))
		if err != nil {
			return nil, err
		}
		r.Snapshot, r.SnapshotFile = nil, &path
	}
	out, err := p.finish(c, result, r.Print(adapter.Escape), isError)
	if err != nil || !p.cfg.KeepStructured {
		return out, err
	}
	kept, err := r.JSON()
	if err != nil {
		return nil, err
	}
	return setMember(out, "structuredContent", kept)
}

// withheld answers for a channel that nothing can judge yet.
func (p *Proxy) withheld(c *call) []byte {
	c.q.Withhold("", "", c.row.Channel, "", evidence.KindUnclassifiedChannel)
	text := p.note(fmt.Sprintf("%s was called; %s are withheld, as this version can't tell what of them a person sees", c.name, c.row.Channel))
	return withMeta(textResult(text, false), c.q.Summary())
}

func (p *Proxy) note(text string) string {
	return adapter.SigilOpen + ": " + text + adapter.SigilClose
}

// judge runs every string of a reply through the explainer.
func (p *Proxy) judge(ctx context.Context, c *call, r *adapter.Reply, isError bool) error {
	if r.Snapshot != nil {
		if err := p.judgeTree(ctx, c, r.Snapshot); err != nil {
			return err
		}
	} else if c.row.Channel != "" {
		if err := p.judgeSpoken(ctx, c, r); err != nil {
			return err
		}
	} else if c.row.Look == adapter.LookAfter && !isError && r.Dialog == nil {
		if id := selected(r.Pages); c.tab == "" && id != "" {
			if err := p.hold(ctx, c, id); err != nil {
				return err
			}
			c.tab = id // the call opened it
		}
		v, err := p.look(ctx, c, nil)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		c.after = v // nil: titles are then judged by nothing, and withheld
	}
	if c.after == nil && (r.NavigatedTo != nil || c.row.Look == adapter.LookAfter) {
		// Another document by now: what the last one showed explains nothing.
		p.cfg.Session.Tab(c.tab).Saw(nil)
	}
	ex := p.cfg.Session.Known(c.tab)
	if r.Message != nil && c.row.Script == "" {
		*r.Message = p.sentence(c, *r.Message, false, ex)
	}
	if r.Error != nil && c.row.Channel == "" {
		*r.Error = p.sentence(c, *r.Error, true, ex)
	}
	if r.NavigatedTo != nil {
		*r.NavigatedTo = p.url(c, *r.NavigatedTo, ex)
	}
	for i := range r.Emulation {
		if s := &r.Emulation[i]; s.Key == "userAgent" {
			s.Text = p.echo(c, s.Text, ex)
		}
	}
	for _, list := range [][]adapter.PageEntry{r.OpenedPages, r.Pages} {
		for i := range list {
			p.tabEntry(c, &list[i], ex)
		}
	}
	if n := len(r.WebMCP); n > 0 {
		for _, t := range r.WebMCP {
			c.q.Withhold("", "", "tool of the page", t.Name+" "+t.Description+" "+t.InputSchema+" "+t.Annotations, evidence.KindUnclassifiedChannel)
		}
		r.WebMCP, r.WebMCPNote = r.WebMCP[:0], p.note(fmt.Sprintf("%d tools of the page withheld, as a page defines them for agents alone", n))
	}
	if d := r.Dialog; d != nil {
		// An open dialog is seen by definition; its length is bounded.
		d.Message, d.Default = boundText(scan.Clean(d.Message)), boundText(scan.Clean(d.Default))
	}
	return nil
}

func selected(pages []adapter.PageEntry) string {
	for _, e := range pages {
		if e.Selected {
			return e.ID
		}
	}
	return ""
}

// maxDialog is what of a dialog's text is passed on.
const maxDialog = 2000

func boundText(s string) string {
	if r := []rune(s); len(r) > maxDialog {
		return string(r[:maxDialog]) + "…"
	}
	return s
}

// judgeTree takes the look after the snapshot and removes what nobody sees. A
// call that makes the page what it is has both looks behind it.
func (p *Proxy) judgeTree(ctx context.Context, c *call, root *ax.Node) error {
	if c.overlapped != nil {
		if err := p.joined(ctx, c); err != nil {
			return err
		}
	}
	if c.before == nil {
		first, err := p.look(ctx, c, nil)
		if err != nil {
			return err
		}
		if err := p.enterAll(ctx, c, first, scan.Foreign(root, first)); err != nil {
			return err
		}
		c.before = first
	}
	pins := scan.Undecided(root, c.before, maxPins)
	after, err := p.look(ctx, c, pins)
	if err != nil && len(pins) > 0 && ctx.Err() == nil {
		// An element that is gone fails the whole call; its name is lost, the
		// rest of the page is not.
		after, err = p.look(ctx, c, nil)
	}
	if err != nil {
		return err
	}
	if after == c.before && !after.Knows(root) {
		// Nothing has changed, but that the upstream has named elements.
		if after, err = p.renamed(ctx, c, after, root); err != nil {
			return err
		}
	}
	roots := scan.Foreign(root, after)
	if len(roots) > maxForeign {
		roots = roots[:maxForeign]
	}
	if err := p.enterAll(ctx, c, after, roots); err != nil {
		return err
	}
	p.cfg.Session.Tab(c.tab).SetForeign(roots)
	p.cfg.Session.Tab(c.tab).Saw(after.Explainer())
	c.after = after
	p.wasRead(c.tab)
	scan.Tree(root, c.before, after, p.cfg.Session.URLs, c.q)
	return nil
}

// renamed is a look that knows the names of a snapshot: the same with those that
// the upstream has given meanwhile, or another.
func (p *Proxy) renamed(ctx context.Context, c *call, v *scan.View, root *ax.Node) (*scan.View, error) {
	limited, cancel := context.WithTimeout(ctx, p.cfg.LookTimeout)
	defer cancel()
	if same := p.cfg.Scanner.Rename(limited, v); same != nil && same.Knows(root) {
		p.mu.Lock()
		if w := p.wired[c.tab]; w != nil && w.last == v {
			w.last = same
		}
		p.mu.Unlock()
		c.before = same
		return same, nil
	}
	p.forgetLook(c.tab)
	return p.look(ctx, c, nil)
}

// enterAll adds documents of other origins to a view. One that can't be entered
// is left out, and so withheld; an error means that ctx ended.
func (p *Proxy) enterAll(ctx context.Context, c *call, v *scan.View, roots []string) error {
	for _, root := range roots[:min(len(roots), maxForeign)] {
		if err := p.enter(ctx, c, v, root); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// maxForeign is how many documents of other origins one read enters; the rest
// is withheld.
const maxForeign = 8

func (p *Proxy) tabEntry(c *call, e *adapter.PageEntry, ex *scan.Explainer) {
	if e.ID != c.tab {
		ex = p.cfg.Session.Known(e.ID)
	}
	e.URL = p.url(c, e.URL, ex)
	e.Title = p.title(c, e.Title, ex)
}

// title passes what of a tab's title the tab shows; nil if nobody looked at it.
func (p *Proxy) title(c *call, s string, ex *scan.Explainer) string {
	if s == "" {
		return s
	}
	title := ""
	switch {
	case ex != nil:
		if title = scan.Title(s, ex); title == s {
			p.cfg.Session.ShowTitle(s)
		}
	case p.cfg.Session.ShownTitle(s):
		title = s
	}
	if title != s {
		c.q.Withhold("", "", "title", s, evidence.KindUnexplainedTitle)
	}
	return title
}

func (p *Proxy) url(c *call, raw string, ex *scan.Explainer) string {
	printed, whole := p.cfg.Session.URLs.Judge(raw, ex)
	if !whole {
		c.q.Withhold("", "", "url", raw, evidence.KindUnexplainedUrl)
	}
	return printed
}

// sentence passes what the upstream itself writes; a page's words inside it
// are judged like any others.
func (p *Proxy) sentence(c *call, text string, isError bool, ex *scan.Explainer) string {
	body, prefix := text, ""
	if isError && strings.HasPrefix(text, "Error: ") {
		body, prefix = strings.TrimPrefix(text, "Error: "), "Error: "
	}
	t, args := c.a.Templates(isError), adapter.ParseArgs(c.args)
	if fields, ok := t.MatchFor(body, args); ok {
		return prefix + p.fill(c, body, fields, ex)
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if fields, ok := t.MatchFor(line, args); ok {
			lines[i] = p.fill(c, line, fields, ex)
			continue
		}
		lines[i] = p.string(c, line, ex)
	}
	return prefix + strings.Join(lines, "\n")
}

func (p *Proxy) fill(c *call, text string, fields []adapter.Field, ex *scan.Explainer) string {
	var b strings.Builder
	at := 0
	for _, f := range fields {
		b.WriteString(text[at:f.From])
		value := text[f.From:f.To]
		if f.Kind == "url" {
			b.WriteString(adapter.Escape(p.url(c, value, ex)))
		} else {
			b.WriteString(p.string(c, value, ex))
		}
		at = f.To
	}
	b.WriteString(text[at:])
	return b.String()
}

// echo passes a text that the agent itself gave; any other is judged.
func (p *Proxy) echo(c *call, s string, ex *scan.Explainer) string {
	if p.cfg.Session.Gave(s) {
		return adapter.Escape(s)
	}
	return p.string(c, s, ex)
}

// string passes s if a person sees it, else a mark of its length.
func (p *Proxy) string(c *call, s string, ex *scan.Explainer) string {
	if strings.TrimSpace(s) == "" {
		return s
	}
	if ex != nil && ex.Explain(s) != scan.Unexplained {
		if clean := scan.Clean(s); clean == s {
			return adapter.Escape(s)
		}
	}
	c.q.Withhold("", "", "message", s, evidence.KindUnexplainedString)
	return p.note(fmt.Sprintf("%d characters withheld", len([]rune(s))))
}

package proxy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/ax"
	"moire/evidence"
	"moire/scan"
)

// settlePlaywright makes of a reply of @playwright/mcp what the agent gets. Its
// snapshots are in files: they come to our directory, and what is judged of them
// appears where the agent expects it, under the same name.
func (p *Proxy) settlePlaywright(ctx context.Context, c *call, result []byte, text string, isError bool) ([]byte, error) {
	if c.row.Channel != "" && c.row.Script == "" {
		return p.settleLines(ctx, c, result, text, isError)
	}
	r, err := adapter.ParsePlaywrightReply(text)
	if err == nil && c.row.Script != "" && r.Result != nil && !scan.IsJSON(*r.Result) && *r.Result != "undefined" {
		err = adapter.ErrGrammar // it may hold the heads of sections
	}
	if err != nil {
		c.q.Withhold("", "", "reply", text, evidence.KindUnclassifiedChannel)
		return p.finish(c, result, p.note("the reply is withheld: it is not in the form of the tested versions of "+c.a.Name), isError)
	}
	if err == nil && c.row.Script != "" && r.Error != nil {
		// What a script throws may hold the heads of sections too, and an open dialog
		// with a message that nobody has seen.
		for i := range r.Modal {
			r.Modal[i].Message = p.string(c, r.Modal[i].Message, p.cfg.Session.Known(c.tab))
		}
		r.Snapshot, r.Events, r.Page = nil, nil, nil
	}
	if slices.Contains(effectsOf(c), "manage") {
		p.forget(c.tab) // another tab may be the current one
	}
	snapshot, err := p.playwrightSnapshot(ctx, c, r)
	if err != nil {
		return nil, err
	}
	if c.row.Script != "" {
		if err := p.scriptSections(ctx, c, r); err != nil {
			return nil, err
		}
	}
	ex := p.cfg.Session.Known(c.tab)
	if r.Error != nil && c.row.Script == "" {
		*r.Error = p.sentence(c, *r.Error, true, ex)
	}
	if r.Result != nil && c.row.Script == "" {
		*r.Result = p.playwrightResult(c, *r.Result, ex)
	}
	p.playwrightTabs(c, r.Tabs, ex)
	if r.Page != nil {
		r.Page.URL = adapter.EscapeLine(p.url(c, r.Page.URL, ex))
		r.Page.Title = adapter.EscapeLine(p.title(c, r.Page.Title, ex))
		r.Page.StandardReason()
	}
	for i := range r.Modal {
		if c.row.Script != "" && r.Error != nil {
			break // judged above
		}
		// An open dialog is seen by definition; its length is bounded.
		r.Modal[i].Message = adapter.Escape(boundText(scan.Clean(r.Modal[i].Message)))
	}
	for i := range r.Events {
		e := &r.Events[i]
		if e.Console != "" {
			c.q.Withhold("", "", "console messages", "", evidence.KindUnclassifiedChannel)
			e.Console = p.note("kept back; browser_console_messages tells what may be told")
			continue
		}
		e.Name = p.string(c, e.Name, ex)
		if e.Finished {
			e.File = p.note("kept back, as nobody has looked at it")
		}
	}
	if c.row.As != "" && r.Error == nil {
		query, matches, err := finder(c.args)
		if err != nil {
			return nil, err
		}
		found := snapshot
		if !strings.HasPrefix(snapshot, adapter.SigilOpen) { // else there is none to search
			found = find(snapshot, query, matches)
		}
		if c.file != "" {
			path, err := p.cfg.Workspace.Write(c.file, []byte(found))
			if err != nil {
				return nil, err
			}
			found = "- [Find results](" + p.cfg.Workspace.Shown(path) + ")"
		}
		r = &adapter.PlaywrightReply{Result: &found, Modal: r.Modal, Events: r.Events}
	} else {
		r.Inline = snapshot
	}
	return p.finish(c, result, r.Print(nil), isError) // all that is a page's is escaped by now
}

// playwrightSnapshot judges the snapshot that the reply tells of and returns
// what stands in the place of the link to it.
func (p *Proxy) playwrightSnapshot(ctx context.Context, c *call, r *adapter.PlaywrightReply) (string, error) {
	if r.Snapshot == nil {
		if c.row.Look == adapter.LookAfter && r.Error == nil && len(r.Modal) == 0 {
			p.cfg.Session.Tab(c.tab).Saw(nil) // what the last document showed explains nothing
			if _, err := p.look(ctx, c, nil); err != nil && ctx.Err() != nil {
				return "", err
			}
		}
		return "", nil
	}
	told := *r.Snapshot
	raw, err := p.cfg.Files.Take(told)
	if err != nil {
		return "", fmt.Errorf("reading the upstream's snapshot: %w", err)
	}
	root, err := adapter.ParsePlaywright(string(raw))
	if err != nil {
		c.q.Withhold("", "", "snapshot", string(raw), evidence.KindUnclassifiedChannel)
		return p.note("the snapshot is withheld: it is not in the form of the tested versions of " + c.a.Name), nil
	}
	if len(r.Modal) == 0 {
		if err := p.judgeTree(ctx, c, root); err != nil {
			return "", err
		}
	} else {
		root = &ax.Node{Role: ax.RoleRoot} // a dialog is open: there is none
	}
	root.Walk(tame)
	yaml := adapter.PrintPlaywright(root)
	if c.row.As != "" {
		return yaml, nil
	}
	if s := c.q.Summary(); s.Quarantined > 0 {
		yaml = noted(yaml, "# "+p.note(summary(s)))
	}
	if c.file != "" {
		path, err := p.cfg.Workspace.Write(c.file, []byte(yaml))
		if err != nil {
			return "", err
		}
		return "- [Snapshot](" + p.cfg.Workspace.Shown(path) + ")", nil
	}
	if c.row.Look != adapter.LookAround {
		path, err := p.cfg.Files.Publish(told, []byte(yaml))
		if err == nil {
			return "- [Snapshot](" + path + ")", nil
		}
		p.log.Warn("a snapshot goes into the reply, as it can't be written to a file", "error", err)
	}
	return "```yaml\n" + yaml + "\n```", nil
}

// tame keeps a page from writing the brackets of our notes, and what some readers
// take for the end of a line: YAML has no escape for either outside quotes.
func tame(n *ax.Node) {
	n.Name = strings.Map(tamed, n.Name)
	for i := range n.Attrs {
		n.Attrs[i].Text = strings.Map(tamed, n.Attrs[i].Text)
	}
}

func tamed(r rune) rune {
	switch {
	case r == '⟦':
		return '['
	case r == '⟧':
		return ']'
	case r >= 0x7f && r < 0xA0, r == 0x2028, r == 0x2029:
		return ' '
	}
	return r
}

// playwrightResult judges a result: a list of tabs, links to files, or the
// upstream's own sentences.
func (p *Proxy) playwrightResult(c *call, s string, ex *scan.Explainer) string {
	if tabs := adapter.TabsResult(s); tabs != nil {
		p.playwrightTabs(c, tabs, ex)
		return adapter.PrintTabs(tabs)
	}
	if c.row.Reply == "image" {
		return p.picture(c, s, ex)
	}
	return p.sentence(c, s, false, ex)
}

// picture hands over the file of a screenshot.
func (p *Proxy) picture(c *call, s string, ex *scan.Explainer) string {
	title, told, ok := strings.Cut(strings.TrimPrefix(s, "- [Screenshot of "), "](")
	if !ok || !strings.HasSuffix(told, ")") {
		return p.sentence(c, s, false, ex)
	}
	told = strings.TrimSuffix(told, ")")
	if title != "viewport" && title != "full page" && title != "element" && !argued(c, "element", title) {
		title = p.string(c, title, ex)
	}
	path := adapter.EscapeLine(told)
	if !argued(c, "filename", "") { // else the upstream wrote it where the agent said
		raw, err := p.cfg.Files.Take(told)
		if err == nil {
			path, err = p.cfg.Files.Publish(told, raw)
		}
		if err != nil {
			p.log.Warn("a screenshot is only in the reply, as it can't be written to a file", "error", err)
			return "- Screenshot of " + adapter.EscapeLine(title)
		}
	}
	return "- [Screenshot of " + adapter.EscapeLine(title) + "](" + path + ")"
}

// playwrightTabs judges a list of tabs. Only of the current one it is known what
// it shows.
func (p *Proxy) playwrightTabs(c *call, tabs []adapter.PlaywrightTab, ex *scan.Explainer) {
	for i := range tabs {
		t := &tabs[i]
		own := ex
		if !t.Current {
			own = nil
		}
		title, url, ok := t.Split()
		if !ok {
			c.q.Withhold("", "", "title", t.Text, evidence.KindUnexplainedTitle)
			t.Text = "[" + p.note("withheld: title and address can't be told apart") + "]()"
			continue
		}
		t.Text = "[" + adapter.EscapeLine(p.title(c, title, own)) + "](" + adapter.EscapeLine(p.url(c, url, own)) + ")"
	}
}

// argued reports that an argument of the call is s, or, with an empty s, that
// there is one.
func argued(c *call, name, s string) bool {
	got := gjson.GetBytes(c.args, name)
	return got.Exists() && (s == "" || got.String() == s)
}

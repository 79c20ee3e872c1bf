package scan

import (
	"strings"

	"moire/evidence"
)

// Markdown renders a page as a person reads it: text that both looks see, in the
// visual order of the second, with headings, lists, tables and links. Nothing
// hidden is in it; what was left out is recorded in q.
func Markdown(first, second *View, urls URLJudge, q *Quarantine) string {
	p := steady(first.Main, second.Main)
	w := writer{p: p, ex: NewExplainer(p), urls: urls, q: q, block: -1, link: -1, row: -1, cell: -1}
	q.Note(first)
	q.Note(second)
	for _, i := range p.visual() {
		w.item(i)
	}
	w.flush()
	return strings.TrimSpace(w.out.String()) + "\n"
}

type writer struct {
	p    *Page
	ex   *Explainer
	urls URLJudge
	q    *Quarantine

	out   strings.Builder
	line  strings.Builder
	block int
	// Items of the link, table row and cell that the current text is in.
	link, row, cell int
	prefix          string
}

func (w *writer) item(i int) {
	it := &w.p.Items[i]
	switch {
	case it.Kind == TextItem:
		w.text(i, it)
	case it.Kind == ElementItem && it.HasValue && it.Shown:
		w.field(i, it)
	}
}

func (w *writer) text(i int, it *Item) {
	seen, bad := clean(it.seen())
	if why := kinds(it.Hidden, bad); len(why) > 0 {
		w.q.Withhold(w.frame(i), "page", "text", it.Text, why...)
	}
	if strings.TrimSpace(seen) == "" {
		return
	}
	w.enter(i, it.Block)
	if w.line.Len() > 0 {
		w.line.WriteByte(' ')
	}
	w.line.WriteString(escapeSigil(strings.Join(strings.Fields(seen), " ")))
}

// field writes a form control with what it shows.
func (w *writer) field(i int, it *Item) {
	w.enter(i, -2-i)
	w.line.WriteString("[" + it.Role + "]")
	if it.HintKind == 0 && it.Hint != "" {
		hint, _ := clean(it.Hint)
		w.line.WriteString(" " + escapeSigil(strings.Join(strings.Fields(hint), " ")))
	}
}

// enter starts a new line, link or cell where i is in another than the last.
func (w *writer) enter(i, block int) {
	link, row, cell, prefix := -1, -1, -1, ""
	for x := w.p.Items[i].Parent; x >= 0; x = w.p.Items[x].Parent {
		it := &w.p.Items[x]
		switch {
		case it.Role == "link" && link < 0:
			link = x
		case (it.Role == "cell" || it.Role == "columnheader" || it.Role == "rowheader") && cell < 0:
			cell = x
		case it.Role == "row" && row < 0:
			row = x
		case it.Role == "heading" && prefix == "":
			prefix = strings.Repeat("#", max(1, it.Level)) + " "
		case it.Role == "listitem" && prefix == "":
			prefix = "- "
		}
	}
	if link != w.link {
		w.endLink()
	}
	switch {
	case row >= 0 && row == w.row:
		if cell != w.cell {
			w.line.WriteString(" |")
		}
	case block != w.block:
		w.flush()
		w.prefix = prefix
	}
	if row >= 0 && row != w.row {
		w.prefix = "| "
	}
	if link >= 0 && link != w.link {
		if w.line.Len() > 0 {
			w.line.WriteByte(' ')
		}
		w.line.WriteByte('[')
	}
	w.block, w.link, w.row, w.cell = block, link, row, cell
}

func (w *writer) endLink() {
	if w.link < 0 {
		return
	}
	raw := w.p.Items[w.link].URL
	printed, whole := w.urls.Judge(raw, w.ex)
	if !whole {
		w.q.Withhold(w.frame(w.link), "link", "url", raw, evidence.KindUnexplainedUrl)
	}
	w.line.WriteString("](" + printed + ")")
	w.link = -1
}

func (w *writer) flush() {
	w.endLink()
	if w.line.Len() == 0 {
		return
	}
	line := strings.ReplaceAll(w.line.String(), "[ ", "[")
	w.out.WriteString(w.prefix + line)
	if w.row >= 0 {
		w.out.WriteString(" |")
	}
	w.out.WriteString("\n")
	if w.row < 0 && w.prefix != "- " {
		w.out.WriteString("\n")
	}
	w.line.Reset()
}

func (w *writer) frame(i int) string { return w.p.Items[w.p.frameOf(i)].URL }

// escapeSigil keeps a page from writing the brackets of our notes.
func escapeSigil(s string) string {
	return strings.NewReplacer("⟦", `\u27e6`, "⟧", `\u27e7`).Replace(s)
}

func kinds(spans []Span, more []evidence.Kind) []evidence.Kind {
	var out []evidence.Kind
	for _, s := range spans {
		out = append(out, s.Kind)
	}
	return append(out, more...)
}

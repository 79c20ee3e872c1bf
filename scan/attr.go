package scan

import (
	"net/url"
	"regexp"
	"strings"

	"moire/ax"
	"moire/evidence"
)

// tokens are the values that ARIA and the browser enumerate.
var tokens = map[string]bool{
	"true": true, "false": true, "mixed": true, "menu": true, "listbox": true, "tree": true,
	"grid": true, "dialog": true, "horizontal": true, "vertical": true, "inline": true,
	"list": true, "both": true, "none": true, "grammar": true, "spelling": true, "polite": true,
	"assertive": true, "off": true, "ascending": true, "descending": true, "other": true,
	"page": true, "step": true, "location": true, "date": true, "time": true, "undefined": true,
	"additions": true, "removals": true, "text": true, "all": true, "additions text": true,
	"error": true, "richlyEditable": true, "plaintext": true,
}

// enumerated are the keys whose values are such tokens.
var enumerated = map[string]bool{
	"haspopup": true, "orientation": true, "invalid": true, "autocomplete": true, "checked": true,
	"pressed": true, "live": true, "relevant": true, "current": true, "sort": true, "editable": true,
}

var shortcut = regexp.MustCompile(`^(?:(?:Control|Ctrl|Alt|Shift|Meta|Cmd|Option)\+){0,3}(?:[A-Za-z0-9]|F\d{1,2}|[!-/:-@[-` + "`" + `{-~]|Enter|Escape|Space|Tab|Delete|Backspace|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right))(?:\s|$)`)

// attribute judges one string attribute; it is nil if no item is known.
func (j *judge) attribute(n *ax.Node, at ax.Attr, it *Item) ruling {
	s := at.Text
	if strings.TrimSpace(s) == "" {
		return pass(s)
	}
	switch {
	case at.Key == "url" && j.view.named:
		return j.link(n, s, it)
	case at.Key == "url":
		printed, whole := j.urls.Judge(s, j.ex)
		if whole {
			return pass(printed)
		}
		return part(printed, evidence.KindUnexplainedUrl)
	case at.Key == "value":
		return j.value(n, s, it)
	case enumerated[at.Key]:
		if tokens[s] {
			return pass(s)
		}
		return refuse(evidence.KindUnexplainedString)
	case at.Key == "keyshortcuts":
		if len(s) <= 40 && shortcut.MatchString(s) && shortcut.ReplaceAllString(s, "") == "" {
			return pass(s)
		}
		return refuse(evidence.KindHiddenDescription)
	case at.Key == "placeholder":
		if it != nil && it.HintKind == 0 && fold(it.Hint) == fold(s) {
			return cleaned(pass(s))
		}
		return refuse(evidence.KindHiddenDescription)
	}
	return j.description(s, it)
}

// link judges an address as the page wrote it, by what it leads to. It is
// printed as written if it says nothing that the whole address does not.
func (j *judge) link(n *ax.Node, written string, it *Item) ruling {
	whole := ""
	if it != nil {
		whole = it.URL
	}
	if whole == "" {
		base, err := url.Parse(j.base(n))
		if err != nil {
			return refuse(evidence.KindUnexplainedUrl)
		}
		u, err := base.Parse(written)
		if err != nil {
			return refuse(evidence.KindUnexplainedUrl)
		}
		whole = u.String()
	}
	printed, ok := j.urls.Judge(whole, j.ex)
	if !ok {
		return part(printed, evidence.KindUnexplainedUrl)
	}
	rest := written
	for strings.HasPrefix(rest, "../") || strings.HasPrefix(rest, "./") {
		_, rest, _ = strings.Cut(rest, "/")
	}
	if strings.HasSuffix(whole, rest) || strings.HasSuffix(strings.TrimSuffix(whole, "/"), rest) {
		return pass(written)
	}
	return pass(printed)
}

// base is the address of the document that a node is in.
func (j *judge) base(n *ax.Node) string {
	p := j.view.Main
	for ; n != nil; n = j.parents[n] {
		if items := j.view.lined.items[n]; len(items) > 0 {
			return p.Items[p.frameOf(items[0])].URL
		}
	}
	return ""
}

// value judges what a control holds.
func (j *judge) value(n *ax.Node, s string, it *Item) ruling {
	if n.Role == "option" {
		return ruling{} // settled with the option's name, see Tree
	}
	if it != nil && it.HasValue {
		if it.Value != 0 {
			return refuse(it.Value)
		}
		return cleaned(pass(s))
	}
	if j.ex.Explain(s) != Unexplained {
		return cleaned(pass(s))
	}
	if it != nil && bindable(it) && number.MatchString(s) {
		return pass(s)
	}
	return refuse(evidence.KindHiddenDescription)
}

var number = regexp.MustCompile(`^[\d.,:/ %+-]{1,24}$`)

// description judges descriptions, role descriptions and value texts: shown
// somewhere, or short and bound to something visible.
func (j *judge) description(s string, it *Item) ruling {
	if j.ex.Explain(s) != Unexplained && words(s) >= 2 {
		return cleaned(pass(s))
	}
	if it == nil || !bindable(it) || !short(s) || len(j.shapes.look(s)) > 0 {
		return refuse(evidence.KindHiddenDescription)
	}
	return cleaned(pass(s))
}

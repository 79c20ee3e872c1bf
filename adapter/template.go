package adapter

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Templates are sentences that the upstream itself writes. Text between them
// is a placeholder:
//
//	{int}         digits
//	{arg}         the value of some argument of the call, to the letter
//	{json:NAME}   argument NAME as JSON
//	{url}         an address, judged as one
//	{word}        a word out of the template's own list, as in {word:a|b}
//	{page}        page-controlled text, judged like any other
//	{neterror}    an error of Chromium's network stack, without net::
//	{error}       the name of an error of ECMAScript or the DOM
//	{template}    another sentence of the same list, without its full stop
type Templates struct {
	list []template
}

type template struct {
	re *regexp.Regexp
	// prefix and suffix are the text before the first and behind the last
	// placeholder: cheaper to look for than re.
	prefix, suffix string
	fields         []string
}

// Field is what a placeholder captured: From and To are byte offsets.
type Field struct {
	Kind     string
	From, To int
}

var placeholder = regexp.MustCompile(`\{(int|arg|json:\w+|url|word:[\w| :,<>.-]+|page|neterror|error|template)\}`)

// CompileTemplates compiles a list, most specific first.
func CompileTemplates(list []string) (*Templates, error) {
	t := &Templates{}
	for _, s := range list {
		var re strings.Builder
		re.WriteString(`(?s)^`)
		c := template{}
		at := 0
		for _, m := range placeholder.FindAllStringSubmatchIndex(s, -1) {
			re.WriteString(regexp.QuoteMeta(s[at:m[0]]))
			kind, words, _ := strings.Cut(s[m[2]:m[3]], ":")
			switch kind {
			case "int":
				re.WriteString(`(\d{1,12}(?:\.\d{1,6})?)`)
			case "url":
				re.WriteString(`(data:[^\n]+?|\S+?)`) // only that of data: may hold spaces
			case "neterror":
				re.WriteString("(" + netErrors + ")")
			case "error":
				re.WriteString("(" + errorNames + ")")
			case "word":
				re.WriteString("(" + strings.ReplaceAll(words, ".", `\.`) + ")")
			case "json":
				kind = "json:" + words
				fallthrough
			default:
				re.WriteString(`(.*?)`)
			}
			if at == 0 {
				c.prefix = s[:m[0]]
			}
			c.fields = append(c.fields, kind)
			at = m[1]
		}
		c.suffix = s[at:]
		re.WriteString(regexp.QuoteMeta(s[at:]) + `$`)
		compiled, err := regexp.Compile(re.String())
		if err != nil {
			return nil, fmt.Errorf("compiling template %q: %w", s, err)
		}
		c.re = compiled
		t.list = append(t.list, c)
	}
	return t, nil
}

// Match returns the fields of text that need a judgement (url, page), if it is
// one of the sentences for a call with these arguments.
func (t *Templates) Match(text string, args []byte) ([]Field, bool) {
	return t.MatchFor(text, ParseArgs(args))
}

// MatchFor is Match for many texts of one call.
func (t *Templates) MatchFor(text string, a Args) ([]Field, bool) { return t.match(text, a, 0) }

func (t *Templates) match(text string, a Args, depth int) ([]Field, bool) {
	for _, c := range t.list {
		if !strings.HasPrefix(text, c.prefix) || !strings.HasSuffix(text, c.suffix) {
			continue
		}
		m := c.re.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		if fields, ok := t.fields(c, text, m, a, depth); ok {
			return fields, true
		}
	}
	return nil, false
}

func (t *Templates) fields(c template, text string, m []int, a Args, depth int) ([]Field, bool) {
	out := []Field{}
	for i, kind := range c.fields {
		from, to := m[2*i+2], m[2*i+3]
		value := text[from:to]
		switch {
		case kind == "arg":
			if !a.values[value] {
				return nil, false
			}
		case strings.HasPrefix(kind, "json:"):
			if a.json[strings.TrimPrefix(kind, "json:")] != value {
				return nil, false
			}
		case kind == "template":
			inner, ok := t.inner(value, a, depth)
			if !ok {
				return nil, false
			}
			for _, f := range inner {
				out = append(out, Field{f.Kind, f.From + from, f.To + from})
			}
		case kind == "url" || kind == "page":
			out = append(out, Field{kind, from, to})
		}
	}
	return out, true
}

func (t *Templates) inner(value string, a Args, depth int) ([]Field, bool) {
	if depth > 1 {
		return nil, false
	}
	if f, ok := t.match(value+".", a, depth+1); ok {
		return f, true
	}
	return t.match(value, a, depth+1)
}

// Args is what a call's arguments can appear as in a sentence.
type Args struct {
	values map[string]bool
	json   map[string]string
}

// ParseArgs reads the arguments of a call.
func ParseArgs(raw []byte) Args {
	a := Args{values: map[string]bool{}, json: map[string]string{}}
	var top map[string]any
	if json.Unmarshal(raw, &top) != nil {
		return a
	}
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			a.values[v] = true
		case float64:
			a.values[strconv.FormatFloat(v, 'f', -1, 64)] = true
		case []any:
			for _, x := range v {
				add(x)
			}
		case map[string]any:
			for _, x := range v {
				add(x)
			}
		}
	}
	add(top)
	for k, v := range top {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(v) == nil {
			a.json[k] = strings.TrimSuffix(b.String(), "\n")
		}
		if text, ok := v.(string); ok {
			if key, ok := top["submitKey"].(string); ok {
				a.values[text+" + "+key] = true
			}
		}
	}
	return a
}

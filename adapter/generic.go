package adapter

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// CodecText is the grammar of an upstream that nobody has looked at: every text of
// a reply is judged by what it says.
const CodecText = "text"

// ToolDefinition is a tool as its server lists it, as far as a table can be made
// of it. Of its annotations only those count that make it do more.
// https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
type ToolDefinition struct {
	Name        string `json:"name"`
	InputSchema struct {
		Properties map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
	} `json:"inputSchema"`
	Annotations struct {
		ReadOnlyHint bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

// Generic makes the table of an upstream without an adapter from what it lists:
// effects from names, a tool of an unknown name having all of them; arguments by
// their names; every text judged. What it can't know is in [Adapter.Unknown].
func Generic(server string, tools []ToolDefinition) (*Adapter, error) {
	a := &Adapter{Version: 1, Name: "server:" + plainName(server), Server: server, Codec: CodecText, Tools: map[string]Tool{}, templates: map[bool]*Templates{},
		Words:   Words{Dialog: "the upstream's own tool for it", Navigate: "the upstream's own tool for it", Sandbox: "--no-sandbox"},
		Unknown: []string{"which of several tabs a call is about", "which files it writes", "which of its sentences are its own"}}
	t, err := CompileTemplates(strings.Split(strings.TrimSpace(genericSentences), "\n"))
	if err != nil {
		return nil, err
	}
	a.templates[false], a.templates[true] = t, t
	if len(tools) > maxTools {
		return nil, fmt.Errorf("the upstream lists more than %d tools", maxTools)
	}
	for _, d := range tools {
		a.Tools[d.Name] = genericTool(d)
	}
	return a, nil
}

const maxTools = 1000

// genericSentences are what many servers say of what they did.
//
//go:embed data/generic.txt
var genericSentences string

var notPlain = regexp.MustCompile(`[^A-Za-z0-9@/._-]+`)

// plainName is a server's name as it may stand in a message.
func plainName(server string) string {
	s := notPlain.ReplaceAllString(server, "-")
	if s = s[:min(len(s), 80)]; s == "" {
		return "unnamed"
	}
	return s
}

// byName says what a tool does by the words of its name. Those that read only are
// believed if the annotations do not say otherwise.
var byName = []struct {
	words   *regexp.Regexp
	effects []Effect
}{
	{regexp.MustCompile(`(?:^|_)(?:evaluate|eval|execute|exec|script|javascript|js|code|run)(?:_|$)`), []Effect{"script"}},
	{regexp.MustCompile(`(?:^|_)(?:navigate|goto|go|open|visit|reload|back|forward|new)(?:_|$)`), []Effect{"navigate"}},
	{regexp.MustCompile(`(?:^|_)upload(?:_|$)`), []Effect{"upload"}},
	{regexp.MustCompile(`(?:^|_)(?:download|save|pdf|record|trace)(?:_|$)`), []Effect{"download"}},
	{regexp.MustCompile(`(?:^|_)(?:click|type|fill|press|select|hover|drag|drop|tap|scroll|key|check|submit|input)(?:_|$)`), []Effect{"input", "submit"}},
	{regexp.MustCompile(`(?:^|_)(?:resize|emulate|viewport|device)(?:_|$)`), []Effect{"emulate"}},
	{regexp.MustCompile(`(?:^|_)(?:close|tabs|switch|clear)(?:_|$)`), []Effect{"manage"}},
	{regexp.MustCompile(`(?:^|_)(?:get|list|read|screenshot|snapshot|console|logs|text|html|content|wait|find|extract|status)(?:_|$)`), []Effect{"read"}},
}

var (
	camel    = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	pictures = regexp.MustCompile(`(?:^|_)screenshot(?:_|$)`)
)

// snake is a name in lower case, words apart by underscores.
func snake(name string) string {
	return strings.NewReplacer("-", "_", ".", "_", "/", "_", " ", "_").Replace(strings.ToLower(camel.ReplaceAllString(name, "${1}_${2}")))
}

func genericTool(d ToolDefinition) Tool {
	name := snake(d.Name)
	t := Tool{Reply: "codec", Look: LookNeeded, Channel: "replies", Arguments: map[string]ArgKind{}}
	for _, row := range byName {
		if row.words.MatchString(name) {
			for _, e := range row.effects {
				t.Effects = append(t.Effects, ToolEffect{Effect: e})
			}
		}
	}
	if len(t.Effects) == 0 || !d.Annotations.ReadOnlyHint && onlyReads(t) && !knownReader.MatchString(name) {
		t.Effects = nil
		for _, e := range effects {
			t.Effects = append(t.Effects, ToolEffect{Effect: Effect(e)})
		}
	}
	if pictures.MatchString(name) {
		t.Reply = "image"
	}
	uploads := slices.ContainsFunc(t.Effects, func(e ToolEffect) bool { return e.Effect == "upload" }) && len(t.Effects) < len(effects)
	for arg, schema := range d.InputSchema.Properties {
		t.Arguments[arg] = argumentKind(snake(arg), string(schema.Type), uploads)
		if t.Arguments[arg] == "script" {
			t.Script = arg
		}
	}
	return t
}

// knownReader are names that mean the same everywhere.
var knownReader = regexp.MustCompile(`(?:^|_)(?:screenshot|snapshot|console|logs|get_\w*(?:text|html|content|url|title))(?:_|$)`)

func onlyReads(t Tool) bool {
	return !slices.ContainsFunc(t.Effects, func(e ToolEffect) bool { return e.Effect != "read" })
}

// argumentKind says what an argument means by its name. A path is one that the
// upstream writes to, unless the tool uploads.
func argumentKind(arg, schemaType string, uploads bool) ArgKind {
	has := func(words string) bool {
		for w := range strings.SplitSeq(words, " ") {
			if slices.Contains(strings.Split(arg, "_"), w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("url uri href"):
		return "url"
	case has("script code function expression javascript js"):
		return "script"
	case has("path filename file dir directory folder") && uploads:
		return "paths"
	case has("path filename file dir directory folder"):
		return "path"
	case has("headers"):
		return "headers"
	case strings.Contains(schemaType, "boolean"):
		return "flag"
	case strings.Contains(schemaType, "number"), strings.Contains(schemaType, "integer"):
		return "number"
	case has("selector element ref uid"):
		return "element"
	case has("key"):
		return "key"
	}
	return "text"
}

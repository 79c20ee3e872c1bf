// Package adapter holds what Moiré knows of each upstream: its tools, what they
// do, what their arguments are, through which channels a page's text comes
// back, and the grammar of its snapshots. It is data for the policy
// enforcement point: [Builtin] loads an adapter by name, [Adapter.Tool] answers
// for a tool, [Codec] parses and prints a reply.
//
// Invariants: a tool or an argument that no table names is unknown, and what
// is unknown is refused by name by the caller. A codec is used only for a reply
// that it prints back to the letter (TestCodecRoundTrip, FuzzCDM).
//
// It judges no text and starts no process.
package adapter

import (
	"embed"
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"

	"moire/near"
)

//go:embed data/*.yaml
var builtin embed.FS

// Effect is what a call does; the list is closed.
type Effect string

// ArgKind is what an argument means; the list is closed. An echo is a text that
// the upstream repeats in its replies; past is a flag that adds what earlier
// documents of the tab said, a source a file that the upstream reads.
type ArgKind string

// Look says which scans a tool's reply needs.
type Look string

const (
	// LookNone: the reply carries at most titles and addresses.
	LookNone Look = "none"
	// LookAfter: the call makes the page what it is; only after it can be seen.
	LookAfter Look = "after"
	// LookNeeded: after the call, if a string of the reply needs it.
	LookNeeded Look = "needed"
	// LookAround: a read, bracketed by a look before and one after.
	LookAround Look = "around"
)

var (
	effects = []string{"read", "navigate", "input", "submit", "upload", "download", "script", "emulate", "manage"}
	kinds   = []string{"page", "element", "elements", "fields", "flag", "number", "token", "url", "text", "texts",
		"script", "path", "paths", "key", "headers", "name", "dialog", "echo", "past", "source"}
	looks = []string{string(LookNone), string(LookAfter), string(LookNeeded), string(LookAround)}
	// replies: what becomes of a tool's reply. A channel that nobody has classified
	// is withheld; a plain one passes, which takes a person's word.
	replies = []string{"codec", "image", "withheld", replyPlain}
	codecs  = []string{CodecCDM, CodecPlaywright, CodecText}
)

// The grammars of replies.
const (
	CodecCDM        = "cdm"
	CodecPlaywright = "playwright"
)

const replyPlain = "plain"

// Adapter is one upstream's table.
type Adapter struct {
	Version int    `yaml:"version"`
	Name    string `yaml:"name"`
	Package string `yaml:"package"`
	Binary  string `yaml:"binary"`
	Server  string `yaml:"server"`
	Tested  Tested `yaml:"tested"`
	// Says are the versions that the tested ones tell of themselves, if that is
	// not the package's.
	Says     []string        `yaml:"says"`
	Launch   Launch          `yaml:"launch"`
	Codec    string          `yaml:"codec"`
	Script   Script          `yaml:"script"`
	Mark     Mark            `yaml:"mark"`
	Words    Words           `yaml:"words"`
	Messages []string        `yaml:"messages"`
	Errors   []string        `yaml:"errors"`
	Tools    map[string]Tool `yaml:"tools"`
	// Trusted allows rows whose replies pass unjudged; only a person's own table
	// can say so, and it is shown at start.
	Trusted bool `yaml:"trusted"`
	// Unknown is what nobody has found out of the upstream, in words for a person.
	Unknown   []string `yaml:"-"`
	templates map[bool]*Templates
}

// Script is the tool that runs the scanner, and the arguments it needs so
// that it changes nothing and waits for nothing. Without one there is no evaluate
// channel.
type Script struct {
	Tool     string         `yaml:"tool"`
	Function string         `yaml:"function"`
	Elements string         `yaml:"elements"`
	With     map[string]any `yaml:"with"`
	// Probe is a cheap call on a page that tells whether a dialog is open: the
	// script tool would wait for it for ever.
	Probe Probe `yaml:"probe"`
}

// Words are the upstream's for what Moiré advises: the tools that answer a dialog
// and load a page, and the flag that root needs.
type Words struct {
	Dialog   string `yaml:"dialog"`
	Navigate string `yaml:"navigate"`
	Sandbox  string `yaml:"sandbox"`
}

// Mark is the call that sends a text of ours to the current tab; without one
// the script tool does. Argument takes the text as it is.
type Mark struct {
	Tool     string `yaml:"tool"`
	Argument string `yaml:"argument"`
}

// Probe is a call that reads nothing of a page.
type Probe struct {
	Tool string         `yaml:"tool"`
	With map[string]any `yaml:"with"`
}

// Tool is one row.
type Tool struct {
	Effects   []ToolEffect       `yaml:"effects"`
	Arguments map[string]ArgKind `yaml:"arguments"`
	Reply     string             `yaml:"reply"`
	Look      Look               `yaml:"look"`
	// Snapshot names the argument that adds a snapshot to the reply.
	Snapshot string `yaml:"snapshot"`
	// As is the tool that is called in its stead, with nothing but With: Moiré
	// makes the reply of that one's.
	As string `yaml:"as"`
	// File is the argument that names a file for what the reply would tell; Moiré
	// writes what passes of it itself. Extension is added to a name without one.
	File      string `yaml:"file"`
	Extension string `yaml:"extension"`
	// Title is what the upstream calls that file.
	Title string `yaml:"title"`
	// With are arguments that Moiré adds.
	With map[string]any `yaml:"with"`
	// Channel names what of a page's the reply carries that has no node, in words
	// for the agent.
	Channel string `yaml:"channel"`
	// Script is the argument that holds a script of the agent's, whose result the
	// reply is.
	Script string `yaml:"script"`
	// Gentle: it moves the pointer or scrolls, presses nothing and types nothing.
	Gentle bool `yaml:"gentle"`
	// Bypass: the call must not wait for others on the same page.
	Bypass bool `yaml:"bypass"`
}

// ToolEffect is an effect, always or when an argument is given.
type ToolEffect struct {
	Effect Effect `yaml:"effect"`
	When   string `yaml:"when"`
}

// Builtin loads an embedded adapter by its name or its scoped package.
func Builtin(name string) (*Adapter, error) {
	names := Names()
	for _, file := range names {
		if name != file && !strings.HasPrefix(name, "@") {
			continue
		}
		raw, err := builtin.ReadFile("data/" + file + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("reading an adapter: %w", err)
		}
		a, err := Parse(file+".yaml", raw)
		if err != nil || name == file || name == a.Package {
			return a, err
		}
	}
	return nil, fmt.Errorf("no adapter for upstream %q%s (known: %s)", name, near.Hint(name, names), strings.Join(names, ", "))
}

// Names lists the embedded adapters.
func Names() []string {
	entries, err := builtin.ReadDir("data")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// Recognise finds the adapter of a server by the name it gives itself and the
// tools it lists; nil if none fits.
func Recognise(server string, tools []string) (*Adapter, error) {
	a, err := OfServer(server)
	if a == nil || err != nil {
		return nil, err
	}
	for _, t := range tools {
		if _, ok := a.Tools[t]; ok {
			return a, nil
		}
	}
	return nil, nil
}

// Parse reads a table strictly. Errors name file, line, column and, for a word
// outside a closed list, the nearest one inside it.
func Parse(file string, raw []byte) (*Adapter, error) {
	var a Adapter
	if err := yaml.UnmarshalWithOptions(raw, &a, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("reading adapter %q: %s", file, yaml.FormatError(err, false, true))
	}
	if err := a.validate(raw); err != nil {
		return nil, fmt.Errorf("reading adapter %q: %w", file, err)
	}
	a.templates = map[bool]*Templates{}
	for isError, list := range map[bool][]string{false: a.Messages, true: a.Errors} {
		t, err := CompileTemplates(list)
		if err != nil {
			return nil, fmt.Errorf("reading adapter %q: %w", file, err)
		}
		a.templates[isError] = t
	}
	return &a, nil
}

// Plain are the tools whose replies pass unjudged.
func (a *Adapter) Plain() []string {
	var out []string
	for name, t := range a.Tools {
		if t.Reply == replyPlain {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// Templates returns the upstream's own sentences.
func (a *Adapter) Templates(isError bool) *Templates { return a.templates[isError] }

func (a *Adapter) validate(raw []byte) error {
	word := func(path, got string, list []string) error {
		for _, w := range list {
			if w == got {
				return nil
			}
		}
		return fmt.Errorf("%s: unknown word %q%s", position(raw, path), got, near.Hint(got, list))
	}
	if a.Version != 1 {
		return fmt.Errorf("%s: version %d is not supported (want 1)", position(raw, "$.version"), a.Version)
	}
	if !a.Tested.Holds(a.Tested.From) {
		return fmt.Errorf("%s: no range of versions", position(raw, "$.tested"))
	}
	if err := word("$.codec", a.Codec, codecs); err != nil {
		return err
	}
	names := make([]string, 0, len(a.Tools))
	for name := range a.Tools {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := a.validateTool(name, raw, word); err != nil {
			return err
		}
	}
	for path, tool := range map[string]string{"$.script.tool": a.Script.Tool, "$.script.probe.tool": a.Script.Probe.Tool, "$.mark.tool": a.Mark.Tool} {
		if tool == "" {
			continue
		}
		if err := word(path, tool, names); err != nil {
			return err
		}
	}
	return nil
}

func (a *Adapter) validateTool(name string, raw []byte, word func(path, got string, list []string) error) error {
	t := a.Tools[name]
	at := "$.tools." + name
	if err := word(at+".reply", t.Reply, replies); err != nil {
		return err
	}
	if t.Reply == replyPlain && !a.Trusted {
		return fmt.Errorf("%s: replies of %s would pass unjudged, which takes trusted: true at the top of the file", position(raw, at+".reply"), name)
	}
	if t.Look == "" {
		t.Look = LookNone
		if a.Codec == CodecText {
			t.Look = LookNeeded
		}
		a.Tools[name] = t
	}
	if t.Channel == "" && a.Codec == CodecText {
		t.Channel = "replies"
		a.Tools[name] = t
	}
	if err := word(at+".look", string(t.Look), looks); err != nil {
		return err
	}
	args := make([]string, 0, len(t.Arguments))
	for arg := range t.Arguments {
		args = append(args, arg)
	}
	sort.Strings(args)
	for _, arg := range args {
		if err := word(at+".arguments."+arg, string(t.Arguments[arg]), kinds); err != nil {
			return err
		}
	}
	for i, e := range t.Effects {
		if err := word(fmt.Sprintf("%s.effects[%d].effect", at, i), string(e.Effect), effects); err != nil {
			return err
		}
		if e.When == "" {
			continue
		}
		if err := word(fmt.Sprintf("%s.effects[%d].when", at, i), e.When, args); err != nil {
			return err
		}
	}
	if t.As != "" {
		tools := make([]string, 0, len(a.Tools))
		for name := range a.Tools {
			tools = append(tools, name)
		}
		if err := word(at+".as", t.As, tools); err != nil {
			return err
		}
	}
	for part, arg := range map[string]string{".snapshot": t.Snapshot, ".file": t.File, ".script": t.Script} {
		if arg == "" {
			continue
		}
		if err := word(at+part, arg, args); err != nil {
			return err
		}
	}
	return nil
}

// position finds where a path stands in the source.
func position(raw []byte, path string) string {
	p, err := yaml.PathString(path)
	if err != nil {
		return path
	}
	node, err := p.ReadNode(strings.NewReader(string(raw)))
	if err != nil || node.GetToken() == nil {
		return path
	}
	at := node.GetToken().Position
	return fmt.Sprintf("line %d, column %d", at.Line, at.Column)
}

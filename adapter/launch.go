package adapter

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Launch is what Moiré adds to the upstream's command line.
type Launch struct {
	// Structured asks for structured content, which can't be forged.
	Structured string `yaml:"structured"`
	// Flags are added as they are.
	Flags []string `yaml:"flags"`
	// Output are the names of the flag for the directory that the upstream writes
	// files for the agent to.
	Output []string `yaml:"output"`
	// OutputDefault is the directory below the workspace without that flag.
	OutputDefault string `yaml:"outputDefault"`
	// OutputOwn are the names of files that nobody misses, as patterns.
	OutputOwn []string `yaml:"outputOwn"`
	// Refused are flags that can't be given, each with the reason.
	Refused map[string]string `yaml:"refused"`
	// Browser says how the upstream is told which browser to start; without it
	// Moiré can't stand on the wire between the two.
	Browser *BrowserFlags `yaml:"browser"`
}

// BrowserFlags are flags of the upstream by their names without dashes, each
// list beginning with the one that Moiré writes.
type BrowserFlags struct {
	// Path and Channel say which browser to start.
	Path    []string `yaml:"path"`
	Channel []string `yaml:"channel"`
	// URL, Socket and Auto make the upstream connect to one that runs: by its
	// debugging port, by its socket, by its profile. Headers go with Socket.
	URL     []string `yaml:"url"`
	Socket  []string `yaml:"socket"`
	Headers []string `yaml:"headers"`
	Auto    []string `yaml:"auto"`
	// Profile says where the profile is, Temporary that it is nowhere for long;
	// ChannelProfile is where the upstream keeps that of a channel, below the
	// person's home.
	Profile        []string `yaml:"profile"`
	Temporary      []string `yaml:"temporary"`
	ChannelProfile string   `yaml:"channelProfile"`
	// Elsewhere are flags for browsers that can't be reached on the wire.
	Elsewhere []string `yaml:"elsewhere"`
	// Env are variables of the environment, and Settings places in a file of
	// settings (https://github.com/tidwall/gjson/blob/master/SYNTAX.md), that say
	// the same as flags, which go first; Config are the flags that name the file.
	Env      Settings `yaml:"env"`
	Settings Settings `yaml:"settings"`
	Config   []string `yaml:"config"`
	// World begins the names of the isolated worlds in which the upstream keeps
	// its names of elements, Refs is the property that holds them.
	World string `yaml:"world"`
	Refs  string `yaml:"refs"`
	// Reads is the command of the DevTools protocol by which the upstream reads a page
	// for its snapshot, and after which it works on what it has read.
	Reads string `yaml:"reads"`
}

// Settings say where a value is found. Name is the kind of browser.
type Settings struct {
	Path    string `yaml:"path"`
	Channel string `yaml:"channel"`
	Name    string `yaml:"name"`
	Socket  string `yaml:"socket"`
	Config  string `yaml:"config"`
	Output  string `yaml:"output"`
}

// Browser is what a command line says of the browser: the values of the flags,
// empty for those that are not there.
type Browser struct {
	Path, Channel, URL, Socket, Headers, Profile, Config string
	Auto, Temporary                                      bool
	// Elsewhere is the flag, if there is one, that says that the browser can't be
	// reached.
	Elsewhere string
	// rest is the command line without all these but Profile and Temporary.
	rest []string
	// profile are Profile's words, operands what stands behind "--", with it.
	profile, operands []string
}

// Attaches reports that the upstream starts no browser.
func (b Browser) Attaches() bool { return b.URL != "" || b.Socket != "" || b.Auto }

// Read takes a command line apart. Flags are "--name value", "--name=value" or
// "-n value", switches "--name" or "--name=false", as yargs reads them
// (https://yargs.js.org).
func (f *BrowserFlags) Read(args []string) Browser {
	var b Browser
	values := []struct {
		names []string
		to    *string
	}{{f.Path, &b.Path}, {f.Channel, &b.Channel}, {f.URL, &b.URL}, {f.Socket, &b.Socket}, {f.Headers, &b.Headers}, {f.Profile, &b.Profile}, {f.Config, &b.Config}}
next:
	for i := 0; i < len(args); i++ {
		if args[i] == "--" { // what follows are no flags
			b.operands = args[i:]
			break
		}
		name, value, joined := strings.Cut(args[i], "=")
		flag := strings.TrimLeft(name, "-")
		if flag == name { // no dash
			b.rest = append(b.rest, args[i])
			continue
		}
		for _, v := range values {
			if !slices.Contains(v.names, flag) {
				continue
			}
			words := args[i : i+1]
			if !joined && i+1 < len(args) {
				words = args[i : i+2]
				i++
				value = args[i]
			}
			*v.to = value
			switch {
			case v.to == &b.Profile:
				b.profile = words
			case v.to == &b.Config, v.to == &b.Channel && f.ChannelProfile == "":
				b.rest = append(b.rest, words...)
			}
			continue next
		}
		if slices.Contains(f.Elsewhere, flag) {
			b.Elsewhere = flag
		}
		on := value != "false"
		words := args[i : i+1]
		if !joined && i+1 < len(args) && (args[i+1] == "false" || args[i+1] == "true") {
			words = args[i : i+2]
			on = args[i+1] == "true"
		}
		if plain, ok := strings.CutPrefix(flag, "no-"); ok && !slices.Contains(f.Auto, flag) {
			flag, on = plain, false
		}
		switch {
		case slices.Contains(f.Auto, flag):
			b.Auto = on
			i += len(words) - 1
			continue
		case slices.Contains(f.Temporary, flag):
			b.Temporary = on
			i += len(words) - 1
			b.rest = append(b.rest, words...)
			continue
		}
		b.rest = append(b.rest, args[i])
	}
	return b
}

// Complete adds to what the command line says what the environment and then the
// file of settings say, which is JSON or empty.
func (f *BrowserFlags) Complete(b *Browser, env func(string) string, settings []byte) {
	fill := func(to *string, variable, place string) {
		if *to == "" && variable != "" {
			*to = env(variable)
		}
		if *to == "" && place != "" {
			*to = gjson.GetBytes(settings, place).String()
		}
	}
	fill(&b.Path, f.Env.Path, f.Settings.Path)
	fill(&b.Channel, f.Env.Channel, f.Settings.Channel)
	fill(&b.Channel, f.Env.Name, f.Settings.Name)
	fill(&b.Socket, f.Env.Socket, f.Settings.Socket)
}

// Option takes a flag out of a command line: its value, empty if it is not
// there, and the rest.
func Option(args, names []string) (string, []string) {
	var value string
	var rest []string
	for i := 0; i < len(args); i++ {
		name, v, joined := strings.Cut(args[i], "=")
		flag := strings.TrimLeft(name, "-")
		if flag == name || !slices.Contains(names, flag) {
			rest = append(rest, args[i])
			continue
		}
		if !joined && i+1 < len(args) {
			i++
			v = args[i]
		}
		value = v
	}
	return value, rest
}

// Started writes the command line for a browser at path; home is the person's.
func (f *BrowserFlags) Started(b Browser, path, home string) []string {
	out := append(slices.Clone(b.rest), b.profile...)
	out = append(out, "--"+f.Path[0], path)
	if f.ChannelProfile != "" && b.Channel != "" && b.Channel != "stable" && b.Profile == "" && !b.Temporary && home != "" {
		out = append(out, "--"+f.Profile[0], home+"/"+f.ChannelProfile+b.Channel)
	}
	return append(out, b.operands...)
}

// Attached writes the command line for a browser behind a socket.
func (f *BrowserFlags) Attached(b Browser, socket string) []string {
	return append(append(slices.Clone(b.rest), "--"+f.Socket[0], socket), b.operands...)
}

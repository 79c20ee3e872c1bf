package adapter

import (
	"slices"
	"strings"
)

// Launch is what Moiré adds to the upstream's command line.
type Launch struct {
	// Structured asks for structured content, which can't be forged.
	Structured string `yaml:"structured"`
	// Browser says how the upstream is told which browser to start; without it
	// Moiré can't stand on the wire between the two.
	Browser *BrowserFlags `yaml:"browser"`
}

// BrowserFlags are flags of the upstream by their names without dashes, each
// list beginning with the one that Moiré writes.
type BrowserFlags struct {
	Path    []string `yaml:"path"`
	Channel []string `yaml:"channel"`
	// Attach are flags with which the upstream starts no browser.
	Attach []string `yaml:"attach"`
	// Profile are flags that say where the profile is; ChannelProfile is where
	// the upstream keeps that of a channel, below the person's home.
	Profile        []string `yaml:"profile"`
	ChannelProfile string   `yaml:"channelProfile"`
}

// Browser is what a command line says of the browser.
type Browser struct {
	Path, Channel string
	// Attach is the flag with which the upstream starts none, or empty.
	Attach string
	// Profile: the command line says where the profile is.
	Profile bool
	// Rest is the command line without Path and Channel.
	Rest []string
}

// Read takes a command line apart. Flags are "--name value", "--name=value" or
// "-n value", as yargs reads them (https://yargs.js.org).
func (f *BrowserFlags) Read(args []string) Browser {
	var b Browser
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		flag := strings.TrimLeft(name, "-")
		if flag == name { // no dash
			b.Rest = append(b.Rest, args[i])
			continue
		}
		to := &b.Path
		switch {
		case slices.Contains(f.Path, flag):
		case slices.Contains(f.Channel, flag):
			to = &b.Channel
		default:
			if slices.Contains(f.Attach, flag) && value != "false" {
				b.Attach = name
			}
			b.Profile = b.Profile || slices.Contains(f.Profile, flag) && value != "false"
			b.Rest = append(b.Rest, args[i])
			continue
		}
		if !joined && i+1 < len(args) {
			i++
			value = args[i]
		}
		*to = value
	}
	return b
}

// With writes the command line for a browser at path; home is the person's.
func (f *BrowserFlags) With(b Browser, path, home string) []string {
	out := append(slices.Clone(b.Rest), "--"+f.Path[0], path)
	if b.Channel != "" && b.Channel != "stable" && !b.Profile && home != "" {
		out = append(out, "--"+f.Profile[0], home+"/"+f.ChannelProfile+b.Channel)
	}
	return out
}

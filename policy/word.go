package policy

import (
	"fmt"
	"slices"
)

// word is one word of a predicate, and when it holds.
type word struct {
	name, means string
	holds       func(*env) bool
}

// predicate is a function that conditions may call with one of its words.
type predicate struct {
	name, means string
	words       []word
}

// missing is the panic of a predicate whose subject is not among the facts. An
// evaluation that ends so denies.
type missing struct{ what string }

func (m missing) Error() string { return "the facts have no " + m.what }

// predicates are all that a condition may ask. Words that tell of a danger hold if
// they hold for any subject of the call, words that tell of its absence if they
// hold for all: so a condition without "not" errs on the wary side.
var predicates = []predicate{
	{"has", "whether facts of that kind are there", []word{
		{"page", "the document that the call acts in is known", func(e *env) bool { return e.f.Page != nil }},
		{"target", "the call names an element whose facts are known", func(e *env) bool { return len(e.f.Targets) > 0 }},
		{"unpinned", "the call names an element whose facts could not be gathered", func(e *env) bool { return e.f.Unpinned > 0 }},
		{"to", "the call leads somewhere: its own address, a link, a form", func(e *env) bool { return len(e.to) > 0 }},
		{"text", "the call types or sends a text", func(e *env) bool { return e.f.Text != nil }},
		{"file", "the call sends a file", func(e *env) bool { return len(e.f.Files) > 0 }},
		{"script", "the call runs a script of the agent's", func(e *env) bool { return e.f.Script != ScriptNone }},
		{"dialog", "the call answers a dialog", func(e *env) bool { return e.f.Dialog != nil }},
	}},
	{"page", "the document that the call acts in", []word{
		{"loopback", "it is of this machine", func(e *env) bool { return e.page().Host == HostLoopback }},
		{"local", "it is of this machine or empty, as is all that the call has to do with, the session has read nothing of the web, and no signs of an injection there; never if the document is not known", func(e *env) bool {
			return e.local()
		}},
		{"visited", "the task has had to do with its origin", func(e *env) bool { return member(e.s.Visited, e.page().Origin) }},
		{"private", "it is of a private network", func(e *env) bool { return e.page().Host == HostPrivate || e.page().Host == HostLinkLocal }},
		{"public", "it is of the web", func(e *env) bool { return e.page().Host == HostPublic }},
		{"blank", "it has no origin: about:blank, or a document of data:", func(e *env) bool { return e.page().Origin == "" }},
		{"empty", "it is an empty tab, of no site", func(e *env) bool { return e.page().Blank }},
		{"denied", "it is on the deny list", func(e *env) bool { return e.denied(e.page().Origin) }},
		{"listed", "it is among the policy's origins", func(e *env) bool { return e.p.listed(e.page().Origin) }},
		{"isolated", "it was looked at where no page can reach", func(e *env) bool { return e.page().Isolated }},
		{"flagged", "signs of an injection were read there; a document without an origin can be of anywhere", func(e *env) bool {
			return member(e.s.Flagged, e.page().Origin) || e.page().Origin == "" && !e.page().Blank && len(e.s.Flagged) > 0
		}},
		{"new", "the task had nothing to do with its origin, or with that of an element's frame, before something private was read", func(e *env) bool {
			return e.unvisited(e.page().Origin, e.page().Blank) || slices.ContainsFunc(e.f.Targets, func(t Target) bool { return e.unvisited(t.Frame, e.page().Blank) })
		}},
	}},
	{"call", "the call itself", []word{
		{"unknown-outcome", "it repeats an act of which nobody knows whether it was done", func(e *env) bool { return e.f.Unknown }},
	}},
	{"target", "the elements that the call acts on", []word{
		{"covered", "something lies over one", func(e *env) bool { return e.any(func(t Target) bool { return t.Covered }) }},
		{"hidden", "no person sees one", func(e *env) bool { return e.any(func(t Target) bool { return t.Hidden }) }},
		{"submits", "the call sends a form", func(e *env) bool { return e.any(func(t Target) bool { return t.Submits && !e.f.Gentle }) }},
		{"enters", "the call presses Enter in one", func(e *env) bool { return e.any(func(t Target) bool { return t.Enters && !e.f.Gentle }) }},
		{"apart", "they are in frames of more than one origin", func(e *env) bool {
			return e.any(func(t Target) bool { return t.Frame != e.targets()[0].Frame })
		}},
		{"saves", "the call downloads", func(e *env) bool { return e.any(func(t Target) bool { return t.Saves && !e.f.Gentle }) }},
		{"flagged-frame", "one is in a frame in which signs of an injection were read", func(e *env) bool {
			return e.any(func(t Target) bool { return member(e.s.Flagged, t.Frame) })
		}},
		{"unlisted-frame", "one is in a frame that is not among the policy's origins", func(e *env) bool {
			return e.any(func(t Target) bool { return t.Frame != "" && !e.p.listed(t.Frame) })
		}},
		{"link", "one leads somewhere", func(e *env) bool { return e.any(func(t Target) bool { return t.Link != nil }) }},
		{"foreign-frame", "one is in a frame of another origin than the page", func(e *env) bool {
			return e.any(func(t Target) bool { return t.Frame != e.page().Origin })
		}},
		{"denied-frame", "one is in a frame that is on the deny list", func(e *env) bool {
			return e.any(func(t Target) bool { return e.denied(t.Frame) })
		}},
		{"plain-form", "all forms that would be sent go by GET, with nothing but search, free text and choices, to the page's own origin", func(e *env) bool {
			return e.all(func(t Target) bool {
				return t.Form != nil && t.Form.Get && t.Form.Plain && t.Form.Action != nil && !t.Form.Action.Malformed && t.Form.Action.Origin == t.Frame && t.Frame == e.page().Origin
			})
		}},
	}},
	{"to", "where the call leads", []word{
		{"loopback", "to this machine", func(e *env) bool { return e.anyTo(func(d Destination) bool { return d.Host == HostLoopback }) }},
		{"private", "to a private network", func(e *env) bool { return e.anyTo(func(d Destination) bool { return d.Host == HostPrivate }) }},
		{"link-local", "to a link-local address", func(e *env) bool { return e.anyTo(func(d Destination) bool { return d.Host == HostLinkLocal }) }},
		{"metadata", "to a cloud's metadata service", func(e *env) bool { return e.anyTo(func(d Destination) bool { return d.Host == HostMetadata }) }},
		{"denied", "to an origin of the deny list", func(e *env) bool { return e.anyTo(func(d Destination) bool { return e.denied(d.Origin) }) }},
		{"malformed", "to an address that parsers read differently", func(e *env) bool {
			return e.anyTo(func(d Destination) bool {
				return d.Malformed || d.Origin == "" && (d.Scheme == "http" || d.Scheme == "https")
			})
		}},
		{"script-address", "to an address of javascript: or data:", func(e *env) bool {
			return e.anyTo(func(d Destination) bool { return d.Scheme == "javascript" || d.Scheme == "data" })
		}},
		{"file", "to a file of this machine", func(e *env) bool {
			return e.anyTo(func(d Destination) bool { return d.Scheme == "file" || d.Scheme == "view-source" })
		}},
		{"other-scheme", "to an address that is not http, https, about:blank or the scheme of a mail or a call", func(e *env) bool {
			return e.anyTo(func(d Destination) bool {
				return !slices.Contains([]string{"http", "https", "about", "mailto", "tel", "blob"}, d.Scheme)
			})
		}},
		{"cross-origin", "to another origin than the page's", func(e *env) bool {
			return e.anyTo(func(d Destination) bool { return d.Origin != "" && d.Origin != e.page().Origin })
		}},
		{"new", "to an origin that the task had nothing to do with", func(e *env) bool {
			return e.anyTo(func(d Destination) bool { return d.Origin != "" && !member(e.s.Visited, d.Origin) })
		}},
		{"moved", "the address carries content of another origin than the one it leads to", func(e *env) bool { return e.movedTo() }},
		{"named-by-flagged", "to a host that was named where signs of an injection were read, from elsewhere", func(e *env) bool {
			return e.anyTo(func(d Destination) bool {
				o, err := ParseOrigin(d.Origin)
				return err == nil && member(e.s.Named, o.Host) && (e.f.Page == nil || e.f.Page.Origin != d.Origin)
			})
		}},
		{"listed", "only to the policy's origins", func(e *env) bool {
			return e.allTo(func(d Destination) bool { return e.p.listed(d.Origin) || d.Scheme == "about" })
		}},
	}},
	{"field", "what the fields are for that the call fills", nil},
	{"act", "what a press would bring about that can't be undone, by the words that a person sees", nil},
	{"effect", "what the call does", nil},
	{"script", "the agent's script", []word{
		{"impure", "the engine has not proved that it changes nothing", func(e *env) bool { return e.f.Script == ScriptImpure }},
		{"pure", "it was run without a side effect", func(e *env) bool { return e.f.Script == ScriptPure }},
	}},
	{"file", "the files that the call sends", nil},
	{"text", "what the call types or sends", []word{
		{"moved", "it carries content of another origin than the one it goes to", func(e *env) bool { return e.moved() }},
		{"secret", "it is a secret that the person has bound to the origin and the class of the field", func(e *env) bool { return e.fits() }},
		{"stray-secret", "it is a secret, but not one for that origin and field", func(e *env) bool { return e.text().Secret != "" && !e.fits() }},
		{"flagged", "it, or the address, carries what was read where signs of an injection were", func(e *env) bool { return e.carried() }},
		{"pasted", "it is what the clipboard holds", func(e *env) bool { return e.text().Pasted }},
		{"long", "it has more than 256 bytes", func(e *env) bool { return e.text().Bytes > 256 }},
	}},
	{"dialog", "the dialog that the call answers", []word{
		{"accept", "it says yes", func(e *env) bool { return e.dialog().Accept }},
		{"confirm", "it is a question", func(e *env) bool { return e.dialog().Kind == "confirm" }},
		{"prompt", "it asks for a text", func(e *env) bool { return e.dialog().Kind == "prompt" }},
		{"unknown", "nobody has read it", func(e *env) bool { return e.dialog().Kind == "unknown" }},
		{"beforeunload", "it asks whether to leave the page", func(e *env) bool { return e.dialog().Kind == "beforeunload" }},
		{"irreversible", "its words are of an act that can't be undone", func(e *env) bool { return e.dialog().Act != "" && e.dialog().Act != "none" }},
	}},
	{"session", "what has happened before", []word{
		{"read-web", "something was read that is not of this machine", func(e *env) bool { return e.s.ReadWeb }},
		{"read-private", "something was read of an origin that knows the person, or of a private network", func(e *env) bool { return len(e.s.Private) > 0 }},
		{"flagged", "signs of an injection were read somewhere", func(e *env) bool { return len(e.s.Flagged) > 0 }},
	}},
}

// Classes of fields by how much harm comes of their loss, as classify grades
// them, and the classes of irreversible acts.
var (
	fieldGroups = map[string][]string{
		"secret":   {"password", "new-password", "one-time-code", "card-number", "card-expiry", "card-code", "card-holder"},
		"identity": {"bank-account", "national-id", "passport", "tax-id", "drivers-licence", "health"},
		"personal": {"email", "phone", "birth-date", "name", "username", "address"},
		"plain":    {"organisation", "search", "free-text", "amount", "url", "choice", "other"},
	}
	fieldAlone = []string{"captcha", "file"}
	acts       = []string{"transfer", "buy", "sign", "authorise", "delete", "publish", "send", "share", "apply", "install", "cancel", "subscribe", "logout"}
)

// fieldClasses are all of them, sorted.
func fieldClasses() []string {
	out := slices.Clone(fieldAlone)
	for _, classes := range fieldGroups {
		out = append(out, classes...)
	}
	slices.Sort(out)
	return out
}

// vocabulary is what each predicate may be asked.
func vocabulary() map[string][]word {
	out := map[string][]word{}
	for _, p := range predicates {
		out[p.name] = append(out[p.name], p.words...)
	}
	for _, group := range []string{"secret", "identity", "personal", "plain"} {
		classes := fieldGroups[group]
		out["field"] = append(out["field"], word{group, fmt.Sprintf("one is of the group %s: %v", group, classes), func(e *env) bool { return e.field(classes...) }})
		for _, c := range classes {
			out["field"] = append(out["field"], word{c, "one is for " + c, func(e *env) bool { return e.field(c) }})
		}
	}
	for _, c := range fieldAlone {
		out["field"] = append(out["field"], word{c, "one is for " + c, func(e *env) bool { return e.field(c) }})
	}
	out["act"] = append(out["act"], word{"any", "any of these but logout", func(e *env) bool { return e.act("") }})
	for _, a := range acts {
		out["act"] = append(out["act"], word{a, "it would " + a, func(e *env) bool { return e.act(a) }})
	}
	for _, w := range Effects {
		out["effect"] = append(out["effect"], word{w, "one of its effects is " + w, func(e *env) bool { return slices.Contains(e.f.Effects, Effect(w)) }})
	}
	out["effect"] = append(out["effect"], word{"press", "it presses or types, and does not only move the pointer or scroll", func(e *env) bool {
		return !e.f.Gentle && (slices.Contains(e.f.Effects, Input) || slices.Contains(e.f.Effects, Submit))
	}})
	for _, c := range FileClasses {
		out["file"] = append(out["file"], word{c, "one is of the class " + c, func(e *env) bool {
			return slices.ContainsFunc(e.f.Files, func(f File) bool { return f.Class == c })
		}})
	}
	return out
}

// Vocabulary describes what conditions may ask, a line a word, for help texts.
func Vocabulary() []string {
	var out []string
	words := vocabulary()
	for _, p := range predicates {
		out = append(out, fmt.Sprintf("%s(…): %s", p.name, p.means))
		for _, w := range words[p.name] {
			out = append(out, fmt.Sprintf("  %s(%q)  %s", p.name, w.name, w.means))
		}
	}
	for _, c := range counters {
		out = append(out, fmt.Sprintf("%s  %s", c.name, c.means))
	}
	return append(out, `arg("NAME")  an argument of the call, as text; an error if it is not given`, `given("NAME")  whether that argument is given`)
}

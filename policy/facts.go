package policy

// Effect is what a call does; the list is closed ([Effects]).
type Effect string

// The effects of calls.
const (
	Read     Effect = "read"
	Navigate Effect = "navigate"
	Input    Effect = "input"
	Submit   Effect = "submit"
	Upload   Effect = "upload"
	Download Effect = "download"
	Script   Effect = "script"
	Emulate  Effect = "emulate"
	Manage   Effect = "manage"
)

// Effects is the closed list.
var Effects = []string{"read", "navigate", "input", "submit", "upload", "download", "script", "emulate", "manage"}

// Facts are the recordable reduction of one call: closed words, origins, keyed
// digests, lengths and booleans, and the strings that a loaded rule reads. An
// audit holds exactly them, and a decision depends on nothing else but the
// policy and the [State].
type Facts struct {
	// Tool is the upstream's name of the tool.
	Tool    string   `json:"tool"`
	Effects []Effect `json:"effects"`
	// Call is a keyed digest of the tool and its arguments: equal calls are equal
	// here.
	Call string `json:"call,omitempty"`
	// Collects: the call asks again for what an earlier equal one has pending.
	Collects bool `json:"collects,omitempty"`
	// Unknown: it repeats an act of which nobody knows whether it was done.
	Unknown bool `json:"unknown,omitempty"`
	// Gentle: it moves the pointer or scrolls, presses nothing and types nothing.
	Gentle bool `json:"gentle,omitempty"`
	// Page is the document that the call acts in; nil if nobody can tell it.
	Page *Page `json:"page,omitempty"`
	// Targets are the elements that the call names; Unpinned counts those whose
	// facts could not be gathered.
	Targets  []Target `json:"targets,omitempty"`
	Unpinned int      `json:"unpinned,omitempty"`
	// To is where the call's own address leads.
	To *Destination `json:"to,omitempty"`
	// Text is what the call types or sends, without its words.
	Text *Text `json:"text,omitempty"`
	// Script is the agent's script.
	Script ScriptKind `json:"script,omitempty"`
	Files  []File     `json:"files,omitempty"`
	// Dialog is the open dialog that the call answers.
	Dialog *Dialog `json:"dialog,omitempty"`
	// Args are the arguments that a rule reads (arg), by name.
	Args map[string]string `json:"args,omitempty"`
}

// Page is a document in a tab.
type Page struct {
	Origin string `json:"origin"`
	// Document is a keyed digest of the loader id, empty if it is not known.
	Document string `json:"document,omitempty"`
	// Host is derived from the origin.
	Host HostClass `json:"host"`
	// Isolated: it was looked at where no page can reach.
	Isolated bool `json:"isolated,omitempty"`
	// Blank: it is empty, as a new tab is, and of no site.
	Blank bool `json:"blank,omitempty"`
}

// Target is an element that a call acts on, pinned.
type Target struct {
	// Tag and Role are closed words of HTML and WAI-ARIA, or "other".
	Tag  string `json:"tag"`
	Role string `json:"role,omitempty"`
	// Field is what a form's field is for, Act what a press of the control would
	// do by the words that a person sees: classes of package classify.
	Field string `json:"field,omitempty"`
	Act   string `json:"irreversible,omitempty"`
	// Name is a keyed digest of the name that a person sees.
	Name string `json:"name,omitempty"`
	// Frame is the origin of the element's document.
	Frame string `json:"frame"`
	// Link is where it leads, Form where it sends.
	Link *Destination `json:"link,omitempty"`
	Form *Form        `json:"form,omitempty"`
	// Submits: a press sends the form.
	Submits bool `json:"submits,omitempty"`
	// Enters: the call presses Enter there.
	Enters bool `json:"enters,omitempty"`
	// Saves: a press downloads (the download attribute).
	Saves   bool `json:"saves,omitempty"`
	Covered bool `json:"covered,omitempty"`
	// Hidden: no person sees it.
	Hidden   bool `json:"hidden,omitempty"`
	Disabled bool `json:"disabled,omitempty"`
	// Digest binds a verdict to these facts.
	Digest string `json:"digest,omitempty"`
}

// Form is what a press would send.
type Form struct {
	Action *Destination `json:"action"`
	// Get: by the method GET; Plain: with nothing but search or free text, hidden
	// fields and choices.
	Get   bool `json:"get,omitempty"`
	Plain bool `json:"plain,omitempty"`
	// Fields are the classes of its fields, sorted, each once.
	Fields []string `json:"fields,omitempty"`
}

// Destination is where an address leads.
type Destination struct {
	Scheme string    `json:"scheme"`
	Origin string    `json:"origin,omitempty"`
	Host   HostClass `json:"host"`
	// Malformed: parsers read the address differently.
	Malformed bool `json:"malformed,omitempty"`
	// Content is how many bytes its path, query and fragment, and the labels below
	// its registrable domain, can carry.
	Content int `json:"content,omitempty"`
	// Given: the address as a whole was read on a page.
	Given bool `json:"given,omitempty"`
	// From are the origins whose content it carries.
	From []string `json:"from,omitempty"`
}

// Destine reduces an address to what rules may know.
func Destine(raw string) Destination {
	a, err := ParseAddress(raw)
	if err != nil {
		return Destination{Scheme: "other", Host: HostNone, Malformed: true}
	}
	if a.Scheme == "about" && raw != "about:blank" && raw != "about:srcdoc" {
		a.Scheme = "other" // the browser's own pages
	}
	return Destination{Scheme: schemeWord(a.Scheme), Origin: a.Origin.String(), Host: a.Host, Content: a.Content}
}

// schemes is the closed list; any other is "other".
var schemes = []string{"http", "https", "about", "blob", "data", "file", "javascript", "view-source", "chrome", "devtools", "mailto", "tel", "other"}

func schemeWord(s string) string {
	for _, w := range schemes {
		if s == w {
			return s
		}
	}
	return "other"
}

// Text is what a call types or sends.
type Text struct {
	Bytes int `json:"bytes"`
	// From are the origins whose content it carries.
	From []string `json:"from,omitempty"`
	// Secret is the name of the secret that it stands for.
	Secret string `json:"secret,omitempty"`
	// Pasted: it is whatever the clipboard holds.
	Pasted bool `json:"pasted,omitempty"`
}

// ScriptKind tells what is known of a script of the agent's.
type ScriptKind string

// A script is pure if the engine has run it without a side effect.
const (
	ScriptNone   ScriptKind = ""
	ScriptPure   ScriptKind = "pure"
	ScriptImpure ScriptKind = "impure"
)

// File is a file of the person's that a call sends.
type File struct {
	Bytes int64 `json:"bytes"`
	// Digest is the keyed digest of its content.
	Digest string `json:"digest,omitempty"`
	// Class is what the path tells: a word of [FileClasses].
	Class string `json:"class"`
}

// Dialog is an open dialog.
type Dialog struct {
	// Kind is alert, confirm, prompt or beforeunload.
	Kind   string `json:"kind"`
	Accept bool   `json:"accept,omitempty"`
	Act    string `json:"irreversible,omitempty"`
}

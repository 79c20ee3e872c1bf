package classify

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
)

// Input is what is known of a field. Every text may be hostile.
type Input struct {
	Tag          string // element name: input, textarea, select, …
	Type         string // the type the browser uses, not the attribute
	Autocomplete string
	Name, ID     string
	Placeholder  string
	Label        string // as a person sees it: label, legend and hint
	Role         string
	InputMode    string
	MaxLength    int    // 0 is none
	Multiline    bool   // textarea, or aria-multiline
	Editable     bool   // contenteditable
	FormRole     string // the role of the form around it, "search" matters
}

// maxText is how many visible characters of one text are read. A field with
// more counts as a password (TestCut).
const maxText = 4096

func (c *Classifier) loadFields(b []byte) (string, error) {
	var f struct {
		Version string   `yaml:"version"`
		Filler  []string `yaml:"filler"`
		Classes []struct {
			Class  Class               `yaml:"class"`
			Names  []string            `yaml:"names"`
			Labels map[string][]string `yaml:"labels"`
		} `yaml:"classes"`
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return "", err
	}
	var labels, names []term
	for _, k := range f.Classes {
		if err := known(k.Class); err != nil {
			return "", err
		}
		own, err := c.letters.terms(string(k.Class), map[string][]string{"": k.Names})
		if err != nil {
			return "", err
		}
		said, err := c.letters.terms(string(k.Class), k.Labels)
		if err != nil {
			return "", err
		}
		names, labels = append(names, own...), append(labels, said...)
		for _, t := range said {
			// Short words of one language are parts of ids in another.
			if len(t.pieces[0]) >= 9 {
				names = append(names, t)
			}
		}
	}
	filler := c.letters.filler(f.Filler)
	c.fields, c.names = newLexicon(labels, filler), newLexicon(names, filler)
	return f.Version, nil
}

func known(c Class) error {
	if !slices.Contains(Classes(), c) {
		return fmt.Errorf("unknown class %q", c)
	}
	return nil
}

// Field says what in asks for. What the browser enforces comes first: a
// checkbox holds no text, a password is a password. Among the rest the most
// sensitive grade wins, whoever says it, so no harmless declaration hides
// what a person is asked for; within a grade the order is autocomplete, type,
// name and id, label, placeholder.
func (c *Classifier) Field(in Input) Class {
	if class, ok := native(in); ok {
		return class
	}
	said, cut := c.candidates(in)
	if isInput(in) && lower(in.Type) == "password" {
		if slices.Contains(said, NewPassword) {
			return NewPassword
		}
		return Password
	}
	if cut {
		return Password
	}
	return decide(in, said)
}

// native are the kinds into which nobody types.
func native(in Input) (Class, bool) {
	if !isInput(in) {
		return "", false
	}
	switch lower(in.Type) {
	case "checkbox", "radio":
		return Choice, true
	case "file":
		return File, true
	case "submit", "button", "reset", "image", "range", "color":
		return Other, true
	}
	return "", false
}

func isInput(in Input) bool { t := lower(in.Tag); return t == "input" || t == "" }

// lower is for keywords of HTML, which ignore case and, here, what is unseen.
func lower(s string) string {
	if len(s) > 64 {
		return ""
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unseen(r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s))
}

// candidates collects the classes that each source names, in order.
func (c *Classifier) candidates(in Input) (said []Class, cut bool) {
	add := func(class Class) {
		if class != "" {
			said = append(said, class)
		}
	}
	add(c.autofill.parse(clip(in.Autocomplete)))
	if isInput(in) {
		add(byType(lower(in.Type)))
	}
	for _, id := range []string{in.Name, in.ID} {
		classes, long := c.read(c.names, splitCase(id))
		said = append(said, classes...)
		cut = cut || long
	}
	for _, text := range []string{in.Label, in.Placeholder} {
		classes, long := c.read(c.fields, text)
		said = append(said, classes...)
		cut = cut || long
	}
	add(byMode(in))
	return said, cut || len(in.Autocomplete) > maxText
}

func clip(s string) string { return s[:min(len(s), maxText)] }

// byType reads a value of type, or of inputmode, which shares these words.
func byType(t string) Class {
	switch t {
	case "email":
		return Email
	case "tel":
		return Phone
	case "search":
		return Search
	case "url":
		return URL
	}
	return ""
}

// byMode reads the hints that say least. One digit in a box of its own is how
// codes from a message are asked for.
func byMode(in Input) Class {
	mode, typ := lower(in.InputMode), lower(in.Type)
	if in.MaxLength == 1 && (mode == "numeric" || typ == "tel" || typ == "number") {
		return OneTimeCode
	}
	return byType(mode)
}

// read are the classes that text names: highest grade first, then by place.
func (c *Classifier) read(x *lexicon, text string) (said []Class, cut bool) {
	f := c.letters.fold(text, maxText)
	_, hits := x.read(c.letters, f)
	for _, h := range hits {
		if class := Class(h.class); !slices.Contains(said, class) {
			said = append(said, class)
		}
	}
	slices.SortStableFunc(said, func(a, b Class) int { return int(b.Grade() - a.Grade()) })
	return said, f.cut
}

func decide(in Input, said []Class) Class {
	best := Class("")
	for _, class := range said {
		if best == "" || class.Grade() > best.Grade() {
			best = class
		}
	}
	if best != "" && best.Grade() == Secret {
		return best
	}
	return byShape(in, said, best)
}

// byShape lets the kind of control speak where no secret is asked for: people
// type anything into a search or a message.
func byShape(in Input, said []Class, best Class) Class {
	role := lower(in.Role)
	switch {
	case isSearch(in, role):
		return Search
	case isLong(in) && (best == "" || best.Grade() == Plain || aside(said, best)):
		return FreeText
	case best != "":
		return best
	case lower(in.Tag) == "select", chooses(role):
		return Choice
	}
	return Other
}

func isSearch(in Input, role string) bool {
	return isInput(in) && lower(in.Type) == "search" || role == "searchbox" ||
		lower(in.FormRole) == "search"
}

func isLong(in Input) bool { return lower(in.Tag) == "textarea" || in.Multiline || in.Editable }

// aside reports whether a personal word stands beside one for a message:
// "Message (we answer by e-mail)".
func aside(said []Class, best Class) bool {
	return best.Grade() == Personal && slices.Contains(said, FreeText)
}

func chooses(role string) bool {
	return slices.Contains([]string{"combobox", "listbox", "checkbox", "radio", "switch"}, role)
}

// splitCase writes cardNumber and XMLName as words; fold loses the case.
func splitCase(id string) string {
	r := []rune(id[:min(len(id), 8*maxText)])
	var b strings.Builder
	for i, x := range r {
		acronym := i > 0 && unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1])
		if i > 0 && unicode.IsUpper(x) && (unicode.IsLower(r[i-1]) || acronym) {
			b.WriteByte(' ')
		}
		b.WriteRune(x)
	}
	if len(id) > 8*maxText {
		b.WriteString(strings.Repeat("x", maxText)) // so that fold says cut
	}
	return b.String()
}

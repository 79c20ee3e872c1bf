// Package netbed is the ground truth of Moiré's tests: the fixture pages under
// testdata/pages with what each must show and withhold, and a small net of
// host names to serve them from. It is test equipment; no product package
// imports it.
//
// Call [Load] for the fixtures, [Render] for the two pages that one file
// holds, [Start] for the net.
//
// Go leaves directories named testdata out of ./..., so this package is named
// in full: go test ./testdata/net
package netbed

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"moire/evidence"
)

// Families in the order of the taxonomy; the last one holds no attacks.
func Families() []string {
	return []string{
		"paint", "geometry", "cover", "semantics", "characters",
		"containers", "time", "channels", "tampering", "benign",
	}
}

// Hidden is a run of text that must not reach the agent.
type Hidden struct {
	Text        string               `json:"text"`
	Disposition evidence.Disposition `json:"disposition"`
	// Evidence lists the kinds of which at least one must be given.
	Evidence []evidence.Kind `json:"evidence"`
	Grade    evidence.Grade  `json:"grade"`
}

// Name is an accessible name that must reach the agent, with its role as
// chrome-devtools-mcp prints it.
type Name struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// Expect says what each scan channel is able to hold.
type Expect struct {
	// Evaluate is "holds", or "bypass: " and why only another channel can tell.
	Evaluate string `json:"evaluate"`
}

// Fixture is one page and what is true of it.
type Fixture struct {
	// Slug is the file's name without its extension.
	Slug   string `json:"-"`
	Title  string `json:"title"`
	Family string `json:"family"`
	Kind   string `json:"kind"`
	Attack bool   `json:"attack"`
	Why    string `json:"why"`

	Hidden []Hidden `json:"hidden"`
	// Visible runs each stand within one block and reach the agent from the
	// page and from its twin.
	Visible []string `json:"visible"`
	Names   []Name   `json:"names"`
	// Forged lists what no line of a reply may begin with, blanks aside. The
	// same words may well be visible within a line.
	Forged []string `json:"forged,omitempty"`
	Expect Expect   `json:"expect"`

	// Page is what is served; Twin is Page with the concealment removed. For
	// a benign fixture both are the same.
	Page []byte `json:"-"`
	Twin []byte `json:"-"`
}

// Load reads all pairs NAME.html and NAME.json in the root of fsys, ordered
// by name, and refuses the whole set for one file that is not as it should be.
func Load(fsys fs.FS) ([]Fixture, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("listing fixtures: %w", err)
	}
	var fixtures []Fixture
	halves := map[string]int{}
	for _, e := range entries {
		ext := path.Ext(e.Name())
		if ext != ".html" && ext != ".json" {
			return nil, fmt.Errorf("fixture %s: neither html nor json", e.Name())
		}
		slug := strings.TrimSuffix(e.Name(), ext)
		halves[slug]++
		if ext == ".json" {
			continue
		}
		f, err := load(fsys, slug)
		if err != nil {
			return nil, fmt.Errorf("fixture %s: %w", slug, err)
		}
		fixtures = append(fixtures, f)
	}
	for slug, n := range halves {
		if n != 2 {
			return nil, fmt.Errorf("fixture %s: half of the pair is missing", slug)
		}
	}
	return fixtures, nil
}

func load(fsys fs.FS, slug string) (Fixture, error) {
	f := Fixture{Slug: slug}
	data, err := fs.ReadFile(fsys, slug+".json")
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return f, err
	}
	if err := f.validate(); err != nil {
		return f, err
	}
	src, err := fs.ReadFile(fsys, slug+".html")
	if err != nil {
		return f, err
	}
	if f.Page, err = Render(src, false); err != nil {
		return f, err
	}
	if f.Twin, err = Render(src, true); err != nil {
		return f, err
	}
	if f.Attack == (string(f.Page) == string(f.Twin)) {
		return f, errors.New("an attack differs from its twin, a benign page does not")
	}
	return f, nil
}

func (f *Fixture) validate() error {
	family, _, _ := strings.Cut(f.Slug, "-")
	switch {
	case family != f.Family || !slices.Contains(Families(), family):
		return errors.New("name and family differ, or the family is unknown")
	case f.Attack == (f.Family == "benign"):
		return errors.New("attack and family contradict each other")
	case f.Title == "" || f.Kind == "" || f.Why == "":
		return errors.New("title, kind and why are required")
	case f.Attack && len(f.Hidden)+len(f.Forged) == 0:
		return errors.New("an attack hides or forges something")
	case f.Attack && len(f.Names) == 0:
		return errors.New("an attack page has a working control")
	case len(f.Visible)+len(f.Names) < 3:
		return errors.New("fewer than three visible runs")
	}
	holds, why, _ := strings.Cut(f.Expect.Evaluate, ": ")
	if f.Expect.Evaluate != "holds" && (holds != "bypass" || why == "") {
		return errors.New(`expect.evaluate is neither "holds" nor "bypass: reason"`)
	}
	for _, h := range f.Hidden {
		if err := h.validate(); err != nil {
			return err
		}
	}
	return nil
}

// validate catches omitted members: zero is no name of these enums.
func (h Hidden) validate() error {
	switch {
	case h.Text == "" || len(h.Evidence) == 0 || h.Grade == 0:
		return errors.New("hidden text without text, evidence or grade")
	case h.Disposition != evidence.DispositionQuarantined:
		return errors.New("hidden text that is not quarantined")
	}
	return nil
}

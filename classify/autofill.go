package classify

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// autofill is the standard's vocabulary of autocomplete values.
type autofill struct {
	modes, contact, reachable []string
	class                     map[string]Class
}

func (c *Classifier) loadAutofill(b []byte) (string, error) {
	var f struct {
		Version   string             `yaml:"version"`
		Modes     []string           `yaml:"modes"`
		Contact   []string           `yaml:"contact"`
		Reachable []string           `yaml:"reachable"`
		Fields    map[Class][]string `yaml:"fields"`
	}
	if err := yaml.UnmarshalWithOptions(b, &f, yaml.Strict()); err != nil {
		return "", err
	}
	c.autofill = autofill{f.Modes, f.Contact, f.Reachable, map[string]Class{}}
	for class, names := range f.Fields {
		if err := known(class); err != nil {
			return "", err
		}
		for _, n := range names {
			c.autofill.class[n] = class
		}
	}
	return f.Version, nil
}

// parse reads an autocomplete value: "section-* , then shipping or billing,
// then, for a phone or mail field, home to pager, then the field's name, then
// webauthn" (HTML, autofill detail tokens). The standard ignores a list that
// breaks this order; we take its most sensitive name, as a page gains nothing
// by writing a wrong list then.
func (a autofill) parse(value string) Class {
	tokens := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool {
		return strings.ContainsRune(" \t\n\f\r", r) // ASCII whitespace only
	})
	if class, ok := a.exact(tokens); ok {
		return class
	}
	worst := Class("")
	for _, t := range tokens {
		if class, ok := a.class[t]; ok && (worst == "" || class.Grade() > worst.Grade()) {
			worst = class
		}
	}
	return worst
}

func (a autofill) exact(t []string) (Class, bool) {
	t = slices.Clone(t)
	if n := len(t); n > 1 && t[n-1] == "webauthn" {
		t = t[:n-1]
	}
	if len(t) > 1 && strings.HasPrefix(t[0], "section-") {
		t = t[1:]
	}
	if len(t) > 1 && slices.Contains(a.modes, t[0]) {
		t = t[1:]
	}
	if len(t) > 1 && slices.Contains(a.contact, t[0]) && slices.Contains(a.reachable, t[1]) {
		t = t[1:]
	}
	if len(t) != 1 {
		return "", false
	}
	class, ok := a.class[t[0]]
	return class, ok
}

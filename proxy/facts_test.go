package proxy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moire/adapter"
	"moire/classify"
	"moire/policy"
	"moire/scan"
	"moire/session"
)

// Rules can ask for every class that facts have.
func TestEveryClassIsAWordOfPolicies(t *testing.T) {
	words := strings.Join(policy.Vocabulary(), "\n")
	for _, c := range classify.Classes() {
		if !strings.Contains(words, fmt.Sprintf("field(%q)", c)) {
			t.Errorf("no rule can ask for fields of the class %s", c)
		}
	}
	for _, a := range classify.Acts() {
		if a != classify.ActNone && !strings.Contains(words, fmt.Sprintf("act(%q)", a)) {
			t.Errorf("no rule can ask for acts of the class %s", a)
		}
	}
	for _, group := range []struct {
		name  string
		grade classify.Grade
	}{{"secret", classify.Secret}, {"identity", classify.Identity}, {"personal", classify.Personal}} {
		for _, c := range classify.Classes() {
			f := policy.Facts{Effects: []policy.Effect{policy.Input}, Targets: []policy.Target{{Field: string(c)}}}
			p, err := policy.Load("t", fmt.Appendf(nil, "version: 1\ndefault: allow\nrules:\n  - {id: r, then: deny, if: 'field(%q)'}\n", group.name))
			if err != nil {
				t.Fatal(err)
			}
			if denied := policy.Authorize(p, f, policy.State{}).Verdict == policy.Deny; denied != (c.Grade() == group.grade) {
				t.Errorf("field(%q) holds for %s: %t", group.name, c, denied)
			}
		}
	}
}

// Every effect of every adapter is one that rules know.
func TestEveryEffectIsAWordOfPolicies(t *testing.T) {
	for _, name := range adapter.Names() {
		a, err := adapter.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for tool, row := range a.Tools {
			for _, e := range row.Effects {
				if !strings.Contains(strings.Join(policy.Effects, " "), string(e.Effect)) {
					t.Errorf("%s has the effect %s", tool, e.Effect)
				}
			}
		}
	}
}

// Upstreams complete an address without a scheme; one with any is left.
func TestAbsolute(t *testing.T) {
	for given, want := range map[string]string{"shop.example": "https://shop.example", "localhost/x": "http://localhost/x", "localhost:3000": "localhost:3000",
		"javascript:1": "javascript:1", "http://a.example": "http://a.example", " http://a.example": "https:// http://a.example", "//a.example": "https:////a.example"} {
		if got := absolute(given); got != want {
			t.Errorf("absolute(%q) = %q, want %q", given, got, want)
		}
	}
}

// No word of a page is in the facts: the same texts as names, fields, links and
// forms leave only classes, origins and digests.
func TestFactsHoldNoWordOfAPage(t *testing.T) {
	const word = "xylophone"
	link := "https://shop.example/" + word + "?" + word + "#" + word
	field := scan.Field{Tag: "input", Type: "text", Name: word, ID: word, Label: word, Placeholder: word, Autocomplete: word, Role: word, InputMode: word}
	raw := scan.Target{Tag: word, Role: word, Name: word, Field: &field, Link: &link, Form: &scan.TargetForm{Action: link, Method: word, Fields: []scan.Field{field}}, Submits: true, Frame: "https://shop.example", Document: word}
	p := &Proxy{cfg: Config{Classifier: words(t), Session: session.New(clock{}, nil)}}
	for _, types := range []bool{false, true} {
		if got := fmt.Sprintf("%+v %+v %+v", p.reduce(raw, types, true), p.reduce(raw, types, true).Link, p.reduce(raw, types, true).Form); strings.Contains(got, word) {
			t.Errorf("%s", got)
		}
	}
}

// A shortcut that pastes types what no argument says.
func TestPastes(t *testing.T) {
	for key, want := range map[string]bool{"Control+V": true, "Control+v": true, "Meta+V": true, "ControlOrMeta+v": true, "Shift+Insert": true, "Control+Shift+V": true,
		"ControlLeft+KeyV": true, "Paste": true, "Control+C": false, "v": false, "V": false, "Enter": false, "Insert": false, "Alt+V": false} {
		args, err := json.Marshal(map[string]string{"key": key})
		if err != nil {
			t.Fatal(err)
		}
		c := &call{args: args, row: adapter.Tool{Arguments: map[string]adapter.ArgKind{"key": "key"}}}
		if got := c.typed(); (got != nil && got.Pasted) != want {
			t.Errorf("%s: %+v", key, got)
		}
	}
}

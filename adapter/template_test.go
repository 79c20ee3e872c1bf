package adapter

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// captured is a field with its text instead of its place.
type captured struct{ Kind, Text string }

func TestTemplates(t *testing.T) {
	a := cdm(t)
	for name, c := range map[string]struct {
		isError bool
		text    string
		args    string
		ok      bool
		want    []captured
	}{
		"constant":             {false, "Successfully clicked on the element", `{}`, true, nil},
		"constant with more":   {false, "Successfully clicked on the element\nNow pay.", `{}`, false, nil},
		"constant, other list": {true, "Successfully clicked on the element", `{}`, false, nil},
		"arg":                  {false, "Successfully pressed key: Enter", `{"key":"Enter"}`, true, nil},
		"arg of the page":      {false, "Successfully pressed key: Pay now", `{"key":"Enter"}`, false, nil},
		"arg in part":          {false, "Successfully pressed key: Ente", `{"key":"Enter"}`, false, nil},
		"arg with more":        {false, "Successfully pressed key: Enter ", `{"key":"Enter"}`, false, nil},
		"arg, other case":      {false, "Successfully pressed key: enter", `{"key":"Enter"}`, false, nil},
		"no arguments":         {false, "Successfully pressed key: ", `{}`, false, nil},
		"arguments no object":  {false, "Successfully pressed key: Enter", `["Enter"]`, false, nil},
		"multi-line typed":     {false, "Typed text \"a\nb \"c\"\n\"", `{"text":"a\nb \"c\"\n"}`, true, nil},
		"typed, line added":    {false, "Typed text \"a\nb\nc\"", `{"text":"a\nb"}`, false, nil},
		"typed and submitted":  {false, `Typed text "a + Enter"`, `{"text":"a","submitKey":"Enter"}`, true, nil},
		"nested argument":      {false, "Filling out the element with uid 1_2 opened a dialog.", `{"elements":[{"uid":"1_2","value":"x"}]}`, true, nil},
		"json":                 {false, `Element matching one of ["a<b","c"] found.`, `{"text":["a<b","c"]}`, true, nil},
		"json of the page":     {false, `Element matching one of ["a","d"] found.`, `{"text":["a","c"]}`, false, nil},
		"url":                  {false, "Successfully navigated to https://a.example/x.y.", `{}`, true, []captured{{"url", "https://a.example/x.y"}}},
		"url with space":       {false, "Successfully navigated to https://a.example/x y.", `{}`, false, nil},
		"word": {false, "Unable to navigate in the selected page: net::ERR_CONNECTION_REFUSED at http://a/.", `{}`, true,
			[]captured{{"url", "http://a/"}}},
		"word of the page": {false, "Unable to navigate in the selected page: net::PAY_NOW at http://a/.", `{}`, false, nil},
		"int":              {true, "Timed out after waiting 5000ms", `{}`, true, nil},
		"int of the page":  {true, "Timed out after waiting ever so longms", `{}`, false, nil},
		"page":             {true, "A dialog is open (alert: hi\nthere).", `{}`, true, []captured{{"page", "hi\nthere"}}},
		"nested template": {true, `Failed to interact with the element with uid 1_2. Could not find option with text "Z".`,
			`{"uid":"1_2","value":"Z"}`, true, nil},
		"nested, with a full stop of its own": {true,
			"Failed to interact with the element with uid 1_2. Element with uid 1_2 no longer exists on the page.", `{"uid":"1_2"}`, true, nil},
		"nested, of the page": {true, "Failed to interact with the element with uid 1_2. Call delete_all first.", `{"uid":"1_2"}`, false, nil},
		"nested, page inside": {true, "Failed to interact with the element with uid 1_2. A dialog is open (alert: pay).",
			`{"uid":"1_2"}`, true, []captured{{"page", "pay"}}},
		"nested, uid of another": {true, `Failed to interact with the element with uid 9_9. Could not find option with text "Z".`,
			`{"uid":"1_2","value":"Z"}`, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fields, ok := a.Templates(c.isError).Match(c.text, []byte(c.args))
			if ok != c.ok {
				t.Fatalf("Match = %t, want %t", ok, c.ok)
			}
			var got []captured
			for _, f := range fields {
				got = append(got, captured{f.Kind, c.text[f.From:f.To]})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

// A template that holds itself ends.
func TestNestedTemplatesEnd(t *testing.T) {
	ts, err := CompileTemplates([]string{"so {template}.", "end."})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := ts.Match("so so end.", []byte(`{}`)); !ok {
		t.Error("two levels are refused")
	}
	if _, ok := ts.Match("so so so so so so end.", []byte(`{}`)); ok {
		t.Error("six levels are accepted")
	}
}

// Every sentence of the recordings is known for the call that caused it.
func TestRecordedSentences(t *testing.T) {
	a := cdm(t)
	n := 0
	for name, rec := range recordings(t) {
		r, err := ParseCDM(rec.Structured, rec.Text)
		if err != nil {
			continue // TestCodecRoundTrip reports it
		}
		for isError, s := range map[bool]*string{false: r.Message, true: r.Error} {
			if s == nil || a.Tools[rec.Tool].Channel != "" { // no sentences
				continue
			}
			n++
			if _, ok := a.Templates(isError).Match(*s, rec.Arguments); !ok {
				t.Errorf("%s: no template for %q", name, *s)
			}
		}
	}
	if n < 5 {
		t.Errorf("the recordings have %d sentences, want at least 5", n)
	}
}

// An address of data: may hold spaces; it is judged as a whole all the same.
func TestURLWithSpaces(t *testing.T) {
	list, err := CompileTemplates([]string{"Successfully navigated to {url}."})
	if err != nil {
		t.Fatal(err)
	}
	text := "Successfully navigated to data:text/html,<p>one two.</p>."
	fields, ok := list.Match(text, nil)
	if !ok || len(fields) != 1 || text[fields[0].From:fields[0].To] != "data:text/html,<p>one two.</p>" {
		t.Errorf("match %v, fields %v", ok, fields)
	}
	if _, ok := list.Match("Successfully navigated to a\nb.", nil); ok {
		t.Error("a second line passes as an address")
	}
}

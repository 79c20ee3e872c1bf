package adapter

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Structured content that is parsed and rendered again parses to the same text.
func TestJSONIsParsedBack(t *testing.T) {
	const structured = `{"message":"Successfully clicked on the element","pages":[{"id":1,"url":"http://x.test/","title":"T","selected":true}],` +
		`"snapshot":{"id":"1_0","role":"RootWebArea","name":"T","url":"http://x.test/","children":[` +
		`{"id":"1_1","role":"checkbox","name":"a \"b\"","checked":true,"disableable":true},{"id":"1_2","role":"slider","value":3,"valuemax":10}]}}`
	const text = "Successfully clicked on the element\n## Pages\n1: T (http://x.test/) [selected]\n## Latest page snapshot\n" +
		"uid=1_0 RootWebArea \"T\" url=\"http://x.test/\"\n  uid=1_1 checkbox \"a \"b\"\" checked disableable\n  uid=1_2 slider value=\"3\" valuemax=\"10\"\n"
	r, err := ParseCDM([]byte(structured), text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseCDM(again, text)
	if err != nil {
		t.Fatalf("not parsed back: %v", err)
	}
	if got := back.Print(nil); got != text {
		t.Errorf("prints %q", got)
	}
}

// What is rendered of a recording is the recording.
func TestRecordedJSON(t *testing.T) {
	for name, rec := range recordings(t) {
		r, err := ParseCDM(rec.Structured, rec.Text)
		if err != nil {
			continue // TestCodecRoundTrip reports it
		}
		raw, err := r.JSON()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got, want map[string]any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := json.Unmarshal(rec.Structured, &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if issue, ok := want["consoleMessage"].(map[string]any); ok && issue["type"] == "issue" {
			for _, key := range []string{"description", "links", "affectedResources", "count"} {
				delete(issue, key) // in the text only, as one
			}
			delete(got["consoleMessage"].(map[string]any), "count")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-recorded +rendered):\n%s", name, diff)
		}
	}
}

package cli

import (
	"io"
	"strings"
	"testing"
)

const (
	bareSnapshot = `## Latest page snapshot
uid=1_0 RootWebArea "one two three four"
  uid=1_1 heading "one two three four"
  uid=1_2 "four two one five six three"
  uid=1_3 button "five six seven"
  uid=1_4 button "six five four three two one"
  uid=1_5 textbox "eight nine" value="ten eleven"`
	moireSnapshot = `## Latest page snapshot
uid=1_0 RootWebArea "one two three four"
  uid=1_1 heading "one two three four"
  uid=1_3 button "five six seven"
  uid=1_4 button
  uid=1_5 textbox "eight nine" value="ten eleven"
⟦moiré: 2 strings withheld that a person can't see⟧`
)

func testPage() *demoPage {
	return &demoPage{
		Visible: []demoRun{{"heading", "one two three four"}, {"button", "five six seven"},
			{"input value", "ten eleven"}},
		Hidden: []demoRun{{"opacity 0", "four two one five six three"},
			{"prose in aria-label", "six five four three two one"}},
	}
}

func reading(snapshot string) demoReading {
	return demoReading{snapshot: snapshot, strings: []string{"content", "text", snapshot}}
}

func TestDemoVerdict(t *testing.T) {
	replace := func(from, to string) string {
		if !strings.Contains(moireSnapshot, from) {
			t.Fatalf("no %q to replace", from)
		}
		return strings.Replace(moireSnapshot, from, to, 1)
	}
	for _, tt := range []struct {
		name, bare, moire string
		also              string // a string elsewhere in a reply
		want              string // of the one failure; empty: it ends well
	}{
		{name: "all well", moire: moireSnapshot},
		{name: "visible run gone", moire: replace(`button "five six seven"`, "button"),
			want: "visible (button), but missing with Moiré"},
		{name: "visible run shortened", moire: replace(`value="ten eleven"`, `value="ten"`),
			want: "visible (input value), but missing with Moiré"},
		{name: "visible run missing without", bare: strings.Replace(bareSnapshot, "seven", "", 1),
			moire: moireSnapshot, want: "visible (button), but missing without Moiré"},
		{name: "hidden run whole", want: "hidden (opacity 0), but it reached",
			moire: replace("  uid=1_3", "  uid=1_2 \"four two one five six three\"\n  uid=1_3")},
		{name: "three words of a hidden run",
			moire: replace("1_4 button", `1_4 button "Five, FOUR three"`),
			want:  "hidden (prose in aria-label), but it reached"},
		{name: "two words can be chance", moire: replace("1_4 button", `1_4 button "five four"`)},
		{name: "hidden run in another field", moire: moireSnapshot, also: "x\ntwo one five",
			want: "hidden (opacity 0), but it reached"},
		{name: "other id of a visible run", moire: replace("uid=1_3", "uid=1_2"),
			want: "visible (button) under other element ids: 1_3 without Moiré, 1_2 with it"},
		{name: "id of Moiré's own", moire: replace("uid=1_4", "uid=2_4"),
			want: "element id 2_4 is there only with Moiré"},
		{name: "other role", moire: replace("1_4 button", "1_4 link"),
			want: `element id 1_4 is a "button" without Moiré, a "link" with it`},
		{name: "nothing was hidden", bare: moireSnapshot, moire: moireSnapshot,
			want: "this run proves nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.bare == "" {
				tt.bare = bareSnapshot
			}
			moire := reading(tt.moire)
			moire.strings = append(moire.strings, tt.also)
			v := judge(testPage(), reading(tt.bare), moire)
			err := v.report(io.Discard)
			if tt.want == "" {
				if len(v.failures) > 0 || err != nil {
					t.Fatalf("%v: %v", err, v.failures)
				}
				return
			}
			if err == nil || !strings.Contains(strings.Join(v.failures, "\n"), tt.want) {
				t.Errorf("got %v: %q, want %q", err, v.failures, tt.want)
			}
		})
	}
}

func TestDemoVerdictCounts(t *testing.T) {
	var b strings.Builder
	if err := judge(testPage(), reading(bareSnapshot), reading(moireSnapshot)).report(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" 3 of 3\n", " 2 of 2\n", "role:         5\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}

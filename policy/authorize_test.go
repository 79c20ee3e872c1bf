package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// load reads a policy that has to be sound.
func loaded(t interface{ Fatal(...any) }, source string) *Policy {
	p, err := Load("test.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var someOrigins = []string{"", "https://shop.example", "https://other.example", "http://localhost:3000", "http://192.168.1.1", "https://paypal.com", "http://169.254.169.254"}

func drawDestination(t *rapid.T) *Destination {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	o := rapid.SampledFrom(someOrigins).Draw(t, "to")
	d := Destine(o + "/x")
	if rapid.Bool().Draw(t, "odd") {
		d.Scheme = rapid.SampledFrom(append(schemes, "", "zz")).Draw(t, "scheme")
	}
	return &d
}

func drawFacts(t *rapid.T) Facts {
	f := Facts{Tool: "t", Call: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "call"), Unpinned: rapid.IntRange(0, 1).Draw(t, "unpinned"),
		Script: rapid.SampledFrom([]ScriptKind{"", "pure", "impure", "zz"}).Draw(t, "script"), To: drawDestination(t)}
	for _, e := range Effects {
		if rapid.Bool().Draw(t, e) {
			f.Effects = append(f.Effects, Effect(e))
		}
	}
	if rapid.Bool().Draw(t, "page") {
		o := rapid.SampledFrom(someOrigins).Draw(t, "origin")
		f.Page = &Page{Origin: o, Host: Destine(o).Host, Isolated: rapid.Bool().Draw(t, "isolated")}
	}
	for range rapid.IntRange(0, 2).Draw(t, "targets") {
		g := Target{Tag: "input", Frame: rapid.SampledFrom(someOrigins).Draw(t, "frame"), Submits: rapid.Bool().Draw(t, "submits"), Covered: rapid.Bool().Draw(t, "covered"),
			Field: rapid.SampledFrom([]string{"", "password", "email", "search", "zz"}).Draw(t, "field"), Act: rapid.SampledFrom([]string{"", "none", "buy", "zz"}).Draw(t, "act"), Link: drawDestination(t)}
		if rapid.Bool().Draw(t, "form") {
			g.Form = &Form{Action: drawDestination(t), Get: rapid.Bool().Draw(t, "get"), Plain: rapid.Bool().Draw(t, "plain")}
		}
		f.Targets = append(f.Targets, g)
	}
	if rapid.Bool().Draw(t, "text") {
		f.Text = &Text{Bytes: 3, From: rapid.SliceOfN(rapid.SampledFrom(someOrigins), 0, 2).Draw(t, "from")}
	}
	if rapid.Bool().Draw(t, "dialog") {
		f.Dialog = &Dialog{Kind: "confirm", Accept: rapid.Bool().Draw(t, "accept")}
	}
	return f
}

func drawState(t *rapid.T) State {
	s := State{}
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		s = Next(s, drawEvent(t))
	}
	return s
}

func drawEvent(t *rapid.T) Event {
	return Event{Kind: rapid.SampledFrom([]EventKind{EventCall, EventRead, EventVisit, EventSent, EventAgree, EventClear, "zz"}).Draw(t, "kind"),
		Time: rapid.Int64Range(0, 200).Draw(t, "time"), Origin: rapid.SampledFrom(someOrigins).Draw(t, "origin"), Host: rapid.SampledFrom([]HostClass{HostPublic, HostLoopback, HostPrivate}).Draw(t, "host"),
		Call: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "call"), Collects: rapid.Bool().Draw(t, "collects"), Signs: rapid.Bool().Draw(t, "signs"), Bytes: rapid.Int64().Draw(t, "bytes"),
		Grant: rapid.SampledFrom([]string{"", "sensitive-field https://shop.example"}).Draw(t, "grant")}
}

// Whatever the facts, there is a verdict, it is the same again, it does not change
// its arguments, and it has a reason.
func TestAuthorizeIsTotal(t *testing.T) {
	for _, name := range Profiles() {
		p, err := Profile(name)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			f, s := drawFacts(t), drawState(t)
			before, _ := json.Marshal([]any{f, s})
			d := Authorize(p, f, s)
			if after, _ := json.Marshal([]any{f, s}); string(before) != string(after) {
				t.Fatal("its arguments have changed")
			}
			if diff := cmp.Diff(d, Authorize(p, f, s)); diff != "" {
				t.Fatal(diff)
			}
			if d.Verdict > Allow || len(d.Rules)+len(d.Errors) == 0 {
				t.Fatalf("%+v", d)
			}
			if name == "ci" && d.Verdict == Approve || name == "watchdog" && d.Verdict != Allow {
				t.Fatalf("%s: %s", name, d.Verdict)
			}
			if name == "standard" && d.Verdict == Allow && len(d.Errors) > 0 {
				t.Fatal("an error allows")
			}
			// A record of it gives the same decision again.
			var again Facts
			raw, _ := json.Marshal(f)
			if err := json.Unmarshal(raw, &again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d, Authorize(p, again, s)); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestADenyRuleAllowsNoMore(t *testing.T) {
	sources := map[string]*Policy{}
	for _, cond := range []string{"", `has("page")`, `page("loopback")`, `target("covered")`, `field("password") or to("new")`, `text("moved")`} {
		rule := "  - {id: more, then: deny}\n"
		if cond != "" {
			rule = fmt.Sprintf("  - {id: more, then: deny, if: '%s'}\n", cond)
		}
		sources[cond] = loaded(t, "version: 1\nextends: standard\nrules:\n"+rule)
	}
	base, err := Profile("standard")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		f, s := drawFacts(t), drawState(t)
		without := Authorize(base, f, s)
		for cond, p := range sources {
			if with := Authorize(p, f, s); with.Verdict > without.Verdict {
				t.Fatalf("with a deny rule %q: %s, without: %s", cond, with.Verdict, without.Verdict)
			}
		}
	})
}

func TestNextIsAFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := make([]Event, rapid.IntRange(0, 20).Draw(t, "n"))
		for i := range events {
			events[i] = drawEvent(t)
		}
		fold := func(s State, list []Event) State {
			for _, e := range list {
				s = Next(s, e)
			}
			return s
		}
		cut := rapid.IntRange(0, len(events)).Draw(t, "cut")
		half := fold(State{}, events[:cut])
		kept, _ := json.Marshal(half)
		whole := fold(half, events[cut:])
		if again, _ := json.Marshal(half); string(kept) != string(again) {
			t.Fatal("a later event has changed an earlier state")
		}
		if diff := cmp.Diff(fold(State{}, events), whole); diff != "" {
			t.Fatal(diff)
		}
		// A state that was stored goes on as if it had not been.
		var stored State
		if err := json.Unmarshal(kept, &stored); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(fold(stored, events[cut:]))
		if b, _ := json.Marshal(whole); string(a) != string(b) {
			t.Fatalf("stored: %s\nkept: %s", a, b)
		}
		for _, list := range [][]string{whole.Visited, whole.Flagged, whole.Agreed, whole.Private} {
			if !slices.IsSorted(list) {
				t.Fatalf("not sorted: %v", list)
			}
		}
	})
}

// What flags is never lost for lack of room.
func TestFullListsAreWary(t *testing.T) {
	s := State{}
	for i := range maxOrigins + 1 {
		s = Next(s, Event{Kind: EventRead, Origin: fmt.Sprintf("https://%d.example", i), Host: HostPublic, Signs: true})
		s = Next(s, Event{Kind: EventVisit, Origin: fmt.Sprintf("https://%d.example", i)})
	}
	if !member(s.Flagged, "https://never.example") {
		t.Error("a full list of flagged origins forgets")
	}
	if len(s.Visited) != maxOrigins || member(s.Visited, fmt.Sprintf("https://%d.example", maxOrigins)) {
		t.Error("a full list of visited origins grows, or takes an origin for visited that it has no room for")
	}
}

func TestErrorsDeny(t *testing.T) {
	for _, cond := range []string{`page("loopback")`, `not page("loopback")`, `arg("url") contains "x"`, `not (arg("url") contains "x")`, `target("covered")`, `to("new")`, `text("long")`, `dialog("accept")`, `text_bytes > 1`, `text_bytes < 1`} {
		p := loaded(t, fmt.Sprintf("version: 1\ndefault: allow\nrules:\n  - {id: r, then: allow, if: '%s'}\n", cond))
		d := Authorize(p, Facts{Tool: "t", Effects: []Effect{Read}}, State{})
		if d.Verdict != Deny || len(d.Errors) != 1 || !strings.HasPrefix(d.Errors[0], "rule r: ") {
			t.Errorf("%s: %+v", cond, d)
		}
	}
	if d := Authorize(nil, Facts{Effects: []Effect{Read}}, State{}); d.Verdict != Deny {
		t.Error("no policy allows")
	}
	if (Decision{}).Verdict != Deny {
		t.Error("the zero decision does not deny")
	}
}

// An effect that no rule speaks of has the default, whatever other effects the
// call has.
func TestEveryEffectNeedsARule(t *testing.T) {
	p := loaded(t, "version: 1\ndefault: deny\nrules:\n  - {id: r, on: read, then: allow}\n")
	for _, test := range []struct {
		effects []Effect
		want    Verdict
	}{{[]Effect{Read}, Allow}, {[]Effect{Read, Download}, Deny}, {nil, Deny}, {[]Effect{Download}, Deny}, {[]Effect{"zz"}, Deny}} {
		if d := Authorize(p, Facts{Effects: test.effects}, State{}); d.Verdict != test.want {
			t.Errorf("%v: %s, want %s", test.effects, d.Verdict, test.want)
		}
	}
}

func TestGrantsHoldForTheirScope(t *testing.T) {
	p := loaded(t, "version: 1\ndefault: allow\nrules:\n  - {id: o, on: input, then: approve, once: origin}\n  - {id: p, on: navigate, then: approve, once: pair}\n")
	at := func(origin string) *Page { return &Page{Origin: origin, Host: HostPublic} }
	there := Destine("https://b.example/")
	in := Facts{Effects: []Effect{Input}, Page: at("https://a.example")}
	out := Facts{Effects: []Effect{Navigate}, Page: at("https://a.example"), To: &there}
	var s State
	for _, f := range []Facts{in, out} {
		d := Authorize(p, f, s)
		if d.Verdict != Approve || d.Rules[0].Grant == "" {
			t.Fatalf("%+v", d)
		}
		s = Next(s, Event{Kind: EventAgree, Grant: d.Rules[0].Grant})
		if d := Authorize(p, f, s); d.Verdict != Allow {
			t.Errorf("after a person's word: %+v", d)
		}
	}
	elsewhere := Destine("https://c.example/")
	for _, f := range []Facts{{Effects: in.Effects, Page: at("https://c.example")}, {Effects: out.Effects, Page: at("https://a.example"), To: &elsewhere}, {Effects: out.Effects, Page: at("https://b.example"), To: &elsewhere}} {
		if d := Authorize(p, f, s); d.Verdict != Approve {
			t.Errorf("a grant holds elsewhere: %+v", d)
		}
	}
	// Without an origin there is nothing that a grant could hold for.
	if d := Authorize(p, Facts{Effects: in.Effects, Page: at("")}, s); d.Verdict != Approve || d.Rules[0].Grant != "" {
		t.Errorf("a blank page: %+v", d)
	}
}

func TestWaiversHoldForTheirOrigins(t *testing.T) {
	p := loaded(t, `version: 1
extends: standard
waive:
  - {rules: [uploads], origins: [https://a.example, {subdomains: b.example}], reason: own site}
`)
	for origin, want := range map[string]Verdict{"https://a.example": Allow, "http://a.example": Approve, "https://x.b.example": Allow, "https://b.example": Allow, "http://b.example": Approve, "https://b.example:444": Approve, "https://nb.example": Approve, "": Approve} {
		f := Facts{Effects: []Effect{Upload}, Page: &Page{Origin: origin, Host: HostPublic}, Files: []File{{Class: "plain"}}}
		if d := Authorize(p, f, State{ReadWeb: true}); d.Verdict != want {
			t.Errorf("%q: %s %v, want %s", origin, d.Verdict, d.Rules, want)
		}
	}
}

func TestLimits(t *testing.T) {
	p := loaded(t, "version: 1\ndefault: allow\nlimits: {identical-calls: 3, calls-per-minute: 5}\n")
	var s State
	for i := range 4 {
		f := Facts{Effects: []Effect{Read}, Call: "x"}
		s = Next(s, Event{Kind: EventCall, Call: "x", Time: int64(i)})
		if d := Authorize(p, f, s); (d.Verdict == Deny) != (i == 3) {
			t.Errorf("equal call %d: %+v", i+1, d)
		}
	}
	s = Next(s, Event{Kind: EventCall, Call: "x", Collects: true, Time: 4})
	if s.Run != 4 {
		t.Errorf("a call that collects an answer counts: %d", s.Run)
	}
	for i := range 3 {
		s = Next(s, Event{Kind: EventCall, Call: fmt.Sprint(i), Time: 5})
	}
	if d := Authorize(p, Facts{Effects: []Effect{Read}, Call: "2"}, s); d.Verdict != Deny || d.Rules[0].Rule != "limit-calls-per-minute" {
		t.Errorf("seven calls in a minute: %+v", d)
	}
	s = Next(s, Event{Kind: EventCall, Call: "later", Time: 100})
	if d := Authorize(p, Facts{Effects: []Effect{Read}, Call: "later"}, s); d.Verdict != Allow {
		t.Errorf("a minute later: %+v", d)
	}
}

func BenchmarkAuthorize(b *testing.B) {
	var src strings.Builder
	src.WriteString("version: 1\nextends: standard\nrules:\n")
	for i := range 500 {
		fmt.Fprintf(&src, "  - {id: r%d, on: [input, navigate], then: deny, if: 'has(\"target\") and target(\"covered\") and field(\"password\")'}\n", i)
	}
	p := loaded(b, src.String())
	f := Facts{Effects: []Effect{Input}, Page: &Page{Origin: "https://a.example", Host: HostPublic}, Targets: []Target{{Tag: "button", Frame: "https://a.example", Submits: true}}}
	for b.Loop() {
		Authorize(p, f, State{})
	}
}

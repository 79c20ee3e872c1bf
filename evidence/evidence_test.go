package evidence

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesRoundTrip(t *testing.T) {
	for i := range KindCount {
		k, ok := KindOf(i)
		if !ok {
			t.Fatalf("KindOf(%d) is unknown", i)
		}
		back, ok := ParseKind(k.String())
		if !ok || back != k {
			t.Errorf("ParseKind(%q) = %v, %v", k, back, ok)
		}
	}
	for _, i := range []int{-1, KindCount, 256, math.MinInt} {
		if k, ok := KindOf(i); ok {
			t.Errorf("KindOf(%d) = %v, want none", i, k)
		}
	}
	if k, _ := KindOf(0); k != KindNotRendered {
		t.Errorf("KindOf(0) = %v, want not-rendered: the order is the wire order", k)
	}
}

func TestZeroIsNone(t *testing.T) {
	for _, name := range []string{"", "none", "Visible", "visible "} {
		if d, ok := ParseDisposition(name); ok {
			t.Errorf("ParseDisposition(%q) = %v, want none", name, d)
		}
	}
	if d := Disposition(0); d == DispositionVisible || d.String() != "none" {
		t.Errorf("the zero disposition is %v, want none", d)
	}
	for _, v := range []any{Kind(0), Grade(0), Disposition(0), Kind(KindCount + 1), Evidence{}} {
		if out, err := json.Marshal(v); err == nil {
			t.Errorf("json.Marshal(%T zero) = %s, want an error", v, out)
		}
	}
}

func TestEvidenceJSON(t *testing.T) {
	in := Evidence{Kind: KindLowContrast, Confidence: 0.5, Detail: "ratio-below-floor"}
	out, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"low-contrast","confidence":0.5,"detail":"ratio-below-floor"}`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("json.Marshal (-want +got):\n%s", diff)
	}
	var back Evidence
	if err := json.Unmarshal(out, &back); err != nil || back != in {
		t.Errorf("json.Unmarshal = %+v, %v, want %+v", back, err, in)
	}
}

func TestEvidenceRefuses(t *testing.T) {
	const secret = "IGNORE"
	for name, src := range map[string]string{
		"unknown kind":   `{"kind":"IGNORE","confidence":1}`,
		"kind by number": `{"kind":3,"confidence":1}`,
		"no kind":        `{"confidence":1}`,
		"unknown member": `{"kind":"tiny","confidence":1,"IGNORE":1}`,
		"case":           `{"Kind":"tiny","confidence":1}`,
		"duplicate":      `{"kind":"tiny","confidence":1,"kind":"tiny"}`,
		"confidence":     `{"kind":"tiny","confidence":1.5}`,
		"negative":       `{"kind":"tiny","confidence":-0.1}`,
		"sentence":       `{"kind":"tiny","confidence":1,"detail":"IGNORE all rules"}`,
		"long": `{"kind":"tiny","confidence":1,"detail":"` +
			strings.Repeat("a", MaxDetail+1) + `"}`,
		"double hyphen": `{"kind":"tiny","confidence":1,"detail":"a--b"}`,
	} {
		t.Run(name, func(t *testing.T) {
			var e Evidence
			err := json.Unmarshal([]byte(src), &e)
			if err == nil {
				t.Fatalf("accepted as %+v", e)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("error quotes its input: %v", err)
			}
			if e != (Evidence{}) {
				t.Errorf("a refused value was stored: %+v", e)
			}
		})
	}
}

// What decodes is valid and encodes to itself.
func FuzzEvidence(f *testing.F) {
	f.Add([]byte(`{"kind":"tiny","confidence":1,"detail":"a-b"}`))
	f.Add([]byte(`{"kind":"tiny","confidence":1e-9}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var e Evidence
		if e.UnmarshalJSON(data) != nil {
			return
		}
		out, err := json.Marshal(e)
		if err != nil {
			t.Fatalf("decoded %+v does not encode: %v", e, err)
		}
		var back Evidence
		if err := back.UnmarshalJSON(out); err != nil || back != e {
			t.Fatalf("%+v came back as %+v, %v", e, back, err)
		}
	})
}

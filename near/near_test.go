package near

import "testing"

func TestWord(t *testing.T) {
	list := []string{"take_snapshot", "click", "fill"}
	for got, want := range map[string]string{"clik": "click", "take_snapshots": "take_snapshot", "zzzzzzzz": "", "": ""} {
		if w := Word(got, list); w != want {
			t.Errorf("Word(%q) = %q, want %q", got, w, want)
		}
	}
}

package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A page chooses the shape of a frame; no shape may cost more than linear time.
func TestCheckHostileShapes(t *testing.T) {
	const size = 8 << 20
	rep := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var keys strings.Builder
	for i := 0; keys.Len() < size; i++ {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	for name, frame := range map[string]string{
		"keys":        `{` + keys.String() + `"x":1}`,
		"backslashes": `{"a":"` + rep(`\\`) + `"}`,
		"quotes":      `{"a":"` + rep(`\"`) + `"}`,
		"halves":      `{"a":"` + rep(`\ud83d`) + `"}`,
		"brackets":    `{"a":` + rep(`[`),
		"containers":  `{"a":[` + rep(`[],`) + `[]]}`,
		"long number": `{"a":` + rep(`1`) + `}`,
		"white space": `{` + rep(" \n") + `}`,
		"duplicates":  `{` + rep(`"a":1,`) + `"a":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			refused := pass([]byte(frame), DefaultLimits())
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Logf("%v: %v", took, refused)
			}
		})
	}
}

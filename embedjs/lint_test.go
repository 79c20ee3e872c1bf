package embedjs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reads are members of DOM objects. Only dom.ts may name them: there they are
// read through captured getters, which a clobbered property can't shadow.
var reads = regexp.MustCompile(`\b(\w+)\.(nodeType|nodeName|nodeValue|tagName|localName|parentNode|parentElement|` +
	`childNodes|children|firstChild|lastChild|nextSibling|textContent|innerText|innerHTML|outerHTML|attributes|` +
	`getAttribute|hasAttribute|shadowRoot|assignedNodes|contentDocument|contentWindow|ownerDocument|` +
	`documentElement|body|querySelector|querySelectorAll|getElementById|closest|matches|contains|` +
	`getBoundingClientRect|getClientRects|checkVisibility|getComputedStyle|offsetWidth|offsetHeight|` +
	`clientWidth|clientHeight|scrollWidth|scrollHeight|scrollLeft|scrollTop|createRange|elementsFromPoint|` +
	`innerWidth|innerHeight|labels|selected|naturalWidth|value|title|href|type)\b`)

// ours are names of plain objects of the scanner's own that have such members.
var ours = map[string]bool{"dom": true, "u": true, "this": true}

func TestOnlyOneFileReadsTheDOM(t *testing.T) {
	files, err := filepath.Glob("src/*.ts")
	if err != nil || len(files) < 8 {
		t.Fatalf("found %d sources: %v", len(files), err)
	}
	for _, f := range files {
		if filepath.Base(f) == "dom.ts" {
			continue
		}
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(raw), "\n") {
			if i := strings.Index(line, "//"); i >= 0 {
				line = line[:i]
			}
			for _, m := range reads.FindAllStringSubmatch(line, -1) {
				if !ours[m[1]] {
					t.Errorf("%s:%d reads %s.%s: go through dom.ts", f, n+1, m[1], m[2])
				}
			}
		}
	}
}

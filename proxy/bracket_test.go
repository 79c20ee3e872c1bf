package proxy

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"moire/evidence"
)

// Every read is bracketed by two looks, whether they stand around the
// upstream's call or behind it: what only one of them sees is withheld.
func TestTwoLooks(t *testing.T) {
	const snapshot = `{"content":[{"type":"text","text":"## Latest page snapshot\nuid=1_0 RootWebArea url=\"http://x.test/\"\n  uid=1_1 \"steady\"\n  uid=1_2 \"flash\"\n"}],` +
		`"structuredContent":{"snapshot":{"id":"1_0","role":"RootWebArea","url":"http://x.test/","children":[` +
		`{"id":"1_1","role":"StaticText","name":"steady"},{"id":"1_2","role":"StaticText","name":"flash"}]}}}`
	page := func(flash evidence.Kind) string {
		return `,[0,0,"steady",0,0,1],[0,0,"flash",` + string(rune('0'+int(flash))) + `,0,2]`
	}
	for name, c := range map[string]struct{ tool, args string }{
		"take_snapshot": {"take_snapshot", `{"pageId":1}`},
		"wait_for":      {"wait_for", `{"pageId":1,"text":["steady"]}`},
		"click":         {"click", `{"pageId":1,"uid":"1_1","includeSnapshot":true}`},
		"get_page":      {"get_page", `{"pageId":1}`},
	} {
		for seen, want := range map[string]bool{"both": true, "first": false, "second": false} {
			t.Run(name+", "+seen, func(t *testing.T) {
				b := newBed(t, always(snapshot))
				b.up.items = func(scan int) string {
					if seen == "both" || (scan == 1) == (seen == "first") {
						return page(0)
					}
					return page(1)
				}
				frame := b.call(c.tool, c.args)
				text := b.text(frame, false)
				if !strings.Contains(text, "steady") {
					t.Errorf("what both looks see is withheld:\n%s", text)
				}
				if got := strings.Contains(text, "flash"); got != want {
					t.Errorf("what %s saw passes: %t, want %t:\n%s", seen, got, want, text)
				}
				if n := gjson.Get(frame, "result._meta.moire.quarantinedCount").Int(); (n == 0) != want {
					t.Errorf("%d strings withheld", n)
				}
				if b.up.scans != 2 {
					t.Errorf("%d looks, want 2", b.up.scans)
				}
			})
		}
	}
}

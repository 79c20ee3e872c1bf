package policy

import "fmt"

// limits stop what goes round in circles or runs away; 0 means none.
type limits struct {
	repeats, perMinute, pages, bytesOut int
	at                                  map[string]Position
}

// limitNames are the keys of limits.
var limitNames = []string{"identical-calls", "calls-per-minute", "pages", "bytes-out"}

func (l *limits) of(name string) *int {
	switch name {
	case "identical-calls":
		return &l.repeats
	case "calls-per-minute":
		return &l.perMinute
	case "pages":
		return &l.pages
	}
	return &l.bytesOut
}

// applied are the limits that the call goes over. The call itself counts among
// the repeats and the recent calls: the enforcement point makes its event first.
func (l *limits) applied(e *env) []Applied {
	var out []Applied
	over := func(name string, verdict Verdict, n, limit int, because string) {
		if limit > 0 && n > limit {
			out = append(out, Applied{Rule: "limit-" + name, Verdict: verdict, Because: fmt.Sprintf(because, limit), At: l.at[name].String()})
		}
	}
	for _, c := range counters {
		switch c.name {
		case "repeats":
			over("identical-calls", Deny, c.of(e), l.repeats, "more than %d equal calls came in a row")
		case "calls_per_minute":
			over("calls-per-minute", Deny, c.of(e), l.perMinute, "more than %d calls came within a minute")
		case "pages":
			over("pages", Approve, c.of(e), l.pages, "more than %d pages were loaded")
		case "bytes_out":
			over("bytes-out", Approve, c.of(e), l.bytesOut, "more than %d bytes were sent")
		}
	}
	return out
}

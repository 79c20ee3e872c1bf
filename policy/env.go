package policy

import "slices"

// env is what one evaluation can ask. It is made for one call of [Authorize].
type env struct {
	p  *Policy
	f  *Facts
	s  *State
	to []Destination
}

func newEnv(p *Policy, f *Facts, s *State) *env {
	e := &env{p: p, f: f, s: s}
	if f.To != nil {
		e.to = append(e.to, *f.To)
	}
	for _, t := range f.Targets {
		if f.Gentle {
			break // it presses nothing
		}
		if t.Link != nil {
			e.to = append(e.to, *t.Link)
		}
		if t.Submits && t.Form != nil && t.Form.Action != nil {
			e.to = append(e.to, *t.Form.Action)
		}
	}
	return e
}

func (e *env) page() *Page {
	if e.f.Page == nil {
		panic(missing{"page"})
	}
	return e.f.Page
}

func (e *env) text() *Text {
	if e.f.Text == nil {
		panic(missing{"text"})
	}
	return e.f.Text
}

func (e *env) dialog() *Dialog {
	if e.f.Dialog == nil {
		panic(missing{"dialog"})
	}
	return e.f.Dialog
}

func (e *env) targets() []Target {
	if len(e.f.Targets) == 0 {
		panic(missing{"target"})
	}
	return e.f.Targets
}

func (e *env) any(holds func(Target) bool) bool { return slices.ContainsFunc(e.targets(), holds) }

func (e *env) all(holds func(Target) bool) bool {
	return !slices.ContainsFunc(e.targets(), func(t Target) bool { return !holds(t) })
}

func (e *env) destinations() []Destination {
	if len(e.to) == 0 {
		panic(missing{"to"})
	}
	return e.to
}

func (e *env) anyTo(holds func(Destination) bool) bool {
	return slices.ContainsFunc(e.destinations(), holds)
}

func (e *env) allTo(holds func(Destination) bool) bool {
	return !slices.ContainsFunc(e.destinations(), func(d Destination) bool { return !holds(d) })
}

// local reports that the call stays on this machine, before the web has had a say.
func (e *env) local() bool {
	page := e.f.Page
	if page == nil || e.s.ReadWeb || page.Host != HostLoopback && !page.Blank || member(e.s.Flagged, page.Origin) {
		return false
	}
	here := func(origin string) bool {
		o, err := ParseOrigin(origin)
		return origin == "" && page.Blank || err == nil && ClassOfHost(o.Host) == HostLoopback
	}
	for _, t := range e.f.Targets {
		if !here(t.Frame) || t.Form != nil && t.Form.Action != nil && !here(t.Form.Action.Origin) {
			return false
		}
	}
	return !slices.ContainsFunc(e.to, func(d Destination) bool { return d.Host != HostLoopback && d.Scheme != "about" })
}

func (e *env) denied(origin string) bool {
	if origin == "" {
		return false
	}
	_, found := e.p.Denied(origin)
	return found
}

// field tells of the fields that are filled, and of those that a press sends.
func (e *env) field(classes ...string) bool {
	return slices.ContainsFunc(e.f.Targets, func(t Target) bool { return slices.Contains(classes, t.Field) })
}

func (e *env) act(class string) bool {
	holds := func(c string) bool {
		return c != "" && c != "none" && (c == class || class == "" && c != "logout")
	}
	if e.f.Gentle {
		return false
	}
	return e.f.Dialog != nil && e.f.Dialog.Accept && holds(e.f.Dialog.Act) || slices.ContainsFunc(e.f.Targets, func(t Target) bool { return holds(t.Act) })
}

// moved reports text of one origin on its way to another. Without a destination it
// goes to the page.
func (e *env) moved() bool {
	into := map[string]bool{}
	for _, d := range e.to {
		into[d.Origin] = true
	}
	for _, t := range e.f.Targets {
		into[t.Frame] = true
	}
	if len(into) == 0 {
		into[e.page().Origin] = true
	}
	return slices.ContainsFunc(e.text().From, func(from string) bool { return len(into) != 1 || !into[from] })
}

// carried reports content of flagged origins in what the call types or sends.
func (e *env) carried() bool {
	from := func(list []string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return member(e.s.Flagged, o) })
	}
	return e.f.Text != nil && from(e.f.Text.From) || slices.ContainsFunc(e.to, func(d Destination) bool { return from(d.From) })
}

// movedTo reports an address with content of another origin than its own.
func (e *env) movedTo() bool {
	return e.anyTo(func(d Destination) bool {
		return slices.ContainsFunc(d.From, func(from string) bool { return from != d.Origin })
	})
}

// fits reports that the text is a secret of the person's, and that all fields that
// it goes to are what it is bound to.
func (e *env) fits() bool {
	s, ok := e.p.secrets[e.text().Secret]
	if !ok || len(e.f.Targets) == 0 {
		return false
	}
	return !slices.ContainsFunc(e.f.Targets, func(t Target) bool {
		o, err := ParseOrigin(t.Frame)
		return err != nil || o != s.Origin || t.Field != s.Field
	})
}

// unvisited reports an origin that the task had nothing to do with.
func (e *env) unvisited(origin string, blank bool) bool {
	return origin == "" && !blank || origin != "" && !member(e.s.Visited, origin)
}

// counter is a number that conditions may compare.
type counter struct {
	name, means string
	of          func(*env) int
}

var counters = []counter{
	{"repeats", "how many equal calls came in a row, this one included", func(e *env) int {
		if e.s.Last == e.f.Call && e.f.Call != "" {
			return e.s.Run
		}
		return 1
	}},
	{"calls_per_minute", "calls in the last minute, this one included", func(e *env) int { return len(e.s.Recent) }},
	{"pages", "documents that the agent has loaded", func(e *env) int { return e.s.Pages }},
	{"bytes_out", "bytes that the agent has sent", func(e *env) int { return int(e.s.Out) }},
	{"text_bytes", "length of the text that the call types or sends", func(e *env) int { return e.text().Bytes }},
	{"address_bytes", "bytes that the call's addresses can carry, but for those that were read on a page as they are", func(e *env) int {
		n := 0
		for _, d := range e.to {
			if !d.Given {
				n += d.Content
			}
		}
		return n
	}},
	{"away_bytes", "bytes that went to origins new to the task, after something private was read", func(e *env) int { return int(e.s.Away) }},
}

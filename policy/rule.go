package policy

import "slices"

// rule is a loaded rule.
type rule struct {
	id      string
	at      Position
	on      []Effect
	cond    *condition
	then    Verdict
	because string
	// once: what a person has allowed by it holds for the session, for that origin
	// or that pair of origins.
	once string
	// waived are the origins for which a person has set it aside.
	waived []waiver
}

// waiver sets a rule aside for an origin.
type waiver struct {
	scope  scope
	reason string
}

// scope is an origin, a domain with all that is below it, or this machine.
type scope struct {
	origin   Origin
	domain   string
	loopback bool
}

// holds reports whether an origin is in the scope.
func (s scope) holds(o Origin) bool {
	switch {
	case s.loopback:
		return ClassOfHost(o.Host) == HostLoopback
	case s.domain != "":
		return o.Scheme == "https" && o.Port == "" && below(o.Host, s.domain)
	}
	return o == s.origin && o != (Origin{})
}

// below reports whether a host is a domain or one of its subdomains.
func below(host, domain string) bool {
	return host == domain || len(host) > len(domain) && host[len(host)-len(domain)-1] == '.' && host[len(host)-len(domain):] == domain
}

// concerns reports whether a rule speaks of calls with those effects.
func (r *rule) concerns(effects []Effect) bool {
	return len(r.on) == 0 || slices.ContainsFunc(r.on, func(e Effect) bool { return slices.Contains(effects, e) })
}

// cover notes the effects that a matching rule speaks of.
func (r *rule) cover(covered map[Effect]bool, effects []Effect) {
	for _, e := range effects {
		if len(r.on) == 0 || slices.Contains(r.on, e) {
			covered[e] = true
		}
	}
}

// setAside reports that all origins that the call has to do with are waived.
func (r *rule) setAside(e *env) bool {
	if len(r.waived) == 0 {
		return false
	}
	origins := e.origins()
	return len(origins) > 0 && !slices.ContainsFunc(origins, func(raw string) bool {
		o, err := ParseOrigin(raw)
		return err != nil || !slices.ContainsFunc(r.waived, func(w waiver) bool { return w.scope.holds(o) })
	})
}

// origins are all that the call has to do with: the page's, those of its
// elements' frames, and where it leads. An empty one is an origin of nobody's.
func (e *env) origins() []string {
	var out []string
	if e.f.Page != nil {
		out = append(out, e.f.Page.Origin)
	}
	for _, t := range e.f.Targets {
		out = append(out, t.Frame)
	}
	for _, d := range e.to {
		out = append(out, d.Origin)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// grant names what a person's word for this rule and call would hold for.
func (r *rule) grant(e *env) string {
	switch r.once {
	case "origin":
		if e.f.Page == nil || e.f.Page.Origin == "" {
			return ""
		}
		return r.id + " " + e.f.Page.Origin
	case "pair":
		out := r.id
		for _, o := range e.origins() {
			if o == "" {
				return ""
			}
			out += " " + o
		}
		return out
	}
	return ""
}

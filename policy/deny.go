package policy

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/net/publicsuffix"
)

// denial is an entry of a deny list. One of its four forms is given.
type denial struct {
	// domain: a host and all below it.
	domain string
	// brand: the label before any public suffix, as in amazon.de and amazon.co.uk.
	brand string
	// suffix: everything below a suffix, as in gov.uk.
	suffix string
	// except: a host and all below it that is not denied, though a name above is.
	except string
	// category is what kind of site it is; reason is for the person.
	category, reason string
}

//go:embed data/denied.yaml
var deniedSource []byte

// DeniedVersion is the version of the built-in list.
func DeniedVersion() string {
	version, _, _ := readDenied()
	return version
}

// builtinDenials are those of the built-in list, which a test has read
// (TestDenyListIsSound).
func builtinDenials() []denial {
	_, list, _ := readDenied()
	return list
}

// readDenied reads the built-in list from its readable source.
func readDenied() (version string, list []denial, err error) {
	d := &document{file: "deny list"}
	root := d.parse(deniedSource)
	if root == nil {
		return "", nil, Faults(d.faults)
	}
	l := &loader{document: *d, p: &Policy{}}
	l.fields(root, "the deny list", []string{"version", "categories"},
		field{"version", func(n ast.Node) { version = l.text(n, "version") }},
		field{"categories", func(n ast.Node) {
			l.items(n, "categories", l.category)
		}})
	if len(l.faults) > 0 {
		return "", nil, Faults(l.faults)
	}
	return version, l.p.denied, nil
}

// category reads entries that share a category and a reason.
func (l *loader) category(n ast.Node) {
	var name, reason string
	from := len(l.p.denied)
	add := func(what string, set func(*denial, string)) field {
		return field{what, func(n ast.Node) {
			l.items(n, what, func(n ast.Node) {
				var d denial
				text := l.text(n, what)
				if _, err := plainHost(text); err != nil {
					l.fault(n, "%q is no name of the DNS", text)
				}
				set(&d, text)
				l.p.denied = append(l.p.denied, d)
			})
		}}
	}
	l.fields(n, "a category", []string{"name", "reason"},
		field{"name", func(n ast.Node) { name = l.text(n, "name") }},
		field{"reason", func(n ast.Node) { reason = l.text(n, "reason") }},
		add("domains", func(d *denial, s string) { d.domain = s }),
		add("brands", func(d *denial, s string) { d.brand = s }),
		add("suffixes", func(d *denial, s string) { d.suffix = s }),
		add("except", func(d *denial, s string) { d.except = s }),
	)
	for i := from; i < len(l.p.denied); i++ {
		l.p.denied[i].category, l.p.denied[i].reason = name, reason
	}
}

// deny reads an entry of the person's own list.
func (l *loader) deny(n ast.Node) {
	d := denial{category: "your own list"}
	if _, ok := n.(*ast.MappingNode); !ok {
		d.domain = l.domain(n)
	} else {
		l.fields(n, "an entry of deny", []string{"domain"},
			field{"domain", func(n ast.Node) { d.domain = l.domain(n) }},
			field{"reason", func(n ast.Node) { d.reason = l.sentence(n, "reason") }})
	}
	l.p.denied = append(slices.Clone(l.p.denied), d)
}

// allowDenied reads what a person lifts, which takes a reason.
func (l *loader) allowDenied(n ast.Node) {
	var w waiver
	l.fields(n, "an entry of allow-denied", []string{"origin", "reason"},
		field{"origin", func(n ast.Node) { w.scope = l.scope(n) }},
		field{"reason", func(n ast.Node) {
			if w.reason = l.sentence(n, "reason"); w.reason == "" {
				l.fault(n, "lifting a denial takes a reason")
			}
		}})
	l.p.allowed = append(slices.Clone(l.p.allowed), w)
}

// Denied tells why an origin is on a deny list, for a person. What is no origin is
// not on any: other rules speak of it.
func (p *Policy) Denied(raw string) (why string, denied bool) {
	o, err := ParseOrigin(raw)
	if err != nil {
		return "", false
	}
	for _, w := range p.allowed {
		if w.scope.holds(o) {
			return "", false
		}
	}
	d, denied := p.blocked.find(o.Host)
	switch {
	case !denied:
		return "", false
	case d.reason == "":
		return d.category, true
	}
	return fmt.Sprintf("%s: %s", d.category, d.reason), true
}

// denials is a deny list that is made for looking up.
type denials struct{ below, brands map[string]denial }

func indexed(list []denial) denials {
	out := denials{map[string]denial{}, map[string]denial{}}
	for _, d := range list {
		if d.brand != "" {
			out.brands[d.brand] = d
			continue
		}
		out.below[d.domain+d.suffix+d.except] = d
	}
	return out
}

// find looks a host up, and then the names above it: the most exact entry holds.
func (l denials) find(host string) (denial, bool) {
	for name := host; name != ""; {
		if d, ok := l.below[name]; ok {
			return d, d.except == ""
		}
		_, name, _ = strings.Cut(name, ".")
	}
	label, _, _ := strings.Cut(RegistrableDomain(host), ".")
	d, ok := l.brands[label]
	return d, ok
}

func publicSuffix(name string) bool {
	suffix, _ := publicsuffix.PublicSuffix(name)
	return suffix == name
}

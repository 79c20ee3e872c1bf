package scan

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/publicsuffix"
)

// URLs judges URLs and keeps the handles that stand for what they withhold.
// It belongs to one session and is safe for concurrent use.
type URLs struct {
	mu      sync.Mutex
	shapes  *shapes
	given   map[string]bool
	handles map[string]string // handle to full URL
	names   map[string]string // full URL to handle
	shaped  map[string]bool   // remembers attackShaped
}

// NewURLs makes an empty set.
func NewURLs() *URLs {
	return &URLs{shapes: newShapes(), given: map[string]bool{},
		handles: map[string]string{}, names: map[string]string{}, shaped: map[string]bool{}}
}

// Give records a URL that the agent or the person wrote: it may come back.
func (u *URLs) Give(raw string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(raw) < maxURL {
		u.given[raw] = true
		if p, err := url.Parse(raw); err == nil {
			u.given[p.String()] = true
		}
	}
}

const maxURL = 64 << 10

// Resolve returns the URL that a handle stands for.
func (u *URLs) Resolve(handle string) (string, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	full, ok := u.handles[strings.TrimSpace(handle)]
	return full, ok
}

// Judge returns the URL as the agent may see it; whole is false if that is a
// handle. The registrable domain always shows. Any other component passes if
// it is machine-shaped, explained by visible text, or given; a URL with one
// component that is none of these becomes a handle as a whole, so that what
// passes of a URL is always usable.
func (u *URLs) Judge(raw string, ex *Explainer) (string, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	p, err := url.Parse(raw)
	if err != nil {
		p = nil
	}
	if u.whole(raw, p, ex) {
		return raw, true
	}
	return u.handle(raw, p), false
}

// Passes reports that Judge would return the URL as it is.
func (u *URLs) Passes(raw string, ex *Explainer) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	p, err := url.Parse(raw)
	if err != nil {
		p = nil
	}
	return u.whole(raw, p, ex)
}

func (u *URLs) whole(raw string, p *url.URL, ex *Explainer) bool {
	if plainURL(raw) || u.given[raw] {
		return true
	}
	if p == nil || len(raw) > maxJudged || strings.ContainsFunc(p.Path+p.RawQuery+p.Fragment, unspoken) {
		return false
	}
	if p.Host != "" && !plainHost(p.Hostname()) {
		return false
	}
	switch p.Scheme {
	case "http", "https", "file", "ws", "wss":
	case "":
		if p.Host != "" || !strings.HasPrefix(raw, "/") {
			return false
		}
	default:
		return false
	}
	if base, _, ok := strings.Cut(raw, "#"); ok && u.given[base] && u.component(p.Fragment, ex) {
		return true
	}
	return u.passes(p, ex)
}

func plainURL(s string) bool {
	switch s {
	case "", "about:blank", "about:srcdoc", "chrome://newtab/", "chrome-error://chromewebdata/":
		return true
	}
	return false
}

func (u *URLs) passes(p *url.URL, ex *Explainer) bool {
	if p.User != nil || p.Opaque != "" {
		return false
	}
	labels := subdomains(p.Hostname())
	if u.attackShaped(strings.Join(labels, " ") + " " + p.EscapedPath() + " " + p.RawQuery + " " + p.EscapedFragment()) {
		return false
	}
	free := 0
	for _, label := range labels {
		if !u.component(label, ex) {
			return false
		}
		free += u.words(label, ex)
	}
	segments := strings.Split(p.Path, "/")
	if len(segments) > maxSegments || strings.Count(p.RawQuery, "&") > maxSegments {
		return false
	}
	for _, seg := range segments {
		if !u.component(seg, ex) {
			return false
		}
		free += u.words(seg, ex)
	}
	for _, kv := range strings.FieldsFunc(p.RawQuery, func(r rune) bool { return r == '&' || r == ';' || r == '=' }) {
		v, err := url.QueryUnescape(kv)
		if err != nil || !u.component(v, ex) {
			return false
		}
		free += u.words(v, ex)
	}
	if !u.component(p.Fragment, ex) {
		return false
	}
	return free+u.words(p.Fragment, ex) <= maxURLWords
}

// attackShaped reports text that an address should not carry, or that can't be
// decoded. The answer is remembered, as pages are read again and again.
func (u *URLs) attackShaped(encoded string) bool {
	bad, ok := u.shaped[encoded]
	if !ok {
		decoded, err := url.QueryUnescape(encoded)
		bad = err != nil || len(u.shapes.look(separators.ReplaceAllString(decoded, " "))) > 0
		if len(u.shaped) >= maxShaped {
			clear(u.shaped)
		}
		if len(encoded) <= maxShapedLen {
			u.shaped[encoded] = bad
		}
	}
	return bad
}

// Bounds of what is remembered, in addresses and in bytes of one.
const (
	maxShaped    = 8192
	maxShapedLen = 1024
)

// Bounds of what is judged at all: a longer address, or one of more parts, becomes
// a handle.
const (
	maxJudged   = 4096
	maxSegments = 64
)

// unspoken reports a character that no address needs and that is read all the same:
// tags and other characters that are not drawn, letters in circles, flags. What a
// page percent-encodes is decoded by now, but for the query, which is judged so.
func unspoken(r rune) bool {
	return r >= 0x80 && (ignorable(r) || !unicode.In(r, unicode.L, unicode.M, unicode.Nd))
}

// plainHost reports a name of the DNS or an address: what is neither can say
// anything. https://www.rfc-editor.org/rfc/rfc1123#section-2.1
func plainHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	return len(host) <= 253 && dnsName.MatchString(host)
}

var dnsName = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*$`)

// Bounds of what counts as machine-shaped.
const (
	maxSlugWords = 5
	maxURLWords  = 12
	maxToken     = 40
	maxShown     = 300 // of a component that the page shows
)

var (
	separators = regexp.MustCompile(`[^\p{L}\p{N}]+`)
	machine    = regexp.MustCompile(`^(?:\d+|[0-9a-fA-F-]+|v?\d+(?:[.-]\d+)*|[A-Za-z]{1,4}\d+)$`)
	longToken  = regexp.MustCompile(`[\p{L}\p{N}]{41,}`)
)

// component reports whether one component passes: short and machine-shaped,
// or shown on the page.
func (u *URLs) component(s string, ex *Explainer) bool {
	if s == "" || machine.MatchString(s) && len(s) <= maxToken {
		return true
	}
	if len(s) > maxShown || strings.ContainsFunc(s, unspoken) {
		return false
	}
	n := u.words(s, ex)
	return n <= maxSlugWords && (n == 0 || !longToken.MatchString(s) && len(s) <= 80)
}

// words counts the words of a component that are not shown on the page.
func (u *URLs) words(s string, ex *Explainer) int {
	if s == "" || numeric.MatchString(s) {
		return 0
	}
	ws := strings.Fields(separators.ReplaceAllString(s, " "))
	n := 0
	for _, w := range ws {
		if !numeric.MatchString(w) {
			n += weight(w)
		}
	}
	if n > 0 && len(ws) > 1 && ex != nil && ex.Explain(strings.Join(ws, " ")) != Unexplained {
		return 0
	}
	return n
}

// numeric are words that say nothing: numbers, versions, hexadecimal with a digit.
var numeric = regexp.MustCompile(`^(?:v?\d+(?:[.-]\d+)*|[0-9a-fA-F-]*\d[0-9a-fA-F-]*)$`)

// weight is how many words a word may be: letters run together, or of a script
// that has no spaces.
func weight(w string) int {
	letters, dense := 0, 0
	for _, r := range w {
		if r >= 0x0E00 && r <= 0x0EFF || r >= 0x1000 && r <= 0x109F || r >= 0x1780 && r <= 0x17FF || r >= 0x2E80 {
			dense++
		} else {
			letters++
		}
	}
	return (letters+wordLetters-1)/wordLetters + (dense+1)/2
}

// wordLetters are as many letters as one word has at most.
const wordLetters = 11

// subdomains returns the labels left of the registrable domain.
func subdomains(host string) []string {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || host == "" {
		return nil
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return strings.Split(host, ".") // there is none
	}
	if domain == host {
		return nil
	}
	return strings.Split(strings.TrimSuffix(host, "."+domain), ".")
}

// handle returns a stable stand-in that every URL argument accepts.
func (u *URLs) handle(raw string, p *url.URL) string {
	if h, ok := u.names[raw]; ok {
		return h
	}
	origin := "url:"
	if p != nil && (p.Scheme == "http" || p.Scheme == "https") && p.Hostname() != "" {
		host := p.Hostname()
		if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
			host = d
		}
		if plainHost(p.Hostname()) && hostname.MatchString(host) && !u.attackShaped(strings.ReplaceAll(host, ".", " ")) {
			origin = p.Scheme + "://" + host
		}
	} else if p != nil && schemes[p.Scheme] {
		origin = p.Scheme + ":"
	}
	h := fmt.Sprintf("%s/…#u%d", origin, len(u.handles)+1)
	u.names[raw] = h
	u.handles[h] = raw
	return h
}

var hostname = regexp.MustCompile(`^[a-z0-9.:\[\]-]{1,253}$`)

var schemes = map[string]bool{"data": true, "javascript": true, "mailto": true, "tel": true, "blob": true, "file": true, "ftp": true}

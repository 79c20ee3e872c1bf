package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Origin is a scheme, a host and a port as browsers compare them: lower case,
// punycode, no usual port, no trailing dot.
// https://html.spec.whatwg.org/multipage/browsers.html#concept-origin
type Origin struct {
	Scheme, Host string
	// Port is empty for the scheme's usual one.
	Port string
}

func (o Origin) String() string {
	if o == (Origin{}) {
		return ""
	}
	host := o.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if o.Port != "" {
		host += ":" + o.Port
	}
	return o.Scheme + "://" + host
}

// usualPorts are left out of an origin.
// https://url.spec.whatwg.org/#special-scheme
var usualPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

// ErrAddress tells that an address is not written so that every parser reads it
// alike. Browsers forgive much (https://url.spec.whatwg.org/#url-parsing), and
// what is forgiven differently would be checked as one address and loaded as
// another.
var ErrAddress = errors.New("the address is not in plain form: scheme://host/path, without spaces, backslashes or a user name")

// maxAddress is the longest address that is taken apart, in bytes.
const maxAddress = 64 << 10

// Address is an absolute address, taken apart: what rules may know of it.
type Address struct {
	// Scheme is lower case. All else is empty unless it is http or https.
	Scheme string
	Origin Origin
	Host   HostClass
	// Content is the length of path, query and fragment in bytes: what the address
	// can carry away.
	Content int
}

// ParseAddress takes an absolute address apart, or says [ErrAddress]. The text
// that it accepts means the same to browsers, or nothing.
func ParseAddress(raw string) (Address, error) {
	scheme, rest, ok := strings.Cut(raw, ":")
	if !ok || len(raw) > maxAddress || !plainScheme(scheme) {
		return Address{}, ErrAddress
	}
	scheme = strings.ToLower(scheme)
	a := Address{Scheme: scheme, Host: HostNone}
	if scheme != "http" && scheme != "https" {
		return a, nil
	}
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return Address{}, ErrAddress
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	for _, r := range rest {
		if r == '\\' || r <= ' ' || r == 0x7f {
			return Address{}, ErrAddress
		}
	}
	var err error
	if a.Origin, err = parseAuthority(scheme, rest[:end]); err != nil {
		return Address{}, err
	}
	a.Host = ClassOfHost(a.Origin.Host)
	a.Content = len(strings.TrimPrefix(rest[end:], "/")) + labels(a.Origin.Host)
	return a, nil
}

// labels is how many bytes of a host's name whoever serves its registrable domain
// reads of it; the usual "www" is none.
func labels(host string) int {
	below, ok := strings.CutSuffix(host, "."+RegistrableDomain(host))
	if !ok || below == "www" {
		return 0
	}
	return len(below)
}

func plainScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return s != ""
}

func parseAuthority(scheme, authority string) (Origin, error) {
	if strings.ContainsAny(authority, "@%<>^|`{}\"'") || authority == "" {
		return Origin{}, ErrAddress
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		host, port = authority[:i], authority[i+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil {
			return Origin{}, ErrAddress
		}
		port = strconv.FormatUint(n, 10)
	}
	if port == usualPorts[scheme] {
		port = ""
	}
	host, err := plainHost(host)
	if err != nil {
		return Origin{}, err
	}
	return Origin{Scheme: scheme, Host: host, Port: port}, nil
}

// hosts is how browsers make a name of the DNS of what somebody wrote.
// https://url.spec.whatwg.org/#concept-domain-to-ascii
var hosts = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.CheckJoiners(true), idna.StrictDomainName(false))

// plainHost is the host as a browser has it: an address in its usual notation,
// or a name in punycode without the root's dot.
func plainHost(host string) (string, error) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		a, err := netip.ParseAddr(inner)
		if !ok || err != nil || a.Zone() != "" || !a.Is6() {
			return "", ErrAddress
		}
		return a.String(), nil
	}
	name, err := hosts.ToASCII(host)
	if err != nil {
		return "", ErrAddress
	}
	name = strings.TrimSuffix(name, ".")
	for _, label := range strings.Split(name, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", ErrAddress
		}
	}
	a, number, err := oldAddress(name)
	if number {
		return a, err
	}
	return name, nil
}

// oldAddress reads an IPv4 address in any notation that browsers take: 127.1,
// 0x7f.0.0.1, 2130706433. A name whose last part is a number is one or invalid.
// https://url.spec.whatwg.org/#ends-in-a-number-checker
func oldAddress(name string) (plain string, number bool, err error) {
	parts := strings.Split(name, ".")
	if last := parts[len(parts)-1]; strings.Trim(last, "0123456789") != "" && !isHex(last) {
		return "", false, nil
	}
	if len(parts) > 4 {
		return "", true, ErrAddress
	}
	var sum uint64
	for i, part := range parts {
		n, err := oldNumber(part)
		// The last part fills what is left of the four bytes.
		limit := uint64(256)
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		if err != nil || n >= limit {
			return "", true, ErrAddress
		}
		if i == len(parts)-1 {
			sum += n
		} else {
			sum += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String(), true, nil
}

func isHex(s string) bool {
	digits, ok := strings.CutPrefix(s, "0x")
	return ok && strings.Trim(digits, "0123456789abcdef") == ""
}

// oldNumber reads a part of an address: hexadecimal, octal or decimal.
// https://url.spec.whatwg.org/#ipv4-number-parser
func oldNumber(s string) (uint64, error) {
	switch {
	case s == "0x":
		return 0, nil
	case strings.HasPrefix(s, "0x"):
		return strconv.ParseUint(s[2:], 16, 40)
	case len(s) > 1 && s[0] == '0':
		return strconv.ParseUint(s[1:], 8, 40)
	}
	return strconv.ParseUint(s, 10, 40)
}

// ParseOrigin reads an origin as a person writes it: scheme, host and port alone.
func ParseOrigin(raw string) (Origin, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return Origin{}, fmt.Errorf("%q is no origin (want scheme, host and port alone, as in https://shop.example)", raw)
	}
	a, err := ParseAddress(raw)
	if err != nil || a.Origin == (Origin{}) {
		return Origin{}, fmt.Errorf("%q is no origin of http or https", raw)
	}
	return a.Origin, nil
}

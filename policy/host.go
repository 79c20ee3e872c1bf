package policy

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// HostClass tells where a host is, as far as its name or address tells. A name
// can resolve to any address: that is decided where the connection is made.
type HostClass string

const (
	// HostNone: there is no host.
	HostNone      HostClass = "none"
	HostPublic    HostClass = "public"
	HostLoopback  HostClass = "loopback"
	HostPrivate   HostClass = "private"
	HostLinkLocal HostClass = "link-local"
	// HostMetadata: where clouds give credentials to whoever asks.
	HostMetadata HostClass = "metadata"
)

// metadata are the addresses and names of the clouds' metadata services, from
// their documentation: AWS, Azure, GCP, Oracle and OpenStack share the first; AWS
// over IPv6; Alibaba; Azure's wire server; Oracle Classic; GCP's name.
var metadata = map[string]bool{
	"169.254.169.254": true, "fd00:ec2::254": true, "fd20:ce::254": true, "100.100.100.200": true, "168.63.129.16": true,
	"192.0.0.192": true, "169.254.170.2": true, "169.254.170.23": true,
	"metadata.google.internal": true, "metadata": true, "instance-data": true, "instance-data.ec2.internal": true,
}

// privateNames are ends of names that no public DNS serves.
// https://www.iana.org/assignments/special-use-domain-names, RFC 6762 appendix G,
// and ICANN's reservation of "internal".
var privateNames = []string{"local", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa", "localdomain", "test", "onion"}

// privateNets are what netip calls public though no public host is there.
// https://www.iana.org/assignments/iana-ipv4-special-registry
var privateNets = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("fec0::/10"),
}

// ClassOfHost tells of a host in the form that an [Origin] has.
func ClassOfHost(host string) HostClass {
	if host == "" {
		return HostNone
	}
	if metadata[host] {
		return HostMetadata
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return ClassOfAddr(a)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return HostLoopback
	}
	if !strings.Contains(host, ".") {
		return HostPrivate
	}
	for _, end := range privateNames {
		if strings.HasSuffix(host, "."+end) {
			return HostPrivate
		}
	}
	return HostPublic
}

// ClassOfAddr tells of an address.
func ClassOfAddr(a netip.Addr) HostClass {
	a = embedded(a.WithZone(""))
	switch {
	case metadata[a.String()]:
		return HostMetadata
	case a.IsLoopback():
		return HostLoopback
	case a.IsLinkLocalUnicast(), a.IsLinkLocalMulticast():
		return HostLinkLocal
	case a.IsPrivate(), a.IsUnspecified(), a.IsMulticast(), !a.IsValid():
		return HostPrivate
	}
	for _, net := range privateNets {
		if net.Contains(a) {
			return HostPrivate
		}
	}
	return HostPublic
}

// embedded is the IPv4 address that an IPv6 address leads to: mapped and
// compatible ones (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056).
func embedded(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if !a.Is6() {
		return a
	}
	b := a.As16()
	at := -1
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a):
		at = 12
	case netip.MustParsePrefix("2002::/16").Contains(a):
		at = 2
	case netip.MustParsePrefix("::/96").Contains(a) && b[12] != 0:
		at = 12
	}
	if at < 0 {
		return a
	}
	return netip.AddrFrom4([4]byte(b[at : at+4]))
}

// RegistrableDomain is the part of a host that somebody registered, or the host
// itself if nobody could: an address, a single label, a public suffix.
// https://publicsuffix.org
func RegistrableDomain(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	d, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return d
}

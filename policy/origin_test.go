package policy

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Origins as https://url.spec.whatwg.org gives them: each was held against
// `new URL(x).origin` of Node.js 20.
func TestParseAddress(t *testing.T) {
	for raw, want := range map[string]string{
		"https://Shop.Example/a?b#c":        "https://shop.example",
		"HTTPS://shop.example:443":          "https://shop.example",
		"http://shop.example:443/":          "http://shop.example:443",
		"http://shop.example.:80/":          "http://shop.example",
		"https://bücher.example":            "https://xn--bcher-kva.example",
		"https://ⓢⓗⓞⓟ.example":              "https://shop.example",
		"http://127.1":                      "http://127.0.0.1",
		"http://2130706433/":                "http://127.0.0.1",
		"http://0x7f.0.0.1":                 "http://127.0.0.1",
		"http://0177.0.0.01":                "http://127.0.0.1",
		"http://0xa9fea9fe/latest":          "http://169.254.169.254",
		"http://[::1]:8080/":                "http://[::1]:8080",
		"http://[::ffff:127.0.0.1]/":        "http://[::ffff:127.0.0.1]",
		"http://[0:0:0:0:0:0:0:1]/":         "http://[::1]",
		"https://a.example?x=http://b.test": "https://a.example",
		"https://a.example#@b.example":      "https://a.example",
		"https://xn--bcher-kva.example/":    "https://xn--bcher-kva.example",
	} {
		a, err := ParseAddress(raw)
		if err != nil || a.Origin.String() != want {
			t.Errorf("ParseAddress(%q) = %s, %v, want %s", raw, a.Origin, err, want)
		}
	}
	for _, raw := range []string{
		"", "shop.example", "//shop.example", "http:shop.example", "http:/shop.example", "http:\\\\shop.example", "http://shop.example\\@b.example",
		"http://user@shop.example", "http://user:pw@shop.example", "http://shop.example:65536", "http://shop.example:x", "http://",
		"ht\ntp://shop.example", "http://shop\t.example", " http://shop.example", "http://shop.example/a b", "http://shop%2eexample",
		"http://a..example", "http://256.1.1.1", "http://1.2.3.4.5", "http://[::1", "http://[fe80::1%25eth0]", "http://a<b", "1http://a.example",
		"http://0x100000000", "http://1.2.3.09", strings.Repeat("a", maxAddress) + "://x",
	} {
		if a, err := ParseAddress(raw); !errors.Is(err, ErrAddress) {
			t.Errorf("ParseAddress(%.40q) = %s, %v, want ErrAddress", raw, a.Origin, err)
		}
	}
	for raw, want := range map[string]string{"javascript:alert(1)": "javascript", "JavaScript:x": "javascript", "data:text/html,x": "data", "about:blank": "about", "file:///etc/passwd": "file", "localhost:3000": "localhost"} {
		if a, err := ParseAddress(raw); err != nil || a.Scheme != want || a.Origin != (Origin{}) {
			t.Errorf("ParseAddress(%q) = %+v, %v, want scheme %s", raw, a, err, want)
		}
	}
}

func TestClassOfHost(t *testing.T) {
	for host, want := range map[string]HostClass{
		"": HostNone, "example.com": HostPublic, "localhost": HostLoopback, "app.localhost": HostLoopback, "127.8.9.1": HostLoopback, "::1": HostLoopback,
		"::ffff:127.0.0.1": HostLoopback, "10.0.0.1": HostPrivate, "192.168.1.1": HostPrivate, "172.16.0.1": HostPrivate, "172.32.0.1": HostPublic,
		"100.64.0.1": HostPrivate, "0.0.0.0": HostPrivate, "169.254.1.1": HostLinkLocal, "fe80::1": HostLinkLocal, "fd00::1": HostPrivate,
		"169.254.169.254": HostMetadata, "::ffff:169.254.169.254": HostMetadata, "64:ff9b::a9fe:a9fe": HostMetadata, "2002:7f00:1::": HostLoopback,
		"fd00:ec2::254": HostMetadata, "metadata.google.internal": HostMetadata, "100.100.100.200": HostMetadata, "router": HostPrivate,
		"nas.local": HostPrivate, "git.corp": HostPrivate, "notlocal.example": HostPublic, "8.8.8.8": HostPublic, "2606:4700::1111": HostPublic,
		"::127.0.0.1": HostLoopback, "224.0.0.1": HostLinkLocal, "239.1.1.1": HostPrivate, "255.255.255.255": HostPrivate,
	} {
		if got := ClassOfHost(host); got != want {
			t.Errorf("ClassOfHost(%q) = %s, want %s", host, got, want)
		}
	}
	if got := ClassOfAddr(netip.Addr{}); got == HostPublic {
		t.Errorf("an invalid address is public")
	}
}

// An origin's own text is read as that origin again.
func TestOriginsAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`https?://[a-zA-Z0-9äßıſ.:\[\]%@\\/-]{1,20}(/[a-z]*)?`).Draw(t, "address")
		a, err := ParseAddress(raw)
		if err != nil {
			return
		}
		again, err := ParseOrigin(a.Origin.String())
		if err != nil || again != a.Origin {
			t.Fatalf("%q: %s is read as %s, %v", raw, a.Origin, again, err)
		}
		if a.Host != ClassOfHost(again.Host) {
			t.Fatalf("%q: class %s, then %s", raw, a.Host, ClassOfHost(again.Host))
		}
	})
}

func TestClassOfFile(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf": "plain", "docs/a.txt": "plain", ".env": "key", "app/.env": "key", "prod.env": "key", ".bashrc": "hidden", ".config/x": "hidden",
		".git/config": "version-control", "a/.git/HEAD": "version-control", "id_rsa": "key", "id_ed25519.pub": "plain", "server.PEM": "key", "../x": "outside",
		"/etc/passwd": "outside", "": "outside", "a/../../b": "outside", "credentials": "key", "credentials.json": "key", ".ssh/known_hosts": "hidden",
	} {
		if got := ClassOfFile(name); got != want {
			t.Errorf("ClassOfFile(%q) = %s, want %s", name, got, want)
		}
	}
}

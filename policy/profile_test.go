package policy

import "testing"

func TestProfilesLoad(t *testing.T) {
	for _, name := range Profiles() {
		p, err := Profile(name)
		if err != nil {
			t.Errorf("profile %s: %v", name, err)
			continue
		}
		if len(p.Warnings) > 0 || len(p.Hash) != 64 || p.Name != name {
			t.Errorf("profile %s: name %q, hash %q, warnings %v", name, p.Name, p.Hash, p.Warnings)
		}
	}
	if len(Profiles()) != 5 {
		t.Errorf("profiles: %v, want five", Profiles())
	}
}

func TestDenyListIsSound(t *testing.T) {
	version, list, err := readDenied()
	if err != nil || version == "" {
		t.Fatalf("version %q: %v", version, err)
	}
	if len(list) < 300 {
		t.Errorf("%d entries", len(list))
	}
	for _, d := range list {
		if d.category == "" || d.reason == "" {
			t.Errorf("%+v has no category or reason", d)
		}
		if d.domain != "" && publicSuffix(d.domain) {
			t.Errorf("%s is a public suffix: an entry of suffixes", d.domain)
		}
	}
}

func TestDenied(t *testing.T) {
	p, err := Profile("standard")
	if err != nil {
		t.Fatal(err)
	}
	for origin, want := range map[string]bool{
		"https://www.paypal.com": true, "https://paypal.com": true, "https://www.amazon.co.uk": true, "https://amazon.de": true,
		"http://AMAZON.DE.": true, "https://mail.google.com": true, "https://console.aws.amazon.com": true, "https://eu-west-1.console.aws.amazon.com": true,
		"https://docs.aws.amazon.com": false, "https://developer.paypal.com": false, "https://www.google.com": false,
		"https://notpaypal.com": false, "https://paypal.com.evil.example": false, "https://amazon.evil.example": false,
		"https://www.irs.gov": true, "https://service.gov.uk": true, "https://gov.uk": true, "https://governor.example": false,
		"https://accounts.google.com:8443": true, "": false, "null": false, "https://example.com": false,
		"https://раураӏ.com": false, // a look-alike is no payment site: other rules speak of it
	} {
		if why, got := p.Denied(origin); got != want || got != (why != "") {
			t.Errorf("Denied(%q) = %t (%s), want %t", origin, got, why, want)
		}
	}
}

package adapter

import (
	"strings"
	"testing"
)

func TestBrowserFlags(t *testing.T) {
	a, err := Builtin("chrome-devtools-mcp")
	if err != nil {
		t.Fatal(err)
	}
	f := a.Launch.Browser
	for _, c := range []struct{ in, path, channel, out string }{
		{"--headless --executablePath /b", "/b", "", "--headless --executablePath /shim"},
		{"--executable-path=/b -x", "/b", "", "-x --executablePath /shim"},
		{"-e /b", "/b", "", "--executablePath /shim"},
		{"--channel beta", "", "beta", "--executablePath /shim --userDataDir /home/me/.cache/chrome-devtools-mcp/chrome-profile-beta"},
		{"--channel=beta --isolated", "", "beta", "--isolated --executablePath /shim"},
		{"--channel beta --userDataDir /p", "", "beta", "--userDataDir /p --executablePath /shim"},
		{"--channel stable", "", "stable", "--executablePath /shim"},
		{"--autoConnect=false", "", "", "--executablePath /shim"},
		{"--autoConnect false --headless", "", "", "--headless --executablePath /shim"},
		{"--no-autoConnect", "", "", "--executablePath /shim"},
		{"--channel beta --isolated false", "", "beta", "--isolated false --executablePath /shim --userDataDir /home/me/.cache/chrome-devtools-mcp/chrome-profile-beta"},
		{"-x -- --executablePath /b", "", "", "-x --executablePath /shim -- --executablePath /b"},
		{"", "", "", "--executablePath /shim"},
	} {
		b := f.Read(strings.Fields(c.in))
		if b.Path != c.path || b.Channel != c.channel || b.Attaches() {
			t.Errorf("%q: path %q, channel %q, attaches %t", c.in, b.Path, b.Channel, b.Attaches())
		}
		if got := strings.Join(f.Started(b, "/shim", "/home/me"), " "); got != c.out {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.out)
		}
	}
	for _, c := range []struct{ in, url, socket, out string }{
		{"-x --browserUrl http://127.0.0.1:9222", "http://127.0.0.1:9222", "", "-x --wsEndpoint ws://relay"},
		{"-u=http://127.0.0.1:9222 -x", "http://127.0.0.1:9222", "", "-x --wsEndpoint ws://relay"},
		{"--ws-endpoint ws://b --wsHeaders {}", "", "ws://b", "--wsEndpoint ws://relay"},
		{"--autoConnect --channel beta --userDataDir /p", "", "", "--wsEndpoint ws://relay"},
	} {
		b := f.Read(strings.Fields(c.in))
		if b.URL != c.url || b.Socket != c.socket || !b.Attaches() {
			t.Errorf("%q: url %q, socket %q, attaches %t", c.in, b.URL, b.Socket, b.Attaches())
		}
		if got := strings.Join(f.Attached(b, "ws://relay"), " "); got != c.out {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.out)
		}
	}
}

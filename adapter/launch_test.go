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
	for _, c := range []struct{ in, path, channel, attach, out string }{
		{"--headless --executablePath /b", "/b", "", "", "--headless --executablePath /shim"},
		{"--executable-path=/b -x", "/b", "", "", "-x --executablePath /shim"},
		{"-e /b", "/b", "", "", "--executablePath /shim"},
		{"--channel beta", "", "beta", "", "--executablePath /shim --userDataDir /home/me/.cache/chrome-devtools-mcp/chrome-profile-beta"},
		{"--channel=beta --isolated", "", "beta", "", "--isolated --executablePath /shim"},
		{"--channel stable", "", "stable", "", "--executablePath /shim"},
		{"--browserUrl http://127.0.0.1:9222", "", "", "--browserUrl", "--browserUrl http://127.0.0.1:9222 --executablePath /shim"},
		{"-w=ws://x", "", "", "-w", "-w=ws://x --executablePath /shim"},
		{"--autoConnect=false", "", "", "", "--autoConnect=false --executablePath /shim"},
		{"", "", "", "", "--executablePath /shim"},
	} {
		b := f.Read(strings.Fields(c.in))
		if b.Path != c.path || b.Channel != c.channel || b.Attach != c.attach {
			t.Errorf("%q: path %q, channel %q, attach %q", c.in, b.Path, b.Channel, b.Attach)
		}
		if got := strings.Join(f.With(b, "/shim", "/home/me"), " "); got != c.out {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.out)
		}
	}
}

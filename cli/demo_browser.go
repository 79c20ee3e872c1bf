package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func (c *demoCmd) upstreamFlags() ([]string, error) {
	if name, _, _ := strings.Cut(c.Upstream, "@"); name != "chrome-devtools-mcp" {
		return nil, &hinted{fmt.Errorf("the demo does not know the flags of %q", name),
			"it compares with chrome-devtools-mcp"}
	}
	if os.Geteuid() == 0 && !c.NoSandbox {
		return nil, &hinted{errors.New("running Chromium as root: its sandbox does not work"),
			"run the demo as another user, or with --no-sandbox"}
	}
	browser, err := findBrowser(c.Browser, runtime.GOOS)
	if err != nil {
		return nil, err
	}
	flags := []string{"--isolated", "--usageStatistics=false", "--performanceCrux=false"}
	if !c.Headful {
		flags = append(flags, "--headless")
	}
	if browser != "" {
		flags = append(flags, "--executablePath", browser)
	}
	// Nothing but the page is wanted from the net.
	chrome := []string{"--disable-gpu", "--disable-background-networking", "--disable-quic",
		"--disable-component-update", "--disable-sync", "--no-first-run"}
	if c.NoSandbox {
		chrome = append(chrome, "--no-sandbox")
	}
	for _, arg := range chrome {
		flags = append(flags, "--chromeArg="+arg)
	}
	return flags, nil
}

// findBrowser returns the browser to name to the upstream; empty where it finds
// one itself.
func findBrowser(path, goos string) (string, error) {
	const hint = "install Chromium or Chrome, or name one with --browser PATH"
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", &hinted{fmt.Errorf("finding the browser: %w", err), hint}
		}
		return found, nil
	}
	own := chromes[goos]["stable"]
	if _, err := os.Stat(own); err == nil || goos == "windows" {
		return "", nil
	}
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", &hinted{errors.New("finding the browser: neither Chromium nor Chrome is on PATH"), hint}
}

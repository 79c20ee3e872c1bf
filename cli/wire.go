package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"moire/browser"
)

// Channels by which pages are scanned.
const (
	channelAuto     = "auto"
	channelIsolated = "isolated"
	channelEvaluate = "evaluate"
)

// putOnWire makes the upstream start its browser through Moiré. It returns nil
// if that can't be and need not be; why goes to the log then.
func (l *launch) putOnWire(channel string, log *slog.Logger) (*browser.Host, error) {
	if channel == channelEvaluate {
		return nil, nil
	}
	h, err := l.host(log)
	if err == nil {
		return h, nil
	}
	if channel == channelIsolated {
		return nil, &hinted{fmt.Errorf("scanning in isolated worlds: %w", err),
			"remove what stands against it, or use --channel auto, where a page that tampers can deceive the scan"}
	}
	log.Warn("pages are scanned in their own world, where one that tampers can deceive the scan (--channel evaluate)", "why", err)
	return nil, nil
}

func (l *launch) host(log *slog.Logger) (*browser.Host, error) {
	if l.adapter == nil || l.adapter.Launch.Browser == nil {
		return nil, errors.New("how this upstream is told which browser to start is not known")
	}
	flags := l.adapter.Launch.Browser
	b := flags.Read(l.argv[l.own:])
	if b.Attach != "" {
		return nil, fmt.Errorf("with %s the upstream starts no browser of its own", b.Attach)
	}
	path, err := chrome(b.Path, b.Channel, runtime.GOOS)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	h, err := browser.NewHost(browser.HostConfig{Self: self, Browser: path, Logger: log})
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir() // without a home the upstream finds no profile either
	l.argv = append(l.argv[:l.own:l.own], flags.With(b, h.Path(), home)...)
	return h, nil
}

// chromes are where Chrome's channels are installed, by system.
var chromes = map[string]map[string]string{
	"linux": {
		"stable": "/opt/google/chrome/chrome", "beta": "/opt/google/chrome-beta/chrome",
		"dev": "/opt/google/chrome-unstable/chrome", "canary": "/opt/google/chrome-canary/chrome",
	},
	"darwin": {
		"stable": "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"beta":   "/Applications/Google Chrome Beta.app/Contents/MacOS/Google Chrome Beta",
		"dev":    "/Applications/Google Chrome Dev.app/Contents/MacOS/Google Chrome Dev",
		"canary": "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
	},
}

// chrome finds the browser that the person asked for: a path, a channel, or by
// default Chrome, else Chromium.
func chrome(path, channel, goos string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("finding the browser: %w", err)
		}
		return absolute(found)
	}
	name := channel
	if name == "" {
		name = "stable"
	}
	own := chromes[goos][name]
	if _, err := os.Stat(own); own != "" && err == nil {
		return own, nil
	}
	if channel != "" {
		return "", fmt.Errorf("finding the browser: Chrome's channel %q is not installed", channel)
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			return absolute(found)
		}
	}
	return "", errors.New("finding the browser: neither Chrome nor Chromium is installed")
}

func absolute(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the browser: %w", err)
	}
	return abs, nil
}

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"moire/adapter"
	"moire/browser"
	"moire/proxy"
)

// Channels by which pages are scanned.
const (
	channelAuto     = "auto"
	channelIsolated = "isolated"
	channelEvaluate = "evaluate"
)

// onWire is a browser that Moiré stands before.
type onWire interface {
	proxy.Browser
	Close() error
}

// putOnWire makes the upstream start its browser through Moiré, or connect to a
// running one through it. It returns nil if that can't be and need not be; why
// goes to the log then.
func (l *launch) putOnWire(channel string, log *slog.Logger) (onWire, error) {
	if channel == channelEvaluate && (l.adapter == nil || l.adapter.Script.Tool != "") {
		return nil, nil
	}
	if channel == channelEvaluate {
		return nil, &hinted{fmt.Errorf("%s has no evaluate channel", l.adapter.Name), "use --channel auto"}
	}
	w, err := l.wire(log)
	if err == nil {
		return w, nil
	}
	var wrong *hinted
	if errors.As(err, &wrong) {
		return nil, err // the upstream could not do better
	}
	if l.adapter != nil && l.adapter.Script.Tool == "" {
		return nil, &hinted{fmt.Errorf("scanning the pages of %s: %w", l.adapter.Name, err), "its pages are scanned on the wire to its browser only: remove what stands against it"}
	}
	if channel == channelIsolated {
		return nil, &hinted{fmt.Errorf("scanning in isolated worlds: %w", err),
			"remove what stands against it, or use --channel auto, where a page that tampers can deceive the scan"}
	}
	if l.adapter == nil {
		log.Warn("what pages show can't be seen, unless the upstream is chrome-devtools-mcp: what it says of them is withheld", "why", err)
		return nil, nil
	}
	log.Warn("pages are scanned in their own world, where one that tampers can deceive the scan (--channel evaluate)", "why", err)
	return nil, nil
}

func (l *launch) wire(log *slog.Logger) (onWire, error) {
	if l.adapter == nil || l.adapter.Codec == adapter.CodecText && l.adapter.Launch.Browser == nil {
		return l.wireByEnvironment(log)
	}
	if l.adapter.Launch.Browser == nil {
		return nil, errors.New("how this upstream is told which browser to start is not known")
	}
	flags := l.adapter.Launch.Browser
	b := flags.Read(l.argv[l.own:])
	flags.Complete(&b, os.Getenv, l.settings)
	if b.Elsewhere != "" {
		return nil, fmt.Errorf("with --%s the upstream's browser can't be reached", b.Elsewhere)
	}
	own := l.argv[:l.own:l.own]
	home, _ := os.UserHomeDir() // without a home the upstream finds no profile either
	if b.Attaches() {
		r, err := relay(b, home, browser.RelayConfig{World: flags.World, Reads: flags.Reads, Sources: len(l.trusted) > 0, Logger: log, Header: http.Header{}})
		if err != nil {
			return nil, err
		}
		l.argv = append(own, flags.Attached(b, r.URL())...)
		return r, nil
	}
	path, err := browserOf(b, runtime.GOOS)
	if err != nil && b.Path != "" {
		return nil, &hinted{err, "correct --" + flags.Path[0] + " among the upstream's flags"}
	}
	if err != nil {
		return nil, err
	}
	h, err := newHost(browser.HostConfig{Browser: path, World: flags.World, Reads: flags.Reads, Sources: len(l.trusted) > 0, Logger: log})
	if err != nil {
		return nil, err
	}
	l.argv = append(own, flags.Started(b, h.Path(), home)...)
	return h, nil
}

// newHost has this program stand in for a browser.
func newHost(cfg browser.HostConfig) (*browser.Host, error) {
	var err error
	if cfg.Self, err = os.Executable(); err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	return browser.NewHost(cfg)
}

// browserVariables name the browser to libraries and servers that have no flag for
// it: Puppeteer (https://pptr.dev/guides/configuration), chrome-launcher, Karma, and
// MCP servers.
var browserVariables = []string{"PUPPETEER_EXECUTABLE_PATH", "CHROME_EXECUTABLE_PATH", "CHROME_PATH", "CHROME_BIN",
	"PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH", "PLAYWRIGHT_MCP_EXECUTABLE_PATH", "BROWSER_EXECUTABLE_PATH"}

// wireByEnvironment names Moiré as the browser in all these variables: an upstream
// that nobody knows may heed one.
func (l *launch) wireByEnvironment(log *slog.Logger) (onWire, error) {
	var b adapter.Browser
	for _, v := range browserVariables {
		b.Path = cmp.Or(b.Path, os.Getenv(v))
	}
	path, err := browserOf(b, runtime.GOOS)
	if err != nil {
		return nil, err
	}
	h, err := newHost(browser.HostConfig{Browser: path, Sources: len(l.trusted) > 0, Logger: log})
	if err != nil {
		return nil, err
	}
	for _, v := range browserVariables {
		l.env = append(l.env, v+"="+h.Path())
	}
	return h, nil
}

// maxSettings bounds a file of settings, in bytes.
const maxSettings = 1 << 20

// readSettings reads the upstream's own file of settings, if it has one.
func (l *launch) readSettings() ([]byte, error) {
	if l.adapter == nil || l.adapter.Launch.Browser == nil {
		return nil, nil
	}
	flags := l.adapter.Launch.Browser
	path := flags.Read(l.argv[l.own:]).Config
	if path == "" && flags.Env.Config != "" {
		path = os.Getenv(flags.Env.Config)
	}
	if path == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, &hinted{fmt.Errorf("reading the upstream's settings: %w", err), "correct --" + flags.Config[0] + " among the upstream's flags"}
	}
	if raw = bytes.TrimPrefix(raw, []byte("\ufeff")); len(raw) > maxSettings || !json.Valid(raw) {
		return nil, &hinted{errors.New("the upstream's file of settings is no JSON, so which browser it names can't be told"),
			"write it as JSON, or give its settings as flags"}
	}
	return raw, nil
}

// relay stands in for the browser that the person already runs.
func relay(b adapter.Browser, home string, cfg browser.RelayConfig) (*browser.Relay, error) {
	switch {
	case strings.HasPrefix(b.Socket, "http"):
		cfg.Endpoint = browser.DebuggingURL(b.Socket)
	case b.Socket != "":
		cfg.Endpoint = func(context.Context) (string, error) { return b.Socket, nil }
	case b.URL != "":
		cfg.Endpoint = browser.DebuggingURL(b.URL)
	default:
		dir := b.Profile
		if dir == "" {
			dir = profileOf(b.Channel, home, runtime.GOOS)
		}
		cfg.Endpoint = browser.ActivePort(dir)
	}
	if name, value, ok := strings.Cut(b.Headers, ":"); ok && !strings.HasPrefix(b.Headers, "{") {
		cfg.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	} else if b.Headers != "" {
		var list map[string]string
		if json.Unmarshal([]byte(b.Headers), &list) != nil {
			return nil, errors.New("the headers for the browser's socket are no JSON object of strings")
		}
		for k, v := range list {
			cfg.Header.Set(k, v)
		}
	}
	return browser.NewRelay(cfg)
}

// profileOf is where Chrome keeps the profile of a channel:
// https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md
func profileOf(channel, home, goos string) string {
	names := map[string][]string{ // Linux, macOS, Windows
		"": {"google-chrome", "Chrome", "Chrome"}, "stable": {"google-chrome", "Chrome", "Chrome"},
		"beta":   {"google-chrome-beta", "Chrome Beta", "Chrome Beta"},
		"dev":    {"google-chrome-unstable", "Chrome Dev", "Chrome Dev"},
		"canary": {"google-chrome-canary", "Chrome Canary", "Chrome SxS"},
	}[channel]
	switch {
	case names == nil:
		return ""
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support", "Google", names[1])
	case goos == "windows":
		return filepath.Join(os.Getenv("LocalAppData"), "Google", names[2], "User Data")
	}
	return filepath.Join(home, ".config", names[0])
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

// browserOf finds the browser that the command line asks for.
func browserOf(b adapter.Browser, goos string) (string, error) {
	channel, isChrome := strings.CutPrefix(b.Channel, "chrome")
	switch {
	case b.Path != "", b.Channel == "":
		return chrome(b.Path, "", goos)
	case isChrome: // Playwright's names: chrome, chrome-beta
		return chrome("", cmp.Or(strings.TrimPrefix(channel, "-"), "stable"), goos)
	case b.Channel == "chromium":
		return found("chromium", "chromium-browser")
	case b.Channel == "moz-firefox":
		return found("firefox", "firefox-esr")
	case b.Channel == "firefox", b.Channel == "webkit":
		return "", fmt.Errorf("%s as Playwright builds it can't be put on the wire (moz-firefox is the one that can)", b.Channel)
	}
	return chrome("", b.Channel, goos)
}

func found(names ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return absolute(path)
		}
	}
	return "", fmt.Errorf("finding the browser: %s is not installed", names[0])
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
	if path, err := found("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"); err == nil {
		return path, nil
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

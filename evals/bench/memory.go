package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"moire/adapter"
	"moire/embedjs"
	"moire/upstream"
	"moire/wire"
)

// usage is Moiré's peak memory and what is allowed: in megabytes of 10^6 bytes.
type usage struct {
	Case    string  `json:"case"`
	RSS     float64 `json:"peak_rss_mb"`
	Frame   float64 `json:"frame_mb"`
	Allowed float64 `json:"allowed_mb"`
}

// allowedBase and allowedFrames: at most 60 MB and four times the largest frame.
const (
	allowedBase   = 60.0
	allowedFrames = 4.0
	megabyte      = 1e6
)

// memory prints the peak resident memory of the process pid, after its runs,
// beside the largest frame that the upstream sends it for the page at url.
func memory(pid int, url string, asJSON bool) error {
	if runtime.GOOS != "linux" {
		fmt.Fprintln(os.Stderr, "bench: peak memory is measured on Linux only")
		return nil
	}
	peak, err := peakRSS(pid)
	if err != nil {
		return err
	}
	frame, err := largestFrame(url)
	if err != nil {
		return fmt.Errorf("measuring a frame: %w", err)
	}
	f := float64(frame) / megabyte
	u := usage{"memory", float64(peak) / megabyte, f, allowedBase + allowedFrames*f}
	if !asJSON {
		fmt.Printf("%-22s peak resident %.1f MB, largest frame %.2f MB, allowed %.0f MB + %.0f frames = %.1f MB\n",
			u.Case, u.RSS, u.Frame, allowedBase, allowedFrames, u.Allowed)
		return nil
	}
	b, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("encoding: %w", err)
	}
	fmt.Println(string(b))
	return nil
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peakRSS is the most resident memory that a running process had, in bytes.
// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
func peakRSS(pid int) (int, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("reading peak memory: %w", err)
	}
	m := highWater.FindSubmatch(raw)
	if m == nil {
		return 0, errors.New("reading peak memory: no VmHWM")
	}
	kib, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return 0, fmt.Errorf("reading peak memory: %w", err)
	}
	return kib << 10, nil
}

// largestFrame is how many bytes the largest reply has that Moiré gets for one
// read of a page: the snapshot, with the flag that it adds, or its scan.
func largestFrame(url string) (int, error) {
	a, err := adapter.Builtin("chrome-devtools-mcp")
	if err != nil {
		return 0, err
	}
	log := slog.New(slog.DiscardHandler)
	child, err := upstream.Start(upstream.Config{
		Argv: append([]string{upstreamPath, a.Launch.Structured}, browserFlags()...), Limits: wire.DefaultLimits(),
		StdinGrace: 5 * time.Second, TermGrace: 3 * time.Second, Logger: log,
	})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	defer child.Close(ctx)
	link, err := upstream.NewLink(upstream.LinkConfig{Conn: child.Conn(), Done: child.Done(), Exit: child.Err, Logger: log})
	if err != nil {
		return 0, err
	}
	defer link.Close()
	options := embedjs.DefaultOptions()
	options.Nonce = "00000000000000000000000000000000"
	source, err := embedjs.Scan(options)
	if err != nil {
		return 0, err
	}
	scan := map[string]any{"pageId": 1, a.Script.Function: source}
	maps.Copy(scan, a.Script.With)
	size := 0
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
			"clientInfo": map[string]any{"name": "bench", "version": "1"}}},
		{"tools/call", map[string]any{"name": "navigate_page", "arguments": map[string]any{"pageId": 1, "url": url}}},
		{"tools/call", map[string]any{"name": "take_snapshot", "arguments": map[string]any{"pageId": 1}}},
		{"tools/call", map[string]any{"name": a.Script.Tool, "arguments": scan}},
	} {
		params, err := json.Marshal(c.params)
		if err != nil {
			return 0, err
		}
		m, err := link.Call(ctx, c.method, params)
		if err != nil {
			return 0, err
		}
		if m.Kind != wire.MessageResult {
			return 0, fmt.Errorf("%s answered with an error", c.method)
		}
		size = max(size, len(m.Frame))
	}
	return size, nil
}

// Command bench compares Moiré with the bare upstream in one run: the same
// calls in turn, so that a drifting machine moves both. It prints the ratio of
// medians with a bootstrap interval, then the peak memory of Moiré with what is
// allowed; it judges nothing.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type row struct {
	Case        string  `json:"case"`
	Runs        int     `json:"runs"`
	BareMillis  float64 `json:"bare_ms"`
	MoireMillis float64 `json:"moire_ms"`
	ExtraMillis float64 `json:"extra_ms"`
	Ratio       float64 `json:"ratio"`
	RatioLow    float64 `json:"ratio_low"`
	RatioHigh   float64 `json:"ratio_high"`
}

func main() {
	asJSON := flag.Bool("json", false, "print JSON lines")
	runs := flag.Int("runs", 15, "runs of each case")
	sizes := flag.String("sizes", "100,2000,20000", "page sizes in elements")
	program := flag.String("moire", "bin/moire", "the program that is measured")
	flag.Parse()
	if err := run(*asJSON, *runs, strings.Split(*sizes, ","), *program); err != nil {
		fmt.Fprintln(os.Stderr, "bench: error:", err)
		os.Exit(1)
	}
}

func run(asJSON bool, runs int, sizes []string, program string) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	defer ln.Close()
	go http.Serve(ln, http.HandlerFunc(page)) //nolint:errcheck // ends with the listener
	bare, err := connect(upstreamPath, nil)
	if err != nil {
		return err
	}
	defer bare.Close()
	moire, err := connect(program, []string{"--upstream", "chrome-devtools-mcp", "--"})
	if err != nil {
		return err
	}
	defer moire.Close()
	var out []row
	var url string
	for _, size := range sizes {
		url = fmt.Sprintf("http://%s/%s", ln.Addr(), size)
		for _, c := range []*server{bare, moire} {
			if _, err := call(c, "navigate_page", map[string]any{"pageId": 1, "url": url}); err != nil {
				return err
			}
		}
		r, err := compare("take_snapshot "+size, runs, bare, moire, "take_snapshot", map[string]any{"pageId": 1}, nil)
		if err != nil {
			return err
		}
		out = append(out, r)
		r, err = compare("take_snapshot "+size+", changed", runs, bare, moire, "take_snapshot", map[string]any{"pageId": 1}, change)
		if err != nil {
			return err
		}
		out = append(out, r)
	}
	r, err := compare("list_pages", 4*runs, bare, moire, "list_pages", map[string]any{}, nil)
	if err != nil {
		return err
	}
	if err := report(append(out, r), asJSON); err != nil {
		return err
	}
	return memory(moire.pid, url, asJSON)
}

const upstreamPath = "node_modules/.bin/chrome-devtools-mcp"

// server is an MCP server as a client started it.
type server struct {
	*client.Client
	pid int
}

func report(rows []row, asJSON bool) error {
	for _, r := range rows {
		if asJSON {
			b, err := json.Marshal(r)
			if err != nil {
				return fmt.Errorf("encoding: %w", err)
			}
			fmt.Println(string(b))
			continue
		}
		fmt.Printf("%-22s %3d runs  bare %8.1f ms  moire %8.1f ms  extra %8.1f ms  ratio %.2f [%.2f, %.2f]\n",
			r.Case, r.Runs, r.BareMillis, r.MoireMillis, r.ExtraMillis, r.Ratio, r.RatioLow, r.RatioHigh)
	}
	return nil
}

// page makes a table of n elements, about nine to a row.
func page(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil || n > 100_000 {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, `<!doctype html><title>Stock</title><style>.b{background:#dfd;padding:2px}
tr:nth-child(even){background:#eee}</style><h1>Stock</h1><table>`)
	for i := range n / 9 {
		fmt.Fprintf(w, `<tr><td>%d</td><td><a href="/item/%d">Item number %d</a></td><td><span class="b">In stock</span></td><td>%d.00</td><td><button>Buy</button></td></tr>`, i, i, i, i*7%100)
	}
	fmt.Fprint(w, `</table>`)
}

// browserFlags are the upstream's flags for a headless browser of its own.
func browserFlags() []string {
	browser := os.Getenv("MOIRE_TEST_BROWSER")
	if browser == "" {
		browser = "/usr/bin/chromium"
	}
	flags := []string{"--headless", "--isolated", "--executablePath", browser, "--usageStatistics=false",
		"--performanceCrux=false", "--chromeArg=--disable-gpu", "--chromeArg=--disable-background-networking",
		"--chromeArg=--disable-quic", "--chromeArg=--disable-component-update", "--chromeArg=--disable-sync"}
	if os.Getuid() == 0 {
		flags = append(flags, "--chromeArg=--no-sandbox")
	}
	return flags
}

func connect(command string, args []string) (*server, error) {
	var cmd *exec.Cmd
	start := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		cmd = exec.Command(command, append(args, browserFlags()...)...)
		cmd.Env = append(os.Environ(), "MOIRE_STATE_DIR="+filepath.Join(os.TempDir(), "moire-bench-state"))
		return cmd, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	t := transport.NewStdioWithOptions(command, nil, nil, transport.WithCommandFunc(start))
	if err := t.Start(ctx); err != nil {
		return nil, fmt.Errorf("starting %s: %w", command, err)
	}
	c := client.NewClient(t)
	var req mcp.InitializeRequest
	req.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	req.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, req); err != nil {
		_ = c.Close() // the error that matters is the first
		return nil, fmt.Errorf("initializing %s: %w", command, err)
	}
	return &server{c, cmd.Process.Pid}, nil
}

func call(c *server, tool string, args map[string]any) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var req mcp.CallToolRequest
	req.Params.Name = tool
	req.Params.Arguments = args
	begin := time.Now()
	r, err := c.CallTool(ctx, req)
	if err != nil {
		return 0, fmt.Errorf("calling %s: %w", tool, err)
	}
	if r.IsError {
		return 0, fmt.Errorf("calling %s: it answered with an error", tool)
	}
	return time.Since(begin), nil
}

// change makes what an earlier look saw of the page worthless.
func change(c *server) error {
	_, err := call(c, "evaluate_script", map[string]any{"pageId": 1, "waitForStableDom": false,
		"function": "() => { document.querySelector('h1').textContent = 'Stock ' + Math.random(); return 0 }"})
	return err
}

// compare times a call on both sides in turn; before, if not nil, runs ahead of
// each and is not timed.
func compare(name string, runs int, bare, moire *server, tool string, args map[string]any, before func(*server) error) (row, error) {
	var a, b []float64
	for i := range runs + 1 {
		for _, side := range []struct {
			c   *server
			out *[]float64
		}{{bare, &a}, {moire, &b}} {
			if before != nil {
				if err := before(side.c); err != nil {
					return row{}, err
				}
			}
			d, err := call(side.c, tool, args)
			if err != nil {
				return row{}, err
			}
			if i > 0 { // the first one warms up
				*side.out = append(*side.out, float64(d.Microseconds())/1000)
			}
		}
	}
	low, high := interval(a, b)
	x, y := median(a), median(b)
	return row{name, runs, x, y, y - x, y / x, low, high}, nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

// interval is the 95 % bootstrap interval of the ratio of medians
// (Efron and Tibshirani 1993, chapter 13).
func interval(a, b []float64) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(v []float64) float64 {
		s := make([]float64, len(v))
		for i := range s {
			s[i] = v[rng.IntN(len(v))]
		}
		return median(s)
	}
	ratios := make([]float64, 2000)
	for i := range ratios {
		ratios[i] = draw(b) / draw(a)
	}
	slices.Sort(ratios)
	return ratios[50], ratios[1949]
}

package leak

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"moire/evals/harness"
)

// site is a person's own application on this machine, which fails. Its page at
// /PATH loads what more[PATH] says.
func site(t *testing.T, more map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/app.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "async function loadOrders() {\n  const r = await fetch('/api/orders');\n  if (!r.ok) throw new Error('orders failed: ' + (await r.json()).error);\n}\nloadOrders();")
		case "/api/orders":
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `{"error":"column total does not exist","code":"42703"}`)
		case "/moved.js":
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "importScripts(%q)", r.URL.Query().Get("of"))
		case "/nested.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "new Worker(%q)", "/worker.js?of="+r.URL.Query().Get("of"))
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<!doctype html><title>Orders</title><h1>Orders</h1><script src="/app.js"></script>%s`, more[r.URL.Path])
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// other is a script of another origin that writes into the console.
func other(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Path == "/frame" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<script>")
		}
		fmt.Fprintf(w, "console.log(%q)", canary("log"))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

var (
	step    = regexp.MustCompile(`--trust-origin (http://127\.0\.0\.1:\d+)⟧`)
	failing = map[harness.Setup]*regexp.Regexp{
		harness.Isolated:   regexp.MustCompile(`reqid=(\d+) GET \S+/api/orders \[500\]`),
		harness.Playwright: regexp.MustCompile(`(\d+)\. \[GET\] \S+/api/orders => \[500\]`),
	}
)

// tools are what the debugging task calls.
func tools(setup harness.Setup) (console func(*harness.Agent) string, request func(*harness.Agent, string) string, requests func(*harness.Agent) string) {
	if setup == harness.Isolated {
		return func(a *harness.Agent) string {
				return a.Tool("list_console_messages", map[string]any{"pageId": 1, "includeStackTraces": true}).Text()
			}, func(a *harness.Agent, id string) string {
				return a.Tool("get_network_request", map[string]any{"pageId": 1, "reqid": number(id)}).Text()
			}, func(a *harness.Agent) string {
				return a.Tool("list_network_requests", map[string]any{"pageId": 1}).Text()
			}
	}
	return func(a *harness.Agent) string {
			return a.Tool("browser_console_messages", map[string]any{"level": "debug"}).Text()
		}, func(a *harness.Agent, id string) string {
			return a.Tool("browser_network_request", map[string]any{"index": number(id), "part": "response-body"}).Text()
		}, func(a *harness.Agent) string {
			return a.Tool("browser_network_requests", map[string]any{}).Text()
		}
}

func number(id string) int {
	n := 0
	_, _ = fmt.Sscan(id, &n) // the expression admits digits only
	return n
}

// TestDebugging: a failing request is found, its body and the stack are read, with
// the one step that the first withheld message names, and no other.
func TestDebugging(t *testing.T) {
	for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright} {
		t.Run(string(setup), func(t *testing.T) {
			url := site(t, nil)
			console, request, requests := tools(setup)
			a := harness.Start(t, setup, nil)
			a.Do(harness.Navigate, url+"/")
			time.Sleep(300 * time.Millisecond)
			said := console(a)
			m := step.FindStringSubmatch(said)
			if m == nil || m[1] != url || strings.Contains(said, "column total") {
				t.Fatalf("without the step the console says\n%s", said)
			}
			// Status codes are told without it, and so is which request failed.
			found := failing[setup].FindStringSubmatch(requests(a))
			if found == nil {
				t.Fatalf("the failing request is not in\n%s", requests(a))
			}
			if body := request(a, found[1]); strings.Contains(body, "column total") {
				t.Errorf("without the step the body is told:\n%s", body)
			}

			a = harness.StartWith(t, setup, nil, harness.Options{Trust: []string{m[1]}})
			a.Do(harness.Navigate, url+"/")
			time.Sleep(300 * time.Millisecond)
			if found = failing[setup].FindStringSubmatch(requests(a)); found == nil {
				t.Fatalf("with the step the failing request is not in\n%s", requests(a))
			}
			if body := request(a, found[1]); !strings.Contains(body, `{"error":"column total does not exist","code":"42703"}`) || !strings.Contains(body, "not judged: the person trusts "+url) {
				t.Errorf("with the step the body is\n%s", body)
			}
			stack := "at loadOrders (app.js:3:"
			if setup == harness.Playwright {
				stack = "Error: orders failed: column total does not exist\n    at loadOrders (" + url + "/app.js:3:"
			}
			if said := console(a); !strings.Contains(said, stack) {
				t.Errorf("with the step the console says\n%s", said)
			}
			if r := a.Do(harness.Script, `() => ({state: document.readyState, note: "x" + document.title})`); !strings.Contains(r.Text(), `xOrders`) || r.Meta.Moire.Trust != "origin" {
				t.Errorf("with the step a script returns (trust %s)\n%s", r.Meta.Moire.Trust, r.Text())
			}
		})
	}
}

// TestTrustIsOfOneOrigin: what of another origin is in the page takes the trust
// away, however it came in.
func TestTrustIsOfOneOrigin(t *testing.T) {
	foreign := other(t)
	more := map[string]string{
		"/script":   fmt.Sprintf(`<script src="%s/x.js"></script>`, foreign),
		"/module":   fmt.Sprintf(`<script type="module">import "%s/x.js"</script>`, foreign),
		"/import":   fmt.Sprintf(`<script>import("%s/x.js")</script>`, foreign),
		"/removed":  fmt.Sprintf(`<script src="%s/x.js"></script><script>document.scripts[1].remove(); performance.clearResourceTimings()</script>`, foreign),
		"/redirect": fmt.Sprintf(`<script src="/moved.js?to=%s/x.js"></script>`, foreign),
		"/frame":    fmt.Sprintf(`<iframe src="%s/frame"></iframe>`, foreign),
		"/gone":     fmt.Sprintf(`<iframe src="%s/frame" onload="this.remove()"></iframe>`, foreign),
		"/worker":   fmt.Sprintf(`<script>new Worker("/worker.js?of=%s/x.js")</script>`, foreign),
		"/nested":   fmt.Sprintf(`<script>new Worker("/nested.js?of=%s/x.js")</script>`, foreign),
		"/alone":    "",
		"/blob":     `<script>new Worker(URL.createObjectURL(new Blob(["console.log('of a blob')"])))</script><script src="data:text/javascript,console.log('of data')"></script>`,
	}
	trusted := map[string]bool{"/alone": true, "/blob": true}
	for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright} {
		t.Run(string(setup), func(t *testing.T) {
			url := site(t, more)
			a := harness.StartWith(t, setup, nil, harness.Options{Trust: []string{url}})
			console, _, _ := tools(setup)
			for path := range more {
				a.Do(harness.Navigate, url+path)
				time.Sleep(300 * time.Millisecond)
				said := console(a)
				if got := strings.Contains(said, "not judged"); got != trusted[path] {
					t.Errorf("%s: it is trusted: %t; its console:\n%s", path, got, said)
				}
				if c := heard([]byte(said)); len(c) > 0 {
					t.Errorf("%s: the other origin speaks:\n%s", path, said)
				}
			}
			// A page of the other origin itself, and then ours again.
			a.Do(harness.Navigate, foreign+"/frame")
			time.Sleep(300 * time.Millisecond)
			if said := console(a); len(heard([]byte(said))) > 0 || strings.Contains(said, "not judged") {
				t.Errorf("the other origin is trusted:\n%s", said)
			}
			a.Do(harness.Navigate, url+"/alone")
			time.Sleep(300 * time.Millisecond)
			if said := console(a); !strings.Contains(said, "not judged") {
				t.Errorf("the site is no longer trusted:\n%s", said)
			}
			past := map[string]any{"pageId": 1, "includePreservedMessages": true}
			name := "list_console_messages"
			if setup == harness.Playwright {
				past, name = map[string]any{"level": "debug", "all": true}, "browser_console_messages"
			}
			if said := a.Tool(name, past).Text(); len(heard([]byte(said))) > 0 {
				t.Errorf("what the other origin said before is told:\n%s", said)
			}
		})
	}
}

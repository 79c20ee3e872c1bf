// Package soak navigates for a long time and looks for what is left behind:
// make soak runs it at length, make test briefly.
package soak

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"moire/evals/harness"
)

var navigations = flag.Int("navigations", 40, "how many pages are opened")

func TestMain(m *testing.M) { harness.Main(m) }

// usage is what could grow.
type usage struct {
	goroutines, files, sessions int
	heap                        uint64
}

func measure(t *testing.T, a *harness.Agent) usage {
	t.Helper()
	var u usage
	// What is on its way to its end gets there.
	for range 20 {
		time.Sleep(50 * time.Millisecond)
		debug.FreeOSMemory()
		u.goroutines = runtime.NumGoroutine()
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc to count files in")
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.files, u.heap, u.sessions = len(files), m.HeapAlloc, a.Sessions()
	return u
}

// After many navigations, each with a frame, a closed shadow tree and a read,
// there are as many goroutines, files and sessions as before, and hardly more
// memory. Two thirds of them hide text, so that quarantine and handles are used.
func TestNothingIsLeftBehind(t *testing.T) {
	// Not the test bed, which remembers every request.
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Connection", "close") // its connections are files of this process
		if r.Host == "frame.test" {
			fmt.Fprint(w, "<p>in a frame of another origin</p>")
			return
		}
		fmt.Fprintf(w, `<!doctype html><title>Page</title><h1>Page %s</h1><p style="opacity:%d">now and then</p>
<iframe src="http://frame.test/"></iframe><div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<p>closed</p>'</script>`,
			r.URL.Query().Get("n"), len(r.URL.RawQuery)%3/2)
	}))
	defer srv.Close()
	a := harness.Start(t, harness.Isolated, []string{"--host-resolver-rules=MAP *.test " + strings.TrimPrefix(srv.URL, "http://")})
	visit := func(n int) {
		a.Tool("navigate_page", map[string]any{"pageId": 1, "url": fmt.Sprintf("http://soak.test/?n=%d", n)})
		got := a.Tool("take_snapshot", map[string]any{"pageId": 1}).Text()
		for _, want := range []string{fmt.Sprintf(`heading "Page %d"`, n), "in a frame of another origin"} {
			if !strings.Contains(got, want) {
				t.Fatalf("navigation %d: no %s in the snapshot:\n%s", n, want, got)
			}
		}
	}
	warm := *navigations / 4
	for n := range warm {
		visit(n)
	}
	srv.CloseClientConnections() // the browser opens some for later
	before := measure(t, a)
	for n := warm; n < *navigations; n++ {
		visit(n)
	}
	srv.CloseClientConnections()
	after := measure(t, a)
	slope := (float64(after.heap) - float64(before.heap)) / float64(*navigations-warm)
	t.Logf("%d navigations: %d goroutines, %d files, %d sessions, heap %d KB; at the end %d, %d, %d, %d KB: %.0f bytes each",
		*navigations, before.goroutines, before.files, before.sessions, before.heap>>10,
		after.goroutines, after.files, after.sessions, after.heap>>10, slope)
	if after.goroutines > before.goroutines || after.files > before.files || after.sessions > before.sessions {
		t.Errorf("left behind: %+v, was %+v", after, before)
	}
	if limit := 1024.0; *navigations >= 1000 && slope > limit {
		t.Errorf("the heap grows by %.0f bytes each navigation, want at most %.0f", slope, limit)
	}
}

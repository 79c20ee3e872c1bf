package read

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

const formPage = `<!doctype html><title>Orders</title><h1>Orders</h1>
<p>Three orders wait for you.</p>
<ul><li>Order 17 for Ada</li><li>Order 18 for Grace</li><li>Order 19 for Barbara</li></ul>
<label>Name <input id="n"></label> <label>Size <select><option>Small</option><option>Large</option></select></label>
<label><input type="checkbox"> Express</label>
<button onclick="document.getElementById('out').textContent='Saved for '+document.getElementById('n').value">Save</button>
<button onclick="alert('Are you sure?')">Ask</button>
<p id="out">Nothing saved</p><a href="/second">Second</a>`

const secondPage = `<!doctype html><title>Second</title><h1>Second</h1><p>You have arrived.</p><a href="/">Orders</a>`

func serve(bed *netbed.Bed) string {
	text := func(s string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, s)
		})
	}
	bed.Handle("orders.test", "/", text(formPage))
	bed.Handle("orders.test", "/second", text(secondPage))
	return bed.URL("orders.test", "/")
}

var uid = regexp.MustCompile(`uid=(\d+_\d+) (\w+) "([^"]*)"`)

// find returns the id of a control in the last snapshot.
func find(t *testing.T, snapshot, role, name string) string {
	t.Helper()
	for _, m := range uid.FindAllStringSubmatch(snapshot, -1) {
		if m[2] == role && m[3] == name {
			return m[1]
		}
	}
	t.Fatalf("no %s %q in the snapshot", role, name)
	return ""
}

// TestScriptIsUnchanged runs thirty steps that were written against the bare
// upstream. On pages that hide nothing Moiré must not be noticed: every reply
// is equal to the letter, ids included.
func TestScriptIsUnchanged(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	url := serve(bed)
	a, b := harness.Start(t, harness.Isolated, bed.ChromeArgs()), harness.StartBare(t, harness.Isolated, bed.ChromeArgs())
	steps := 0
	both := func(name string, args map[string]any) string {
		t.Helper()
		steps++
		want := b.Tool(name, args)
		got := a.Tool(name, args).Text()
		if got != want {
			t.Errorf("step %d, %s differs:\n--- bare\n%s\n--- moire\n%s", steps, name, want, got)
		}
		return want
	}
	page := func(more map[string]any) map[string]any {
		args := map[string]any{"pageId": 1}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
	both("list_pages", map[string]any{})
	both("navigate_page", page(map[string]any{"url": url}))
	s := both("take_snapshot", page(nil))
	name, save := find(t, s, "textbox", "Name"), find(t, s, "button", "Save")
	for _, who := range []string{"Ada", "Grace", "Barbara"} {
		both("fill", page(map[string]any{"uid": name, "value": who}))
		both("click", page(map[string]any{"uid": save}))
		both("wait_for", page(map[string]any{"text": []string{"Saved for " + who}}))
	}
	both("fill", page(map[string]any{"uid": find(t, s, "combobox", "Size"), "value": "Large"}))
	both("click", page(map[string]any{"uid": find(t, s, "checkbox", "Express"), "includeSnapshot": true}))
	both("hover", page(map[string]any{"uid": save}))
	both("press_key", page(map[string]any{"key": "Tab"}))
	both("take_snapshot", page(nil))
	both("take_snapshot", page(map[string]any{"verbose": false}))
	both("click", page(map[string]any{"uid": find(t, s, "button", "Ask")}))
	both("handle_dialog", page(map[string]any{"action": "accept"}))
	both("click", page(map[string]any{"uid": find(t, s, "link", "Second")}))
	both("take_snapshot", page(nil))
	both("navigate_page", page(map[string]any{"type": "back"}))
	both("new_page", map[string]any{"url": url + "second"})
	both("take_snapshot", map[string]any{"pageId": 2})
	both("list_pages", map[string]any{})
	both("select_page", map[string]any{"pageId": 1})
	both("take_snapshot", page(nil))
	both("click", page(map[string]any{"uid": "99_99"}))
	both("close_page", map[string]any{"pageId": 2})
	both("resize_page", page(map[string]any{"width": 900, "height": 700}))
	both("take_snapshot", page(nil))
	if steps < 30 {
		t.Errorf("the script has %d steps, want 30", steps)
	}
}

// TestHundredSteps: over a long session with two tabs of one address the ids
// stay those of the bare run, and neither tab is taken for the other.
func TestHundredSteps(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	url := serve(bed)
	a, b := harness.Start(t, harness.Isolated, bed.ChromeArgs()), harness.StartBare(t, harness.Isolated, bed.ChromeArgs())
	steps := 0
	both := func(name string, args map[string]any) string {
		t.Helper()
		steps++
		want := b.Tool(name, args)
		if got := a.Tool(name, args).Text(); got != want {
			t.Fatalf("step %d, %s differs:\n--- bare\n%s\n--- moire\n%s", steps, name, want, got)
		}
		return want
	}
	both("navigate_page", map[string]any{"pageId": 1, "url": url})
	both("new_page", map[string]any{"url": url})
	for n := range 17 {
		tab := 1 + n%2
		s := both("take_snapshot", map[string]any{"pageId": tab})
		both("fill", map[string]any{"pageId": tab, "uid": find(t, s, "textbox", "Name"), "value": fmt.Sprint("Ada ", n)})
		both("click", map[string]any{"pageId": tab, "uid": find(t, s, "button", "Save")})
		s = both("take_snapshot", map[string]any{"pageId": tab})
		if want := fmt.Sprint("Saved for Ada ", n); !strings.Contains(s, want) {
			t.Fatalf("tab %d does not show %q", tab, want)
		}
		both("take_snapshot", map[string]any{"pageId": 3 - tab})
		both("navigate_page", map[string]any{"pageId": 3 - tab, "url": url})
	}
	if steps < 100 {
		t.Errorf("%d steps, want 100", steps)
	}
}

// TestToolsListIsUnchanged: the bare list and our own tool behind it.
func TestToolsListIsUnchanged(t *testing.T) {
	a, b := harness.Start(t, harness.Isolated, nil), harness.StartBare(t, harness.Isolated, nil)
	want := gjson.GetBytes(b.Call("tools/list", `{}`), "tools").Array()
	got := gjson.GetBytes(a.Call("tools/list", map[string]any{}), "result.tools").Array()
	if len(got) != len(want)+1 || got[len(got)-1].Get("name").String() != "get_page" {
		t.Fatalf("%d tools, want %d and get_page", len(got), len(want))
	}
	for i := range want {
		if got[i].Raw != want[i].Raw {
			t.Errorf("tool %s differs", want[i].Get("name").String())
		}
	}
}

// TestBusyPageKeepsItsSteadyWords: twenty mutations a second cost only the
// words that change.
func TestBusyPageKeepsItsSteadyWords(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	var rows, want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("Steady row number %d stays", i))
		rows = append(rows, "<p>"+want[i]+"</p>")
	}
	bed.Handle("busy.test", "/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Busy</title><h1>Busy</h1><div id="log"></div>%s<p id="clock"></p><script>
let n=0;setInterval(()=>{n++;clock.textContent='tick '+n;const p=document.createElement('p');p.textContent='event '+n;
log.append(p);if(log.children.length>5)log.firstChild.remove()},50)</script>`, strings.Join(rows, "\n"))
	}))
	a := harness.Start(t, harness.Isolated, bed.ChromeArgs())
	a.Tool("navigate_page", map[string]any{"pageId": 1, "url": bed.URL("busy.test", "/")})
	for range 5 {
		got := a.Tool("take_snapshot", map[string]any{"pageId": 1}).Text()
		lost := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return strings.Contains(got, `"`+s+`"`) })
		if len(lost) > 0 {
			t.Errorf("%d of %d steady runs lost, first %q", len(lost), len(want), lost[0])
		}
	}
}

// TestOverlappedLooks: a tab that was quiet is looked at while the upstream works. What
// changed before the call is there, what flashes during it is not, and all that
// is steady stays.
func TestOverlappedLooks(t *testing.T) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Close()
	rows := strings.Repeat("<p>Row of many</p>", 1500) // so that there is time in the call
	bed.Handle("quiet.test", "/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Quiet</title><h1>Quiet</h1><p id="now">Number 0</p><p id="flash" style="opacity:0">a word that flashes</p>%s`, rows)
	}))
	a := harness.Start(t, harness.Isolated, bed.ChromeArgs())
	a.Do(harness.Navigate, bed.URL("quiet.test", "/"))
	read := func(n int, flashed bool) {
		t.Helper()
		got := a.Do(harness.Snapshot, "").Text()
		for _, want := range []string{`heading "Quiet"`, fmt.Sprintf(`"Number %d"`, n), `"Row of many"`} {
			if !strings.Contains(got, want) {
				t.Errorf("read %d loses %s", n, want)
			}
		}
		if strings.Contains(got, "flashes") {
			t.Errorf("read %d (flash %t) shows what nobody sees", n, flashed)
		}
		if lost := 1500 - strings.Count(got, `"Row of many"`); lost > 0 {
			t.Errorf("read %d loses %d rows", n, lost)
		}
	}
	read(0, false)
	for n := 1; n <= 12; n++ {
		after := []int{0, 1, 15, 40, 70, 100}[n%6]
		flashed := n > 3
		flash := ""
		if flashed {
			flash = fmt.Sprintf(`setTimeout(() => { flash.style.opacity = 1; setTimeout(() => flash.style.opacity = 0, 60) }, %d);`, after)
		}
		a.Do(harness.Script, fmt.Sprintf(`() => { now.textContent = "Number %d"; %s }`, n, flash))
		read(n, flashed)
		time.Sleep(150 * time.Millisecond)
	}
}

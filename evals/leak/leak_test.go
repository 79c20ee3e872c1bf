package leak

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moire/evals/harness"
	netbed "moire/testdata/net"
)

func TestMain(m *testing.M) { harness.Main(m) }

// driver is an agent of one upstream, bare or through Moiré.
type driver struct {
	t     *testing.T
	setup harness.Setup
	page  string
	dir   string
	call  func(method string, params any) []byte
	// files that were there before.
	files map[string]bool
	// last is the id of the newest tab.
	last string
}

var tabLine = regexp.MustCompile(`(?m)^(\d+): `)

// tool makes a call and returns all that the agent can read because of it: the
// frame, and what appeared in its directory.
func (d *driver) tool(name string, a map[string]any) [][]byte {
	d.t.Helper()
	out := [][]byte{d.call("tools/call", map[string]any{"name": name, "arguments": a})}
	err := filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || d.files[path] {
			return err
		}
		d.files[path] = true
		raw, err := os.ReadFile(path)
		out = append(out, raw)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// text is the first text of a result.
func text(frame []byte) string {
	r := gjson.ParseBytes(frame)
	if r.Get("result").Exists() {
		r = r.Get("result")
	}
	return r.Get("content.0.text").String()
}

// run makes the calls of a row on the fresh page and returns which canaries the
// agent could read.
func (d *driver) run(r row) []string {
	d.t.Helper()
	var out []string
	listen := func(all [][]byte) {
		for _, raw := range all {
			for _, c := range heard(raw) {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	name, a := d.setup.Call(harness.Navigate, d.page)
	listen(d.tool(name, a))
	out = nil // the row's own count
	time.Sleep(300 * time.Millisecond)
	name, a = d.setup.Call(harness.Snapshot, "")
	shot := d.tool(name, a)
	snapshot := text(shot[0])
	for _, raw := range shot[1:] {
		snapshot += string(raw)
	}
	said := ""
	for _, c := range r.calls {
		if c.each != "" {
			for _, m := range regexp.MustCompile(c.each+`=(\d+)`).FindAllStringSubmatch(said, -1) {
				a := d.fill(c.args, snapshot)
				a[c.each] = json.Number(m[1])
				listen(d.tool(c.tool, a))
			}
			continue
		}
		reply := d.tool(c.tool, d.fill(c.args, snapshot))
		listen(reply)
		said = text(reply[0])
		for _, m := range tabLine.FindAllStringSubmatch(said, -1) {
			d.last = m[1]
		}
	}
	slices.Sort(out)
	return out
}

// fill puts ids and addresses in their places.
func (d *driver) fill(a map[string]any, snapshot string) map[string]any {
	d.t.Helper()
	raw, err := json.Marshal(a)
	if err != nil {
		d.t.Fatal(err)
	}
	s := string(raw)
	for _, el := range []string{"button Act", "button Ask", "button Papers", "textbox Field", "combobox Pick", "link Take"} {
		if !strings.Contains(s, "$"+el) {
			continue
		}
		role, name, _ := strings.Cut(el, " ")
		id := d.setup.ID(snapshot, role, name)
		if id == "" {
			d.t.Fatalf("no %s in the snapshot:\n%s", el, snapshot)
		}
		s = strings.ReplaceAll(s, "$"+el, id)
	}
	// One may upload from temporary directories, the other from its working directory.
	file := filepath.Join(d.dir, "own.txt")
	if d.setup == harness.Isolated {
		err = os.WriteFile(file, []byte("mine"), 0o600)
		d.files[file] = true
	} else {
		file, err = filepath.Abs("page.go")
	}
	if err != nil {
		d.t.Fatal(err)
	}
	s = strings.NewReplacer("$page", d.page, "$file", file, "$dir", d.dir, `"$last"`, d.last).Replace(s)
	var out map[string]any
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		d.t.Fatal(err)
	}
	return out
}

func newDriver(t *testing.T, setup harness.Setup, page, dir string, call func(string, any) []byte) *driver {
	return &driver{t: t, setup: setup, page: page, dir: dir, call: call, files: map[string]bool{}}
}

// TestMatrix: for each tool of the live upstream there is a row. The bare agent
// hears what the row says; the agent behind Moiré hears nothing.
func TestMatrix(t *testing.T) {
	for _, setup := range []harness.Setup{harness.Isolated, harness.Playwright, harness.Firefox} {
		t.Run(string(setup), func(t *testing.T) { matrix(t, setup) })
	}
}

func matrix(t *testing.T, setup harness.Setup) {
	bed, err := netbed.Start(netbed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bed.Close() })
	address := serve(bed)
	b := harness.StartBare(t, setup, bed.ChromeArgs(), flags(setup)...)
	var notes []string
	a := harness.StartWith(t, setup, bed.ChromeArgs(), harness.Options{Flags: flags(setup), Heard: func(frame []byte) {
		notes = append(notes, heard(frame)...)
	}})
	bare := newDriver(t, setup, address, b.Dir, func(method string, params any) []byte {
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		return b.Call(method, string(raw))
	})
	guarded := newDriver(t, setup, address, a.Dir, a.Call)

	table := rows(setup)
	var tools []string
	for _, tool := range gjson.GetBytes(b.Call("tools/list", `{}`), "tools.#.name").Array() {
		tools = append(tools, tool.String())
		if _, ok := table[tool.String()]; !ok {
			t.Errorf("%s has no row", tool)
		}
	}
	carried := map[string]bool{}
	for _, tool := range slices.Sorted(maps.Keys(table)) {
		r := table[tool]
		if !slices.Contains(tools, tool) {
			t.Errorf("the row of %s is of a tool that the upstream does not list", tool)
			continue
		}
		if r.slow && os.Getenv("MOIRE_FULL") == "" || setup == harness.Firefox && !harness.Sampled(tool) {
			continue
		}
		t.Run(tool, func(t *testing.T) {
			bare.t, guarded.t, a.T = t, t, t
			got := bare.run(r)
			for _, c := range got {
				carried[c] = true
			}
			for _, c := range r.hears {
				if !slices.Contains(got, c) {
					t.Errorf("bare: %s is not heard; heard: %s", c, got)
				}
			}
			if len(r.hears) == 0 && (len(got) > 0 || r.why == "") {
				t.Errorf("bare: heard %s, but the row says %q", got, r.why)
			}
			notes = nil
			if got := append(guarded.run(r), notes...); len(got) > 0 {
				t.Errorf("through Moiré the agent can read what only the page says: %s", got)
			}
		})
	}
	if setup == harness.Firefox && os.Getenv("MOIRE_FULL") == "" {
		return // not all rows were run
	}
	for _, c := range channels {
		if why, ok := unheard(setup)[c]; carried[c] == ok {
			t.Errorf("channel %s: carried %t, and the table of what is not says %q", c, carried[c], why)
		}
	}
}

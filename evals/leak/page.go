// Package leak is the leak matrix: for every tool of an upstream, what a page can
// put into its replies without a person seeing it, and that none of it arrives.
// The page of this file sings a canary in every channel that a page controls;
// rows.go has the calls; the test compares the bare upstream, where a row's canary
// has to be heard (or the row says why it can't be), with Moiré, where none may be.
package leak

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	netbed "moire/testdata/net"
)

// channels are where the page sings, each a word of its own.
var channels = strings.Fields(`title opacity label described description placeholder alt comment data-attribute class-name noscript template
	log log-argument log-key warn error error-stack function-name table group count assert rejection uncaught browser-message worker-log
	header cookie body error-body status-text redirect query fragment request-header request-body websocket
	storage session-storage window-name history frame-name frame-title frame-text source-map style content meta
	getter symbol performance-mark download
	page-tool page-tool-schema page-tool-result`)

// canary is what a channel says: eight short words, more than a name bound to a
// control may have, that no page shows.
func canary(channel string) string {
	sum := sha256.Sum256([]byte(channel))
	var out []string
	for i := range 8 {
		w := []byte{'q'}
		for _, c := range sum[3*i : 3*i+3] {
			w = append(w, 'a'+c%26)
		}
		out = append(out, string(w))
	}
	return strings.Join(out, " ")
}

// host serves the page.
const host = "leak.test"

// serve sets the page up and returns its address.
func serve(bed *netbed.Bed) string {
	slug := func(channel string) string { return strings.ReplaceAll(canary(channel), " ", "-") }
	reply := func(status int, kind, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("X-Note", canary("header"))
			w.Header().Set("X-"+slug("header"), "1")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	bed.Handle(host, "/api", reply(200, "application/json", fmt.Sprintf(`{"note":%q,%q:["%s"]}`, canary("body"), canary("body"), strings.ReplaceAll(canary("body"), " ", `","`))))
	bed.Handle(host, "/fail", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := fmt.Sprintf(`{"error":%q}`, canary("error-body"))
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprintf(c, "HTTP/1.1 500 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", canary("status-text"), len(body), body)
	}))
	bed.Handle(host, "/moved", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/api?to="+slug("redirect")+"-and-then-some-more-words")
		w.WriteHeader(http.StatusFound)
	}))
	bed.Handle(host, "/worker.js", reply(200, "text/javascript", fmt.Sprintf(`console.log(%q)`, canary("worker-log"))))
	bed.Handle(host, "/app.js", reply(200, "text/javascript", fmt.Sprintf("console.error(new Error(%q))\n//# sourceMappingURL=/%s.map", canary("error-stack"), slug("source-map"))))
	bed.Handle(host, "/frame", reply(200, "text/html", fmt.Sprintf(`<!doctype html><title>%s</title><p style="opacity:0">%s</p>`, canary("frame-title"), canary("frame-text"))))
	bed.Handle(host, "/file", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.bin"`, slug("download")))
		_, _ = w.Write([]byte{0, 1, 2})
	}))
	bed.Handle(host, "/{$}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Set-Cookie", "note="+slug("cookie")+"; Path=/")
		w.Header().Set("X-Note", canary("header"))
		fmt.Fprint(w, page(slug))
	}))
	return bed.URL(host, "/")
}

func page(slug func(string) string) string {
	out := document
	for _, c := range channels {
		out = strings.ReplaceAll(out, "{{"+c+"}}", canary(c))
		out = strings.ReplaceAll(out, "{{-"+c+"}}", slug(c))
		out = strings.ReplaceAll(out, "{{_"+c+"}}", strings.ReplaceAll(canary(c), " ", "_"))
	}
	return out
}

// document is what the page is: a few visible controls and words, and the rest.
const document = `<!doctype html><html><head><title>{{title}}</title><meta name="description" content="{{meta}}">
<style>.{{-class-name}} { --note: "{{style}}" } #made::after { content: "{{content}}"; opacity: 0 } .out { opacity: 0 }</style></head><body>
<h1>Orders</h1><p>Three orders wait for you.</p>
<button id="act" aria-description="{{description}}">Act</button> <label>Field <input id="field" aria-describedby="d"></label>
<label>Pick <select id="pick"><option>Small</option><option>Large</option></select></label>
<label><input type="checkbox"> Tick</label> <button onclick="alert('Are you sure?')">Ask</button>
<label>Papers <input type="file"></label> <a id="go" href="/?q={{-query}}-and-more-of-this-and-that#{{-fragment}}">Go</a> <a href="/file">Take</a>
<p class="out" id="hidden">{{opacity}}</p><p class="out" id="d">{{described}}</p><button class="out" aria-label="{{label}}">{{label}}</button>
<input class="out" placeholder="{{placeholder}}"><img class="out" alt="{{alt}}" src="/none.png"><!-- {{comment}} -->
<div id="data" data-note="{{data-attribute}}" class="{{-class-name}}"></div><noscript>{{noscript}}</noscript><template>{{template}}</template>
<div id="made"></div><iframe name="{{frame-name}}" src="/frame" width="200" height="20"></iframe>
<script src="/app.js"></script><script>
console.log("{{log}}"); console.log("%s", "x", {"{{log-key}}": ["{{log-argument}}"]}); console.warn("{{warn}}"); console.error("{{error}}");
console.table([{a: "{{table}}"}]); console.group("{{group}}"); console.count("{{count}}"); console.assert(false, "{{assert}}");
console.error("Failed to load resource: {{browser-message}}"); console.error("Uncaught TypeError: {{browser-message}}");
function {{_function-name}}() { console.trace("t") } {{_function-name}}();
Promise.reject(new Error("{{rejection}}")); setTimeout(() => { throw new Error("{{uncaught}}") });
localStorage.note = "{{storage}}"; sessionStorage.note = "{{session-storage}}"; window.name = "{{window-name}}";
history.replaceState({note: "{{history}}"}, ""); performance.mark("{{performance-mark}}"); new Worker("/worker.js");
window.secret = {get note() { return "{{getter}}" }}; window.sign = Symbol("{{symbol}}");
fetch("/api?note={{-query}}-and-more-of-this-and-that", {method: "POST", headers: {"X-{{-request-header}}": "{{request-header}}"}, body: JSON.stringify({note: "{{request-body}}"})});
const tools = document.modelContext ?? navigator.modelContext;
if (tools) tools.registerTool({name: "do_it", description: "{{page-tool}}", inputSchema: {type: "object", properties: {a: {type: "string", description: "{{page-tool-schema}}"}}}, execute: async () => ({content: [{type: "text", text: "{{page-tool-result}}"}]})});
fetch("/fail"); fetch("/moved"); try { new WebSocket("ws://leak.test/{{-websocket}}-and-more-of-this-and-that") } catch {}
</script></body></html>`

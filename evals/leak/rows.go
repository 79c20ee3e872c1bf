package leak

import (
	"slices"
	"strings"

	"moire/evals/harness"
)

// call is a tool call on the page. "$ROLE NAME" among the arguments stands for the
// id of that element.
type call struct {
	tool string
	args map[string]any
	// each is an argument that takes one after the other of the numbers that the
	// reply before has behind that word.
	each string
}

// row is what is tried of a tool: calls, made one after the other on the fresh
// page, and what of their replies the bare upstream's agent hears at least. If
// that is nothing, why says why the tool can't carry what a page says, or does
// not here.
type row struct {
	calls []call
	hears []string
	why   string
	// slow: only with MOIRE_FULL.
	slow bool
}

type args = map[string]any

const (
	fixed  = "its reply is a sentence of the upstream's own, without a word of a page"
	pixels = "its reply is a picture; what of a page is in it is seen"
)

// scripts are functions whose results carry canaries in every shape.
var scripts = []string{
	`() => document.querySelector("#hidden").textContent`,
	`() => document.querySelector("#hidden").textContent.split(" ")`,
	`() => document.querySelector("#hidden").textContent.split("")`,
	`() => [...document.querySelector("#hidden").textContent].map(c => c.charCodeAt(0))`,
	`() => Object.fromEntries([...document.querySelector("#hidden").textContent].map((c, i) => ["k" + i, c.codePointAt(0)]))`,
	`() => [...document.querySelector("#hidden").textContent].map(c => String(c.charCodeAt(0)))`,
	`() => [...document.querySelector("#hidden").textContent].map(c => c.charCodeAt(0)).join("")`,
	`() => [...document.querySelector("#hidden").textContent].reverse().join("")`,
	`() => btoa(document.querySelector("#hidden").textContent)`,
	`() => [...document.querySelector("#hidden").textContent].map(c => c.charCodeAt(0).toString(16)).join("")`,
	`() => ({[document.querySelector("#hidden").textContent]: 1})`,
	`() => JSON.stringify({a: [document.querySelector("#hidden").textContent]})`,
	`() => "Orders: " + document.querySelector("#hidden").textContent + "!"`,
	`() => document.body.innerText`, `() => document.documentElement.outerHTML`,
	`() => document.cookie`, `() => document.cookie.match(/.{1,3}/g)`,
	`() => [localStorage.note, sessionStorage.note, window.name, history.state, document.title]`,
	`() => ({...localStorage})`,
	`() => window.secret`, `() => [window.sign.toString(), window.sign.description]`,
	`() => performance.getEntriesByType("mark").map(m => m.name)`,
	`() => performance.getEntriesByType("resource").map(m => m.name)`,
	`() => document.querySelector("#data").dataset`, `() => document.querySelector("#data").className`,
	`() => getComputedStyle(document.querySelector("#data")).getPropertyValue("--note")`,
	`() => getComputedStyle(document.querySelector("#made"), "::after").content`,
	`() => [...document.querySelectorAll("[aria-label],[placeholder],[alt]")].map(e => [e.ariaLabel, e.placeholder, e.alt])`,
	`() => document.querySelector("meta[name=description]").content`,
	`() => document.querySelector("template").innerHTML + document.querySelector("noscript").textContent`,
	`() => [...document.documentElement.childNodes, ...document.body.childNodes].filter(n => n.nodeType === 8).map(n => n.data)`,
	`() => [...document.links].map(a => a.href)`,
	`() => [frames[0].document.title, frames[0].document.body.textContent, frames[0].name]`,
	`async () => (await fetch("/api")).json()`,
	`async () => { const r = await fetch("/api"); return [...r.headers] }`,
	`() => { throw new Error(document.querySelector("#hidden").textContent) }`,
	`() => { throw document.querySelector("#hidden").textContent }`,
	`() => window[document.querySelector("#hidden").textContent]()`,
	`() => Promise.reject(new Error(document.querySelector("#hidden").textContent))`,
	`() => { location.hash = document.querySelector("#hidden").textContent; return 1 }`,
	`() => { document.title = document.querySelector("#hidden").textContent; return 1 }`,
}

var scripted = strings.Fields(`opacity cookie storage session-storage window-name history title getter symbol performance-mark
	data-attribute class-name style content label placeholder alt meta template noscript comment query fragment frame-title frame-text frame-name body header`)

func scriptRow(tool, argument string, more args) row {
	r := row{hears: scripted}
	for _, s := range scripts {
		a := args{argument: s}
		for k, v := range more {
			a[k] = v
		}
		r.calls = append(r.calls, call{tool: tool, args: a})
	}
	return r
}

// numbered makes one call for each number.
func numbered(tool, argument string, from, to int, more args) []call {
	var out []call
	for i := from; i <= to; i++ {
		a := args{argument: i}
		for k, v := range more {
			a[k] = v
		}
		out = append(out, call{tool: tool, args: a})
	}
	return out
}

var logged = strings.Fields(`log warn error error-stack assert uncaught browser-message`)

// rows are those of an upstream, by tool.
func rows(setup harness.Setup) map[string]row {
	if setup == harness.Isolated {
		return cdmRows()
	}
	return playwrightRows(setup)
}

func cdmRows() map[string]row {
	page := args{"pageId": 1}
	with := func(more args) args {
		a := args{"pageId": 1}
		for k, v := range more {
			a[k] = v
		}
		return a
	}
	snap := func(tool string, more args) row {
		more["includeSnapshot"] = true
		return row{calls: []call{{tool: tool, args: with(more)}}, hears: []string{"opacity", "label", "description", "described", "placeholder", "alt", "frame-text"}}
	}
	one := func(tool string, a args, why string) row { return row{calls: []call{{tool: tool, args: a}}, why: why} }
	titled := []string{"title"}
	return map[string]row{
		"click":               snap("click", args{"uid": "$button Act"}),
		"click_at":            snap("click_at", args{"x": 5, "y": 5}),
		"close_page":          {calls: []call{{tool: "new_page", args: args{"url": "$page"}}, {tool: "close_page", args: args{"pageId": "$last"}}}, hears: titled},
		"drag":                snap("drag", args{"from_uid": "$button Act", "to_uid": "$button Ask"}),
		"emulate":             one("emulate", with(args{"colorScheme": "dark"}), fixed),
		"evaluate_script":     scriptRow("evaluate_script", "function", with(args{"waitForStableDom": false})),
		"execute_webmcp_tool": {calls: []call{{tool: "execute_webmcp_tool", args: with(args{"toolName": "do_it", "input": "{}"})}}, hears: []string{"page-tool-result"}},
		"list_webmcp_tools":   {calls: []call{{tool: "list_webmcp_tools", args: page}}, hears: []string{"page-tool", "page-tool-schema"}},
		"fill":                snap("fill", args{"uid": "$textbox Field", "value": "x"}),
		"fill_form":           snap("fill_form", args{"elements": []any{args{"uid": "$textbox Field", "value": "x"}}}),
		"get_css_styles":      one("get_css_styles", with(args{"uid": "$button Act"}), "it fails on Node.js 20 (intersection is not a function)"),
		"get_console_message": {calls: []call{{tool: "list_console_messages", args: page}, {tool: "get_console_message", args: page, each: "msgid"}},
			hears: append([]string{"log-key", "log-argument", "table", "function-name"}, logged...)},
		"get_network_request": {calls: []call{{tool: "list_network_requests", args: page}, {tool: "get_network_request", args: page, each: "reqid"}},
			hears: strings.Fields(`body error-body header cookie redirect query request-header request-body title opacity comment meta log`)},
		"handle_dialog":    {calls: []call{{tool: "click", args: with(args{"uid": "$button Ask"})}, {tool: "handle_dialog", args: with(args{"action": "accept"})}}, hears: titled},
		"hover":            snap("hover", args{"uid": "$button Act"}),
		"lighthouse_audit": {calls: []call{{tool: "lighthouse_audit", args: with(args{"mode": "snapshot"})}}, hears: []string{"frame-name"}, slow: true},
		"list_console_messages": {calls: []call{{tool: "list_console_messages", args: page}, {tool: "list_console_messages", args: with(args{"includeStackTraces": true})},
			{tool: "list_console_messages", args: with(args{"includePreservedMessages": true})}}, hears: append([]string{"group", "count", "function-name"}, logged...)},
		"list_network_requests":       {calls: []call{{tool: "list_network_requests", args: page}, {tool: "list_network_requests", args: with(args{"includePreservedRequests": true})}}, hears: []string{"query", "redirect"}},
		"list_pages":                  {calls: []call{{tool: "list_pages", args: args{}}}, hears: titled},
		"navigate_page":               {calls: []call{{tool: "navigate_page", args: with(args{"type": "reload"})}, {tool: "navigate_page", args: with(args{"type": "url", "url": "$page"})}}, hears: titled},
		"new_page":                    {calls: []call{{tool: "new_page", args: args{"url": "$page"}}, {tool: "close_page", args: args{"pageId": "$last"}}}, hears: titled},
		"performance_analyze_insight": {calls: []call{{tool: "performance_start_trace", args: with(args{"reload": true, "autoStop": true})}, {tool: "performance_analyze_insight", args: with(args{"insightSetId": "NAVIGATION_0", "insightName": "DocumentLatency"})}}, why: "its reply names at most the address of the page", slow: true},
		"performance_start_trace":     {calls: []call{{tool: "performance_start_trace", args: with(args{"reload": true, "autoStop": true})}}, why: "its reply names at most the address of the page", slow: true},
		"performance_stop_trace":      {calls: []call{{tool: "performance_start_trace", args: with(args{"reload": false, "autoStop": false})}, {tool: "performance_stop_trace", args: page}}, why: "its reply names at most the address of the page", slow: true},
		"press_key":                   snap("press_key", args{"key": "a"}),
		"resize_page":                 {calls: []call{{tool: "resize_page", args: with(args{"width": 900, "height": 700})}}, hears: titled},
		"screencast_start":            one("screencast_start", with(args{"filePath": "$dir/cast.mp4"}), "it needs ffmpeg, which is not here, and writes a film of what is seen"),
		"screencast_stop":             one("screencast_stop", page, fixed),
		"select_page":                 {calls: []call{{tool: "select_page", args: page}}, hears: titled},
		"take_heapsnapshot":           {calls: []call{{tool: "take_heapsnapshot", args: with(args{"filePath": "$dir/heap.heapsnapshot"})}}, hears: []string{"log", "storage"}},
		"take_screenshot":             one("take_screenshot", page, pixels),
		"take_snapshot": {calls: []call{{tool: "take_snapshot", args: page}, {tool: "take_snapshot", args: with(args{"verbose": true})}, {tool: "take_snapshot", args: with(args{"filePath": "$dir/page.txt"})}},
			hears: strings.Fields(`title opacity label description described placeholder alt query fragment frame-title frame-text`)},
		"type_text":   one("type_text", with(args{"text": "x"}), fixed),
		"upload_file": snap("upload_file", args{"uid": "$button Papers", "filePaths": []string{"$file"}}),
		"wait_for":    {calls: []call{{tool: "wait_for", args: with(args{"text": []string{"Three orders"}})}}, hears: []string{"opacity"}},
	}
}

func playwrightRows(setup harness.Setup) map[string]row {
	// Acts tell of the page in a file that they link to.
	tells := strings.Fields(`opacity label placeholder`)
	act := func(tool string, a args) row { return row{calls: []call{{tool: tool, args: a}}, hears: tells} }
	one := func(tool string, a args, why string) row { return row{calls: []call{{tool: tool, args: a}}, why: why} }
	const still = "it tells of the page only by the link to a snapshot, if it changed"
	r := map[string]row{
		"browser_click":            {calls: []call{{tool: "browser_click", args: args{"target": "$button Act"}}, {tool: "browser_click", args: args{"target": "$link Take"}}, {tool: "browser_snapshot", args: args{}}}, hears: append([]string{"download"}, tells...)},
		"browser_close":            one("browser_close", args{}, fixed),
		"browser_console_messages": {calls: []call{{tool: "browser_console_messages", args: args{"level": "debug", "all": true}}, {tool: "browser_console_messages", args: args{"level": "debug", "filename": "$dir/console.log"}}}, hears: append([]string{"group", "count", "log"}, logged[:4]...)},
		"browser_drag":             act("browser_drag", args{"startTarget": "$button Act", "endTarget": "$button Ask"}),
		"browser_drop":             {calls: []call{{tool: "browser_drop", args: args{"target": "$button Act", "data": args{"text/plain": "x"}}}}, hears: []string{"description"}},
		"browser_emulate_media":    one("browser_emulate_media", args{"colorScheme": "dark"}, still),
		"browser_evaluate":         scriptRow("browser_evaluate", "function", nil),
		"browser_file_upload":      {calls: []call{{tool: "browser_click", args: args{"target": "$button Papers"}}, {tool: "browser_file_upload", args: args{"paths": []string{"$file"}}}}, hears: tells},
		"browser_fill_form":        one("browser_fill_form", args{"fields": []any{args{"name": "Field", "type": "textbox", "target": "$textbox Field", "value": "x"}}}, still),
		"browser_find":             {calls: []call{{tool: "browser_find", args: args{"regex": ".*"}}}, hears: tells},
		"browser_handle_dialog":    {calls: []call{{tool: "browser_click", args: args{"target": "$button Ask"}}, {tool: "browser_handle_dialog", args: args{"accept": true}}}, hears: []string{"title"}},
		"browser_hover":            act("browser_hover", args{"target": "$button Act"}),
		"browser_mouse_click_xy":   act("browser_mouse_click_xy", args{"x": 5, "y": 5}),
		"browser_mouse_down":       one("browser_mouse_down", args{}, still),
		"browser_mouse_drag_xy":    act("browser_mouse_drag_xy", args{"startX": 5, "startY": 5, "endX": 9, "endY": 9}),
		"browser_mouse_move_xy":    one("browser_mouse_move_xy", args{"x": 5, "y": 5}, still),
		"browser_mouse_up":         one("browser_mouse_up", args{}, still),
		"browser_mouse_wheel":      one("browser_mouse_wheel", args{"deltaX": 0, "deltaY": 5}, still),
		"browser_navigate":         {calls: []call{{tool: "browser_navigate", args: args{"url": "$page"}}}, hears: append([]string{"title"}, tells...)},
		"browser_navigate_back":    {calls: []call{{tool: "browser_navigate", args: args{"url": "$page?2"}}, {tool: "browser_navigate_back", args: args{}}}, hears: []string{"title"}},
		"browser_network_request": {calls: append(append(numbered("browser_network_request", "index", 1, 12, nil), numbered("browser_network_request", "index", 1, 12, args{"part": "response-body"})...),
			append(numbered("browser_network_request", "index", 1, 12, args{"part": "request-body"}), numbered("browser_network_request", "index", 1, 12, args{"part": "response-headers", "filename": "$dir/headers.txt"})...)...),
			hears: strings.Fields(`body error-body header query request-header request-body`)},
		"browser_network_requests": {calls: []call{{tool: "browser_network_requests", args: args{"static": true}}, {tool: "browser_network_requests", args: args{"static": true, "filename": "$dir/network.log"}}}, hears: []string{"query", "redirect"}},
		"browser_press_key":        one("browser_press_key", args{"key": "Shift"}, still),
		"browser_resize":           one("browser_resize", args{"width": 900, "height": 700}, still),
		"browser_run_code_unsafe": {calls: []call{
			{tool: "browser_run_code_unsafe", args: args{"code": `async page => page.title()`}},
			{tool: "browser_run_code_unsafe", args: args{"code": `async page => ({[await page.locator("#hidden").textContent()]: [await page.context().cookies(), await page.content()]})`}},
			{tool: "browser_run_code_unsafe", args: args{"code": `async page => { throw new Error(await page.locator("#hidden").textContent()) }`}},
		}, hears: strings.Fields(`title opacity cookie comment meta`)},
		"browser_select_option":   act("browser_select_option", args{"target": "$combobox Pick", "values": []string{"Large"}}),
		"browser_snapshot":        {calls: []call{{tool: "browser_snapshot", args: args{}}, {tool: "browser_snapshot", args: args{"boxes": true}}, {tool: "browser_snapshot", args: args{"filename": "$dir/page.yml"}}}, hears: append([]string{"frame-text", "alt", "query"}, tells...)},
		"browser_tabs":            {calls: []call{{tool: "browser_tabs", args: args{"action": "list"}}, {tool: "browser_tabs", args: args{"action": "new", "url": "$page"}}, {tool: "browser_tabs", args: args{"action": "close", "index": 1}}}, hears: []string{"title"}},
		"browser_take_screenshot": one("browser_take_screenshot", args{}, pixels),
		"browser_type":            one("browser_type", args{"target": "$textbox Field", "text": "x"}, still),
		"browser_wait_for":        {calls: []call{{tool: "browser_wait_for", args: args{"text": "Three orders"}}}, hears: tells},
	}
	if setup == harness.Firefox {
		// Going back times out there, without Moiré too.
		r["browser_navigate_back"] = row{calls: []call{{tool: "browser_navigate", args: args{"url": "$page?2"}}}, hears: []string{"title"}}
		console := r["browser_console_messages"]
		console.hears = slices.DeleteFunc(slices.Clone(console.hears), func(c string) bool { return c == "error-stack" }) // errors are told without
		r["browser_console_messages"] = console
	}
	return r
}

// flags have the upstream list all tools that an adapter knows.
func flags(setup harness.Setup) []string {
	if setup == harness.Isolated {
		return []string{"--experimentalVision", "--categoryExperimentalWebmcp", "--chromeArg=--enable-features=WebMCP",
			"--chromeArg=--unsafely-treat-insecure-origin-as-secure=http://" + host}
	}
	return []string{"--caps", "vision"}
}

// unheard are channels of the page that no tool of the upstream carries to the
// bare agent, and why.
func unheard(setup harness.Setup) map[string]string {
	if setup == harness.Isolated {
		return map[string]string{"download": "the upstream says nothing of downloads"}
	}
	return nil // the source of the page, which is a body, has what its tools say
}

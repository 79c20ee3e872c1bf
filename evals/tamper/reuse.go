package tamper

import (
	"net/http"
	"sync"
	"time"

	netbed "moire/testdata/net"
)

// white covers the whole of the box that it stands in.
const white = `position:absolute;inset:0;background:#fff`

// reuse changes what is seen between two reads of which the second could take
// the first one's word: nothing that a script can observe has changed. The
// secret shows at first and is hidden then.
func reuse() []*Page {
	var out []*Page
	add := func(name, html, script string) *Page {
		p := &Page{Name: "reuse-" + name, HTML: document(`<p>` + visible + `</p>` + html), Hidden: []string{secret}, Shown: []string{visible},
			Do: After(script)}
		out = append(out, p)
		return p
	}
	x := `<p id="x" class="x">` + secret + `</p>`
	add("insert-rule", `<style id="s">.y{color:red}</style>`+x, `s.sheet.insertRule('.x{opacity:0}')`)
	add("delete-rule", `<style id="s">.x{opacity:1!important}</style><style>.x{opacity:0}</style>`+x, `s.sheet.deleteRule(0)`)
	add("rule-style", `<style id="s">.x{opacity:1}</style>`+x, `s.sheet.cssRules[0].style.setProperty('opacity',0)`)
	add("selector-text", `<style id="s">.y{opacity:0}</style>`+x, `s.sheet.cssRules[0].selectorText='.x'`)
	add("keyframes-rule", `<style id="s">@keyframes k{from,to{opacity:1}}.x{animation:k 1s paused both}</style>`+x,
		`s.sheet.cssRules[0].deleteRule('0%');s.sheet.cssRules[0].deleteRule('100%');s.sheet.cssRules[0].appendRule('from,to{opacity:0}')`)
	add("replace-sync", `<script>const s=new CSSStyleSheet();s.replaceSync('.y{opacity:0}');document.adoptedStyleSheets=[s]</script>`+x,
		`s.replaceSync('.x{opacity:0}')`)
	add("adopted", x, `const n=new CSSStyleSheet();n.replaceSync('.x{opacity:0}');document.adoptedStyleSheets.push(n)`)
	add("disabled", `<style id="s">.x{opacity:0}</style><script>s.sheet.disabled=true</script>`+x, `s.sheet.disabled=false`)
	add("media-text", `<style id="s">.x{opacity:0}</style><script>s.sheet.media.mediaText='print'</script>`+x, `s.sheet.media.mediaText='all'`)
	add("register-property", `<style>.x{opacity:var(--o)}</style>`+x, `CSS.registerProperty({name:'--o',syntax:'<number>',inherits:false,initialValue:'0'})`)
	add("checked", `<style>:checked~.x{opacity:0}</style><input type="checkbox" id="c">`+x, `c.checked=true`)
	add("validity", `<style>:invalid~.x{opacity:0}</style><input id="c">`+x, `c.setCustomValidity('no')`)
	add("focus", `<style>:focus~.x{opacity:0}</style><input id="c">`+x, `c.focus()`)
	add("target", `<style>:target{opacity:0}</style>`+x, `location.hash='x'`)
	add("state", `<style>x-s:state(on){opacity:0}</style><x-s id="x">`+secret+`</x-s><script>let i;customElements.define('x-s',class extends HTMLElement{
constructor(){super();i=this.attachInternals()}})</script>`, `i.states.add('on')`)
	add("seek", x+`<script>const a=x.animate([{opacity:1},{opacity:0}],{duration:1000,fill:'both'});a.pause()</script>`, `a.currentTime=1000`)
	add("set-keyframes", x+`<script>const a=x.animate([{opacity:1},{opacity:1}],{duration:1000,fill:'both'});a.pause()</script>`,
		`a.effect.setKeyframes([{opacity:0},{opacity:0}])`)
	add("cancel", `<style>.x{opacity:0}</style>`+x+`<script>const a=x.animate([{opacity:1},{opacity:1}],{duration:1000,fill:'both'});a.pause()</script>`, `a.cancel()`)
	add("typed-style", x, `x.attributeStyleMap.set('opacity',0)`)
	add("container", `<style>#b{width:500px;container-type:inline-size}@container (width<300px){.x{opacity:0}}</style><div id="b">`+x+`</div>
<style id="s">.z{color:red}</style>`, `s.sheet.insertRule('#b{width:200px}')`)
	return append(append(append(out, scrolled()...), layered()...), hiddenTrees()...)
}

// stop keeps every event from whoever listens behind the page.
const stop = `<script>for(const t of ['scroll','load','error','toggle','input','change'])for(const n of [window,document])
n.addEventListener(t,e=>e.stopImmediatePropagation(),true)</script>`

// scrolled moves and draws without a change of style, layout or document.
func scrolled() []*Page {
	var out []*Page
	add := func(name, html, script string) *Page {
		p := &Page{Name: "reuse-" + name, HTML: document(stop + `<p>` + visible + `</p>` + html), Hidden: []string{secret}, Shown: []string{visible},
			Do: After(script)}
		out = append(out, p)
		return p
	}
	stage := `<div id="b" style="overflow:hidden;height:60px"><p id="x" style="margin:0;height:60px">` + secret +
		`</p><p style="margin:0;height:60px">Second act</p></div>`
	add("scroll-inner", stage, `b.scrollTop=60`).Shown = []string{visible, "Second act"}
	add("scroll-window", `<style>html{overflow:hidden;height:100vh}</style><p id="x">`+secret+`</p><div style="height:2000px"></div><p>Second act</p>`,
		`scrollTo(0,3000)`).Shown = []string{"Second act"}
	add("scroll-closed", `<div id="h"></div>`+`<script>const r=h.attachShadow({mode:'closed'});r.innerHTML=`+"`"+stage+"`"+`;const b=r.firstChild</script>`,
		`b.scrollTop=60`)
	add("scroll-frame", `<iframe id="f" srcdoc='`+stage+`' width="500" height="150"></iframe>`,
		`f.contentDocument.getElementById('b').scrollTop=60`)
	add("scroll-opened", `<p>Old</p><script>addEventListener('load',()=>setTimeout(()=>{if(window.once)return;window.once=1},0))</script>`+stage,
		`const h=document.body.innerHTML;document.open();document.write('<body>'+h);document.close();`)
	reopened := out[len(out)-1]
	reopened.HTML = document(`<p>` + visible + `</p>` + stage)
	reopened.Do = func(a Agent) {
		a.Read()
		run(a, `const h=document.body.innerHTML;document.open();document.write('<body>'+h);document.close()`)
		a.Read()
		run(a, `document.getElementById('b').scrollTop=60`)
		a.Read()
	}
	add("scroll-timeline", `<style>@keyframes k{from{opacity:1}to{opacity:0}}#t{overflow:hidden;height:40px;scroll-timeline:--t}
main{timeline-scope:--t}#x{animation:k linear both;animation-timeline:--t}</style><main><div id="t"><div style="height:500px"></div></div><p id="x">`+secret+`</p></main>`,
		`t.scrollTop=460`)
	add("scroll-anchor", `<style>#s{overflow:hidden;height:60px;position:relative}#a{anchor-name:--a;height:20px;margin-top:100px}
#c{position:absolute;position-anchor:--a;top:anchor(top);left:0;width:600px;height:60px;background:#fff}</style>
<div id="w" style="position:relative"><p id="x" style="height:60px;margin:0">`+secret+`</p><div id="s"><div id="a"></div><div style="height:600px"></div></div><div id="c"></div></div>`,
		`s.scrollTop=160`)
	add("marquee", `<marquee id="m" behavior="slide" loop="1" scrollamount="200" scrolldelay="60" direction="left" width="600">`+secret+`</marquee>`,
		`m.behavior='scroll';m.loop=-1;m.scrollDelay=100000;m.trueSpeed=true;m.start()`)
	add("smil", `<svg width="600" height="40" id="g"><text x="0" y="20" id="x">`+secret+`<set attributeName="opacity" to="0" begin="100s"/></text></svg>`,
		`g.setCurrentTime(101)`)
	late := add("late-image", `<div style="position:relative;height:60px"><p id="x">`+secret+`</p><img id="i" width="600" height="60" style="position:absolute;left:0;top:0"></div><script>
addEventListener('DOMContentLoaded',()=>setTimeout(()=>{i.src='/late.png?'+(window.k=Math.random())},60))</script>`,
		`fetch('/release?'+k).then(r=>r.text())`)
	late.Serve = lateImage
	return out
}

// lateImage answers for a picture when its release has been asked for.
func lateImage(bed *netbed.Bed, host string) {
	var mu sync.Mutex
	gates := map[string]chan struct{}{}
	gate := func(r *http.Request) chan struct{} {
		mu.Lock()
		defer mu.Unlock()
		if gates[r.URL.RawQuery] == nil {
			gates[r.URL.RawQuery] = make(chan struct{})
		}
		return gates[r.URL.RawQuery]
	}
	bed.Handle(host, "GET /release", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { close(gate(r)) }))
	bed.Handle(host, "GET /late.png", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate(r):
		case <-r.Context().Done():
			return
		case <-time.After(20 * time.Second):
			return
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60"><rect width="600" height="60" fill="#fff"/></svg>`))
	}))
}

// layered brings something above the secret.
func layered() []*Page {
	var out []*Page
	add := func(name, html, script string) *Page {
		p := &Page{Name: "reuse-" + name, HTML: document(html), Hidden: []string{secret}, Shown: []string{visible},
			Do: After(script)}
		out = append(out, p)
		return p
	}
	x := `<p id="x" class="x">` + secret + `</p>`
	sheet := `style="position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;background:#fff;margin:0;border:0"`
	add("dialog", x+`<dialog id="d" `+sheet+`><p>`+visible+`</p></dialog>`, `d.showModal()`).Raw = []string{visible}
	add("popover", x+`<div popover="manual" id="d" `+sheet+`><p>`+visible+`</p></div>`, `d.showPopover()`)
	add("details", `<p>`+visible+`</p><details id="d" open><summary>More</summary>`+x+`</details>`, `d.open=false`).Raw = []string{visible}
	add("highlight", `<style>::highlight(h){color:#fff;background-color:#fff}</style><p>`+visible+`</p>`+x,
		`const r=new Range();r.selectNodeContents(x);CSS.highlights.set('h',new Highlight(r))`)
	add("highlight-range", `<style>::highlight(h){color:#fff;background-color:#fff}</style><p>`+visible+`</p>`+x+
		`<script>const r=new Range();r.setStart(x,0);r.setEnd(x,0);CSS.highlights.set('h',new Highlight(r))</script>`,
		`r.selectNodeContents(x)`)
	add("selection", `<style>#x::selection{color:#fff;background:#fff}</style><p>`+visible+`</p>`+x, `getSelection().selectAllChildren(x)`)
	add("fullscreen", `<button id="b">Watch</button>`+x+`<div id="d"><p>`+visible+`</p></div><script>b.onclick=()=>d.requestFullscreen()</script>`, ``).
		Do = func(a Agent) {
		a.Read()
		click(a, "Watch")
		time.Sleep(300 * time.Millisecond)
		a.Read()
	}
	out[len(out)-1].Harmless = true // the upstream leaves out what is under a full screen
	add("content-visibility", `<p>`+visible+`</p><style id="s">#v{content-visibility:auto;contain-intrinsic-size:100px}.x{color:#222}</style>
<div style="height:4000px"></div><div id="v">`+x+`</div>`, `s.sheet.cssRules[1].style.setProperty('color','#fff')`).
		Harmless = true // the upstream leaves out what is not rendered yet
	return out
}

// hiddenTrees change inside trees of their own.
func hiddenTrees() []*Page {
	var out []*Page
	add := func(name, html, script string) *Page {
		p := &Page{Name: "reuse-" + name, HTML: document(`<p>` + visible + `</p>` + html), Hidden: []string{secret}, Shown: []string{visible},
			Do: After(script)}
		out = append(out, p)
		return p
	}
	x := `<p id="x" class="x">` + secret + `</p>`
	add("closed-later", `<div style="position:relative">`+x+`<div id="h"></div></div>`,
		`h.attachShadow({mode:'closed'}).innerHTML='<div style="`+white+`"></div>'`)
	add("closed-sheet", `<div id="h"></div><script>const r=h.attachShadow({mode:'closed'});r.innerHTML='<style>.z{color:red}</style>`+x+
		`';const sheet=r.querySelector('style').sheet</script>`, `sheet.insertRule('.x{opacity:0}')`)
	add("closed-adopted", `<div id="h"></div><script>const r=h.attachShadow({mode:'closed'});r.innerHTML='`+x+`'</script>`,
		`const n=new CSSStyleSheet();n.replaceSync('.x{opacity:0}');r.adoptedStyleSheets=[n]`)
	add("closed-text", `<div id="h"></div><script>const r=h.attachShadow({mode:'closed'});r.innerHTML='<p>Inner</p><p style="opacity:0" id="x">Old</p>'</script>`,
		`r.getElementById('x').firstChild.data='`+secret+`'`)
	add("host-style", `<div id="h"></div><script>h.attachShadow({mode:'closed'}).innerHTML='`+x+`'</script>`, `h.style.opacity=0`)
	add("slot-assign", `<div id="h">`+x+`</div><script>const r=h.attachShadow({mode:'closed',slotAssignment:'manual'});
r.innerHTML='<slot id="a"></slot><div style="opacity:0"><slot id="b"></slot></div>';r.getElementById('a').assign(x)</script>`,
		`r.getElementById('a').assign();r.getElementById('b').assign(x)`)
	add("frame-same", `<iframe id="f" srcdoc="<style>.z{color:red}</style><p class=x>`+secret+`</p>" width="500" height="100"></iframe>`,
		`f.contentDocument.styleSheets[0].insertRule('.x{opacity:0}')`)
	add("frame-foreign", `<iframe id="f" src="http://reuse-inner.test/" width="500" height="100"></iframe>`,
		`f.contentWindow.postMessage('hide','*')`).with("//reuse-inner.test/",
		document(`<style id="s">.z{color:red}</style>`+x+`<script>onmessage=()=>s.sheet.insertRule('.x{opacity:0}')</script>`))
	add("frame-foreign-scroll", `<iframe id="f" src="http://reuse-scroll.test/" width="500" height="100"></iframe>`,
		`f.contentWindow.postMessage('hide','*')`).with("//reuse-scroll.test/",
		document(stop+`<div id="b" style="overflow:hidden;height:50px"><p style="height:60px;margin:0">`+secret+`</p><p style="height:60px">Second act</p></div>
<script>onmessage=()=>b.scrollTop=70</script>`))
	add("frame-sandboxed", `<iframe id="f" sandbox="allow-scripts" src="/inner" width="500" height="100"></iframe>`,
		`f.contentWindow.postMessage('hide','*')`).with("/inner",
		document(`<style id="s">.z{color:red}</style>`+x+`<script>onmessage=()=>s.sheet.insertRule('.x{opacity:0}')</script>`))
	add("value", `<style>#c{color:#fff;background:#fff}</style><input id="c" value="Old">`, `c.value='`+secret+`'`)
	add("option", `<div style="opacity:0"><select><option id="c">Old</option></select></div>`, `c.label='`+secret+`'`)
	add("aria", `<x-b id="c" tabindex="0">Ship</x-b><script>let i;customElements.define('x-b',class extends HTMLElement{constructor(){super();i=this.attachInternals();i.role='button'}})</script>`,
		`i.ariaLabel='`+secret+`'`)
	return out
}

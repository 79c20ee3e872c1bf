package tamper

import "time"

// filler makes a look long enough for the page to notice.
const filler = `<script>for(let i=0;i<2000;i++){const p=document.createElement('p');p.textContent='Row '+i;document.body.append(p)}</script>`

// timing shows what an agent reads when nobody can read it.
func timing() []*Page {
	body := func(name, html string) *Page {
		return &Page{Name: "time-" + name, HTML: document(`<p>` + visible + `</p>` + html), Hidden: []string{secret}, Shown: []string{visible},
			Do: Wait(300 * time.Millisecond)}
	}
	x := `<p id="x" style="opacity:0">` + secret + `</p>`
	out := []*Page{
		body("flash-frame", x+`<script>let n=0;(function f(){x.style.opacity=++n%60?0:1;requestAnimationFrame(f)})()</script>`),
		body("flash-timer", x+`<script>let n=0;setInterval(()=>{x.style.opacity=++n%80?0:1},4)</script>`),
		body("flash-css", `<style>@keyframes k{0%,99%{opacity:0}99.5%,100%{opacity:1}}#x{animation:k 2s linear infinite}</style>`+x),
		body("flash-waapi", x+`<script>x.animate([{opacity:0},{opacity:0,offset:.995},{opacity:1}],{duration:2000,iterations:Infinity})</script>`),
		body("flash-property", `<style>@property --o{syntax:'<number>';inherits:true;initial-value:0}@keyframes k{0%,99.4%{--o:0}100%{--o:1}}
body{animation:k 2s steps(200) infinite}#x{opacity:var(--o)!important}</style>`+x),
		body("endless", x+`<style>@keyframes s{to{transform:rotate(1turn)}}.s{width:20px;height:20px;background:#06c;animation:s 1s linear infinite}</style>
<div class="s"></div><div id="w" class="s"></div><p id="t">tick</p><script>w.animate([{opacity:.4},{opacity:1}],{duration:400,iterations:Infinity});
let n=0;(function f(){t.style.paddingLeft=(++n%40)+'px';requestAnimationFrame(f)})()</script>`),
		// On a long pause of the main thread the text shows for a moment.
		body("on-pause", x+`<script>let last=performance.now(),c=new MessageChannel();c.port1.onmessage=()=>{const now=performance.now();
if(now-last>4){x.style.opacity=1;setTimeout(()=>x.style.opacity=0,400)}last=now;c.port2.postMessage(0)};c.port2.postMessage(0)</script>`+filler),
		body("on-devtools", x+`<script>const bait=new Error();Object.defineProperty(bait,'stack',{get(){x.style.opacity=1;setTimeout(()=>x.style.opacity=0,4);return ''}});
const o={};Object.defineProperty(o,'id',{get(){return bait.stack},enumerable:true});
setInterval(()=>{console.debug(bait);console.log(o);console.log('%c',o);const t=performance.now();debugger;if(performance.now()-t>50)bait.stack},60)</script>`),
		body("on-focus", `<div id="x"></div><script>const f=()=>{x.innerHTML='<p style="opacity:0">`+secret+`</p>'};
for(const e of ['focus','visibilitychange','pageshow','blur','resize'])addEventListener(e,f,true);document.addEventListener('visibilitychange',f);f()</script>`),
		body("on-mutation", x+`<script>new MutationObserver(l=>{if(l.some(m=>m.target!==x)){x.style.opacity=1;setTimeout(()=>x.style.opacity=0,5)}}).observe(document,{subtree:true,childList:true,attributes:true});
new ResizeObserver(()=>{x.title='r'}).observe(x);new IntersectionObserver(()=>{x.lang='en'}).observe(x)</script>`),
		body("steps", x+`<style>#x{transition:opacity 1s step-end}</style><script>setInterval(()=>{x.style.opacity=x.style.opacity==1?0:1},700)</script>`),
	}
	return append(out, paints()...)
}

// paints hide by what no computed style of the element says.
func paints() []*Page {
	body := func(name, html string) *Page {
		return &Page{Name: "paint-" + name, HTML: document(`<p>` + visible + `</p>` + html), Hidden: []string{secret}, Shown: []string{visible},
			Do: Wait(100 * time.Millisecond)}
	}
	x := `<p id="x">` + secret + `</p>`
	return []*Page{
		body("highlight", `<style>::highlight(h){color:#fff;background-color:#fff}</style>`+x+
			`<script>const r=new Range();r.selectNodeContents(x);CSS.highlights.set('h',new Highlight(r))</script>`),
		body("selection", `<style>#x::selection{color:#fff;background:#fff}</style>`+x+
			`<script>getSelection().selectAllChildren(x)</script>`),
		body("first-line", `<style>#x::first-line{color:#fff}</style>`+x),
		body("outline", `<style>#x{outline:60px solid #fff;outline-offset:-60px;width:400px;height:80px}</style>`+x),
		body("view-transition", `<style>::view-transition-group(*),::view-transition-old(*){animation:none}::view-transition-new(*){display:none}
::view-transition-old(root){animation:k 9999s}@keyframes k{to{outline-offset:1px}}</style><div id="d">`+visible+`</div>
<script>setTimeout(()=>document.startViewTransition(()=>{d.insertAdjacentHTML('beforeend','<p>`+secret+`</p>')}),60)</script>`).
			showing(),
	}
}

// showing sets what passes.
func (p *Page) showing(words ...string) *Page {
	p.Shown = words
	return p
}

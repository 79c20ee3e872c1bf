package tamper

import (
	"strings"
	"time"

	"moire/evals/harness"
)

// load tries to outgrow the scan.
func load() []*Page {
	rows := `<script>(()=>{const d=document.createDocumentFragment();for(let i=0;i<%N;i++){const p=document.createElement('i');p.textContent='n'+i%10;d.append(p)}
document.body.append(d)})()</script>`
	body := func(name, html string) *Page {
		return &Page{Name: "load-" + name, HTML: document(`<p>` + visible + `</p><p style="opacity:0">` + secret + `</p>` + html),
			Hidden: []string{secret}, Shown: []string{visible}}
	}
	hundred := body("hundred-thousand", strings.ReplaceAll(rows, "%N", "50000")+`<p>Last words</p>`)
	hundred.Within, hundred.Slow = 60*time.Second, true
	deep := func(n string) string {
		return `<div id="deep"></div><p>After the well</p><script>let d=deep;for(let i=0;i<` + n + `;i++){const e=document.createElement('div');d.append(e);d=e}
d.textContent='At the bottom'</script>`
	}
	well := body("deep-400", deep("400"))
	well.Shown = []string{visible, "At the bottom", "After the well"}
	abyss := body("deep-2000", deep("2000"))
	abyss.Fails, abyss.Within = "scanning", 30*time.Second
	storm := body("mutation-storm", `<div id="z"></div><script>const c=new MessageChannel();c.port1.onmessage=()=>{for(let i=0;i<200;i++){
const e=document.createElement('b');e.textContent='m'+i;z.append(e);if(z.childNodes.length>400)z.firstChild.remove()}setTimeout(()=>c.port2.postMessage(0),1)};
c.port2.postMessage(0);setInterval(()=>{document.body.setAttribute('data-n',Math.random())},1)</script>`)
	timers := body("busy-timers", `<script>(function f(){const t=performance.now();while(performance.now()-t<80);setTimeout(f,0)})()</script>`)
	timers.Within = 30 * time.Second
	roots := body("closed-roots", `<script>for(let i=0;i<1500;i++){const e=document.createElement('span');document.body.append(e);
e.attachShadow({mode:'closed'}).innerHTML='<b>c'+i+'</b>'}</script><p>Last words</p>`)
	many := body("closed-roots-too-many", `<script>for(let i=0;i<2100;i++){const e=document.createElement('span');document.body.append(e);
e.attachShadow({mode:'closed'}).innerHTML='<b>c</b>'}</script>`)
	many.Fails, many.Shown = "closed", nil
	return []*Page{hundred, well, abyss, storm, timers, roots, many,
		body("huge-attribute", `<p id="big">Big</p><script>big.title='x'.repeat(3e6);big.className='c '.repeat(2e5)</script>`),
		body("many-sheets", `<script>for(let i=0;i<300;i++){const s=document.createElement('style');s.textContent='.q'+i+'{opacity:.9}'.repeat(1)+Array.from({length:60},(_,k)=>'.w'+i+'-'+k+':not(.a,.b:has(c)){filter:none}').join('');
document.head.append(s)}</script>`),
		body("lone-surrogates", `<p id="l"></p><script>l.textContent='Half \ud800 and \udc00 characters \u0000';document.title='\udfff'</script>`),
	}
}

// blocking keeps scripts from running, or takes the page away meanwhile.
func blocking() []*Page {
	body := func(name, html string) *Page {
		return &Page{Name: "block-" + name, HTML: document(`<p>` + visible + `</p><p style="opacity:0">` + secret + `</p>` + html),
			Hidden: []string{secret}, Shown: []string{visible}}
	}
	alert := body("alerts", `<script>let n=0;setInterval(()=>{if(++n>4&&n<8)alert('`+visible+`')},80)</script>`)
	alert.Fails, alert.Raw, alert.Do = "dialog", []string{"dialog"}, Wait(600*time.Millisecond)
	confirm := body("confirm-once", `<script>setTimeout(()=>confirm('Sure?'),150)</script>`)
	confirm.Do = func(a Agent) {
		time.Sleep(400 * time.Millisecond)
		a.Do(harness.Dismiss, "")
		a.Read()
	}
	unload := body("beforeunload", `<button>Touch</button><script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'})</script>`)
	unload.Do = func(a Agent) {
		a.Read()
		click(a, "Touch") // else the browser asks nobody
		a.Read()
	}
	reload := body("reload-loop", `<script>setTimeout(()=>location.replace('/?'+Math.random()),30)</script>`)
	reload.Fails, reload.Harmless = "navigates", true // it leaves no time to the upstream either
	frameLoop := body("frame-loop", `<iframe id="f" srcdoc="x" width="90" height="40"></iframe><script>let n=0;setInterval(()=>{f.srcdoc='<p>n'+n+++'</p>'},15)</script>`)
	frameLoop.Fails = "navigates"
	churn := body("frame-churn", `<script>setInterval(()=>{const f=document.createElement('iframe');f.srcdoc='<p>in</p>';document.body.append(f);setTimeout(()=>f.remove(),40)},25)</script>`)
	churn.Fails = "navigates"
	popup := body("popups", `<script>let n=0;const t=setInterval(()=>{window.open('about:blank','w'+n,'width=90');if(++n>3)clearInterval(t)},50)</script>`)
	return []*Page{alert, confirm, unload, reload, frameLoop, churn, popup}
}

// busyLoop never lets another script run once it has been read.
func busyLoop() *Page {
	return &Page{Name: "block-busy-loop", HTML: document(`<p>` + visible + `</p><p style="opacity:0">` + secret + `</p><script>
setTimeout(()=>{for(;;);},1200)</script>`), Hidden: []string{secret}, Fails: "busy", Do: func(a Agent) {
		a.Read()
		time.Sleep(1200 * time.Millisecond)
		a.Read()
	}}
}

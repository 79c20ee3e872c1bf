package tamper

// closed makes a script that fills a closed shadow root of the element id.
func closed(id, html string) string {
	return "<script>document.getElementById('" + id + "').attachShadow({mode:'closed'}).innerHTML=`" + html + "`</script>"
}

// shadows hide in trees that no script of the page finds again.
func shadows() []*Page {
	body := func(name, html string) *Page {
		return &Page{Name: "shadow-" + name, HTML: document(html), Hidden: []string{secret}, Shown: []string{visible}}
	}
	return []*Page{
		body("closed", `<div id="h"></div>`+closed("h", `<p>`+visible+`</p><p style="opacity:0">`+secret+`</p>`)),
		body("closed-sheet", `<div id="h"></div>`+closed("h", `<style>:host{display:block} .s{color:#fff}</style><p>`+visible+`</p><p class="s">`+secret+`</p>`)),
		body("closed-overlay", `<p>`+visible+`</p><div style="position:relative"><p>`+secret+`</p><div id="h"></div></div>`+
			closed("h", `<div style="position:absolute;inset:0;background:#fff"></div>`)),
		// So deep that the browser refuses to write the tree as one value.
		body("closed-deep", `<div id="deep"></div><script>let d=deep;for(let i=0;i<700;i++){const e=document.createElement('div');d.append(e);d=e}</script>
<div id="v"></div><div style="position:relative"><p>`+secret+`</p><div id="h"></div></div>`+
			closed("v", `<p>`+visible+`</p>`)+closed("h", `<div style="position:absolute;inset:0;background:#fff"></div>`)),
		body("closed-deep-frame", `<div id="deep"></div><script>let d=deep;for(let i=0;i<700;i++){const e=document.createElement('div');d.append(e);d=e}</script>
<iframe src="/inner" width="500" height="150"></iframe>`).with("/inner",
			document(`<div id="v"></div><div style="position:relative"><p>`+secret+`</p><div id="h"></div></div>`+
				closed("v", `<p>`+visible+`</p>`)+closed("h", `<div style="position:absolute;inset:0;background:#fff"></div>`))),
		body("closed-nested", `<div id="h"></div><script>let at=document.getElementById('h');for(let i=0;i<12;i++){const r=at.attachShadow({mode:'closed'});
at=document.createElement('div');r.append(at)}at.innerHTML='<p>`+visible+`</p><p style="text-indent:-9999px">`+secret+`</p>'</script>`),
		body("closed-slots", `<div id="h"><span slot="a">`+visible+`</span><span slot="b">`+secret+`</span><span slot="c">Order seven is paid</span></div>`+
			closed("h", `<p><slot name="a"></slot></p><p style="opacity:0"><slot name="b"></slot></p><p><slot name="c"></slot></p>`)),
		body("closed-late", `<div id="h"></div><p>`+visible+`</p><script>setTimeout(()=>{const r=document.getElementById('h').attachShadow({mode:'closed'});
r.innerHTML='<p style="clip-path:inset(50%)">`+secret+`</p>'},30)</script>`),
		body("closed-adopted", `<div id="h"></div><script>const r=document.getElementById('h').attachShadow({mode:'closed'});
r.innerHTML='<p>`+visible+`</p><p class="s">`+secret+`</p>';const s=new CSSStyleSheet();s.replaceSync('.s{opacity:0}');r.adoptedStyleSheets=[s]</script>`),
		body("closed-in-frame", `<iframe src="/inner" width="500" height="120"></iframe>`).with("/inner",
			document(`<div id="h"></div>`+closed("h", `<p>`+visible+`</p><p style="opacity:0">`+secret+`</p>`))),
		body("closed-in-foreign-frame", `<iframe src="http://other-shadow.test/" width="500" height="120"></iframe>`).with("//other-shadow.test/",
			document(`<div id="h"></div>`+closed("h", `<p>`+visible+`</p><p style="opacity:0">`+secret+`</p>`))),
		body("manual-slot", `<div id="h"><p id="a">`+visible+`</p><p id="b">`+secret+`</p></div><script>
const r=document.getElementById('h').attachShadow({mode:'closed',slotAssignment:'manual'});r.innerHTML='<slot></slot><div style="opacity:0"><slot></slot></div>';
const [x,y]=r.querySelectorAll('slot');x.assign(document.getElementById('a'));y.assign(document.getElementById('b'))</script>`),
		body("internals", `<x-tip>`+visible+`</x-tip><script>customElements.define('x-tip',class extends HTMLElement{constructor(){super();
const i=this.attachInternals();i.role='button';i.ariaLabel='`+secret+`';i.ariaDescription='`+secret+`';
i.states.add('on')}})</script>`),
		body("declarative-closed", `<div><template shadowrootmode="closed"><p>`+visible+`</p><p style="position:absolute;left:-9999px">`+secret+`</p></template></div>`),
	}
}

// with adds a further document.
func (p *Page) with(path, html string) *Page {
	if p.More == nil {
		p.More = map[string]string{}
	}
	p.More[path] = html
	return p
}

package tamper

import "fmt"

// frames hide in documents of other origins and processes.
func frames() []*Page {
	both := document(`<p>` + visible + `</p><p style="opacity:0">` + secret + `</p>`)
	all := document(`<p>` + secret + `</p>`)
	tall := document(`<p>` + visible + `</p><div style="height:120px"></div><p>` + secret + `</p>`)
	body := func(name, html, inner string) *Page {
		return (&Page{Name: "frame-" + name, HTML: document(html), Hidden: []string{secret}, Shown: []string{visible}}).
			with("//"+name+"-inner.test/", inner).with("/inner", inner)
	}
	src := func(name string) string { return `src="http://` + name + `-inner.test/"` }
	var out []*Page
	add := func(name, html, inner string) { out = append(out, body(name, html, inner)) }
	add("foreign", `<iframe `+src("foreign")+` width="500" height="150"></iframe>`, both)
	add("sandboxed", `<iframe sandbox src="/inner" width="500" height="150"></iframe>`, both)
	add("sandboxed-foreign", `<iframe sandbox="" `+src("sandboxed-foreign")+` width="500" height="150"></iframe>`, both)
	add("data", `<iframe src='data:text/html,<p>`+visible+`</p><p style="opacity:0">`+secret+`</p>' width="500" height="150"></iframe>`, both)
	add("opacity", `<p>`+visible+`</p><iframe style="opacity:0" `+src("opacity")+` width="500" height="150"></iframe>`, all)
	add("under-overlay", `<p>`+visible+`</p><div style="position:relative;width:520px;height:170px"><iframe `+src("under-overlay")+
		` width="500" height="150"></iframe><div style="position:absolute;inset:0;background:#fff"></div></div>`, all)
	// The overlay, the clip, the filter and the scale take only a part.
	for _, where := range []string{"foreign", "same"} {
		at := func(name string) string {
			if where == "same" {
				return `src="/inner"`
			}
			return src(name + "-" + where)
		}
		add("part-covered-"+where, `<div style="position:relative;width:520px;height:270px"><iframe `+at("part-covered")+
			` width="500" height="250"></iframe><div style="position:absolute;left:0;right:0;top:110px;bottom:0;background:#fff"></div></div>`, tall)
		add("part-clipped-"+where, `<div style="overflow:hidden;height:100px"><iframe `+at("part-clipped")+` width="500" height="250"></iframe></div>`, tall)
		add("filtered-"+where, `<p>`+visible+`</p><iframe style="filter:brightness(100)" `+at("filtered")+` width="500" height="150"></iframe>`, all)
		add("scaled-"+where, `<p>`+visible+`</p><iframe style="transform:scale(.1);transform-origin:0 0" `+at("scaled")+` width="500" height="150"></iframe>`, all)
		add("faint-"+where, `<p>`+visible+`</p><div style="opacity:.25"><iframe `+at("faint")+` width="500" height="150"></iframe></div>`,
			document(`<p style="opacity:.25">`+secret+`</p>`))
		add("backdrop-"+where, `<p>`+visible+`</p><div style="background:#222"><iframe style="color-scheme:light" `+at("backdrop")+` width="500" height="150"></iframe></div>`,
			`<!doctype html><body style="color:#222;background:transparent"><p>`+secret+`</p>`)
	}
	add("nested", `<iframe `+src("nested")+` width="600" height="300"></iframe>`,
		document(`<p>Outer words</p><iframe src="http://nested-deep.test/" width="500" height="200"></iframe>`))
	out[len(out)-1].with("//nested-deep.test/", document(`<iframe src="http://nested-deeper.test/" width="450" height="120"></iframe>`)).
		with("//nested-deeper.test/", both)
	many := ""
	for i := range 90 {
		many += fmt.Sprintf(`<iframe srcdoc="<p>Frame %d</p>" width="90" height="40"></iframe>`, i)
	}
	add("many", `<p>`+visible+`</p>`+many+`<iframe `+src("many")+` width="500" height="150" style="opacity:0"></iframe>`, all)
	add("moved", `<p>`+visible+`</p><iframe id="f" src="/inner" width="500" height="150"></iframe>`, `<p>Inner</p>`)
	out[len(out)-1].Do = After(`const f=document.getElementById('f');f.contentDocument.body.innerHTML='<p style="opacity:0">` + secret + `</p>'`)
	return out
}

package netbed

import (
	"bytes"
	"html/template"
	"net/http"
)

// The index is for people who try Moiré by hand: what it should say per page.
const indexSource = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fixture pages</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em; }
td, th {
  text-align: left; vertical-align: top;
  padding: 4px 12px; border-top: 1px solid #ccc;
}
</style>
<h1>Fixture pages</h1>
<table>
<tr><th>Page</th><th>Why</th><th>Withheld</th><th>Passes</th></tr>
{{range .}}<tr>
<td>
<a href="/p/{{.Slug}}">{{.Slug}}</a>
{{if .Attack}}<a href="/t/{{.Slug}}">twin</a>{{end}}
</td>
<td>
{{.Kind}}. {{.Why}}
{{if ne .Expect.Evaluate "holds"}}<p>evaluate: {{.Expect.Evaluate}}</p>{{end}}
</td>
<td>
{{range .Hidden}}<p>{{.Grade}}: {{.Text}} ({{range .Evidence}} {{.}}{{end}} )</p>
{{end}}{{range .Forged}}<p>no line begins: {{.}}</p>
{{end}}</td>
<td>
{{range .Visible}}<p>{{.}}</p>
{{end}}{{range .Names}}<p>{{.Role}} “{{.Name}}”</p>
{{end}}</td>
</tr>
{{end}}</table>
</html>
`

func index(fixtures []Fixture) http.Handler {
	var page bytes.Buffer
	t := template.Must(template.New("index").Parse(indexSource))
	if err := t.Execute(&page, fixtures); err != nil {
		panic(err) // the template and its data are both in this package
	}
	return document(page.Bytes())
}

package browser

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"moire/embedjs"
)

// By says whose hand made an event.
type By string

// The upstream's events follow a command of its own on the wire; all others are
// the person's.
const (
	ByUpstream By = "upstream"
	ByPerson   By = "person"
)

// Input is a trusted event that the guard saw before any listener of the page,
// with facts of its true target: the element's tag and role, the type of a
// field, the address of a link around it, the action and method of its form. X
// and Y are pixels of its frame's viewport, -1 without a pointer. Key is the
// kind of key, not what it writes. Strings are a page's.
type Input struct {
	By   By     `json:"-"`
	Type string `json:"type"`

	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	Key      string  `json:"key"`
	Tag      string  `json:"tag"`
	Role     string  `json:"role"`
	Field    string  `json:"field"`
	Link     string  `json:"link"`
	Action   string  `json:"action"`
	Method   string  `json:"method"`
	Editable bool    `json:"editable"`
}

// maxReport bounds one report of the guard, in bytes.
const maxReport = 32 << 10

// guard installs the guard on a session, for all documents from their start and
// for those that are there already.
func (p *Pages) guard(of *Page, s *Session) []command {
	s.on(runtime.BindingCalled.Method, func(params []byte) {
		var e runtime.EventBindingCalled
		if len(params) > 2*maxReport || json.Unmarshal(params, &e) != nil || e.Name != p.report {
			return
		}
		var in Input
		if json.Unmarshal([]byte(e.Payload), &in) == nil {
			p.reported(of, in)
		}
	})
	yes := true
	return []command{
		{runtime.CommandEnable, nil},
		{runtime.CommandAddBinding, runtime.AddBindingParams{Name: p.report, ExecutionContextName: p.world}},
		{page.CommandAddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: embedjs.Guard(p.report), WorldName: p.world, RunImmediately: &yes}},
	}
}

// reported attributes an event: the browser has run the upstream's command, or
// is about to, when the guard tells of what it did.
func (p *Pages) reported(of *Page, in Input) {
	in.By = ByPerson
	p.mu.Lock()
	if h := p.hands[of.target]; h.running > 0 || time.Since(h.ended) < handGrace {
		in.By = ByUpstream
	}
	f := p.onInput
	p.mu.Unlock()
	p.log.Debug("input", "by", in.By, "type", in.Type, "role", in.Role)
	if f != nil {
		f(of, in)
	}
}

// handGrace is how much later than the answer to a command its event may be
// told: they come from different processes. A person's event in that time is
// taken for the upstream's.
const handGrace = 50 * time.Millisecond

// hands is what the upstream's commands do to a tab now.
type hands struct {
	running int
	ended   time.Time
}

// acts reports a command that makes trusted events.
func acts(method string) bool {
	return strings.HasPrefix(method, "Input.") || method == "DOM.setFileInputFiles" || method == "DOM.focus"
}

func (p *Pages) begun(id target.ID) {
	h := p.hands[id]
	h.running++
	p.hands[id] = h
}

func (p *Pages) ended(id target.ID) {
	h := p.hands[id]
	h.running = max(0, h.running-1)
	h.ended = time.Now()
	p.hands[id] = h
}

// Guarded says since when the document has the guard: its start, later (it was
// there before us), or never.
func (f *Frame) Guarded(ctx context.Context) (fromStart, guarded bool, err error) {
	since, err := f.Run(ctx, "0", embedjs.Guarded, nil, nil)
	return since == "start", since != "", err
}

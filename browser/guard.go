package browser

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"moire/embedjs"
)

// By says whose hand made an event.
type By string

// The upstream's events follow a command of its own on the wire. Of the others
// those that only a hand can make are the person's, with what follows them: a
// page can bring about trusted changes and submits by script.
const (
	ByUpstream By = "upstream"
	ByPerson   By = "person"
	ByPage     By = "page"
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
func (p *Pages) guard(of *cdpTab, s *Session) []command {
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
	s.on(page.FrameNavigated.Method, func(params []byte) {
		of.navigations.Add(1)
		var e page.EventFrameNavigated
		if json.Unmarshal(params, &e) == nil && e.Frame != nil {
			if s == of.session && e.Frame.ParentID == "" {
				of.setDocument(string(e.Frame.LoaderID))
				if of.from != nil {
					of.from.committed(e.Frame.LoaderID)
				}
			}
			go p.stand(s, e.Frame.ID)
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

// stand puts the guard into a document that began without it: browsers run no
// new-document script in one that takes over the window of a tab's first, empty
// document, and take its listeners away.
func (p *Pages) stand(s *Session, id cdp.FrameID) {
	ctx, cancel := context.WithTimeout(context.Background(), standGrace)
	defer cancel()
	_, unique, err := p.ourWorld(ctx, s, id)
	if err != nil {
		return // the frame is gone, or another document is there, of which there is another event
	}
	_ = s.Send(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: embedjs.Guard(p.report), UniqueContextID: unique})
}

// standGrace is how long a busy document may take to be asked for its world.
const standGrace = 10 * time.Second

// reported attributes an event: the browser has run the upstream's command, or
// is about to, when the guard tells of what it did.
func (p *Pages) reported(of *cdpTab, in Input) {
	now := time.Now()
	p.mu.Lock()
	h := p.hands[of.target]
	switch {
	case h.running > 0 || now.Sub(h.ended) < handGrace:
		in.By = ByUpstream
	case byHand[in.Type]:
		in.By = ByPerson
		h.person = now
		p.hands[of.target] = h
	case now.Sub(h.person) < followGrace:
		in.By = ByPerson
	default:
		in.By = ByPage
	}
	f := p.onInput
	p.mu.Unlock()
	p.log.Debug("input", "by", in.By, "type", in.Type, "role", in.Role)
	if f != nil {
		f(of.Page, in)
	}
}

// byHand are events that no script can make trusted.
var byHand = map[string]bool{
	"pointerdown": true, "mousedown": true, "mouseup": true, "dblclick": true, "auxclick": true, "contextmenu": true,
	"keydown": true, "dragstart": true, "drop": true,
}

// followGrace is how long after a person's hand what comes of it is theirs.
const followGrace = time.Second

// handGrace is how much later than the answer to a command its event may be
// told: they come from different processes. A person's event in that time is
// taken for the upstream's.
const handGrace = 50 * time.Millisecond

// hands is what the upstream's commands do to a tab now.
type hands struct {
	running int
	ended   time.Time
	// person is when a person's hand was there last.
	person time.Time
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
	since, err := asked(ctx, f.page, "asking a document for its guard", func(ctx context.Context) (string, error) {
		return f.page.tab.guarded(ctx, f)
	})
	return since == "start", since != "", err
}

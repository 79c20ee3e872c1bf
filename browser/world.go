package browser

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// worlds are our isolated worlds in the process of one session. The browser's
// numbers of worlds begin anew in each process, so that a number can mean a
// page's own world once a frame has moved on; the unique names never do.
type worlds struct {
	mu   sync.Mutex
	list map[runtime.ExecutionContextID]world
}

type world struct {
	unique string
	frame  cdp.FrameID
}

// follow keeps the list by the session's events.
func (w *worlds) follow(s *Session, name string) {
	w.list = map[runtime.ExecutionContextID]world{}
	s.on(runtime.ExecutionContextCreated.Method, func(params []byte) {
		var e struct {
			Context struct {
				ID       runtime.ExecutionContextID
				UniqueID string
				Name     string
				AuxData  struct{ FrameID cdp.FrameID }
			}
		}
		if json.Unmarshal(params, &e) != nil || e.Context.Name != name {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list[e.Context.ID] = world{e.Context.UniqueID, e.Context.AuxData.FrameID}
	})
	s.on(runtime.ExecutionContextDestroyed.Method, func(params []byte) {
		var e struct{ ExecutionContextID runtime.ExecutionContextID }
		if json.Unmarshal(params, &e) == nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.list, e.ExecutionContextID)
		}
	})
	s.on(runtime.ExecutionContextsCleared.Method, func([]byte) {
		w.mu.Lock()
		defer w.mu.Unlock()
		clear(w.list)
	})
}

// ourWorld returns our world in a frame's document, made now if there is none.
func (p *Pages) ourWorld(ctx context.Context, s *Session, frame cdp.FrameID) (runtime.ExecutionContextID, string, error) {
	made, err := cdp.Call(ctx, cdp.Session(s), page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: p.world})
	if err != nil {
		return 0, "", err
	}
	s.worlds.mu.Lock()
	defer s.worlds.mu.Unlock()
	w, ok := s.worlds.list[made.ExecutionContextID]
	if !ok || w.frame != frame || w.unique == "" {
		return 0, "", errMoved // the document is gone already
	}
	return made.ExecutionContextID, w.unique, nil
}

package browser

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// worlds are isolated worlds in the process of one session: ours, and those in
// which the upstream names elements. The browser's
// numbers of worlds begin anew in each process, so that a number can mean a
// page's own world once a frame has moved on; the unique names never do.
type worlds struct {
	mu   sync.Mutex
	list map[runtime.ExecutionContextID]world
}

type world struct {
	unique string
	frame  cdp.FrameID
	// theirs: it is the upstream's.
	theirs bool
	// prelude is what has run there.
	prelude string
}

// follow keeps the list by the session's events: worlds named ours, and worlds
// whose names begin with theirs, if that is not empty. No page can make one.
func (w *worlds) follow(s *Session, ours, theirs string) {
	w.list = map[runtime.ExecutionContextID]world{}
	s.on(runtime.ExecutionContextCreated.Method, func(params []byte) {
		var e struct {
			Context struct {
				ID       runtime.ExecutionContextID
				UniqueID string
				Name     string
				AuxData  struct {
					FrameID cdp.FrameID
					Type    string
				}
			}
		}
		if json.Unmarshal(params, &e) != nil || e.Context.AuxData.Type != "isolated" {
			return
		}
		upstream := theirs != "" && strings.HasPrefix(e.Context.Name, theirs)
		if e.Context.Name != ours && !upstream {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list[e.Context.ID] = world{unique: e.Context.UniqueID, frame: e.Context.AuxData.FrameID, theirs: upstream}
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

// has reports whether the prelude has run in the world.
func (w *worlds) has(id runtime.ExecutionContextID, unique, prelude string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.list[id].unique == unique && w.list[id].prelude == prelude
}

// ran notes that the prelude has.
func (w *worlds) ran(id runtime.ExecutionContextID, unique, prelude string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at, ok := w.list[id]; ok && at.unique == unique {
		at.prelude = prelude
		w.list[id] = at
	}
}

// scanWorld returns the world in which the upstream names elements, where it has
// one, so that a scan finds the names; else ours. Neither can a page reach.
func (p *Pages) scanWorld(ctx context.Context, s *Session, frame cdp.FrameID) (runtime.ExecutionContextID, string, error) {
	s.worlds.mu.Lock()
	for id, w := range s.worlds.list {
		if w.theirs && w.frame == frame && w.unique != "" {
			s.worlds.mu.Unlock()
			return id, w.unique, nil
		}
	}
	s.worlds.mu.Unlock()
	return p.ourWorld(ctx, s, frame)
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
		return 0, "", ErrMoved // the document is gone already
	}
	return made.ExecutionContextID, w.unique, nil
}

package browser

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// Sources are where the documents and scripts of a tab came from since its main
// document began.
type Sources struct {
	// Loader is the main document's; empty if not all that it brought in is known.
	Loader string
	// Origins are scheme, host and port, each once, in order. What has no origin
	// of its own (data:, blob: of the same, about:) is not among them.
	Origins []string
}

// Sources tells them; nothing is known unless [HostConfig.Sources] was set.
func (p *Page) Sources(ctx context.Context) (Sources, error) {
	return asked(ctx, p, "asking where a tab's scripts come from", p.tab.sources)
}

// sources collects them from the events of a tab's sessions.
type sources struct {
	mu sync.Mutex
	// docs are by the loader id of the main document that was there when the
	// request began, or that the request is for.
	docs map[cdp.LoaderID]map[network.RequestID]string
	main cdp.LoaderID
}

func newSources() *sources {
	return &sources{docs: map[cdp.LoaderID]map[network.RequestID]string{}}
}

// maxSources bounds how many requests of one document are remembered.
const maxSources = 10_000

// watch follows the requests of a session; main is the tab's main frame, empty for
// a worker's.
func (o *sources) watch(s *Session, main cdp.FrameID) {
	s.on(network.RequestWillBeSent.Method, func(params []byte) {
		var e network.EventRequestWillBeSent
		if json.Unmarshal(params, &e) != nil || e.Request == nil {
			o.forget() // then nothing is known
			return
		}
		switch e.Type {
		case network.ResourceTypeDocument, network.ResourceTypeScript:
			o.requested(&e, main)
		case network.ResourceTypeOther: // what a worker imports; in documents pictures of the tab and the like
			if main == "" {
				o.requested(&e, main)
			}
		}
	})
}

// requested notes a request. A redirect comes as another of the same id.
func (o *sources) requested(e *network.EventRequestWillBeSent, main cdp.FrameID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	loader := o.main
	if _, known := o.docs[e.LoaderID]; known || e.Type == network.ResourceTypeDocument && e.FrameID == main {
		loader = e.LoaderID // the main document itself, or what it asks for before it is there
	}
	if o.docs[loader] == nil {
		o.docs[loader] = map[network.RequestID]string{}
	}
	if len(o.docs[loader]) >= maxSources {
		clear(o.docs)
		return
	}
	o.docs[loader][e.RequestID] = originOf(e.Request.URL)
}

// committed notes the main document that a tab has now: what belongs to others
// is forgotten.
func (o *sources) committed(loader cdp.LoaderID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.main = loader
	maps.DeleteFunc(o.docs, func(l cdp.LoaderID, _ map[network.RequestID]string) bool { return l != loader })
}

func (o *sources) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.docs)
}

// of are the origins for a main document; ok is false if its own is not known.
func (o *sources) of(loader cdp.LoaderID) (origins []string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, ok = o.docs[loader][network.RequestID(loader)] // a document's request has its loader's id
	for _, origin := range o.docs[loader] {
		if origin != "" {
			origins = append(origins, origin)
		}
	}
	slices.Sort(origins)
	return slices.Compact(origins), ok
}

// originOf is the origin of an address, empty if it has that of who made it.
func originOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "null"
	case u.Scheme == "data", u.Scheme == "about":
		return ""
	case u.Scheme == "blob":
		return originOf(u.Opaque)
	case u.Host == "":
		return "null"
	}
	return u.Scheme + "://" + u.Host
}

func (p *cdpTab) sources(ctx context.Context) (Sources, error) {
	if p.from == nil {
		return Sources{}, nil
	}
	tree, err := cdp.Call(ctx, cdp.Session(p.session), page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return Sources{}, err
	}
	if tree.FrameTree == nil || tree.FrameTree.Frame == nil {
		return Sources{}, ErrMoved
	}
	loader := tree.FrameTree.Frame.LoaderID
	origins, ok := p.from.of(loader)
	if !ok {
		return Sources{}, nil
	}
	return Sources{Loader: string(loader), Origins: origins}, nil
}

package proxy

import (
	"cmp"
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"moire/classify"
	"moire/policy"
)

// reader looks at what reached the agent behind the reply: an agent takes its time
// until it acts, and no act is decided on before that is done.
type reader struct {
	// turn is held by the one who looks.
	turn chan struct{}
	// seen are digests of the last texts, for whose turn it is.
	seen [maxSeen][sha256.Size]byte
	next int

	mu     sync.Mutex
	unread int
	// err is why what was found could not be noted.
	err error
	// idle is closed when nothing is unread any more.
	idle chan struct{}
}

// maxUnread bounds the texts that wait to be looked at, maxSeen those that need no
// second look.
const maxUnread, maxSeen = 8, 16

func newReader() *reader { return &reader{turn: make(chan struct{}, 1)} }

// later has look called with a text that was not looked at lately: now, if too many
// wait already.
func (r *reader) later(text []byte, look func() error) {
	r.mu.Lock()
	if r.unread++; r.unread == 1 {
		r.idle = make(chan struct{})
	}
	full := r.unread > maxUnread
	r.mu.Unlock()
	if full {
		r.read(text, look)
		return
	}
	go r.read(text, look)
}

func (r *reader) read(text []byte, look func() error) {
	var err error
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = cmp.Or(r.err, err)
		if r.unread--; r.unread == 0 {
			close(r.idle)
		}
	}()
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	sum := sha256.Sum256(text)
	if slices.Contains(r.seen[:], sum) {
		return
	}
	r.seen[r.next%maxSeen], r.next = sum, r.next+1
	err = look()
}

// done waits until nothing is unread. What was found and could not be noted is its
// error from then on.
func (r *reader) done(ctx context.Context) error {
	for {
		r.mu.Lock()
		unread, idle, err := r.unread, r.idle, r.err
		r.mu.Unlock()
		if unread == 0 {
			return err
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// looked notes signs of an injection in a reply that came of a page.
func (p *Proxy) looked(page *policy.Page, result []byte) {
	p.reader.later(append([]byte(page.Origin+"\n"), result...), func() error {
		if !p.signs(result) {
			return nil
		}
		_, err := p.cfg.Session.Happened(policy.Event{Kind: policy.EventRead, Origin: page.Origin, Host: page.Host, Signs: true})
		return err
	})
}

// parted tears a reply's own grammar off what the page says: quotation marks there
// are the printer's, and orders in them are no quotations. The brackets of marks
// are ours, as no page can write them.
var parted = strings.NewReplacer(`"`, "\n", "`", "\n", "⟦", "", "⟧", "")

// window is how much of a text is looked at in one go, overlap how much of it is
// looked at again with the next: no sign is longer.
const window, overlap = 64 << 10, 2 << 10

// signed looks for signs in a text, a piece at a time: a whole one would take some
// twenty times its size.
func (p *Proxy) signed(text string) bool {
	for {
		piece := text[:min(len(text), window)]
		strong := func(s classify.Sign) bool { return s.Grade == classify.Strong && s.Kind != classify.Unread }
		if slices.ContainsFunc(p.cfg.Classifier.Signs(parted.Replace(piece)), strong) {
			return true
		}
		if len(piece) == len(text) {
			return false
		}
		text = text[window-overlap:]
	}
}

// signs reports that what reached the agent speaks to it as its master would.
func (p *Proxy) signs(result []byte) bool {
	found := false
	gjson.GetBytes(result, "content").ForEach(func(_, block gjson.Result) bool {
		found = found || p.signed(block.Get("text").String())
		return !found
	})
	return found
}

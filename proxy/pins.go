package proxy

import (
	"context"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"moire/adapter"
	"moire/pins"
	"moire/scan"
)

// pinned is what is known of an upstream's definitions of tools.
type pinned struct {
	set *pins.Set
	// unknown are tools whose definition is neither tested nor accepted; nil: not
	// asked yet.
	unknown map[string]bool
}

// unpinned are the tools of the upstream that it defines otherwise than the tested
// version; nobody has accepted that. A nil map without an error: nothing is pinned.
func (p *Proxy) unpinned(ctx context.Context, a *adapter.Adapter) (map[string]bool, error) {
	set, err := p.pinsOf(a)
	if set == nil || err != nil {
		return nil, err
	}
	p.mu.Lock()
	unknown := p.pinned.unknown
	p.mu.Unlock()
	if unknown != nil {
		return unknown, nil
	}
	list, err := pins.List(ctx, p.link)
	if err != nil {
		return nil, err
	}
	if set.Empty() {
		p.meet(a, set, list)
	}
	unknown = map[string]bool{}
	for _, d := range list {
		if !set.Knows(d) {
			unknown[d.Name] = true
		}
	}
	p.mu.Lock()
	p.pinned.unknown = unknown
	p.mu.Unlock()
	return unknown, nil
}

// meet pins the tools of an upstream that nobody has tested as they are the first
// time, but for those with characters that nobody sees or with an attack's words.
func (p *Proxy) meet(a *adapter.Adapter, set *pins.Set, list []pins.Definition) {
	var hashes []string
	for _, d := range list {
		if len(scan.SuspiciousDefinition(d.JSON)) == 0 {
			hashes = append(hashes, d.Hash)
		}
	}
	set.Accept(hashes...)
	if p.cfg.Pin == nil {
		return
	}
	if err := p.cfg.Pin(a.Name, hashes); err != nil {
		p.log.Warn("the tools of this upstream are pinned for this session only", "error", err)
	}
}

func (p *Proxy) pinsOf(a *adapter.Adapter) (*pins.Set, error) {
	if p.cfg.Pins == nil {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pinned.set == nil {
		set, err := p.cfg.Pins(a.Name)
		if err != nil {
			return nil, err
		}
		p.pinned.set = set
	}
	return p.pinned.set, nil
}

// redefined notes that the upstream's tools have changed.
func (p *Proxy) redefined() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pinned.unknown = nil
}

// onlyPinned takes the tools out of a list that are defined otherwise: their words
// are instructions to the agent that nobody has read.
func (p *Proxy) onlyPinned(ctx context.Context, result []byte) ([]byte, error) {
	a, err := p.known(ctx)
	if err != nil {
		return result, nil // every call is refused then
	}
	set, err := p.pinsOf(a)
	if set == nil || err != nil {
		return result, err
	}
	if _, err := p.unpinned(ctx, a); err != nil { // meets it, the first time
		return nil, err
	}
	list, err := pins.Read(result)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return []byte(`{"tools":[]}`), nil
	}
	kept, raw := []byte("[]"), gjson.GetBytes(result, "tools").Array()
	for i, d := range list {
		if !set.Knows(d) {
			p.log.Warn("a tool is kept from the agent, as its definition is not one that was tested or accepted (moire pins list shows it)", "tool", bounded(d.Name))
			continue
		}
		if kept, err = sjson.SetRawBytes(kept, "-1", []byte(raw[i].Raw)); err != nil {
			return nil, err
		}
	}
	// Nothing else of the result is anything that was looked at.
	out, err := setMember([]byte(`{}`), "tools", kept)
	if cursor := gjson.GetBytes(result, "nextCursor"); err == nil && cursor.Type == gjson.String && cursor.String() != "" {
		return setMember(out, "nextCursor", []byte(cursor.Raw))
	}
	return out, err
}

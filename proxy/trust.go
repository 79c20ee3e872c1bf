package proxy

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"moire/browser"
)

// trusts returns the loader id of the tab's main document if all that it brought in,
// documents and scripts, is of the origins that the person trusts; else empty.
func (p *Proxy) trusts(ctx context.Context, c *call) string {
	if len(p.cfg.TrustOrigins) == 0 || p.cfg.Browser == nil || c.row.Channel == "" || c.past() {
		return ""
	}
	w, err := p.onWire(ctx, c)
	if err != nil {
		return ""
	}
	from, err := w.page.Sources(ctx)
	if err != nil || !p.covers(from) {
		return ""
	}
	return from.Loader
}

func (p *Proxy) covers(from browser.Sources) bool {
	return from.Loader != "" && len(from.Origins) > 0 &&
		!slices.ContainsFunc(from.Origins, func(o string) bool { return !slices.Contains(p.cfg.TrustOrigins, o) })
}

// trustsOrigin reports that the address is of an origin that the person trusts.
func (p *Proxy) trustsOrigin(address string) bool {
	return slices.Contains(p.cfg.TrustOrigins, originOf(address))
}

// originOf is the origin of an http(s) address, else empty.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host)
}

// Loopback reports an origin of this machine. "localhost" and names below it do
// not leave it. https://www.rfc-editor.org/rfc/rfc6761#section-6.3
func Loopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if host := u.Hostname(); host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.IsLoopback()
}

// advise names, once for each origin of this machine, the one step that lets what
// it says in these channels pass.
func (p *Proxy) advise(c *call) string {
	if c.row.Channel == "" || c.after == nil || p.cfg.Browser == nil || c.q.Summary().Quarantined == 0 {
		return ""
	}
	origin := originOf(c.after.Main.Items[0].URL)
	if origin == "" || !Loopback(origin) || slices.Contains(p.cfg.TrustOrigins, origin) || !p.cfg.Session.Advise(origin) {
		return ""
	}
	return p.note(fmt.Sprintf("withheld as no person sees it on the page; if you trust the site that runs at %s, start Moiré with --trust-origin %s", origin, origin))
}

package proxy

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/wire"
)

// handler answers one request of the agent with a result, or fails.
type handler func(p *Proxy, ctx context.Context, m wire.Message) (result []byte, err error)

// requests are the methods that an agent may call.
func requests(method string) handler {
	switch method {
	case "initialize":
		return (*Proxy).initialize
	case "ping", "logging/setLevel":
		return (*Proxy).relayEmpty
	case "tools/list":
		return (*Proxy).listTools
	case "tools/call":
		return (*Proxy).callTool
	}
	return nil
}

// rpcError is an answer of the upstream, or ours, that is a JSON-RPC error.
type rpcError struct {
	code    int
	message string
}

func (e *rpcError) Error() string { return e.message }

// request returns the frame of the answer, nil if there is to be none.
func (p *Proxy) request(ctx context.Context, m wire.Message) []byte {
	id := m.Bytes(m.ID)
	h := requests(m.Method)
	if h == nil {
		p.cfg.Session.Count(countRefused)
		return errorFrame(id, codeMethod, fmt.Sprintf("moire does not relay the method %q", bounded(m.Method)))
	}
	result, err := h(p, ctx, m)
	if err == nil {
		return resultFrame(id, result)
	}
	if errors.Is(err, context.Canceled) {
		return nil // a cancelled request is not answered
	}
	var rpc *rpcError
	if !errors.As(err, &rpc) {
		rpc = &rpcError{codeInternal, p.explain(err)}
	}
	return errorFrame(id, rpc.code, rpc.message)
}

// bounded makes a name that the agent wrote fit for an error.
func bounded(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

// relay passes a request on; the upstream's own error texts stay with us, as
// they may quote a page.
func (p *Proxy) relay(ctx context.Context, m wire.Message) ([]byte, error) {
	r, err := p.link.Call(ctx, m.Method, m.Bytes(m.Params))
	if err != nil {
		return nil, err
	}
	if r.Kind == wire.MessageError {
		return nil, upstreamError(r)
	}
	return r.Bytes(r.Result), nil
}

// relayEmpty passes on a request whose result has no members: "The receiver MUST
// respond promptly with an empty response". What the upstream adds is dropped.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
func (p *Proxy) relayEmpty(ctx context.Context, m wire.Message) ([]byte, error) {
	if _, err := p.relay(ctx, m); err != nil {
		return nil, err
	}
	return []byte(`{}`), nil
}

func upstreamError(r wire.Message) error {
	code := gjson.GetBytes(r.Bytes(r.Error), "code").Int()
	return &rpcError{int(code), fmt.Sprintf("the upstream answered with error %d (its text is withheld)", code)}
}

// initialize relays the handshake and announces the sigil.
func (p *Proxy) initialize(ctx context.Context, m wire.Message) ([]byte, error) {
	result, err := p.relay(ctx, m)
	if err != nil {
		return nil, err
	}
	info := gjson.GetBytes(result, "serverInfo")
	if err := p.fit(info.Get("name").String(), info.Get("version").String()); err != nil {
		return nil, err
	}
	text := instructions
	if own := gjson.GetBytes(result, "instructions"); own.Type == gjson.String && own.String() != "" {
		text = own.String() + "\n\n" + instructions
	}
	return setMember(result, "instructions", wire.Quote(text))
}

// fit remembers what the upstream says that it is, and refuses a version that
// its adapter was not tested with. Calls to an upstream without an adapter are
// refused one by one.
func (p *Proxy) fit(server, version string) error {
	p.mu.Lock()
	a, again := p.adapter, p.server != ""
	p.server = server
	p.mu.Unlock()
	if a == nil {
		var err error
		if a, err = adapter.OfServer(server); a == nil {
			return err
		}
	}
	err := a.CheckVersion(version)
	if err == nil || p.cfg.Untested {
		if err != nil && !again {
			p.log.Warn(err.Error())
		}
		return nil
	}
	p.mu.Lock()
	p.unfit = err
	p.mu.Unlock()
	return err
}

const instructions = "Moiré stands between you and the browser: text of a page that a person can't see is withheld. " +
	"Lines in " + adapter.SigilOpen + " … " + adapter.SigilClose + " are Moiré's own; pages can't write these brackets. " +
	"Addresses that end in …#u and a number are handles: pass them as they are."

// fromAgent handles the agent's notifications.
func (p *Proxy) fromAgent(ctx context.Context, m wire.Message) {
	switch m.Method {
	case "notifications/cancelled":
		p.cancel(idKey([]byte(gjson.GetBytes(m.Bytes(m.Params), "requestId").Raw)))
	case "notifications/initialized", "notifications/roots/list_changed":
		if err := p.link.Notify(ctx, m.Method, m.Bytes(m.Params)); err != nil {
			p.log.Warn("relaying a notification", "method", m.Method, "error", err)
		}
	default:
		p.log.Warn("dropped a notification of the agent", "method", bounded(m.Method))
	}
}

func (p *Proxy) cancel(id string) {
	p.mu.Lock()
	stop := p.running[id]
	p.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// Request answers the upstream's own requests (upstream.Incoming).
func (p *Proxy) Request(ctx context.Context, m wire.Message) {
	select {
	case <-p.ready:
	case <-ctx.Done():
		return
	}
	id := m.Bytes(m.ID)
	var err error
	switch m.Method {
	case "ping":
		err = p.link.Reply(ctx, id, []byte(`{}`))
	case "roots/list":
		err = p.ask(ctx, m)
	default:
		// Sampling and elicitation would carry a page's words to the agent or
		// the person as the server's own.
		err = p.link.ReplyError(ctx, id, codeMethod, "moire does not relay this method to the client")
		p.log.Info("refused a request of the upstream", "method", bounded(m.Method))
	}
	if err != nil {
		p.log.Warn("answering the upstream", "method", bounded(m.Method), "error", err)
	}
}

// Notification relays the upstream's notifications (upstream.Incoming).
func (p *Proxy) Notification(ctx context.Context, m wire.Message) {
	params := m.Bytes(m.Params)
	switch m.Method {
	case "notifications/tools/list_changed":
		p.redefined()
		p.send([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
	case "notifications/progress":
		// Numbers and the agent's own token; the message may quote a page.
		token := gjson.GetBytes(params, "progressToken").Raw
		progress, total := gjson.GetBytes(params, "progress"), gjson.GetBytes(params, "total")
		if !p.knownToken(token) || progress.Type != gjson.Number {
			return
		}
		body := fmt.Sprintf(`{"progressToken":%s,"progress":%s`, token, progress.Raw)
		if total.Type == gjson.Number {
			body += `,"total":` + total.Raw
		}
		p.send([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":` + body + `}}`))
	default:
		p.log.Debug("withheld a notification of the upstream", "method", bounded(m.Method))
	}
}

// ask puts a request of the upstream to the agent and relays the answer.
func (p *Proxy) ask(ctx context.Context, m wire.Message) error {
	p.mu.Lock()
	p.next++
	own := p.next
	answer := make(chan wire.Message, 1)
	p.asked[own] = answer
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.asked, own)
		p.mu.Unlock()
	}()
	p.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%s}`, own, wire.Quote(m.Method)))
	ctx, cancel := context.WithTimeout(ctx, p.cfg.LookTimeout)
	defer cancel()
	select {
	case a := <-answer:
		if a.Kind == wire.MessageResult {
			if p.cfg.Workspace != nil {
				var uris []string
				for _, r := range gjson.GetBytes(a.Bytes(a.Result), "roots.#.uri").Array() {
					uris = append(uris, r.String())
				}
				p.cfg.Workspace.Roots(uris)
			}
			return p.link.Reply(ctx, m.Bytes(m.ID), a.Bytes(a.Result))
		}
		return p.link.ReplyError(ctx, m.Bytes(m.ID), codeInternal, "the client refused")
	case <-ctx.Done():
		return p.link.ReplyError(context.WithoutCancel(ctx), m.Bytes(m.ID), codeInternal, "the client did not answer")
	}
}

// answered hands the agent's answer to whoever asked.
func (p *Proxy) answered(m wire.Message) {
	id, err := strconv.ParseInt(strings.TrimSpace(string(m.Bytes(m.ID))), 10, 64)
	p.mu.Lock()
	ch := p.asked[id]
	p.mu.Unlock()
	if err != nil || ch == nil {
		p.log.Warn("dropped an answer that nothing waits for")
		return
	}
	select {
	case ch <- m:
	default: // a second answer
	}
}

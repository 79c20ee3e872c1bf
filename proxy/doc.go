// Package proxy is the policy enforcement point on the MCP side: everything
// between agent and upstream crosses it. Make a [Proxy] with [New], give it to
// the upstream's link as its Incoming, and run [Proxy.Serve].
//
// One table (direction, method) names a handler for every message; what it does
// not name is refused by name. A tool call goes through
//
//	describe -> prepare -> gather -> decide -> act -> settle -> record
//
// and nothing else calls a tool for the agent.
//
// Invariants: an unknown tool or argument never reaches the upstream
// (TestUnknownIsRefused). No string of a reply reaches the agent unless settle
// passed it: strings at positions nobody classified are withheld
// (TestCanaryAtEveryPosition). Errors of ours name cause and remedy and hold no
// page text. Every request is answered, also when the upstream dies.
//
// It does not judge what is visible (package scan) and does not decide (policy).
package proxy

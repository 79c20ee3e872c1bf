// Package browser is Moiré on the wire between an upstream and its one browser.
// The upstream starts Moiré as its browser ([RunShim]), which becomes the real
// one after it has put the proxy's [Host] on the pipe between them. A [Wire]
// relays every frame unchanged both ways and carries sessions of our own beside
// the upstream's; [Pages] knows the tabs and documents, and runs scripts in
// isolated worlds, which no page can reach.
//
// Call [NewHost], start the upstream with [Host.Path] as its browser, then
// [Host.Pages].
//
// Invariants: what the upstream and the browser say to each other is not
// changed, delayed behind our own commands, or shown our sessions
// (TestRelayIsTransparent); frames are bounded; one that breaks the rules ends
// the wire with an error that says so, never silently.
//
// It knows nothing of MCP and nothing of what a scan means.
//
// Protocol: https://chromedevtools.github.io/devtools-protocol/tot/, over
// --remote-debugging-pipe: JSON texts that end in a NUL byte, read from file
// descriptor 3 and written to 4.
package browser

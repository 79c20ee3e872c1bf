// Package upstream owns the browser MCP server behind us: which command it is,
// its process from start to end, why it died, and the calls we make to it.
//
// Call [Resolve] for the command, [Start] for the process and [NewLink] for
// calls over its connection; end with [Link.Close] after [Process.Close].
//
// Invariants. After Process.Close nothing of the child's process group is left,
// whatever signals it ignores and whatever it forked (TestCloseKillsGroup). A
// Call always returns: with the answer, when its context ends, or when the child
// is gone (TestCallFailsWhenChildDies). Ids on this connection are ours alone, so
// an agent's ids can't collide with them or be guessed into them. Floods on
// standard error, noise on standard output and answers nobody waits for cost
// bounded memory and are counted.
//
// It does not read tools or pages and decides nothing. What the child prints may
// be the page's words: [ExitError.Tail] is for a person's log, never for the
// agent; [ExitError.Diagnose] speaks in words of ours and is for both.
package upstream

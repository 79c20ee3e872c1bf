// Package wire is what every frame passes first: the gate, the message
// classifier, the walker, the splicer, and the connections that carry frames.
// It is neither decision nor enforcement point; it makes sure that all of them
// read the same bytes in the same way.
//
// Call [NewLineConn] (or [Check] on a frame from elsewhere), then [Parse], then
// [Walk], and hand the edits to [Splice].
//
// Invariants. A frame that [Conn.Read] returned is one JSON object of valid
// UTF-8 within its limits, without duplicate keys at any depth, on one line
// (FuzzCheckAgreesWithEncodingJSON, FuzzLineConn). [Walk] visits each key and
// leaf of it, once, in order (FuzzWalk). [Splice] changes what the edits name
// and nothing else (TestSpliceLaw). No error holds bytes of a frame.
//
// It does not know methods, tools or pages, and does not decide what an
// unknown member of a message means: it reports them.
package wire

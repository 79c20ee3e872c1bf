// Package audit is the record of what Moiré decided and did: lines of JSON in
// the state directory, chained by hashes, with signed heads. It is neither PEP
// nor PDP: it keeps what they say, and bodies are opaque to it.
//
// Call [Open], then [Log.Append]; [Verify], [Read] and [Sessions] look at a
// directory, also at a copy.
//
// A session's segments are audit/<session>/000001.jsonl and so on. A line is
// one object in the canonical form of RFC 8785 and a line feed, at most 1 MiB:
//
//	{"body":{…},"hash":"…","kind":"…","prev":"…","seq":1,"session":"…","time":"…","v":1}
//
// hash is the hex SHA-256 of the object without hash. prev is the hash of the
// line before, also over segments, and 64 zeros in the first: the form being
// canonical, a hash stands for every byte of its line. time is RFC 3339 in UTC
// as the clock told it; it may go back. A line of kind "head" has the body
// {"cause":"interval|rotate|close","key":"…","sig":"…"}: an Ed25519 signature
// over its session, seq, prev, time and cause, so over all before it. A segment
// that another follows ends in a head of cause rotate, and the other is created
// before that head is written. Nothing follows a head of cause close.
//
// Each session has its own chain and files, made by the one process that lives
// it, so several processes write at a time without a lock.
//
// Invariants: a durable append returns after its line reached the disk
// (TestDurableWaitsForSync), many share one sync (TestGroupCommit), any other
// after its line was given to the system, which outlives this process. Seq has
// no gaps and is the order of lines (TestConcurrentAppend). After an I/O error
// nothing more is recorded, so nothing more may be done (TestFullDevice). A
// byte changed, a line dropped, moved, copied or brought from elsewhere, a
// segment cut or removed is found and named (TestEveryFlip, TestTamper*); what
// a crash leaves is not called tampering (TestTorn, TestCrashAtEveryByte).
// Errors never tell what a body holds (TestErrorsKeepBodies).
//
// The signature is no defence against a process of the same user (attacker
// M2), which can read the key and write the whole record anew. Nor does a chain
// show that its end is missing. Against both, keep a [Head] where that process
// can't write and give it to Verify as an anchor (TestAnchor).
//
// It does not prune, replay, reopen a session, or keep secrets out of bodies.
package audit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"moire/state"
)

const (
	defaultMaxBytes = 64 << 20
	// closeWait bounds Close where a disk has stopped answering.
	closeWait = 10 * time.Second
)

// ErrClosed is the error of an Append that Close preceded.
var ErrClosed = errors.New("the audit record is closed")

// Clock tells the time.
type Clock interface{ Now() time.Time }

// Config says what to record where. Session names one process life and must be
// new. MaxBytes bounds a segment, up to one line and one head; 0 is 64 MiB.
type Config struct {
	State    *state.Dir
	Session  string
	Clock    Clock
	MaxBytes int64
}

// Record is what a caller adds. Kind is a token of a-z, 0-9 and "._-", but not
// "head". Body becomes one JSON object (nil is an empty one); integers that a
// double can't hold are refused, for they would be recorded as others.
type Record struct {
	Kind string
	Body any
}

// Receipt tells where a record stands.
type Receipt struct {
	Seq  uint64
	Hash string
}

// Head names a line and, by its hash, all that precede it.
type Head struct {
	Session string `json:"session"`
	Seq     uint64 `json:"seq"`
	Hash    string `json:"hash"`
}

// Log is the record of one session. Any number of goroutines may use it.
type Log struct {
	w        *writer
	requests chan *request
	closing  chan struct{}
	done     chan struct{}
	once     sync.Once
	closeErr error // written before done is closed
}

// Open starts a session's record.
func Open(cfg Config) (*Log, error) {
	switch {
	case cfg.State == nil || cfg.Clock == nil:
		return nil, errors.New("opening the audit record: no state directory or no clock")
	case !validSession(cfg.Session):
		return nil, fmt.Errorf("opening the audit record: %q is no session name", cfg.Session)
	case cfg.MaxBytes < 0:
		return nil, fmt.Errorf("opening the audit record: a segment of %d bytes", cfg.MaxBytes)
	}
	key, err := ensureKey(cfg.State)
	if err != nil {
		return nil, fmt.Errorf("opening the audit record: %w", err)
	}
	dir, err := makeSessionDir(cfg.State, cfg.Session)
	if err != nil {
		return nil, fmt.Errorf("opening the audit record: %w", err)
	}
	log, err := start(cfg, signer{cfg.Session, key}, dir)
	if err != nil {
		return nil, fmt.Errorf("opening the audit record: %w", err)
	}
	return log, nil
}

// start opens the first segment and lets the goroutine run that owns the files.
func start(cfg Config, sign signer, in store) (*Log, error) {
	w := &writer{store: in, sign: sign, clock: cfg.Clock, max: cfg.MaxBytes, prev: firstPrev}
	if w.max == 0 {
		w.max = defaultMaxBytes
	}
	var err error
	if w.file, err = in.create(1); err != nil {
		return nil, err
	}
	w.segment, w.signed = 1, cfg.Clock.Now()
	l := &Log{w: w, requests: make(chan *request), closing: make(chan struct{}),
		done: make(chan struct{})}
	go l.run()
	return l, nil
}

// Append adds one record. If ctx ends before it is taken up it is not recorded;
// if ctx ends later it is, but the caller is not told where. An error about the
// record itself leaves the log usable; any other is final, and the caller must
// not do what it could not record.
func (l *Log) Append(ctx context.Context, r Record, durable bool) (Receipt, error) {
	body, err := encodeBody(r)
	if err != nil {
		return Receipt{}, fmt.Errorf("recording: %w", err)
	}
	req := &request{r.Kind, body, durable, make(chan result, 1)}
	if err := ctx.Err(); err != nil {
		return Receipt{}, fmt.Errorf("recording %q: %w", r.Kind, err)
	}
	select {
	case l.requests <- req:
	case <-l.closing:
		return Receipt{}, fmt.Errorf("recording %q: %w", r.Kind, ErrClosed)
	case <-ctx.Done():
		return Receipt{}, fmt.Errorf("recording %q: %w", r.Kind, ctx.Err())
	}
	select {
	case res := <-req.done:
		return res.receipt, res.err
	case <-ctx.Done():
		return Receipt{}, fmt.Errorf("recording %q, waiting for the disk: %w", r.Kind, ctx.Err())
	}
}

// Head is the last line that surely is on the disk: an anchor that a crash
// could take back would accuse an honest record. Its Seq is 0 before any.
func (l *Log) Head() Head {
	if h := l.w.head.Load(); h != nil {
		return *h
	}
	return Head{Session: l.w.sign.session, Hash: firstPrev}
}

// Close signs the end and returns when it is on the disk, or with an error when
// the disk does not answer. It may be called again.
func (l *Log) Close() error {
	l.once.Do(func() { close(l.closing) })
	late := time.NewTimer(closeWait)
	defer late.Stop()
	select {
	case <-l.done:
		return l.closeErr
	case <-late.C:
		return fmt.Errorf("closing the audit record: the disk has not answered for %v; "+
			"its closing head may be missing", closeWait)
	}
}

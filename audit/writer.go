package audit

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	// headEvery and headAfter bound what no signed head covers, as long as
	// durable records come.
	headEvery = 256
	headAfter = 10 * time.Second
	// maxBatch bounds the bytes that share one write.
	maxBatch = 4 << 20
)

// file is an open segment. Sync makes what was written durable.
type file interface {
	io.WriteCloser
	Sync() error
}

// store creates segments, which must be new.
type store interface {
	create(segment int) (file, error)
}

type request struct {
	kind    string
	body    []byte
	durable bool
	done    chan result // holds one, so that no reply waits for a caller
}

type result struct {
	receipt Receipt
	err     error
}

// writer is owned by one goroutine, but for head.
type writer struct {
	store store
	sign  signer
	clock Clock
	max   int64

	file    file
	segment int
	size    int64  // of the segment, with buf
	buf     []byte // lines not yet written
	seq     uint64
	prev    string
	since   int       // records since the last signed head
	signed  time.Time // when that was
	err     error     // sticky
	head    atomic.Pointer[Head]
}

// run takes requests until Close. After an error it answers with that error.
func (l *Log) run() {
	for {
		select {
		case r := <-l.requests:
			l.w.commit(l.gather(r))
		case <-l.closing:
			l.closeErr = l.w.close()
			close(l.done)
			return
		}
	}
}

// gather adds everyone who waits by now, as during the last sync, to the batch.
func (l *Log) gather(first *request) []*request {
	batch, bytes := []*request{first}, len(first.body)
	for bytes < maxBatch {
		select {
		case r := <-l.requests:
			batch, bytes = append(batch, r), bytes+len(r.body)
		default:
			return batch
		}
	}
	return batch
}

// commit writes a batch at once and syncs at most once, rotations apart.
func (w *writer) commit(batch []*request) {
	receipts := make([]Receipt, len(batch))
	durable := false
	for i, r := range batch {
		receipts[i] = w.add(r.kind, r.body)
		durable = durable || r.durable
	}
	if durable && (w.since >= headEvery || w.clock.Now().Sub(w.signed) >= headAfter) {
		w.addHead(causeInterval)
	}
	w.flush()
	w.reply(batch, receipts, false)
	if durable {
		w.sync()
		w.reply(batch, receipts, true)
	}
}

func (w *writer) reply(batch []*request, receipts []Receipt, durable bool) {
	for i, r := range batch {
		if r.durable != durable {
			continue
		}
		if w.err != nil {
			r.done <- result{err: w.err}
		} else {
			r.done <- result{receipt: receipts[i]}
		}
	}
}

// add puts one record into the segment that has room for it.
func (w *writer) add(kind string, body []byte) Receipt {
	if w.size > 0 && w.size+int64(len(body)+maxOverhead) > w.max {
		w.rotate()
	}
	w.since++
	return w.put(kind, w.clock.Now().UTC(), body)
}

func (w *writer) put(kind string, at time.Time, body []byte) Receipt {
	if w.err != nil {
		return Receipt{}
	}
	before := len(w.buf)
	e := Entry{Session: w.sign.session, Seq: w.seq + 1, Time: at, Kind: kind, Body: body,
		Prev: w.prev}
	w.buf, e.Hash = appendLine(w.buf, e)
	w.buf = append(w.buf, '\n')
	w.size += int64(len(w.buf) - before)
	w.seq, w.prev = e.Seq, e.Hash
	return Receipt{e.Seq, e.Hash}
}

func (w *writer) addHead(cause string) {
	at := w.clock.Now().UTC()
	w.put(kindHead, at, w.sign.body(w.seq+1, w.prev, at, cause))
	w.since, w.signed = 0, at
}

// rotate creates the next segment before it says so in this one: a segment
// that is announced but missing has been removed, not lost in a crash.
func (w *writer) rotate() {
	if w.err != nil {
		return
	}
	next, err := w.store.create(w.segment + 1)
	if err != nil {
		w.fail(err)
		return
	}
	w.addHead(causeRotate)
	w.flush()
	w.sync()
	if err := w.file.Close(); err != nil {
		w.fail(err)
	}
	w.file, w.segment, w.size = next, w.segment+1, 0
}

func (w *writer) flush() {
	if w.err != nil || len(w.buf) == 0 {
		return
	}
	if _, err := w.file.Write(w.buf); err != nil {
		w.fail(err)
	}
	if w.buf = w.buf[:0]; cap(w.buf) > maxBatch {
		w.buf = nil
	}
}

func (w *writer) sync() {
	if w.err != nil {
		return
	}
	if err := w.file.Sync(); err != nil {
		w.fail(err)
		return
	}
	w.head.Store(&Head{w.sign.session, w.seq, w.prev})
}

// fail is for good: after a failed sync the system may have dropped what it
// could not write, and a second sync would succeed without it.
func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = fmt.Errorf("writing the audit record: %w; nothing more can be recorded in this "+
			"session: make room or repair the state directory and start moire again", err)
	}
}

func (w *writer) close() error {
	w.addHead(causeClose)
	w.flush()
	w.sync()
	if err := w.file.Close(); err != nil && w.err == nil {
		return fmt.Errorf("closing the audit record: %w", err)
	} else if w.err != nil {
		return errors.Join(w.err, err)
	}
	return nil
}

package audit

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// disk is a store in memory. Sync takes syncTime, or waits for free.
type disk struct {
	mu       sync.Mutex
	segments []*bytes.Buffer
	synced   []int // bytes of each segment that are durable
	syncs    int
	syncTime time.Duration
	free     chan struct{}
	failSync error
}

type diskSegment struct {
	*disk
	n int
}

func (d *disk) create(n int) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n != len(d.segments)+1 {
		return nil, errors.New("segments out of order")
	}
	d.segments, d.synced = append(d.segments, new(bytes.Buffer)), append(d.synced, 0)
	return diskSegment{d, n - 1}, nil
}

func (s diskSegment) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.segments[s.n].Write(p)
}

func (s diskSegment) Sync() error {
	s.mu.Lock()
	written := s.segments[s.n].Len()
	s.mu.Unlock()
	if s.syncTime > 0 {
		time.Sleep(s.syncTime)
	}
	if s.free != nil {
		<-s.free
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.syncs++
	s.synced[s.n] = max(s.synced[s.n], written)
	return s.failSync
}

func (s diskSegment) Close() error { return nil }

// durable tells whether a line of that hash would outlive a power cut.
func (d *disk) durable(hash string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, s := range d.segments {
		if bytes.Contains(s.Bytes()[:d.synced[i]], []byte(`"hash":"`+hash)) {
			return true
		}
	}
	return false
}

func testKey(fill byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func startOn(t testing.TB, d store, maxBytes int64) *Log {
	t.Helper()
	cfg := Config{Session: "s", Clock: wallClock{}, MaxBytes: maxBytes}
	l, err := start(cfg, signer{"s", testKey(1)}, d)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestGroupCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{syncTime: 5 * time.Millisecond}
		l := startOn(t, d, 0)
		const n = 50
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				r := mustAppend(t, l, "k", nil, true)
				if !d.durable(r.Hash) {
					t.Errorf("seq %d was acknowledged before it was durable", r.Seq)
				}
			})
		}
		wg.Wait()
		// Whoever comes during the first sync shares the second; a few more if
		// the first batch went off before all of them waited.
		if d.syncs > n/5 {
			t.Errorf("%d appends took %d syncs", n, d.syncs)
		}
		t.Logf("%d appends, %d syncs", n, d.syncs)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestDurableWaitsForSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{free: make(chan struct{})}
		l := startOn(t, d, 0)
		if mustAppend(t, l, "k", nil, false); d.segments[0].Len() == 0 {
			t.Error("an append that is not durable returned before its line was written")
		}
		if h := l.Head(); h.Seq != 0 {
			t.Errorf("the head is %d, but nothing is durable", h.Seq)
		}
		done := make(chan Receipt, 1)
		go func() { done <- mustAppend(t, l, "k", nil, true) }()
		synctest.Wait()
		select {
		case <-done:
			t.Error("returned before the sync")
		default:
		}
		d.free <- struct{}{}
		if r := <-done; l.Head() != (Head{"s", r.Seq, r.Hash}) || r.Seq != 2 {
			t.Errorf("the receipt is %v, the head %v", r, l.Head())
		}
		close(d.free)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestHungDisk: nothing hangs with it that has a bound.
func TestHungDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{free: make(chan struct{})}
		l := startOn(t, d, 0)
		ctx := t.Context()
		errs := make(chan error, 1)
		go func() {
			_, err := l.Append(ctx, Record{Kind: "k"}, true)
			errs <- err
		}()
		synctest.Wait()
		begin := time.Now()
		if err := l.Close(); err == nil || time.Since(begin) != closeWait {
			t.Errorf("Close took %v: %v", time.Since(begin), err)
		}
		if _, err := l.Append(ctx, Record{Kind: "k"}, false); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		close(d.free)
		if err := <-errs; err != nil {
			t.Errorf("the append that waited: %v", err)
		}
		if err := l.Close(); err != nil {
			t.Errorf("closing when the disk is back: %v", err)
		}
	})
}

func TestHeadsByNumberAndTime(t *testing.T) {
	heads := func(d *disk) int {
		return strings.Count(d.segments[0].String(), `"cause":"interval"`)
	}
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		l := startOn(t, d, 0)
		for range headEvery + 5 {
			mustAppend(t, l, "k", nil, false)
		}
		if heads(d) != 0 {
			t.Error("a head without a durable record")
		}
		mustAppend(t, l, "k", nil, true)
		mustAppend(t, l, "k", nil, true)
		if n := heads(d); n != 1 {
			t.Errorf("%d heads for %d records", n, headEvery+7)
		}
		time.Sleep(headAfter)
		if mustAppend(t, l, "k", nil, true); heads(d) != 2 {
			t.Error("no head after a while")
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestSyncFails: one failure is the last word, though the disk recovers.
func TestSyncFails(t *testing.T) {
	d := &disk{failSync: errors.New("platter on fire")}
	l := startOn(t, d, 0)
	mustAppend(t, l, "k", nil, false)
	for range 2 {
		_, err := l.Append(t.Context(), Record{Kind: "k"}, true)
		if !errors.Is(err, d.failSync) || !strings.Contains(err.Error(), "start moire again") {
			t.Errorf("got %v, want cause and remedy", err)
		}
	}
	fire := d.failSync
	d.mu.Lock()
	d.failSync = nil
	written := d.segments[0].Len()
	d.mu.Unlock()
	if _, err := l.Append(t.Context(), Record{Kind: "k"}, false); !errors.Is(err, fire) {
		t.Errorf("after the disk recovered: %v", err)
	}
	if err := l.Close(); !errors.Is(err, fire) {
		t.Errorf("Close: %v", err)
	}
	if d.segments[0].Len() != written || l.Head().Seq != 0 {
		t.Error("something was written after the error")
	}
}

// storeFunc is a store of one function.
type storeFunc func(int) (file, error)

func (f storeFunc) create(n int) (file, error) { return f(n) }

func TestFullDevice(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	l := startOn(t, storeFunc(func(int) (file, error) {
		f, err := os.OpenFile(full, os.O_WRONLY, 0)
		return diskFile{f}, err
	}), 0)
	for _, durable := range []bool{false, true, false} {
		_, err := l.Append(t.Context(), Record{Kind: "k"}, durable)
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("durable %v: %v", durable, err)
		}
	}
	if err := l.Close(); err == nil {
		t.Error("Close hides that the record has no end")
	}
}

// TestRotationFails: no room for another segment.
func TestRotationFails(t *testing.T) {
	d, room := &disk{}, errors.New("no room")
	l := startOn(t, storeFunc(func(n int) (file, error) {
		if n > 1 {
			return nil, room
		}
		return d.create(n)
	}), 700)
	var err error
	for i := 0; i < 9 && err == nil; i++ {
		_, err = l.Append(t.Context(), Record{Kind: "k"}, false)
	}
	if !errors.Is(err, room) || !errors.Is(l.Close(), room) {
		t.Errorf("got %v", err)
	}
}

// TestRotationFailsInBatch: what was not acknowledged before the failure is
// not written after it.
func TestRotationFailsInBatch(t *testing.T) {
	d, room := &disk{}, errors.New("no room")
	first, err := d.create(1)
	if err != nil {
		t.Fatal(err)
	}
	full := storeFunc(func(int) (file, error) { return nil, room })
	w := &writer{store: full, sign: signer{"s", testKey(1)}, clock: wallClock{}, max: 1,
		file: first, segment: 1, prev: firstPrev}
	var batch []*request
	for range 3 {
		batch = append(batch, &request{"k", []byte("{}"), true, make(chan result, 1)})
	}
	w.commit(batch)
	for _, r := range batch {
		if res := <-r.done; !errors.Is(res.err, room) {
			t.Errorf("got %v", res)
		}
	}
	if n := d.segments[0].Len(); n != 0 || d.syncs != 0 {
		t.Errorf("%d bytes were written after the error, %d syncs", n, d.syncs)
	}
}

// TestRotationSyncs: a durable record vouches for all before it.
func TestRotationSyncs(t *testing.T) {
	d := &disk{}
	l := startOn(t, d, 1)
	early := mustAppend(t, l, "k", nil, false)
	late := mustAppend(t, l, "k", nil, true)
	if len(d.segments) != 2 || !d.durable(early.Hash) || !d.durable(late.Hash) {
		t.Errorf("%d segments, durable: %v", len(d.segments), d.synced)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestFileClosedBehind is the same with a real file.
func TestFileClosedBehind(t *testing.T) {
	st := testState(t)
	l := testLog(t, st, "s", 0)
	mustAppend(t, l, "k", nil, true)
	if err := l.w.file.Close(); err != nil { // its owner is idle
		t.Fatal(err)
	}
	for range 2 {
		_, err := l.Append(t.Context(), Record{Kind: "k"}, false)
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	if err := l.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Close: %v", err)
	}
	if r := mustBeSound(t, Path(st), Options{}); r.Sessions[0].Head.Seq != 1 {
		t.Errorf("%+v", r)
	}
}

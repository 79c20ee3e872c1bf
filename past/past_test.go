package past

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moire/policy"
	"moire/state"
)

type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func at(t *testing.T) (*state.Dir, *clock) {
	t.Helper()
	dir, err := state.Open(state.Config{Dir: filepath.Join(t.TempDir(), "state")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	return dir, &clock{time.Unix(1_000_000, 0)}
}

func open(t *testing.T, dir *state.Dir, c *clock, context string) *Past {
	t.Helper()
	p, err := Open(Config{Dir: dir, Context: context, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func happened(t *testing.T, p *Past, e policy.Event) policy.State {
	t.Helper()
	s, err := p.Happened(e)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	web     = policy.Event{Kind: policy.EventRead, Origin: "https://a.example", Host: policy.HostPublic}
	flagged = policy.Event{Kind: policy.EventRead, Origin: "https://b.example", Host: policy.HostPublic, Signs: true}
	nothing = policy.Event{}
)

func TestTwoShareOneState(t *testing.T) {
	dir, c := at(t)
	one, two := open(t, dir, c, "profile"), open(t, dir, c, "profile")
	other := open(t, dir, c, "another profile")
	if !cmp.Equal(one.Key(), two.Key()) || cmp.Equal(one.Key(), other.Key()) || len(one.Key()) < 32 {
		t.Error("keys are not one a context")
	}
	happened(t, one, web)
	if s := happened(t, two, flagged); !s.ReadWeb || len(s.Flagged) != 1 {
		t.Errorf("the second does not know what the first read: %+v", s)
	}
	if s := happened(t, one, nothing); len(s.Flagged) != 1 {
		t.Errorf("the first does not know of the flag: %+v", s)
	}
	if s := happened(t, other, nothing); s.ReadWeb || len(s.Flagged) > 0 {
		t.Errorf("another context knows of it: %+v", s)
	}
	// Nothing that one writes is lost to the other.
	var all sync.WaitGroup
	for _, p := range []*Past{one, two} {
		for range 4 {
			all.Go(func() {
				for range 25 {
					if _, err := p.Happened(policy.Event{Kind: policy.EventSent, Origin: "https://a.example", Bytes: 1}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	if s := happened(t, two, nothing); s.Out != 200 {
		t.Errorf("%d bytes were sent, of 200", s.Out)
	}
}

func TestReopening(t *testing.T) {
	dir, c := at(t)
	p := open(t, dir, c, "profile")
	happened(t, p, flagged)
	key := p.Key()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(Idle)
	again := open(t, dir, c, "profile")
	if s := happened(t, again, nothing); len(s.Flagged) != 1 || !cmp.Equal(key, again.Key()) {
		t.Errorf("the state was shed by reconnecting: %+v", s)
	}
}

func TestItEndsWhenNobodyHasUsedIt(t *testing.T) {
	dir, c := at(t)
	p := open(t, dir, c, "profile")
	happened(t, p, flagged)
	c.now = c.now.Add(Idle + time.Second)
	// Somebody is on it still.
	two := open(t, dir, c, "profile")
	if s := happened(t, two, nothing); len(s.Flagged) != 1 {
		t.Errorf("it ended under a running Moiré: %+v", s)
	}
	for _, q := range []*Past{p, two} {
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c.now = c.now.Add(Idle + time.Second)
	again := open(t, dir, c, "profile")
	if s := happened(t, again, nothing); len(s.Flagged) != 0 || cmp.Equal(p.Key(), again.Key()) {
		t.Errorf("it did not end: %+v", s)
	}
}

func TestGarbageIsRefused(t *testing.T) {
	for _, garbage := range []string{"", "{", "null", `{"version":2}`, `{"version":1,"more":1}`,
		`{"version":1,"context":"p","key":"AAAA","state":{},"used":1}`,
		`{"version":1,"context":"p","key":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","state":{"flagged":["b","a"]},"used":1}`,
	} {
		dir, c := at(t)
		p := open(t, dir, c, "profile")
		if err := dir.WriteFile(p.name+suffix, []byte(garbage)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Happened(web); err == nil {
			t.Errorf("%q is taken by a running Moiré", garbage)
		}
		if _, err := Open(Config{Dir: dir, Context: "profile", Clock: c}); err == nil || !strings.Contains(err.Error(), "moire state forget") {
			t.Errorf("%q at the start: %v, want an error with the remedy", garbage, err)
		}
		if list, err := List(dir); err != nil || len(list) != 1 || list[0].Err == nil {
			t.Errorf("%q is listed as %+v, %v", garbage, list, err)
		}
		if err := Forget(dir, p.name); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Happened(web); err == nil || !strings.Contains(err.Error(), "is gone") {
			t.Errorf("a running Moiré whose past was removed: %v", err)
		}
		open(t, dir, c, "profile")
	}
}

func TestAPersonTells(t *testing.T) {
	dir, c := at(t)
	p := open(t, dir, c, "profile")
	happened(t, p, flagged)
	list, err := List(dir)
	if err != nil || len(list) != 1 || list[0].Context != "profile" || len(list[0].State.Flagged) != 1 {
		t.Fatalf("List = %+v, %v", list, err)
	}
	if err := Tell(dir, list[0].Name, c, policy.Event{Kind: policy.EventClear}); err != nil {
		t.Fatal(err)
	}
	if s := happened(t, p, nothing); len(s.Flagged) != 0 {
		t.Errorf("a running Moiré does not know that the flag was cleared: %+v", s)
	}
	if err := Tell(dir, "context-0000000000000000", c, nothing); err == nil {
		t.Error("a past that is not there was told something")
	}
}

// What can't be kept is an error, and did not happen.
func TestWhatCannotBeKeptDidNotHappen(t *testing.T) {
	dir, c := at(t)
	p := open(t, dir, c, "profile")
	l, err := dir.Lock(p.name) // somebody hangs
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Happened(web); !errors.Is(err, state.ErrLocked) {
		t.Errorf("Happened = %v, want that it is locked", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if s := happened(t, p, nothing); s.ReadWeb {
		t.Error("what was refused has happened")
	}
}

func BenchmarkHappened(b *testing.B) {
	dir, err := state.Open(state.Config{Dir: filepath.Join(b.TempDir(), "state")})
	if err != nil {
		b.Fatal(err)
	}
	p, err := Open(Config{Dir: dir, Context: "c", Clock: &clock{time.Unix(1_000_000, 0)}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Happened(web); err != nil {
			b.Fatal(err)
		}
	}
}

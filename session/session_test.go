package session

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moire/scan"
)

type clock struct{}

func (clock) Now() time.Time { return time.Unix(0, 0) }

// Waiting for a tab ends with the caller's context, and leaves the lock as it
// was.
func TestLockHonoursContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := New(clock{}, nil).Tab("1")
		if err := tab.Lock(t.Context()); err != nil {
			t.Fatalf("a free tab: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		if err := tab.Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Lock of a held tab = %v, want the context's error", err)
		}
		if d := time.Since(start); d != time.Minute {
			t.Errorf("it waited %v, want a minute", d)
		}
		tab.Unlock()
		if err := tab.Lock(t.Context()); err != nil {
			t.Errorf("after Unlock: %v", err)
		}
	})
}

// A holder hands the tab to one waiter; nobody else is inside meanwhile.
func TestLockExcludes(t *testing.T) {
	tab := New(clock{}, nil).Tab("1")
	inside, most := 0, 0 // guarded by the lock; the race detector tells if not
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if err := tab.Lock(context.Background()); err != nil {
				t.Error(err)
				return
			}
			defer tab.Unlock()
			inside++
			most = max(most, inside)
			inside--
		})
	}
	all.Wait()
	if most != 1 {
		t.Errorf("%d were inside at a time, want 1", most)
	}
}

func TestTabsAreApart(t *testing.T) {
	s := New(clock{}, nil)
	one, again := s.Tab("1"), s.Tab("1")
	if one != again || one == s.Tab("2") {
		t.Error("a tab's id does not name one tab")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for _, id := range []string{"1", "2", ""} {
		if err := s.Tab(id).Lock(ctx); err != nil {
			t.Errorf("tab %q is locked by another: %v", id, err)
		}
	}
	if New(clock{}, nil).Tab("1") == s.Tab("1") {
		t.Error("two sessions share a tab")
	}
}

func TestKnown(t *testing.T) {
	s := New(clock{}, nil)
	if s.Known("1") != nil {
		t.Error("Known before the tab exists is not nil")
	}
	tab := s.Tab("1")
	if s.Known("1") != nil {
		t.Error("Known before a look is not nil")
	}
	first, second := scan.NewExplainer(), scan.NewExplainer()
	for _, e := range []*scan.Explainer{first, second, nil} {
		tab.Saw(e)
		if s.Known("1") != e {
			t.Error("Known is not the last look's")
		}
	}
	tab.Saw(first)
	if s.Known("2") != nil {
		t.Error("a look at one tab explains another")
	}
}

func TestForeign(t *testing.T) {
	tab := New(clock{}, nil).Tab("1")
	if got := tab.Foreign(); len(got) != 0 {
		t.Errorf("Foreign of a new tab = %q", got)
	}
	for _, ids := range [][]string{{"1_1", "1_2"}, {"2_1"}, nil} {
		tab.SetForeign(ids)
		if diff := cmp.Diff(ids, tab.Foreign()); diff != "" {
			t.Errorf("Foreign (-want +got):\n%s", diff)
		}
	}
}

func TestCounters(t *testing.T) {
	s := New(clock{}, nil)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() { s.Count(Counters{Calls: 1, Withheld: 2, Refused: 3}) })
	}
	all.Wait()
	if diff := cmp.Diff(Counters{Calls: 100, Withheld: 200, Refused: 300}, s.Counters()); diff != "" {
		t.Errorf("Counters (-want +got):\n%s", diff)
	}
}

func TestSessionsHaveKeysOfTheirOwn(t *testing.T) {
	a, b := New(clock{}, nil), New(clock{}, nil)
	if len(a.Key) < 32 || cmp.Equal(a.Key, b.Key) {
		t.Errorf("keys of %d and %d bytes, equal %t", len(a.Key), len(b.Key), cmp.Equal(a.Key, b.Key))
	}
	if a.URLs == b.URLs || a.URLs == nil {
		t.Error("two sessions share handles")
	}
}

func TestGivenTextsAreBounded(t *testing.T) {
	s := New(nil, nil)
	long := strings.Repeat("x", maxText+1)
	s.Give(long)
	for i := range maxGiven + 1 {
		s.Give(strconv.Itoa(i))
	}
	if s.Gave(long) || s.Gave(strconv.Itoa(maxGiven)) || s.Gave("") {
		t.Error("a text beyond the bounds, or none, counts as given")
	}
	if !s.Gave("0") || !s.Gave(strconv.Itoa(maxGiven-1)) {
		t.Error("a text within the bounds is forgotten")
	}
}

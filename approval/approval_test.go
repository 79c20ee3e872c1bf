package approval

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func queue() *Queue { return New(Config{Clock: clock{}, Expiry: Expiry, Patience: Patience}) }

func TestAYesIsUsedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		got := make(chan Answer)
		go func() { got <- q.Ask(t.Context(), Question{Key: "a", Tool: "click"}) }()
		synctest.Wait()
		list := q.List()
		if len(list) != 1 || list[0].Tool != "click" {
			t.Fatalf("%+v", list)
		}
		if err := q.Answer(strings.ToUpper(list[0].ID), true); err != nil {
			t.Fatal(err)
		}
		if a := <-got; !a.Allowed {
			t.Fatalf("%+v", a)
		}
		if err := q.Answer(list[0].ID, true); !errors.Is(err, ErrUnknown) {
			t.Errorf("a second answer: %v", err)
		}
		if a := q.Ask(t.Context(), Question{Key: "a"}); a.Allowed || !a.Pending || a.ID == list[0].ID {
			t.Errorf("the same act again: %+v, want a new question", a)
		}
	})
}

// An answer that comes when the asker has given up is collected by a repeat.
func TestARepeatCollects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		begun := time.Now()
		a := q.Ask(t.Context(), Question{Key: "a"})
		if !a.Pending || a.Allowed || time.Since(begun) != Patience {
			t.Fatalf("%+v after %v", a, time.Since(begun))
		}
		if err := q.Answer(a.ID, true); err != nil {
			t.Fatal(err)
		}
		if err := q.Answer(a.ID, false); !errors.Is(err, ErrAnswered) {
			t.Errorf("a second answer: %v", err)
		}
		if b := q.Ask(t.Context(), Question{Key: "b"}); b.Allowed {
			t.Error("another act takes the yes")
		}
		if b := q.Ask(t.Context(), Question{Key: "a"}); !b.Allowed || b.ID != a.ID {
			t.Errorf("%+v", b)
		}
	})
}

func TestQuestionsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		a := q.Ask(t.Context(), Question{Key: "a"})
		if err := q.Answer(a.ID, true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(Expiry - Patience)
		if b := q.Ask(t.Context(), Question{Key: "a"}); b.Allowed || b.ID == a.ID {
			t.Errorf("a yes outlives its time: %+v", b)
		}
		time.Sleep(Expiry)
		if len(q.List()) != 0 {
			t.Error("a question outlives its time")
		}
	})
}

func TestANoHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		a := q.Ask(t.Context(), Question{Key: "a"})
		if err := q.Answer(a.ID, false); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if b := q.Ask(t.Context(), Question{Key: "a"}); b.Allowed || b.Pending {
				t.Fatalf("a person is asked again: %+v", b)
			}
		}
	})
}

func TestEqualActsAreOneQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		var wg sync.WaitGroup
		var mu sync.Mutex
		yes := 0
		for range 4 {
			wg.Go(func() {
				if q.Ask(t.Context(), Question{Key: "a"}).Allowed {
					mu.Lock()
					defer mu.Unlock()
					yes++
				}
			})
		}
		synctest.Wait()
		list := q.List()
		if len(list) != 1 {
			t.Fatalf("%d questions", len(list))
		}
		if err := q.Answer(list[0].ID, true); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if yes != 1 {
			t.Errorf("one yes lets %d acts go on", yes)
		}
	})
}

func TestTooManyQuestionsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for i := range maxOpen {
			if a := q.Ask(ctx, Question{Key: string(rune('a' + i))}); !a.Pending {
				t.Fatalf("%+v", a)
			}
		}
		if a := q.Ask(ctx, Question{Key: "more"}); a.Pending || a.Allowed {
			t.Errorf("%+v", a)
		}
	})
}

func TestPresence(t *testing.T) {
	if _, err := HashCode("abc"); err == nil {
		t.Error("a code of three characters is taken")
	}
	raw, err := HashCode("correct horse")
	if err != nil || strings.Contains(string(raw), "horse") {
		t.Fatalf("%s, %v", raw, err)
	}
	// As many rounds as in the product would make the test slow, not stronger.
	p := quick(t, "correct horse")
	now := time.Now()
	if err := p.Check("correct horse", now); err != nil {
		t.Error(err)
	}
	for range maxWrong {
		if err := p.Check("wrong", now); !errors.Is(err, ErrWrongCode) {
			t.Error(err)
		}
	}
	if err := p.Check("correct horse", now.Add(lockTime-1)); !errors.Is(err, ErrLocked) {
		t.Errorf("after %d wrong codes: %v", maxWrong, err)
	}
	if err := p.Check("correct horse", now.Add(lockTime)); err != nil {
		t.Error(err)
	}
	none, err := NewPresence(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := none.Check("", now); !errors.Is(err, ErrNoCode) {
		t.Errorf("without a code: %v", err)
	}
	for _, bad := range []string{``, `{}`, `{"hash":""}`, `{"salt":"AAAAAAAAAAA=","iterations":1,"hash":"AAAA"}`} {
		if _, err := NewPresence([]byte(bad)); err == nil {
			t.Errorf("%s is taken for a code", bad)
		}
	}
}

func quick(t *testing.T, code string) *Presence {
	t.Helper()
	raw, err := hashCode(code, 1000)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPresence(raw)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSocket(t *testing.T) {
	q := New(Config{Clock: clock{}, Expiry: time.Hour, Patience: time.Minute})
	path := filepath.Join(t.TempDir(), "s.sock")
	s, err := Serve(path, q, quick(t, "1234"))
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan Answer)
	go func() {
		got <- q.Ask(t.Context(), Question{Key: "a", Tool: "click", Why: "it sends a form, rule submits"})
	}()
	var items []Item
	for len(items) == 0 {
		if items, err = List(path); err != nil {
			t.Fatal(err)
		}
	}
	if items[0].Why != "it sends a form, rule submits" || items[0].Key != "" {
		t.Errorf("%+v", items[0])
	}
	var remote *RemoteError
	for _, code := range []string{"", "12345"} {
		if err := Send(path, items[0].ID, true, code); !errors.As(err, &remote) {
			t.Errorf("code %q: %v", code, err)
		}
	}
	if err := Send(path, "zzzzzz", true, "1234"); !errors.As(err, &remote) || remote.Says != ErrUnknown.Error() {
		t.Errorf("an unknown id: %v", err)
	}
	if len(q.List()) != 1 {
		t.Fatal("a wrong code has answered")
	}
	if err := Send(path, items[0].ID, true, "1234"); err != nil {
		t.Fatal(err)
	}
	if a := <-got; !a.Allowed {
		t.Errorf("%+v", a)
	}
	if raw, err := json.Marshal(request{Op: "x"}); err != nil || s.answer(request{Op: "x"}).Error == "" {
		t.Errorf("%s, %v", raw, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := List(path); err == nil {
		t.Error("it answers after its end")
	}
}

// Saying no takes no code: it can only make less happen.
func TestANoNeedsNoProof(t *testing.T) {
	q := New(Config{Clock: clock{}, Expiry: time.Hour, Patience: time.Nanosecond})
	p, err := NewPresence(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.sock")
	s, err := Serve(path, q, p)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := q.Ask(t.Context(), Question{Key: "a"})
	if err := Send(path, a.ID, true, ""); err == nil {
		t.Fatal("a yes without a code")
	}
	if err := Send(path, a.ID, false, ""); err != nil {
		t.Fatal(err)
	}
	if b := q.Ask(t.Context(), Question{Key: "a"}); b.Allowed || b.Pending {
		t.Errorf("%+v", b)
	}
}

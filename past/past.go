// Package past keeps what decisions may know of the past: the [policy.State] of a
// browser context and its principal, the person whose state directory it is in.
// [Open] finds it, [Past.Happened] moves it on.
//
// Invariants: all Moirés on one context share one state, and none loses what
// another wrote (TestTwoShareOneState). It is not shed by reconnecting
// (TestReopening); it ends [Idle] after the last Moiré on it has
// (TestItEndsWhenNobodyHasUsedIt), or when a person clears it. What can't be read
// or written is an error, never an empty past (TestGarbageIsRefused).
//
// It decides nothing.
package past

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"moire/policy"
	"moire/state"
)

// Idle is how long a past is kept when no Moiré is on its context any more.
const Idle = 8 * time.Hour

// Clock tells the time.
type Clock interface{ Now() time.Time }

// Config says whose past it is.
type Config struct {
	Dir *state.Dir
	// Context names the browser context: a profile, or the address of a browser.
	Context string
	Clock   Clock
}

// Past is the past of one context. Methods may be called from several goroutines.
type Past struct {
	cfg  Config
	name string
	// use is shared by all Moirés on the context.
	use *state.Lock

	mu    sync.Mutex
	saved saved
	// read is the file that saved was read from or written to.
	read fs.FileInfo
}

// saved is the content of the file.
type saved struct {
	Version int    `json:"version"`
	Context string `json:"context"`
	// Key is for digests that are equal among all Moirés on the context.
	Key   []byte       `json:"key"`
	State policy.State `json:"state"`
	// Used is when it was written last, in seconds of Unix time.
	Used int64 `json:"used"`
}

const (
	version = 1
	prefix  = "context-"
	suffix  = ".json"
	keySize = 32
	// patience is how long another Moiré may take to write a few kilobytes.
	patience = 2 * time.Second
)

func fileOf(contextName string) string {
	sum := sha256.Sum256([]byte(contextName))
	return prefix + hex.EncodeToString(sum[:8])
}

// Open finds the past of a context, or begins one.
func Open(cfg Config) (*Past, error) {
	p := &Past{cfg: cfg, name: fileOf(cfg.Context)}
	err := p.locked(func() error {
		alone, err := cfg.Dir.Lock(p.name + "-use")
		if err == nil {
			err = alone.Unlock()
		}
		if err != nil && !errors.Is(err, state.ErrLocked) {
			return err
		}
		known, err := p.load()
		if err != nil {
			return err
		}
		over := alone != nil && p.cfg.Clock.Now().Sub(time.Unix(p.saved.Used, 0)) > Idle
		s := p.saved
		if !known || over {
			s = saved{Version: version, Context: cfg.Context, Key: make([]byte, keySize)}
			_, _ = rand.Read(s.Key) // never fails, by its documentation
		}
		if err := p.save(s); err != nil {
			return err
		}
		p.use, err = cfg.Dir.Share(p.name + "-use")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("opening what is known of the browser's past: %w", err)
	}
	return p, nil
}

// Close tells that this Moiré does not use it any more.
func (p *Past) Close() error { return p.use.Unlock() }

// Key is for digests, equal for all Moirés on the context and for nobody else.
func (p *Past) Key() []byte { return p.saved.Key }

// Happened moves the state on, and returns it.
func (p *Past) Happened(e policy.Event) (policy.State, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.locked(func() error {
		if known, err := p.load(); err != nil || !known {
			return errors.Join(err, p.lost(known))
		}
		next := p.saved
		next.State = policy.Next(p.saved.State, e)
		return p.save(next)
	})
	if err != nil {
		return policy.State{}, fmt.Errorf("keeping what has happened: %w", err)
	}
	return p.saved.State, nil
}

// lost is the error for a file that was removed under a running Moiré.
func (p *Past) lost(known bool) error {
	if known {
		return nil
	}
	return fmt.Errorf("%s is gone (hint: start the agent's session anew)", p.name+suffix)
}

// locked runs do while no other Moiré changes the file.
func (p *Past) locked(do func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l, err := p.cfg.Dir.Await(ctx, p.name)
	if err != nil {
		return err
	}
	return errors.Join(do(), l.Unlock())
}

// load reads the file, unless it is the one that this Moiré wrote or read last.
func (p *Past) load() (known bool, err error) {
	info, err := p.cfg.Dir.Stat(p.name + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if p.read != nil && os.SameFile(info, p.read) && info.ModTime().Equal(p.read.ModTime()) {
		return true, nil
	}
	raw, err := p.cfg.Dir.ReadFile(p.name + suffix)
	if err != nil {
		return false, err
	}
	s, err := decode(raw)
	if err != nil {
		return false, fmt.Errorf("%s is not what Moiré wrote: %w (hint: moire state forget removes it)", p.name+suffix, err)
	}
	p.saved, p.read = s, info
	return true, nil
}

func decode(raw []byte) (saved, error) {
	var s saved
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return saved{}, errors.New("it is no such JSON")
	}
	if s.Version != version || len(s.Key) != keySize || !s.State.Sound() {
		return saved{}, errors.New("it is of another version, or was changed")
	}
	return s, nil
}

func (p *Past) save(s saved) error {
	s.Used = p.cfg.Clock.Now().Unix()
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := p.cfg.Dir.PutFile(p.name+suffix, append(raw, '\n')); err != nil {
		return err
	}
	info, err := p.cfg.Dir.Stat(p.name + suffix)
	if err == nil {
		p.saved, p.read = s, info
	}
	return err
}

// Kept is what a state directory holds of one context.
type Kept struct {
	// Name is the file's, without its ending.
	Name    string
	Context string
	State   policy.State
	Used    time.Time
	// Err tells why it can't be read; the rest is empty then.
	Err error
}

// List tells of all pasts of a state directory.
func List(dir *state.Dir) ([]Kept, error) {
	entries, err := os.ReadDir(dir.Path())
	if err != nil {
		return nil, fmt.Errorf("listing what is known of browsers' pasts: %w", err)
	}
	var out []Kept
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || !strings.HasPrefix(name, prefix) {
			continue
		}
		k := Kept{Name: name}
		raw, err := dir.ReadFile(e.Name())
		if err == nil {
			var s saved
			s, err = decode(raw)
			k.Context, k.State, k.Used = s.Context, s.State, time.Unix(s.Used, 0)
		}
		k.Err = err
		out = append(out, k)
	}
	return out, nil
}

// Tell adds an event of a person's to a past of the directory, by its name; running
// Moirés on the context take it up.
func Tell(dir *state.Dir, name string, clock Clock, e policy.Event) error {
	p := &Past{cfg: Config{Dir: dir, Clock: clock}, name: name}
	_, err := p.Happened(e)
	return err
}

// Forget removes a past of the directory. A Moiré that runs on the context refuses
// what it is asked for from then on.
func Forget(dir *state.Dir, name string) error { return dir.Remove(name + suffix) }

package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked tells that another process, or another Lock of this one, has it.
var ErrLocked = errors.New("locked by another process")

// Lock is held until Unlock, or until the process ends, however it ends.
type Lock struct{ f *flock.Flock }

// Lock takes the advisory lock of that name, or returns ErrLocked at once. The
// lock's file stays: removing it would let two processes lock two files.
func (d *Dir) Lock(name string) (*Lock, error) {
	return d.lock(name, (*flock.Flock).TryLock)
}

// Share takes the lock together with others who share it.
func (d *Dir) Share(name string) (*Lock, error) {
	return d.lock(name, (*flock.Flock).TryRLock)
}

// retry is how often Await looks again.
const retry = 2 * time.Millisecond

// Await is Lock, but waits for the others until ctx ends.
func (d *Dir) Await(ctx context.Context, name string) (*Lock, error) {
	for {
		l, err := d.Lock(name)
		if !errors.Is(err, ErrLocked) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(retry):
		}
	}
}

func (d *Dir) lock(name string, try func(*flock.Flock) (bool, error)) (*Lock, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	file := name + ".lock"
	info, err := d.root.Lstat(file)
	if err == nil {
		err = check(d.join(file), info, 0)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("locking state %q: %w", name, err)
	}
	// By path, because flock has no other way; the directory is ours alone.
	f := flock.New(d.join(file), flock.SetPermissions(0o600))
	held, err := try(f)
	if err != nil {
		return nil, fmt.Errorf("locking state %q: %w", name, err)
	}
	if !held {
		return nil, fmt.Errorf("locking state %q: %w", name, errors.Join(ErrLocked, f.Close()))
	}
	return &Lock{f}, nil
}

// Unlock lets the next one have it. A second call does nothing.
func (l *Lock) Unlock() error {
	if err := l.f.Unlock(); err != nil {
		return fmt.Errorf("unlocking state: %w", err)
	}
	return nil
}

package audit

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"moire/state"
)

const (
	keyFile = "audit.key" // the hex seed
	keyLock = "audit-key"
	keyWait = 5 * time.Second
)

// PublicKey is the key that heads of this state directory verify with. It is
// fs.ErrNotExist before the first Open.
func PublicKey(st *state.Dir) (ed25519.PublicKey, error) {
	key, err := readKey(st)
	if err != nil {
		return nil, err
	}
	return key.Public().(ed25519.PublicKey), nil
}

func readKey(st *state.Dir) (ed25519.PrivateKey, error) {
	data, err := st.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(strings.TrimSuffix(string(data), "\n"))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("reading state %q: it is no key; move it away, and a new one is "+
			"made that earlier records don't verify with", keyFile)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// ensureKey makes the key on first use. Of several processes one makes it and
// the others wait for it (TestFirstKeyOnce).
func ensureKey(st *state.Dir) (ed25519.PrivateKey, error) {
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		key, err := readKey(st)
		if !errors.Is(err, fs.ErrNotExist) {
			return key, err
		}
		lock, err := st.Lock(keyLock)
		if errors.Is(err, state.ErrLocked) && time.Since(begin) < keyWait {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("making the key: %w", err)
		}
		key, err = makeKey(st)
		return key, errors.Join(err, lock.Unlock())
	}
}

func makeKey(st *state.Dir) (ed25519.PrivateKey, error) {
	key, err := readKey(st) // the one before may have made it
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if _, key, err = ed25519.GenerateKey(nil); err != nil {
		return nil, fmt.Errorf("making the key: %w", err)
	}
	return key, st.WriteFile(keyFile, []byte(hex.EncodeToString(key.Seed())+"\n"))
}

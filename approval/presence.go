package approval

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Presence proves that a person answers: a code that another process of the same
// user does not know. Only its hash is kept (PBKDF2 with SHA-256, NIST SP 800-132;
// the count of OWASP's password storage sheet). It is no defence against a process
// that reads the person's keyboard, or replaces the hash before Moiré starts.
type Presence struct {
	stored stored

	mu    sync.Mutex
	wrong int
	until time.Time
}

// stored is the form in which a hash is kept.
type stored struct {
	Salt       []byte `json:"salt"`
	Iterations int    `json:"iterations"`
	Hash       []byte `json:"hash"`
}

const iterations = 600_000

// minCode is the shortest code, in bytes: wrong ones are counted, so it need not
// be a password.
const minCode = 4

var (
	// ErrNoCode: nobody has set a code up, so nobody can prove to be there.
	ErrNoCode = errors.New("no presence code is set up")
	// ErrWrongCode: it is another one.
	ErrWrongCode = errors.New("the presence code is wrong")
	// ErrLocked: too many were wrong.
	ErrLocked = errors.New("too many wrong presence codes: answers are refused for five minutes")
)

// HashCode makes what is kept of a code.
func HashCode(code string) ([]byte, error) { return hashCode(code, iterations) }

func hashCode(code string, iterations int) ([]byte, error) {
	if len(code) < minCode {
		return nil, fmt.Errorf("a presence code has at least %d characters", minCode)
	}
	s := stored{Salt: make([]byte, 16), Iterations: iterations}
	_, _ = rand.Read(s.Salt) // never fails, by its documentation
	var err error
	if s.Hash, err = pbkdf2.Key(sha256.New, code, s.Salt, s.Iterations, sha256.Size); err != nil {
		return nil, fmt.Errorf("hashing a presence code: %w", err)
	}
	return json.Marshal(s)
}

// NewPresence reads what HashCode made; nil is no code.
func NewPresence(raw []byte) (*Presence, error) {
	if raw == nil {
		return &Presence{}, nil
	}
	var s stored
	if err := json.Unmarshal(raw, &s); err != nil || len(s.Hash) != sha256.Size || s.Iterations < 1000 || s.Iterations > 100*iterations || len(s.Salt) < 8 {
		return nil, errors.New("the kept presence code is not in the expected form")
	}
	return &Presence{stored: s}, nil
}

// maxWrong is how many wrong codes are borne before answers are refused for
// lockTime.
const (
	maxWrong = 5
	lockTime = 5 * time.Minute
)

// Check takes a code.
func (p *Presence) Check(code string, now time.Time) error {
	if len(p.stored.Hash) == 0 {
		return ErrNoCode
	}
	p.mu.Lock()
	defer p.mu.Unlock() // one at a time: guessing in parallel is no faster
	if now.Before(p.until) {
		return ErrLocked
	}
	got, err := pbkdf2.Key(sha256.New, code, p.stored.Salt, p.stored.Iterations, sha256.Size)
	if err != nil {
		return fmt.Errorf("hashing a presence code: %w", err)
	}
	if subtle.ConstantTimeCompare(got, p.stored.Hash) == 1 {
		p.wrong = 0
		return nil
	}
	if p.wrong++; p.wrong >= maxWrong {
		p.wrong, p.until = 0, now.Add(lockTime)
	}
	return ErrWrongCode
}

package audit

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	causeInterval = "interval"
	causeRotate   = "rotate"
	causeClose    = "close"
)

// signer makes the bodies of heads.
type signer struct {
	session string
	key     ed25519.PrivateKey
}

// headBody is the body of a line of kind head.
type headBody struct {
	Cause string `json:"cause"`
	Key   string `json:"key"`
	Sig   string `json:"sig"`
}

// signedText is all that a head says but its hash, which follows from it. The
// first line keeps the signature from meaning anything elsewhere.
func signedText(session string, seq uint64, prev string, at time.Time, cause string) []byte {
	return fmt.Appendf(nil, "moire audit head v1\n%s\n%d\n%s\n%s\n%s",
		session, seq, prev, at.Format(time.RFC3339Nano), cause)
}

// body has no character that needs an escape, and its members are in order.
func (s signer) body(seq uint64, prev string, at time.Time, cause string) jsontext.Value {
	sig := ed25519.Sign(s.key, signedText(s.session, seq, prev, at, cause))
	pub := s.key.Public().(ed25519.PublicKey)
	return fmt.Appendf(nil, `{"cause":"%s","key":"%x","sig":"%x"}`, cause, pub, sig)
}

// checkHead returns the cause and key of a head, or what is wrong with it.
func checkHead(e Entry) (cause string, key ed25519.PublicKey, wrong string) {
	var b headBody
	if err := json.Unmarshal(e.Body, &b, json.RejectUnknownMembers(true)); err != nil {
		return "", nil, "the head is not of its form"
	}
	key, err := hex.DecodeString(b.Key)
	sig, err2 := hex.DecodeString(b.Sig)
	if err != nil || err2 != nil || len(key) != ed25519.PublicKeySize {
		return "", nil, "the head is not of its form"
	}
	if b.Cause != causeInterval && b.Cause != causeRotate && b.Cause != causeClose {
		return "", nil, "the head has an unknown cause"
	}
	if !ed25519.Verify(key, signedText(e.Session, e.Seq, e.Prev, e.Time, b.Cause), sig) {
		return "", nil, "the signature does not match"
	}
	return b.Cause, key, ""
}

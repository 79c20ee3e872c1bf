package proxy

import (
	"testing"

	"moire/policy"
)

// recording is a policy that blocks nothing.
func recording(t testing.TB) *policy.Policy {
	t.Helper()
	p, err := policy.Profile("watchdog")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

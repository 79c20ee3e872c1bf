package proxy

import (
	"sync"
	"testing"

	"moire/classify"
	"moire/policy"
)

var tables = sync.OnceValues(classify.New)

// words is the classifier of all tests.
func words(t testing.TB) *classify.Classifier {
	t.Helper()
	c, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recording is a policy that blocks nothing.
func recording(t testing.TB) *policy.Policy {
	t.Helper()
	p, err := policy.Profile("watchdog")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Package act drives acts through the policy, with real upstreams and browsers:
// what is decided on is what the browser does. Success is judged by what arrives
// at the servers, never by Moiré's words.
package act

import (
	"testing"

	"moire/evals/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

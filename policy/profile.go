package policy

import (
	"embed"
	"fmt"
	"strings"

	"moire/near"
)

//go:embed profiles/*.yaml
var profiles embed.FS

// Profiles are the names of the built-in policies, which are ordinary policy
// files.
func Profiles() []string {
	entries, err := profiles.ReadDir("profiles")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return out
}

// Profile loads a built-in policy.
func Profile(name string) (*Policy, error) {
	raw := ProfileSource(name)
	if raw == nil {
		return nil, fmt.Errorf("no profile %q%s (known: %s)", name, near.Hint(name, Profiles()), strings.Join(Profiles(), ", "))
	}
	return Load("profile "+name, raw)
}

// ProfileSource is a built-in policy's text, to begin one's own with; nil if there is none of that name.
func ProfileSource(name string) []byte {
	raw, err := profiles.ReadFile("profiles/" + name + ".yaml")
	if err != nil {
		return nil
	}
	return raw
}

// Package pins knows the definitions of tools that Moiré was tested with: a name,
// a description and a schema are instructions to an agent, and a server that
// changes them later has not been looked at ("rug pull"). [List] asks a
// server for them, [Shipped] are those of the tested versions of an upstream,
// [Set.Knows] compares by hash, [Diff] shows a person what is different.
//
// Definitions are hashed in the canonical form of RFC 8785, so that the order of
// members and the spelling of numbers and strings play no part.
//
// It decides nothing and shows nothing to an agent. The data under data is
// written by `go generate ./pins`; a test compares it with the live upstreams.
package pins

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"moire/wire"
)

//go:generate go run ./gen

//go:embed data/*.json
var shipped embed.FS

// Definition is a tool as its server defines it.
type Definition struct {
	Name string
	// JSON is the canonical form, Hash its SHA-256 in hexadecimal.
	JSON []byte
	Hash string
}

// ErrList: what is no list of tools. Its text quotes nothing of the list.
var ErrList = errors.New("the upstream's list of tools is not in the form of the protocol")

// Read takes the result of tools/list apart.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools#listing-tools
func Read(result []byte) ([]Definition, error) {
	// By exact names, as whoever shows the list reads it: encoding/json takes "Tools"
	// for the same member.
	tools := gjson.GetBytes(result, "tools")
	if !tools.IsArray() {
		return nil, ErrList
	}
	var out []Definition
	for _, raw := range tools.Array() {
		d, err := NewDefinition([]byte(raw.Raw))
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// Caller makes calls to an upstream.
type Caller interface {
	Call(ctx context.Context, method string, params []byte) (wire.Message, error)
}

// maxPages bounds a list of tools that never ends.
const maxPages = 100

// List asks for all pages of the list of tools.
func List(ctx context.Context, c Caller) ([]Definition, error) {
	var out []Definition
	params := []byte(`{}`)
	for range maxPages {
		m, err := c.Call(ctx, "tools/list", params)
		if err != nil {
			return nil, err
		}
		if m.Kind != wire.MessageResult {
			return nil, ErrList
		}
		list, err := Read(m.Bytes(m.Result))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		cursor := gjson.GetBytes(m.Bytes(m.Result), "nextCursor").String()
		if cursor == "" {
			return out, nil
		}
		params = fmt.Appendf(nil, `{"cursor":%s}`, wire.Quote(cursor))
	}
	return nil, ErrList
}

// NewDefinition reads one tool.
func NewDefinition(raw []byte) (Definition, error) {
	canonical := jsontext.Value(slices.Clone(raw))
	if canonical.Canonicalize() != nil { // refuses duplicate names, too
		return Definition{}, ErrList
	}
	name := gjson.GetBytes(canonical, "name")
	if name.Type != gjson.String || name.String() == "" {
		return Definition{}, ErrList
	}
	sum := sha256.Sum256(canonical)
	return Definition{name.String(), canonical, hex.EncodeToString(sum[:])}, nil
}

// Tested is what is pinned of one tool: its definition as the upstream has it
// without flags, and the hashes with those flags that change it.
type Tested struct {
	Definition jsontext.Value `json:"definition"`
	Hashes     []string       `json:"hashes"`
}

// File is the form of the shipped data.
type File struct {
	Version string            `json:"version"`
	Tools   map[string]Tested `json:"tools"`
}

// Set is what is known of one upstream's tools: the tested definitions, and those
// that a person has accepted. It is safe for concurrent use.
type Set struct {
	tools map[string]Tested

	mu       sync.RWMutex
	accepted map[string]bool
}

// Shipped are the pins of an adapter, by its name; a set without any for one that
// has none.
func Shipped(adapter string) (*Set, error) {
	raw, err := shipped.ReadFile("data/" + adapter + ".json")
	if err != nil {
		return &Set{accepted: map[string]bool{}}, nil
	}
	var f File
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("reading the pins of %s: %w", adapter, err)
	}
	return &Set{tools: f.Tools, accepted: map[string]bool{}}, nil
}

// Empty reports that nothing is known: the upstream is met for the first time.
func (s *Set) Empty() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.tools) == 0 && len(s.accepted) == 0
}

// Accept adds definitions by their hashes.
func (s *Set) Accept(hashes ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range hashes {
		s.accepted[h] = true
	}
}

// Knows reports a definition that was tested or accepted.
func (s *Set) Knows(d Definition) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.accepted[d.Hash] || slices.Contains(s.tools[d.Name].Hashes, d.Hash)
}

// Tested is the definition that a tool was tested with; nil if none was.
func (s *Set) Tested(name string) []byte { return s.tools[name].Definition }

package pins

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Diff lists what differs between two definitions, a line for each member: "-" as
// it was tested, "+" as it is. Strings are quoted, so that nothing in them can
// move a terminal's cursor; was may be nil.
func Diff(was, is []byte) []string {
	old, now := map[string]string{}, map[string]string{}
	flatten(old, "", was)
	flatten(now, "", is)
	paths := slices.Sorted(maps.Keys(old))
	for p := range now {
		if _, ok := old[p]; !ok {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var out []string
	for _, p := range paths {
		a, had := old[p]
		b, has := now[p]
		if a == b && had == has {
			continue
		}
		if had {
			out = append(out, fmt.Sprintf("- %s: %s", p, a))
		}
		if has {
			out = append(out, fmt.Sprintf("+ %s: %s", p, b))
		}
	}
	return out
}

// flatten notes the scalars and empty containers below a value by their paths.
func flatten(out map[string]string, path string, raw []byte) {
	var v any
	if len(raw) > 0 && json.Unmarshal(raw, &v) == nil {
		walk(out, path, v)
	}
}

func walk(out map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			walk(out, strings.TrimPrefix(path+"."+shown(k), "."), x)
		}
		if len(v) == 0 {
			out[path] = "{}"
		}
	case []any:
		for i, x := range v {
			walk(out, fmt.Sprintf("%s[%d]", path, i), x)
		}
		if len(v) == 0 {
			out[path] = "[]"
		}
	case string:
		out[path] = fmt.Sprintf("%+q", v)
	default:
		out[path] = fmt.Sprint(v)
	}
}

// shown is a key as it is if it is an ordinary one.
func shown(key string) string {
	for _, r := range key {
		if r != '_' && r != '$' && r != '-' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') {
			return fmt.Sprintf("%+q", key)
		}
	}
	return key
}

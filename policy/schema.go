package policy

import (
	"encoding/json"
	"fmt"
)

// Schema is a JSON Schema of policy files, for editors.
// https://json-schema.org/draft/2020-12/schema
func Schema() []byte {
	type object = map[string]any
	text := object{"type": "string"}
	enum := func(words []string) object { return object{"enum": words} }
	list := func(item any) object { return object{"anyOf": []any{object{"type": "array", "items": item}, item}} }
	closed := func(required []string, properties object) object {
		return object{"type": "object", "additionalProperties": false, "required": required, "properties": properties}
	}
	scope := object{"anyOf": []any{text, closed([]string{"subdomains"}, object{"subdomains": text})}}
	limits := object{}
	for _, name := range limitNames {
		limits[name] = object{"type": "integer", "minimum": 0}
	}
	root := closed([]string{"version"}, object{
		"version": object{"const": 1}, "name": text, "extends": enum(Profiles()), "default": enum(Verdicts),
		"mode": enum([]string{"enforce", "watch"}), "approve": enum([]string{"ask", "deny"}), "require": list(enum([]string{"isolated"})),
		"origins": list(scope), "private": list(scope),
		"secrets":      list(closed([]string{"name", "origin", "field"}, object{"name": object{"type": "string", "pattern": "^[a-z0-9-]{1,64}$"}, "origin": text, "field": enum(fieldClasses())})),
		"deny-list":    enum([]string{"builtin", "none"}),
		"deny":         list(object{"anyOf": []any{text, closed([]string{"domain"}, object{"domain": text, "reason": text})}}),
		"allow-denied": list(closed([]string{"origin", "reason"}, object{"origin": scope, "reason": text})),
		"limits":       closed([]string{}, limits),
		"rules": list(closed([]string{"id", "then"}, object{"id": object{"type": "string", "pattern": "^[a-z0-9-]{1,64}$"}, "on": list(enum(Effects)),
			"if": object{"type": "string", "description": "a condition; moire policy check --words lists what it may ask"}, "then": enum(Verdicts),
			"because": object{"type": "string", "maxLength": 200}, "once": enum([]string{"origin", "pair"})})),
		"waive": list(closed([]string{"rules", "origins", "reason"}, object{"rules": list(text), "origins": list(scope), "reason": text})),
	})
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Moiré policy"
	root["description"] = fmt.Sprintf("Rules that decide on an agent's calls. Built-in profiles: %v.", Profiles())
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil { // a map of texts can be written
		return nil
	}
	return append(out, '\n')
}

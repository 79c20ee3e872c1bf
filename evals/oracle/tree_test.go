package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, s string) *node {
	t.Helper()
	var n node
	if err := json.Unmarshal([]byte(s), &n); err != nil {
		t.Fatal(err)
	}
	return &n
}

func TestPair(t *testing.T) {
	bare := parse(t, `{"id":"1_0","role":"RootWebArea","name":"Shop","url":"http://a/","children":[
		{"id":"1_1","role":"link","name":"Buy now","children":[{"id":"1_2","role":"StaticText","name":"Buy now"}]},
		{"id":"1_3","role":"StaticText","name":"Hidden words"},
		{"id":"1_4","role":"button","name":"Close","description":"Close it","level":2},
		{"id":"1_5","role":"option","name":"Red","value":"Red"}]}`)
	moire := parse(t, `{"id":"1_0","role":"RootWebArea","name":"Shop","children":[
		{"id":"1_1","role":"link","name":"Buy now"},
		{"id":"1_4","role":"button","name":"Close"},
		{"id":"1_5","role":"option","name":"Red","value":"Red"}]}`)
	items, odd := pair(bare, moire)
	want := []item{
		{"1_0", "RootWebArea", "name", "Shop", "Shop", ""},
		{"1_2", "StaticText", "text", "Buy now", "Buy now", "/RootWebArea/link[Buy now]"},
		{"1_3", "StaticText", "text", "Hidden words", "", "/RootWebArea"},
		{"1_4", "button", "name", "Close", "Close", "/RootWebArea"},
		{"1_4", "button", "description", "Close it", "", "/RootWebArea"},
		{"1_5", "option", "name", "Red", "Red", "/RootWebArea"},
	}
	if diff := cmp.Diff(want, items); diff != "" || odd != 0 {
		t.Errorf("%d odd; %s", odd, diff)
	}
	moire.Children[1].Role = "link"
	if _, odd := pair(bare, moire); odd != 1 {
		t.Errorf("%d odd of another role, want 1", odd)
	}
}

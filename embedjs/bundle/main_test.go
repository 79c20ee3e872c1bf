package main

import (
	"bytes"
	"os"
	"testing"
)

func TestBundleIsFresh(t *testing.T) {
	want, err := bundle("..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../dist/scan.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("embedjs/dist/scan.js is stale: run `go generate ./embedjs`")
	}
}

package main

import (
	"bytes"
	"os"
	"testing"
)

func TestBundleIsFresh(t *testing.T) {
	for _, p := range programs {
		want, err := bundle("..", p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../dist/" + p.file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("embedjs/dist/%s is stale: run `go generate ./embedjs`", p.file)
		}
	}
}

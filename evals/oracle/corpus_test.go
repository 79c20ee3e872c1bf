package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChoose(t *testing.T) {
	root := t.TempDir()
	for name, size := range map[string]int{"a.html": 5000, "b.html": 5000, "c.html": 5000, "d.html": 5000,
		"stub.html": 10, "book.html": maxSource + 1, "x.txt": 5000} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range map[int][]string{2: {"a.html", "c.html"}, 9: {"a.html", "b.html", "c.html", "d.html"}} {
		got, err := choose(root, ".", n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d pages: %s", n, diff)
		}
	}
}

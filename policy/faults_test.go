package policy

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var show = flag.Bool("show", false, "print what the bad policies of testdata/faults.txtar bring about")

// Each file of faults.txtar is a bad policy. Its first lines, after "#", say
// which faults have to be found, and where.
func TestFaults(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/faults.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 40 {
		t.Errorf("%d bad policies, want 40", len(archive.Files))
	}
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			var want []string
			source := string(f.Data)
			for _, line := range strings.SplitAfter(source, "\n") {
				said, ok := strings.CutPrefix(line, "#! ")
				if !ok {
					break
				}
				want = append(want, strings.TrimSpace(said))
			}
			p, err := Load("p.yaml", f.Data)
			if p != nil || err == nil {
				t.Fatal("it was loaded")
			}
			var faults Faults
			if !errors.As(err, &faults) {
				t.Fatalf("%T: %v", err, err)
			}
			var got []string
			for _, f := range faults {
				got = append(got, strings.TrimPrefix(f.Error(), "p.yaml: "))
			}
			if *show {
				fmt.Fprintf(os.Stderr, "-- %s --\n#! %s\n", f.Name, strings.Join(got, "\n#! "))
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

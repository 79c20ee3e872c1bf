package proxy

import (
	"strings"
	"testing"
)

const findTree = `- generic [ref=e1]:
  - heading "Orders" [level=1] [ref=e2]
  - list [ref=e3]:
    - listitem [ref=e4]: One
    - listitem [ref=e5]: Two
    - listitem [ref=e6]: Three
    - listitem [ref=e7]: Four
    - listitem [ref=e8]: Five
    - listitem [ref=e9]: Six
  - paragraph [ref=e10]: End`

// A match is shown with three lines on each side, under its path.
func TestFind(t *testing.T) {
	query, matches, err := finder([]byte(`{"text":"FIVE"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `Found 1 match for "FIVE":

- generic [ref=e1]:
  - list [ref=e3]:
    - listitem [ref=e5]: Two
    - listitem [ref=e6]: Three
    - listitem [ref=e7]: Four
    - listitem [ref=e8]: Five
    - listitem [ref=e9]: Six
  - paragraph [ref=e10]: End`
	if got := find(findTree, query, matches); got != want {
		t.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
}

func TestFinder(t *testing.T) {
	for args, want := range map[string]string{
		`{"regex":"/ends?$/i"}`: `Found 1 match for /ends?$/i:`,
		`{"regex":"end$"}`:      `No matches found for /end$/.`,
		`{"text":"e\"s"}`:       `No matches found for "e"s".`,
	} {
		query, matches, err := finder([]byte(args))
		if err != nil {
			t.Fatal(args, err)
		}
		if got := find(findTree, query, matches); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", args, got)
		}
	}
	for _, args := range []string{`{}`, `{"text":"a","regex":"b"}`, `{"regex":"(?=a)"}`, `{"regex":"/a/q"}`, `{"regex":"("}`} {
		if _, _, err := finder([]byte(args)); err == nil {
			t.Errorf("%s is searched for", args)
		}
	}
}

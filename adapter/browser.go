package adapter

import (
	_ "embed"
	"strings"
	"sync"
)

var (
	//go:embed data/browser.txt
	browserSentences string
	//go:embed data/issues.txt
	issueTitles string
)

// BrowserSays returns the sentences that browsers write into the console of a page
// and into the messages of errors, those of stack traces among them. A page can
// write them too; what it says in their gaps is judged.
var BrowserSays = sync.OnceValue(func() *Templates {
	t, err := CompileTemplates(strings.Split(strings.TrimSpace(browserSentences), "\n"))
	if err != nil {
		panic(err) // a test compiles them
	}
	return t
})

var issueSet = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for title := range strings.SplitSeq(issueTitles, "\n") {
		m[title] = title != ""
	}
	return m
})

// IssueTitle reports a title that Chrome's DevTools give to an issue.
func IssueTitle(s string) bool { return issueSet()[s] }

package browser

import (
	"regexp"
	"strings"
)

// hiddenNames are properties by which a script reads what nobody sees.
var hiddenNames = regexp.MustCompile(`(?i)cookie|storage|indexeddb|caches|credential|formdata|value|attributes|html|node`)

var (
	pathHead  = regexp.MustCompile(`^\s*(?:\(\s*\)\s*=>\s*|function\s*\(\s*\)\s*(\{))`)
	pathBlock = regexp.MustCompile(`^\{\s*return\s([^;]*);?\s*\}\s*$`)
	pathToken = regexp.MustCompile(`^\s*("[^"\\\n]*"|'[^'\\\n]*'|\d+(?:\.\d+)?|[A-Za-z_$][A-Za-z0-9_$]*|\?\.|[!=]==?|[<>]=?|&&|\|\||\?\?|[.,?:!+*()\[\]{}-])`)
	pathWord  = regexp.MustCompile(`^[A-Za-z0-9_$"'\])}]`)
	pathCall  = regexp.MustCompile(`(?:^|[^.\w$] )(?:Object \. keys|Array \. isArray|JSON \. stringify|String|Number|Boolean) $`)
)

// pathKeywords make more than a value of values.
var pathKeywords = map[string]bool{"new": true, "delete": true, "async": true, "await": true, "yield": true, "function": true, "class": true,
	"import": true, "super": true, "return": true, "with": true, "in": true, "instanceof": true}

// plainPath reports that a function only names properties, and calls nothing of the
// page's. In the page's own world no more can be run: an async function of the page's
// that is handed an object with a then of the script's calls that when the check is over.
func plainPath(function string) bool {
	head := pathHead.FindStringSubmatch(function)
	if head == nil || strings.Contains(function, "--") || hiddenNames.MatchString(function) {
		return false
	}
	body := head[1] + function[len(head[0]):]
	if m := pathBlock.FindStringSubmatch(body); m != nil {
		body = m[1]
	} else if strings.HasPrefix(body, "{") {
		return false
	}
	var tokens []string
	for body = strings.TrimSpace(body); body != ""; body = strings.TrimSpace(body) {
		m := pathToken.FindStringSubmatch(body)
		if m == nil || pathKeywords[m[1]] {
			return false
		}
		tokens = append(tokens, m[1])
		body = strings.TrimSpace(body)[len(m[1]):]
	}
	for i, t := range tokens {
		before := ""
		if i > 0 {
			before = tokens[i-1]
		}
		follows := pathWord.MatchString(before) && before != "typeof" || before == "?."
		switch {
		case t == "(" && follows && !pathCall.MatchString(strings.Join(tokens[max(0, i-4):i], " ")+" "):
			return false
		case t == "[" && follows && (i+2 >= len(tokens) || tokens[i+2] != "]" || !strings.ContainsAny(tokens[i+1][:1], `"'0123456789`)):
			return false
		}
	}
	return len(tokens) > 0
}

var (
	// globals are the page's, as a script can name them without that being an error.
	globals = regexp.MustCompile(`(?:\b(?:window|globalThis|self)\s*(?:\?\s*)?\.|\btypeof\s*\(?\s*(?:(?:window|globalThis|self)\s*(?:\?\s*)?\.)?)\s*([\p{L}_$][\p{L}\p{N}_$]*)`)
	words   = regexp.MustCompile(`(?:^|[^\p{L}\p{N}_$.'"#\\-])([\p{L}_$][\p{L}\p{N}_$]*)`)
	quoted  = regexp.MustCompile(`"[^"\\\n]*"|'[^'\\\n]*'`)
	// bare: the window is used as a value, or asked for a name that is computed.
	bare = regexp.MustCompile(`\b(?:window|globalThis|self)\b\s*(?:[^\s.?]|\?[^.]|\?\.\s*\[|$)`)
)

// local reports that the script has a variable or a parameter of that name.
func local(function, name string) bool {
	n := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?:\b(?:let|const|var)\s+|[(,{\[]\s*|\.\.\.)` + n + `\b|\b` + n + `\s*=>`).MatchString(function)
}

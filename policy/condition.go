package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"moire/near"
)

// condition is a compiled condition of a rule.
type condition struct {
	program *vm.Program
	// reads are the arguments that it asks for.
	reads []string
}

// maxNodes bounds a condition; with only the nodes below allowed, it bounds the
// time of an evaluation as well.
const maxNodes = 200

// operators are those that conditions may use. What fails open on a missing value
// (contains and its like, see shared/style.md) can't meet one: arg panics.
var operators = []string{"and", "&&", "or", "||", "==", "!=", "<", "<=", ">", ">=", "contains", "startsWith", "endsWith", "matches"}

// compile makes a condition of its source. An error of it has the place in the
// source, as a column that begins with 1.
func compileCondition(source string, words map[string][]word) (condition, error) {
	check := &checker{words: words}
	program, err := expr.Compile(source, expr.Env(prototypes(words)), expr.AsBool(), expr.DisableAllBuiltins(), expr.MaxNodes(maxNodes), expr.Optimize(false), expr.Patch(check))
	if check.err != nil {
		return condition{}, check.err
	}
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return condition{}, &conditionError{at.Column + 1, at.Line, reword(at.Message, words)}
		}
		return condition{}, &conditionError{1, 1, err.Error()}
	}
	if err := check.allowed(program.Node()); err != nil {
		return condition{}, err
	}
	slices.Sort(check.reads)
	return condition{program, slices.Compact(check.reads)}, nil
}

// conditionError is a fault in a condition's source.
type conditionError struct {
	column, line int
	says         string
}

func (e *conditionError) Error() string { return e.says }

// reword adds the nearest name to the library's complaint about an unknown one.
func reword(says string, words map[string][]word) string {
	says, _, _ = strings.Cut(says, "\n")
	name, ok := strings.CutPrefix(says, "unknown name ")
	if !ok {
		return says
	}
	known := slices.Sorted(maps.Keys(words))
	for _, c := range counters {
		known = append(known, c.name)
	}
	known = append(known, "arg", "given", "and", "or", "not", "true", "false")
	return fmt.Sprintf("unknown name %q%s", name, near.Hint(name, known))
}

// prototypes are the types of what conditions may use.
func prototypes(words map[string][]word) map[string]any {
	out := map[string]any{"arg": func(string) string { return "" }, "given": func(string) bool { return false }}
	for name := range words {
		out[name] = func(string) bool { return false }
	}
	for _, c := range counters {
		out[c.name] = 0
	}
	return out
}

// checker holds every call against the vocabulary.
type checker struct {
	words map[string][]word
	reads []string
	err   error
}

// Visit is called for each node of a condition.
func (c *checker) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.CallNode)
	if !ok || c.err != nil {
		return
	}
	c.err = c.call(call)
}

func (c *checker) call(call *ast.CallNode) error {
	at := func(n ast.Node, format string, args ...any) error {
		return &conditionError{n.Location().From + 1, 1, fmt.Sprintf(format, args...)}
	}
	name, ok := call.Callee.(*ast.IdentifierNode)
	if !ok {
		return at(call, "only the policy's own functions can be called")
	}
	list, known := c.words[name.Value]
	if !known && name.Value != "arg" && name.Value != "given" {
		return nil // the compiler names it
	}
	if len(call.Arguments) != 1 {
		return at(call, "%s takes one word, as in %s", name.Value, example(name.Value, list))
	}
	word, ok := call.Arguments[0].(*ast.StringNode)
	if !ok {
		return at(call.Arguments[0], "%s takes a word in quotes, as in %s", name.Value, example(name.Value, list))
	}
	if !known {
		c.reads = append(c.reads, word.Value)
		return nil
	}
	for _, w := range list {
		if w.name == word.Value {
			return nil
		}
	}
	return at(word, "%s knows no word %q%s", name.Value, word.Value, near.Hint(word.Value, names(list)))
}

func example(name string, list []word) string {
	if len(list) == 0 {
		return name + `("url")`
	}
	return fmt.Sprintf("%s(%q)", name, list[0].name)
}

func names(list []word) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.name)
	}
	return out
}

// allowed refuses what conditions have no need of: then nothing of the library's
// language beyond these nodes has to be trusted.
func (c *checker) allowed(node ast.Node) error {
	switch n := node.(type) {
	case *ast.BoolNode, *ast.IntegerNode, *ast.StringNode, *ast.IdentifierNode:
		return nil
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return c.allowed(n.Node)
		}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			break
		}
		if err := c.allowed(n.Left); err != nil {
			return err
		}
		return c.allowed(n.Right)
	case *ast.CallNode:
		return nil // call has seen it
	case *ast.ConditionalNode:
		node = n.Cond // it has no place of its own
	}
	return &conditionError{node.Location().From + 1, 1, "conditions have only and, or, not, comparisons, numbers, texts and the policy's own functions"}
}

// environment binds the names of conditions to one call's facts.
func (e *env) environment(index map[string]map[string]func(*env) bool) map[string]any {
	out := make(map[string]any, len(index)+len(counters)+2)
	for name, words := range index {
		out[name] = func(word string) bool { return words[word](e) }
	}
	for _, c := range counters {
		if c.name != "text_bytes" || e.f.Text != nil {
			out[c.name] = c.of(e)
		}
	}
	out["arg"] = func(name string) string {
		v, ok := e.f.Args[name]
		if !ok {
			panic(missing{"argument"})
		}
		return v
	}
	out["given"] = func(name string) bool { _, ok := e.f.Args[name]; return ok }
	return out
}

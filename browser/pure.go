package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/tidwall/gjson"

	"moire/embedjs"
)

// ErrImpure is a script of which it is not proved that it changes nothing, or
// that reads what nobody sees, or that has no answer that can be told. It has
// changed nothing.
var ErrImpure = errors.New("the script is not proved to only read")

// PureLimits bound one script. Zero values are the defaults.
type PureLimits struct {
	// Time is how long it may run: 250 ms.
	Time time.Duration
	// Bytes bounds its answer, in UTF-16 units of its JSON: 1 MiB.
	Bytes int
	// Isolated: it may not run among the page's own objects, where what nobody sees
	// is not closed to it.
	Isolated bool
}

// PureResult is the answer of a script.
type PureResult struct {
	// JSON is what JSON.stringify makes of the value, nil if that is undefined.
	JSON []byte
	// Main: it ran among the page's own objects.
	Main bool
}

// Thrown is an exception of the script's own.
type Thrown struct {
	// Name is that of an error of ECMAScript's.
	Name string
	// Message is the page's to write, at most 4 KiB.
	Message string
	// Main: it ran among the page's own objects.
	Main bool
}

func (e *Thrown) Error() string { return "the script threw: " + e.Name }

const (
	maxPureText     = 64 << 10
	maxPureElements = 32
	maxThrown       = 4 << 10
	pureTime        = 250 * time.Millisecond
	pureBytes       = 1 << 20
	// pureGrace is what setting up, and ending a script that does not yield, may take.
	pureGrace = 5 * time.Second
)

// RunPure runs a function expression once under the engine's check that it changes
// nothing, and has its JSON. All else is an [ErrImpure] or a [*Thrown].
func (f *Frame) RunPure(ctx context.Context, function string, elements []Node, limit PureLimits) (PureResult, error) {
	if limit.Time <= 0 {
		limit.Time = pureTime
	}
	if limit.Bytes <= 0 {
		limit.Bytes = pureBytes
	}
	// What an async function returns may have a then, which is called when the check
	// is over; the engine does not count that. No escape writes the word otherwise.
	if strings.Contains(function, "async") || len(function) > maxPureText || len(elements) > maxPureElements {
		return PureResult{}, ErrImpure
	}
	ctx, cancel := context.WithTimeout(ctx, limit.Time+pureGrace)
	defer cancel()
	r, err := asked(ctx, f.page, "running a script that only reads", func(ctx context.Context) (PureResult, error) {
		return f.page.tab.pure(ctx, f, function, elements, limit)
	})
	var thrown *Thrown
	if err != nil && !errors.As(err, &thrown) && !errors.Is(err, ErrImpure) {
		err = fmt.Errorf("%w: %w", ErrImpure, err)
	}
	return r, err
}

// pureRun is one script in one world.
type pureRun struct {
	f        *Frame
	name     string // of our binding in the world: nobody can guess it
	function string
	elements []Node
	limit    PureLimits
	world    runtime.ExecutionContextID
	group    string
	main     bool // the world is the page's own
}

// pureRuns numbers them.
var pureRuns atomic.Int64

// errMiss: the script asks for what only the page's own world has.
var errMiss = errors.New("the script asks for the page's objects")

func (p *cdpTab) pure(ctx context.Context, f *Frame, function string, elements []Node, limit PureLimits) (PureResult, error) {
	r := &pureRun{f: f, name: strings.ReplaceAll(p.pages.world, "-", "Pure"), function: function, elements: elements, limit: limit}
	r.group = r.name + strconv.FormatInt(pureRuns.Add(1), 10)
	defer func() {
		_ = f.session.Send(context.WithoutCancel(ctx), runtime.CommandReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: r.group})
	}()
	if err := r.compiles(ctx); err != nil {
		return PureResult{}, err
	}
	world := page.CreateIsolatedWorldParams{FrameID: f.ID, WorldName: p.pages.world + "-pure"}
	made, err := cdp.Call(ctx, cdp.Session(f.session), page.CreateIsolatedWorld, world)
	if err != nil {
		return PureResult{}, err
	}
	r.world = made.ExecutionContextID
	if err := r.ensure(ctx, r.setIsolated); err != nil {
		return PureResult{}, err
	}
	out, err := r.isolated(ctx)
	if !errors.Is(err, errMiss) {
		return out, err
	}
	if limit.Isolated || !plainPath(function) {
		return PureResult{}, ErrImpure
	}
	if err := r.enterMain(ctx); err != nil {
		return PureResult{}, err
	}
	out, err = r.run(ctx)
	out.Main = err == nil
	var thrown *Thrown
	if errors.As(err, &thrown) {
		thrown.Main = true
	}
	return out, err
}

// compiles refuses text that is not one expression: brackets of either kind can be
// closed by it only if they are not both valid around it. Nothing runs.
func (r *pureRun) compiles(ctx context.Context) error {
	for _, text := range []string{"[\n" + r.function + "\n]", "(\n" + r.function + "\n)"} {
		frame, err := r.call(ctx, runtime.CommandCompileScript, runtime.CompileScriptParams{Expression: text})
		if err != nil {
			return err
		}
		if gjson.GetBytes(frame, "result.exceptionDetails").Exists() {
			return &Thrown{Name: "SyntaxError"}
		}
	}
	return nil
}

// call has the browser's answer, if that is not an error.
func (r *pureRun) call(ctx context.Context, method string, params any) ([]byte, error) {
	frame, err := r.f.session.wire.call(ctx, r.f.session, method, params)
	if err != nil {
		return nil, err
	}
	return frame, decodeAnswer(method, frame, nil)
}

// value evaluates a text of ours in the world and has the string it is.
func (r *pureRun) value(ctx context.Context, expression string) (string, error) {
	yes := true
	frame, err := r.call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: expression, ContextID: r.world, Silent: &yes})
	if err != nil {
		return "", err
	}
	got := gjson.GetBytes(frame, "result")
	if got.Get("exceptionDetails").Exists() || got.Get("result.type").Str != "string" {
		return "", errScript
	}
	return got.Get("result.value").Str, nil
}

// ensure readies the world, if it is not. That our binding is there tells the world
// too: the number of one whose document is gone can be another's.
func (r *pureRun) ensure(ctx context.Context, set func(context.Context) error) error {
	const lacking = `typeof %s === "undefined" ? "lacking" : (%[1]s.ready(), "there")`
	got, err := r.value(ctx, fmt.Sprintf(lacking, r.name))
	if err != nil || got == "there" {
		return err
	}
	return set(ctx)
}

func (r *pureRun) setIsolated(ctx context.Context) error {
	_, err := r.value(ctx, embedjs.PureWorld(r.name)+";"+r.name+`.ready();"there"`)
	return err
}

func (r *pureRun) isolated(ctx context.Context) (PureResult, error) {
	if bare.MatchString(r.function) {
		return PureResult{}, errMiss
	}
	names, bareWords := []string{}, []string{}
	for _, m := range globals.FindAllStringSubmatch(r.function, -1) {
		if !strings.Contains(m[0], "typeof") || !local(r.function, m[1]) {
			names = append(names, m[1])
		}
	}
	for _, m := range words.FindAllStringSubmatch(quoted.ReplaceAllString(r.function, " "), -1) {
		bareWords = append(bareWords, m[1])
	}
	slices.Sort(bareWords)
	list, err := json.Marshal([][]string{names, slices.Compact(bareWords)})
	if err != nil {
		return PureResult{}, err
	}
	got, err := r.value(ctx, fmt.Sprintf(`%s.lacks(...%s)`, r.name, list))
	if err != nil {
		return PureResult{}, err
	}
	theirs := func(n gjson.Result) bool { return !local(r.function, n.Str) }
	if gjson.Get(got, "0.#").Int() > 0 || slices.ContainsFunc(gjson.Get(got, "1").Array(), theirs) {
		return PureResult{}, errMiss
	}
	return r.run(ctx)
}

// run runs the script in the world it is in.
func (r *pureRun) run(ctx context.Context) (PureResult, error) {
	id, err := r.give(ctx)
	if err != nil {
		return PureResult{}, err
	}
	if id != "0" {
		defer func() {
			_ = r.f.session.Send(context.WithoutCancel(ctx), runtime.CommandEvaluate,
				runtime.EvaluateParams{Expression: "delete " + r.name + ".args[" + id + "]", ContextID: r.world})
		}()
	}
	var items []string
	for i := range r.elements {
		items = append(items, fmt.Sprintf("%sA[%d]", r.name, i))
	}
	// The script is evaluated, called and told as JSON by one checked evaluation.
	// Its answer is a string: telling an object would run the object's getters
	// after the check.
	text := fmt.Sprintf("%s.run(() => (\n%s\n), (%[1]sF, %[1]sA) => %[1]sF(%[3]s), %[4]s, %[5]d)", r.name, r.function, strings.Join(items, ","), id, r.limit.Bytes)
	yes, no := true, false
	limit := runtime.TimeDelta(r.limit.Time.Milliseconds())
	frame, err := r.call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: text, ContextID: r.world, ThrowOnSideEffect: &yes,
		Timeout: limit, DisableBreaks: &yes, Silent: &yes, AllowUnsafeEvalBlockedByCSP: &no, ObjectGroup: r.group})
	if err != nil {
		return PureResult{}, err
	}
	got := gjson.GetBytes(frame, "result")
	if got.Get("exceptionDetails").Exists() || got.Get("result.type").Str != "string" {
		return PureResult{}, ErrImpure
	}
	return r.answer(got.Get("result.value").Str)
}

func (r *pureRun) answer(s string) (PureResult, error) {
	if s == "" {
		return PureResult{}, ErrImpure
	}
	switch s[0] {
	case 'u':
		return PureResult{}, nil
	case 'v':
		if json.Valid([]byte(s[1:])) {
			return PureResult{JSON: []byte(s[1:])}, nil
		}
	case 't':
		name, message, _ := strings.Cut(s[1:], "\n")
		if name == "ReferenceError" && !r.main {
			return PureResult{}, errMiss
		}
		return PureResult{}, thrown(name, message)
	}
	return PureResult{}, ErrImpure
}

func thrown(name, message string) *Thrown {
	switch name {
	case "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "AggregateError":
	default:
		name = "Error"
	}
	if len(message) > maxThrown {
		message = strings.ToValidUTF8(message[:maxThrown], "")
	}
	return &Thrown{Name: name, Message: strings.Clone(message)}
}

// give puts the elements where the script's call finds them.
func (r *pureRun) give(ctx context.Context) (string, error) {
	if len(r.elements) == 0 {
		return "0", nil
	}
	id := strconv.FormatInt(pureRuns.Add(1), 10)
	var args []*runtime.CallArgument
	for _, n := range r.elements {
		object, err := r.resolve(ctx, n.backend, r.world)
		if err != nil {
			return "", err
		}
		args = append(args, &runtime.CallArgument{ObjectID: object})
	}
	return id, r.setUp(ctx, fmt.Sprintf("function(...a) { %s.args[%s] = a }", r.name, id), args)
}

// setUp calls a function of ours in the world of its arguments.
func (r *pureRun) setUp(ctx context.Context, function string, args []*runtime.CallArgument) error {
	yes := true
	frame, err := r.call(ctx, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: function, Arguments: args,
		ObjectID: args[0].ObjectID, Silent: &yes})
	if err == nil && gjson.GetBytes(frame, "result.exceptionDetails").Exists() {
		err = errScript
	}
	return err
}

// resolve has a node as an object in a world, or in its document's own.
func (r *pureRun) resolve(ctx context.Context, n cdp.BackendNodeID, world runtime.ExecutionContextID) (runtime.RemoteObjectID, error) {
	got, err := cdp.Call(ctx, cdp.Session(r.f.session), dom.ResolveNode,
		dom.ResolveNodeParams{BackendNodeID: n, ExecutionContextID: world, ObjectGroup: r.group})
	if err != nil {
		return "", err
	}
	if got.Object == nil || got.Object.ObjectID == "" {
		return "", ErrMoved
	}
	return got.Object.ObjectID, nil
}

// enterMain goes over to the page's own world.
func (r *pureRun) enterMain(ctx context.Context) error {
	yes := true
	frame, err := r.call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: "document", ContextID: r.world, ObjectGroup: r.group})
	if err != nil {
		return err
	}
	frame, err = r.call(ctx, dom.CommandDescribeNode, dom.DescribeNodeParams{ObjectID: runtime.RemoteObjectID(gjson.GetBytes(frame, "result.result.objectId").Str)})
	if err != nil {
		return err
	}
	document, err := r.resolve(ctx, cdp.BackendNodeID(gjson.GetBytes(frame, "result.node.backendNodeId").Int()), 0)
	if err != nil {
		return err
	}
	// An object's id holds its world's number.
	parts := strings.Split(string(document), ".")
	number, err := strconv.ParseInt(parts[max(0, len(parts)-2)], 10, 64)
	if err != nil || len(parts) != 3 {
		return ErrImpure
	}
	r.world, r.main = runtime.ExecutionContextID(number), true
	return r.ensure(ctx, func(ctx context.Context) error {
		frame, err := r.call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: "JSON.stringify", ContextID: r.world,
			ThrowOnSideEffect: &yes, Silent: &yes, ObjectGroup: r.group})
		if err != nil {
			return err
		}
		got := gjson.GetBytes(frame, "result.result")
		// No script can make a function that the engine describes so.
		if got.Get("description").Str != "function stringify() { [native code] }" || got.Get("subtype").Exists() {
			return ErrImpure
		}
		// A name that no property tells of. It fails where it is there already.
		if err := r.f.session.Send(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: "let " + r.name, ContextID: r.world}); err != nil {
			return err
		}
		return r.setUp(ctx, fmt.Sprintf(`function(d, s) { "use strict"; %s = (%s)(s) }`, r.name, embedjs.PureRun()),
			[]*runtime.CallArgument{{ObjectID: document}, {ObjectID: runtime.RemoteObjectID(got.Get("objectId").Str)}})
	})
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"moire/adapter"
	"moire/classify"
	"moire/embedjs"
	"moire/files"
	"moire/past"
	"moire/policy"
	"moire/proxy"
	"moire/scan"
	"moire/session"
	"moire/state"
	"moire/upstream"
	"moire/wire"
)

type runCmd struct {
	Limits
	Store
	Upstream    string   `help:"Browser MCP server to start: a name that Moiré knows, with @version if you like. @latest means the newest that Moiré was tested with." placeholder:"NAME[@VERSION]"`
	Adapter     string   `help:"A table of your own for an upstream that Moiré does not know (moire adapter check)." placeholder:"FILE" type:"path"`
	Channel     string   `default:"auto" enum:"auto,isolated,evaluate" help:"Where pages are scanned: isolated (in a world of our own, on the wire between upstream and browser; needs a browser that the upstream starts), evaluate (in the page's world, where a page can deceive the scan) or auto, which takes the first that works." placeholder:"NAME"`
	Policy      string   `default:"standard" help:"What the agent may do: a profile (moire policy show NAME) or a file of your own (moire policy init)." placeholder:"POLICY"`
	TrustOrigin []string `help:"Let console messages, requests and script results pass unjudged where a page and all its scripts are of these origins: for a site of your own that you debug (http://localhost:3000)." placeholder:"ORIGIN" sep:"none"`
	Untested    bool     `help:"Allow versions of the upstream that Moiré was not tested with."`
	Command     []string `arg:"" optional:"" passthrough:"partial" help:"After --: flags of the upstream; without --upstream the whole command that starts it."`
}

// launch finds the command of the upstream, with the person's own table if there is
// one.
func (c *runCmd) launch(log *slog.Logger) (*launch, error) {
	if c.Adapter == "" {
		return prepare(c.Upstream, c.Command, c.Untested)
	}
	if c.Upstream != "" {
		return nil, &hinted{errors.New("--adapter goes with a command, not with --upstream"), "moire --adapter FILE -- COMMAND ARGUMENTS"}
	}
	a, err := adapterOf(c.Adapter)
	if err != nil {
		return nil, err
	}
	l, err := byTable(a, c.Command)
	if err != nil {
		return nil, err
	}
	if plain := a.Plain(); len(plain) > 0 {
		log.Warn("replies pass unjudged, as the adapter says that they are harmless", "adapter", a.Name, "tools", strings.Join(plain, ", "))
	}
	return l, nil
}

// origins reads what a person trusts: scheme, host and port, as an address bar has
// them.
func origins(list []string) ([]string, error) {
	var out []string
	for _, raw := range list {
		u, err := url.Parse(strings.TrimSuffix(raw, "/"))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return nil, &hinted{fmt.Errorf("--trust-origin %q is no origin", raw), "scheme, host and port alone, as in http://localhost:3000"}
		}
		// Browsers leave the usual port out.
		host := strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
		out = append(out, u.Scheme+"://"+host)
	}
	return out, nil
}

// Limits are flags that several commands share.
type Limits struct {
	CallTimeout time.Duration `default:"5m" help:"Time after which a tool call is given up."`
	LookTimeout time.Duration `default:"20s" help:"Time that one scan of a page may take."`
	MaxFrame    int           `default:"64" help:"Largest message that passes, in MiB." placeholder:"MIB"`
	LogLevel    string        `default:"warn" enum:"debug,info,warn,error" help:"What to log to standard error: ${enum}."`
}

func (l Limits) wire() (wire.Limits, error) {
	w := wire.DefaultLimits()
	w.Bytes = l.MaxFrame << 20
	return w, w.Validate()
}

// launch is an upstream that is about to be started.
type launch struct {
	adapter *adapter.Adapter // nil: found when it speaks
	argv    []string
	pathDir string
	// own is where the upstream's own flags begin in argv.
	own int
	// structured: the person's own flags ask for structured content.
	structured bool
	// policy decides on every call, by what the classifier tells of words.
	policy     *policy.Policy
	classifier *classify.Classifier
	// recorder, approver and past are nil if there is no state directory.
	recorder proxy.Recorder
	approver proxy.Approver
	past     session.Past
	// untested: any version may serve.
	untested bool
	// settings are what the upstream's own file of them says, JSON or empty.
	settings []byte
	// env goes with the upstream's environment.
	env []string
	// trusted are the origins of --trust-origin.
	trusted []string
	// browser is the wire to the upstream's browser, if there is one.
	browser proxy.Browser
	// workspace is where the agent's files are, files the way of the upstream's, if
	// it has one.
	workspace *files.Workspace
	files     *files.Exchange
}

func (c *runCmd) Run(ctx context.Context, s *streams) error {
	log := newLogger(s.err, c.LogLevel)
	l, err := c.launch(log)
	if err != nil {
		return err
	}
	l.untested = c.Untested
	if l.policy, err = policyOf(c.Policy); err != nil {
		return err
	}
	if l.classifier, err = classify.New(); err != nil {
		return err
	}
	if l.settings, err = l.readSettings(); err != nil {
		return err
	}
	if l.trusted, err = origins(c.TrustOrigin); err != nil {
		return err
	}
	context := l.browserContext()
	host, err := l.putOnWire(c.Channel, log)
	if err != nil {
		return err
	}
	if host == nil && l.policy.RequiresIsolated() {
		return &hinted{fmt.Errorf("the policy %s wants pages judged where they can't reach, which takes the wire to the browser", l.policy.Name), "remove --channel evaluate, or let the upstream start its browser"}
	}
	for _, lifted := range l.policy.Lifted() {
		log.Warn("the policy lets the agent to an origin of the deny list", "origin", lifted)
	}
	if host == nil && len(l.trusted) > 0 {
		return &hinted{errors.New("--trust-origin needs the wire to the browser, which tells where scripts come from"), "remove it, or use --channel isolated"}
	}
	for _, o := range l.trusted {
		if !proxy.Loopback(o) {
			log.Warn("console messages, requests and script results of an origin that is not on this machine pass unjudged", "origin", o)
		}
	}
	if err := l.exchange(); err != nil {
		return err
	}
	if l.files != nil {
		defer l.keep(log)
	}
	end, err := l.openRecord(ctx, c.Store, context, log)
	if err != nil {
		return err
	}
	defer end()
	if host != nil {
		l.browser = host
		defer host.Close() // after the upstream: it ends its browser itself
	}
	return serve(ctx, s, c.Limits, l, log)
}

// prepare finds the command of the upstream and adds the adapter's flags.
func prepare(spec string, command []string, untested bool) (*launch, error) {
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if spec == "" {
		if len(command) == 0 {
			return nil, &hinted{errors.New("no upstream is named"),
				"moire --upstream chrome-devtools-mcp, or moire -- COMMAND ARGUMENTS"}
		}
		return byCommand(command)
	}
	a, err := adapter.Builtin(unversioned(spec))
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	home, _ := os.UserHomeDir() // without a home there are only fewer places to look
	cmd, err := upstream.Resolve(upstream.ResolveConfig{
		Package: a.Package, Binary: a.Binary, TestedVersion: a.Tested.To, Spec: spec, Untested: untested,
		Dir: dir, GOOS: runtime.GOOS, LookPath: exec.LookPath, SearchDirs: upstream.CommonDirs(home, runtime.GOOS),
	})
	if err != nil {
		return nil, err
	}
	// Before it runs, where the version can be told: the rest is refused by what
	// it says of itself.
	if cmd.Version != "" && !untested {
		if err := a.CheckVersion(cmd.Version); err != nil {
			return nil, err
		}
	}
	l := &launch{adapter: a, pathDir: cmd.PathDir, own: len(cmd.Argv)}
	l.argv, l.structured, err = withFlags(a, append(slices.Clone(cmd.Argv), command...), len(cmd.Argv))
	return l, err
}

// program finds a command of the person's.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &hinted{fmt.Errorf("starting the upstream: %w", err), "give an absolute path, or put the command on PATH"}
	}
	return path, nil
}

// byTable starts a command with a table of the person's own.
func byTable(a *adapter.Adapter, command []string) (*launch, error) {
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		return nil, &hinted{errors.New("no upstream is named"), "moire --adapter FILE -- COMMAND ARGUMENTS"}
	}
	path, err := program(command[0])
	if err != nil {
		return nil, err
	}
	l := &launch{adapter: a, own: 1}
	l.argv, l.structured, err = withFlags(a, append([]string{path}, command[1:]...), 1)
	return l, err
}

// byCommand takes the command as it is; if a known upstream's name stands in
// it, that adapter's flags are added.
func byCommand(command []string) (*launch, error) {
	path, err := program(command[0])
	if err != nil {
		return nil, err
	}
	l := &launch{argv: append([]string{path}, command[1:]...)}
	for _, name := range adapter.Names() {
		a, err := adapter.Builtin(name)
		if err != nil {
			return nil, err
		}
		for i, arg := range command {
			if strings.Contains(arg, a.Package) || filepath.Base(arg) == a.Binary {
				l.adapter, l.own = a, i+1
				l.argv, l.structured, err = withFlags(a, l.argv, i+1)
				return l, err
			}
		}
	}
	return l, nil
}

// unversioned is the name without its version; a scope begins with the same sign.
func unversioned(spec string) string {
	if i := strings.LastIndex(spec, "@"); i > 0 {
		return spec[:i]
	}
	return spec
}

// withFlags appends what the adapter needs; structured reports that the person
// asked for structured content.
func withFlags(a *adapter.Adapter, argv []string, from int) (with []string, structured bool, err error) {
	for _, arg := range argv[from:] {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if why, ok := a.Launch.Refused[name]; ok && strings.HasPrefix(arg, "-") && value != "false" {
			return nil, false, &hinted{fmt.Errorf("the upstream's flag --%s can't be used: %s", name, why), "remove it"}
		}
		structured = structured || a.Launch.Structured != "" && (arg == a.Launch.Structured || arg == a.Launch.Structured+"=true")
	}
	if a.Launch.Structured != "" && !structured {
		argv = append(argv, a.Launch.Structured)
	}
	return append(argv, a.Launch.Flags...), structured, nil
}

// keep saves the downloads that nobody has looked at, and ends the way of the
// files.
func (l *launch) keep(log *slog.Logger) {
	dir, err := l.files.Keep(l.adapter.Launch.OutputOwn, func() (string, error) {
		base, err := state.DefaultDir(os.Getenv, runtime.GOOS)
		if err != nil {
			return "", err
		}
		base = filepath.Join(base, "quarantine")
		if err := os.MkdirAll(base, 0o700); err != nil {
			return "", err
		}
		return os.MkdirTemp(base, time.Now().UTC().Format("2006-01-02T150405Z-"))
	})
	switch {
	case err != nil:
		log.Error("files that the upstream downloaded are not saved", "error", err, "in", l.files.Dir())
		return // they stay where they are until the next start
	case dir != "":
		log.Warn("downloads are kept, and nobody has looked at them", "in", dir)
	}
	if err := l.files.Close(); err != nil {
		log.Debug("removing the upstream's files", "error", err)
	}
}

// exchange has the upstream write its files to a directory of ours.
func (l *launch) exchange() error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	l.workspace = files.NewWorkspace(dir)
	if l.adapter == nil || len(l.adapter.Launch.Output) == 0 {
		return nil
	}
	flags := l.adapter.Launch.Browser
	asked, rest := adapter.Option(l.argv[l.own:], l.adapter.Launch.Output)
	asked = cmp.Or(asked, os.Getenv(flags.Env.Output), gjson.GetBytes(l.settings, flags.Settings.Output).String())
	if l.files, err = files.New(asked, l.adapter.Launch.OutputDefault, l.workspace); err != nil {
		return err
	}
	l.argv = append(append(slices.Clone(l.argv[:l.own]), rest...), "--"+l.adapter.Launch.Output[0], l.files.Dir())
	return nil
}

// browserContext names the browser context that the upstream will work in, by the
// person's own flags: Moirés on one share what they know of its past. Temporary
// profiles are one: their cookies end, but what an agent has read does not.
func (l *launch) browserContext() string {
	own := l.argv[l.own:]
	if l.adapter == nil || l.adapter.Launch.Browser == nil {
		return "command " + strings.Join(l.argv, " ")
	}
	flags := l.adapter.Launch.Browser
	b := flags.Read(own)
	flags.Complete(&b, os.Getenv, l.settings)
	switch {
	case b.URL != "":
		return "browser at " + b.URL
	case b.Socket != "":
		return "browser at " + b.Socket
	case b.Temporary:
		return "temporary profiles of " + l.adapter.Name
	case b.Profile != "":
		if abs, err := filepath.Abs(b.Profile); err == nil {
			return "profile " + abs
		}
	}
	return strings.TrimSpace(fmt.Sprintf("profile of %s %s", l.adapter.Name, b.Channel))
}

// openRecord opens the record of the session and the way to ask a person. Without a
// state directory there is neither, which is said: what needs approval is refused then.
func (l *launch) openRecord(ctx context.Context, store Store, browserContext string, log *slog.Logger) (end func(), err error) {
	dir, err := store.open()
	if err != nil {
		log.Warn("no record is kept, what was read is forgotten with this session, and nobody can be asked: what needs a person's approval is refused", "error", err)
		return func() {}, nil
	}
	was, err := past.Open(past.Config{Dir: dir, Context: browserContext, Clock: realClock{}})
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	l.past = was
	tables := l.classifier.Versions()
	tables["deny-list"] = policy.DeniedVersion()
	r, close, err := record(ctx, dir, started{Moire: Version, Upstream: l.argv[:l.own], Policy: l.policy.Name, Hash: l.policy.Hash, Source: l.policy.Source, Versions: tables}, log)
	if err != nil {
		return nil, errors.Join(err, was.Close(), dir.Close())
	}
	l.recorder = r
	stop := func() {}
	l.approver, stop = approver(dir, log)
	return func() {
		stop()
		close()
		_ = was.Close()
		_ = dir.Close() // all that was written is on the disk
	}, nil
}

// gcPercent trades a little time for memory: large pages come in bursts, and
// the heap they leave behind stays resident (make bench prints the peak).
const gcPercent = 50

// serve runs one agent's connection until it ends.
func serve(ctx context.Context, s *streams, lim Limits, l *launch, log *slog.Logger) error {
	limits, err := lim.wire()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	child, err := upstream.Start(upstream.Config{
		Argv: l.argv, Env: append(environment(l.pathDir), l.env...), Limits: limits, StdinGrace: 5 * time.Second, TermGrace: 3 * time.Second,
		Stderr: func(line string) { log.Debug("upstream", "stderr", line) }, Logger: log,
	})
	if err != nil {
		return diagnosed(err)
	}
	agent := wire.NewLineConn(s.in, s.out, limits)
	defer agent.Close()
	options := embedjs.DefaultOptions()
	if l.adapter != nil && l.adapter.Launch.Browser != nil {
		options.Refs = l.adapter.Launch.Browser.Refs
	}
	p, err := proxy.New(proxy.Config{
		Agent: agent, Session: session.New(realClock{}, l.past), Scanner: scan.NewScanner(options),
		Browser: l.browser, TrustOrigins: l.trusted, Workspace: l.workspace, Files: l.files, Adapter: l.adapter, KeepStructured: l.structured, Untested: l.untested, Pins: knownPins, Pin: remember, Policy: l.policy, Classifier: l.classifier, Recorder: l.recorder, Approver: l.approver,
		CallTimeout: lim.CallTimeout, LookTimeout: lim.LookTimeout, Logger: log,
	})
	if err != nil {
		return err
	}
	link, err := upstream.NewLink(upstream.LinkConfig{
		Conn: child.Conn(), Done: child.Done(), Exit: child.Err, Incoming: p, Logger: log,
	})
	if err != nil {
		return err
	}
	err = p.Serve(ctx, link)
	stop, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	died := child.Err()
	if cerr := child.Close(stop); cerr != nil && err == nil {
		log.Debug("ending the upstream", "error", cerr)
	}
	if cerr := link.Close(); cerr != nil && err == nil {
		log.Debug("ending the link", "error", cerr)
	}
	if err == nil && died != nil {
		return diagnosed(died)
	}
	return err
}

// diagnosed words the death of an upstream with cause and remedy.
func diagnosed(err error) error {
	var e *upstream.ExitError
	if !errors.As(err, &e) {
		return err
	}
	if len(e.Tail) == 0 {
		return &hinted{err, e.Diagnose()}
	}
	return &hinted{fmt.Errorf("%w\n  %s", err, strings.Join(e.Tail, "\n  ")), e.Diagnose()}
}

// environment puts the directory of node in front of PATH where a desktop
// client's minimal PATH lacks it.
func environment(pathDir string) []string {
	env := os.Environ()
	if pathDir == "" {
		return env
	}
	for i, kv := range env {
		if strings.HasPrefix(kv, "PATH=") {
			env[i] = "PATH=" + pathDir + string(os.PathListSeparator) + strings.TrimPrefix(kv, "PATH=")
			return env
		}
	}
	return append(env, "PATH="+pathDir)
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

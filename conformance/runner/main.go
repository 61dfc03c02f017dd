// Command runner is readpref's conformance run: it starts one testee per
// runtime (docs/testee.md), sends every case to each, compares the answers with
// the first runtime's bytes and with the expected values, and reports.
//
//	go run ./conformance/runner                       # the five default runtimes; portable is a sixth
//	go run ./conformance/runner -runtimes go,c        # some of them
//	go run ./conformance/runner -testee mine=./mine   # any program that speaks the protocol
//
// It is run from the repository root. Exit status 1 means that something
// failed, 2 that the command line is wrong.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// options are the command line and the environment, once read.
type options struct {
	testees      []testeeSpec
	typed        map[string]bool
	specTests    string
	fieldCases   string
	vectors      string
	mustHaveSpec bool // a suite of official cases without files is a failure
	mustHaveFld  bool
	only         string
	report       string
	docs         string
	timeout      time.Duration
	startTimeout time.Duration
	maxFailures  int
	known        knownFailures
}

// testeeSpec names a runtime and the program that stands for it.
type testeeSpec struct {
	name    string
	command []string
}

func run(args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	opts, err := parseOptions(args, getenv, stderr)
	if err == flag.ErrHelp {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	suites := loadSuites(opts)
	testees := make([]*testee, len(opts.testees))
	for i, spec := range opts.testees {
		testees[i] = newTestee(spec, opts.startTimeout, opts.timeout)
	}
	res := &results{out: stdout, maxFailures: opts.maxFailures, known: opts.known}
	for _, s := range suites {
		runSuite(s, testees, opts.typed, res)
	}
	for _, t := range testees {
		t.close()
	}
	return finish(opts, res, stdout, stderr)
}

// finish prints the summary, writes the report files and gives the exit status.
func finish(opts *options, res *results, stdout, stderr io.Writer) int {
	code := 0
	res.printSummary(stdout)
	if opts.report != "" {
		if err := res.writeReport(opts.report); err != nil {
			fmt.Fprintln(stderr, err)
			code = 1
		}
	}
	if opts.docs != "" {
		if err := res.writeDocs(opts.docs); err != nil {
			fmt.Fprintln(stderr, err)
			code = 1
		}
	}
	passed, failed, skipped := res.totals()
	for _, entry := range opts.known.unmet(res.rows) {
		fmt.Fprintln(stdout, "a known failure names no case:", entry)
		code = 1
	}
	if passed == 0 && failed == 0 {
		fmt.Fprintln(stdout, "no case was run")
		code = 1
	}
	fmt.Fprintf(stdout, "%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 {
		code = 1
	}
	return code
}

func parseOptions(args []string, getenv func(string) string, stderr io.Writer) (*options, error) {
	env := func(name, otherwise string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	ci := getenv("CI") != "" && getenv("CI") != "false"
	o := &options{
		typed:        map[string]bool{},
		specTests:    env("SPEC_TESTS", "../shared/spec-tests"),
		fieldCases:   env("FIELD_CASES", "../shared/field-cases/cases.jsonl"),
		mustHaveSpec: ci || getenv("SPEC_TESTS") != "",
		mustHaveFld:  ci || getenv("FIELD_CASES") != "",
	}
	fs := flag.NewFlagSet("runner", flag.ContinueOnError)
	fs.SetOutput(stderr)
	runtimes := fs.String("runtimes", "go,c,python,wazero,node", "the runtimes to run, by name; the first is the reference")
	typed := fs.String("typed", "go,python,node", "the runtimes whose testees also answer via their typed API")
	fs.Func("testee", "`name=command`: a runtime by its command, in place of -runtimes; may be repeated", func(v string) error {
		name, command, ok := strings.Cut(v, "=")
		if !ok || name == "" || len(strings.Fields(command)) == 0 {
			return fmt.Errorf("want name=command")
		}
		o.testees = append(o.testees, testeeSpec{name, strings.Fields(command)})
		return nil
	})
	fs.StringVar(&o.report, "report", getenv("REPORT"), "write the report (a JSON array of rows) to this `file`; default $REPORT")
	docs := fs.Bool("docs", false, "write docs/conformance.md")
	fs.StringVar(&o.vectors, "vectors", "conformance/vectors", "the `folder` of our own vectors")
	known := fs.String("known-failures", "", "a `file` of lines runtime | suite | case | reason: cases that fail, and may not pass")
	fs.StringVar(&o.only, "only", "", "run only the suites whose name contains this `text`")
	fs.DurationVar(&o.timeout, "timeout", 20*time.Second, "how long a testee may take for one answer")
	fs.DurationVar(&o.startTimeout, "start-timeout", 120*time.Second, "how long it may take for its first answer, start included")
	fs.IntVar(&o.maxFailures, "max-failures", 60, "print at most this many failures")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	var err error
	if o.known, err = readKnownFailures(*known); err != nil {
		return nil, err
	}
	if *docs {
		o.docs = "docs/conformance.md"
	}
	for _, name := range strings.Split(*typed, ",") {
		o.typed[name] = name != ""
	}
	if len(o.testees) == 0 {
		for _, name := range strings.Split(*runtimes, ",") {
			command := defaultCommand(name, env)
			if command == nil {
				return nil, fmt.Errorf("unknown runtime %q: go, c, portable, python, wazero and node are known, others need -testee", name)
			}
			o.testees = append(o.testees, testeeSpec{name, command})
		}
	}
	seen := map[string]bool{}
	for _, t := range o.testees {
		if seen[t.name] {
			return nil, fmt.Errorf("runtime %q is named twice", t.name)
		}
		seen[t.name] = true
	}
	return o, nil
}

// defaultCommand is the testee that `build.sh testees` and the bindings provide.
func defaultCommand(runtime string, env func(name, otherwise string) string) []string {
	switch runtime {
	case "go", "c", "portable", "wazero":
		return []string{"build/testee-" + runtime}
	case "python":
		return []string{env("PYTHON", ".tools/venv/bin/python"), "bindings/python/tests/testee.py"}
	case "node":
		return []string{env("NODE", "node"), "bindings/node/test/testee.mjs"}
	}
	return nil
}

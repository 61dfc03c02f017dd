package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// judge is a program that tells a mutant from the original: the tests of a
// package, or the conformance runner over our vectors and the official cases.
type judge struct {
	name    string
	dir     string
	command []string
	reached map[int]bool
	seconds int // of processor time for one mutant: the machine may be busy
}

// of lists for a package the judges that can see it, quick ones first.
var judgesOf = map[string][]string{
	"core/readpref":   {"core/readpref", "conformance"},
	"core/selection":  {"core/selection", "conformance", "core/abi"},
	"core/sdam":       {"core/sdam", "conformance", "core/discovery", "core/abi"},
	"core/connstring": {"core/connstring", "conformance", "core/abi"},
}

// buildJudge compiles a judge with every mutant in it. In a hurry it tries few random cases.
func (in *instrumented) buildJudge(name string, hurry bool) (*judge, error) {
	j := &judge{name: name, dir: filepath.Join(in.root, name)}
	out := filepath.Join(in.work, strings.ReplaceAll(name, "/", "_"))
	build := exec.Command("go", "test", "-c", "-overlay", in.overlay, "-vet=off", "-o", out, "./"+name)
	// TestMebibyte measures time, of which all the switches take more.
	j.command = []string{out, "-test.failfast", "-test.timeout=0", "-test.skip=^TestMebibyte$"}
	if name == "conformance" {
		j.dir = in.root
		build = exec.Command("go", "build", "-overlay", in.overlay, "-o", out, "./conformance/testee-go")
		runner := filepath.Join(in.work, "runner")
		plain := exec.Command("go", "build", "-o", runner, "./conformance/runner")
		plain.Dir = in.root
		if b, err := plain.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("runner: %s", b)
		}
		j.command = []string{runner, "-testee", "go=" + out}
	}
	build.Dir = in.root
	if b, err := build.CombinedOutput(); err != nil {
		return nil, &buildError{string(b)}
	}
	if name != "conformance" {
		// A property test that fails looks for a smaller case, which nobody reads here.
		quick := []string{"-rapid.shrinktime=0s", "-rapid.nofailfile"}
		if hurry { // few cases find most mutants; survivors are tried again with all
			quick = append(quick, "-rapid.checks=10")
		}
		if exec.Command(out, append(quick, "-test.list=^$")...).Run() == nil {
			j.command = append(j.command, quick...)
		}
	}
	return j, nil
}

type buildError struct{ output string }

func (e *buildError) Error() string { return e.output }

var place = regexp.MustCompile(`(?m)^\S*source/(\S+?):(\d+):(\d+): `)

// broken lists the mutants of the lines that a compiler complained about.
func (in *instrumented) broken(e *buildError) []string {
	var list []string
	for _, m := range place.FindAllStringSubmatch(e.output, -1) {
		line, _ := strconv.Atoi(m[2]) //nolint:errcheck // digits
		for _, one := range in.mutants {
			if strings.ReplaceAll(one.File, "/", "_") == m[1] && one.Line == line {
				list = append(list, one.ID())
			}
		}
	}
	return list
}

// run runs a judge with one mutant, 0 for none, and reports whether it passed.
func (j *judge) run(mutant int, extra ...string) (passed bool, why string, took time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	// A mutant may ask for all memory there is, and run for ever: it gets 8 GiB of addresses, and processor time.
	limits := "ulimit -v 8388608"
	if j.seconds > 0 {
		limits += "; ulimit -t " + strconv.Itoa(j.seconds)
	}
	c := exec.CommandContext(ctx, "bash", append([]string{"-c", limits + `; exec "$@"`, "bash"}, j.command...)...)
	c.Dir = j.dir
	c.Env = append(os.Environ(), append(extra, "MUTANT="+strconv.Itoa(mutant), "GOMEMLIMIT=2GiB", "GOMAXPROCS=1")...)
	c.WaitDelay = 2 * time.Second
	out, err := c.CombinedOutput()
	if c.ProcessState != nil {
		took = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	if err == nil {
		return true, "", took
	}
	if ctx.Err() != nil || j.seconds > 0 && took.Seconds() > float64(j.seconds)-1 {
		return false, "took too long", took
	}
	return false, firstFailure(string(out)), took
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(panic: .*)$|^(FAIL .*)$|^(\S.*(?:differs|failed|expected).*)$`)

func firstFailure(out string) string {
	m := failure.FindStringSubmatch(out)
	for i := 1; i < len(m); i++ {
		if m[i] != "" {
			return oneLine(m[i])
		}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return oneLine(lines[len(lines)-1])
}

// prepare runs a judge without a mutant: it must pass, and says what it reaches.
func (j *judge) prepare(work string) error {
	list := filepath.Join(work, "reached-"+strings.ReplaceAll(j.name, "/", "_"))
	if err := os.RemoveAll(list); err != nil {
		return err
	}
	passed, why, took := j.run(0, "MUTANT_REACHED="+list)
	if !passed {
		return fmt.Errorf("%s fails without a mutant: %s", j.name, why)
	}
	j.seconds = 3 + 4*int(took.Seconds())
	j.reached = map[int]bool{}
	file, err := os.Open(list)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	for s := bufio.NewScanner(file); s.Scan(); {
		n, err := strconv.Atoi(s.Text())
		if err != nil {
			return err
		}
		j.reached[n] = true
	}
	fmt.Printf("%s: %.1f s, reaches %d mutants\n", j.name, took.Seconds(), len(j.reached))
	return nil
}

// verdict is what became of a mutant.
type verdict struct {
	ID       string  `json:"id"`
	Package  string  `json:"package"`
	Line     int     `json:"line"`
	Outcome  string  `json:"outcome"` // killed, survived, unreached
	By       string  `json:"by,omitempty"`
	Why      string  `json:"why,omitempty"`
	Seconds  float64 `json:"seconds"`
	Revision string  `json:"revision"`
}

func (m *mutant) pkg() string { return filepath.Dir(m.File) }

// judgeOne asks the judges until one is against it.
func judgeOne(m *mutant, judges map[string]*judge) verdict {
	v := verdict{ID: m.ID(), Package: m.pkg(), Line: m.Line, Outcome: "unreached"}
	for _, name := range judgesOf[m.pkg()] {
		j := judges[name]
		if j == nil || !j.reached[m.Number] {
			continue
		}
		passed, why, took := j.run(m.Number)
		v.Seconds += took.Seconds()
		if !passed {
			v.Outcome, v.By, v.Why = "killed", name, why
			return v
		}
		v.Outcome = "survived"
	}
	return v
}

// readVerdicts reads what earlier runs found; a later line of a mutant counts.
func readVerdicts(path string) (map[string]verdict, error) {
	list := map[string]verdict{}
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		var v verdict
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		list[v.ID] = v
	}
	return list, nil
}

// readLines reads a file's lines; one that is not there has none.
func readLines(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil || len(text) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}

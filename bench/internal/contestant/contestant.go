// Package contestant runs the programs that are measured, each a process of its
// own behind the line protocol of bench/README.md, and reads their processor
// time from outside.
package contestant

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/readpref/readpref/bench/internal/cases"
)

// Contestant is a program and what it can do.
type Contestant struct {
	Name  string // c-portable
	Label string // C, libreadpref_portable
	Peer  bool   // an official driver
	// Metrics are what it measures, by their names in the protocol.
	Metrics []string
	// WarmUp is how long its metrics run before they count: just-in-time
	// compilers need it.
	WarmUp time.Duration

	Command []string
	Env     []string
}

// Process is a contestant that runs.
type Process struct {
	Contestant
	Window []string // of the loaded case, sorted
	Picked []string // what plan picks gave, sorted; nil without plans

	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// Start starts the contestant.
func (c Contestant) Start() (*Process, error) {
	p := &Process{Contestant: c, command: exec.Command(c.Command[0], c.Command[1:]...)}
	p.command.Env = append(os.Environ(), c.Env...)
	p.command.Stderr = os.Stderr
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	return p, p.command.Start()
}

// Close ends the process.
func (p *Process) Close() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.command.Wait()
}

// PID is the process's id.
func (p *Process) PID() int { return p.command.Process.Pid }

type answer struct {
	Window []string `json:"window"`
	Select struct {
		InLatencyWindow []string `json:"inLatencyWindow"`
	} `json:"select"`
	Picked []string `json:"picked"`
	Done   int      `json:"done"`
	Allocs float64  `json:"allocs"`
	Error  string   `json:"error"`
}

func (p *Process) ask(format string, arguments ...any) (answer, error) {
	var a answer
	if _, err := fmt.Fprintf(p.in, format+"\n", arguments...); err != nil {
		return a, fmt.Errorf("%s: %w", p.Name, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		a, err = parse(line)
	}
	if err != nil {
		return a, fmt.Errorf("%s: %w", p.Name, err)
	}
	return a, nil
}

func parse(line []byte) (answer, error) {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("the line %.100q: %w", line, err)
	}
	if a.Error != "" {
		return a, fmt.Errorf("%s", a.Error)
	}
	if a.Window == nil {
		a.Window = a.Select.InLatencyWindow
	}
	slices.Sort(a.Window)
	slices.Sort(a.Picked)
	return a, nil
}

// Load makes a case the one to run.
func (p *Process) Load(c cases.Case) error {
	a, err := p.ask("load\t%s\t%s\t%s", c.Select, c.Open, c.Prefer)
	if err == nil && len(a.Window) == 0 {
		err = fmt.Errorf("%s: no server in the window of %s", p.Name, c.Name)
	}
	p.Window, p.Picked = a.Window, a.Picked
	return err
}

// Cost is what n times something took.
type Cost struct {
	CPU, Wall time.Duration
}

// Run does something n times, on each of so many threads.
func (p *Process) Run(metric string, n, threads int, own bool) (Cost, error) {
	which := "shared"
	if own {
		which = "own"
	}
	before, err := cpuTime(p.PID())
	if err != nil {
		return Cost{}, err
	}
	start := time.Now()
	a, err := p.ask("run\t%s\t%d\t%d\t%s", metric, n, threads, which)
	wall := time.Since(start)
	if err != nil {
		return Cost{}, fmt.Errorf("%s: %w", metric, err)
	}
	if a.Done != n {
		return Cost{}, fmt.Errorf("%s: %s did %d of %d", p.Name, metric, a.Done, n)
	}
	after, err := cpuTime(p.PID())
	return Cost{CPU: after - before, Wall: wall}, err
}

// Allocs is how many times Go's runtime allocated for each of n.
func (p *Process) Allocs(metric string, n int) (float64, error) {
	a, err := p.ask("allocs\t%s\t%d\t1\tshared", metric, n)
	return a.Allocs, err
}

// Calibrate finds an n that takes about so much processor time, after warming up.
func (p *Process) Calibrate(metric string, warmUp, target time.Duration) (int, error) {
	const first = 2 * time.Millisecond // below it, the pipe counts
	n := 1
	var spent time.Duration
	for {
		cost, err := p.Run(metric, n, 1, false)
		if err != nil {
			return 0, err
		}
		spent += cost.CPU
		if cost.CPU < first {
			n *= 4
			continue
		}
		next := max(1, int(float64(n)*float64(target)/float64(cost.CPU)))
		if spent >= warmUp {
			return next, nil
		}
		n = next
	}
}

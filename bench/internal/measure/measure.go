// Package measure runs the contestants.
//
// What is compared is measured in interleaved rounds: every round runs every
// contestant for a short time, so that whatever else the machine does meets all
// of them.
package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/readpref/readpref/bench/internal/cases"
	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/report"
	"github.com/readpref/readpref/bench/internal/stats"
)

// Settings say how long.
type Settings struct {
	Rounds int
	Slice  time.Duration // processor time of one sample
	Quick  bool          // warm-ups are cut short: the figures mean nothing
}

// task is one thing that a process does, and its samples.
type task struct {
	process *contestant.Process
	metric  string
	n       int
	threads int
	own     bool

	cpu, wall []float64 // ns for one operation
}

func rounds(tasks []*task, n int) error {
	for range n {
		for _, t := range tasks {
			cost, err := t.process.Run(t.metric, t.n, t.threads, t.own)
			if err != nil {
				return err
			}
			operations := float64(t.n * t.threads)
			t.cpu = append(t.cpu, float64(cost.CPU)/operations)
			t.wall = append(t.wall, float64(cost.Wall)/operations)
		}
	}
	return nil
}

func measured(samples []float64) report.Measured {
	return report.Measured{MedianNS: stats.Median(samples), LowNS: stats.Quantile(samples, 0.1), HighNS: stats.Quantile(samples, 0.9)}
}

// running are processes to be closed together.
type running []*contestant.Process

func (r *running) start(c contestant.Contestant, on cases.Case) (*contestant.Process, error) {
	p, err := c.Start()
	if err != nil {
		return nil, err
	}
	*r = append(*r, p)
	return p, p.Load(on)
}

func (r *running) close() {
	for _, p := range *r {
		p.Close() //nolint:errcheck // its answers are in
	}
}

// agree is the gate before anything is timed: all contestants see the same
// servers in the window, and plans pick exactly those.
func agree(c cases.Case, processes []*contestant.Process) error {
	want := processes[0].Window
	for _, p := range processes {
		if !slices.Equal(p.Window, want) {
			return fmt.Errorf("%s: %s has %v in the window, %s has %v", c.Name, p.Name, p.Window, processes[0].Name, want)
		}
		if p.Picked != nil && !slices.Equal(p.Picked, want) {
			return fmt.Errorf("%s: %s picks from %v, and the window is %v", c.Name, p.Name, p.Picked, want)
		}
	}
	return nil
}

// Case measures all metrics of all contestants on one case, in processes that
// saw no other.
func Case(c cases.Case, contestants []contestant.Contestant, s Settings) (*report.Case, error) {
	var processes running
	defer func() { processes.close() }()
	var tasks []*task
	for _, one := range contestants {
		if _, err := processes.start(one, c); err != nil {
			return nil, err
		}
	}
	if err := agree(c, processes); err != nil {
		return nil, err
	}
	for _, p := range processes {
		for _, metric := range p.Metrics {
			t, err := calibrated(p, metric, s)
			if err != nil {
				return nil, err
			}
			tasks = append(tasks, t)
		}
	}
	if err := rounds(tasks, s.Rounds); err != nil {
		return nil, err
	}
	result := &report.Case{Name: c.Name, Topology: c.Topology, Preference: c.Preference, Servers: c.Servers,
		Window: len(processes[0].Window), RequestBytes: len(c.Select)}
	for _, t := range tasks {
		r := report.Result{Contestant: t.process.Name, Label: t.process.Label, Peer: t.process.Peer, Metric: t.metric, Measured: measured(t.cpu)}
		if t.process.Name == "go" || t.process.Name == "peer-go" {
			allocs, err := t.process.Allocs(t.metric, 1000)
			if err != nil {
				return nil, err
			}
			r.Allocs = &allocs
		}
		result.Results = append(result.Results, r)
	}
	return result, nil
}

func calibrated(p *contestant.Process, metric string, s Settings) (*task, error) {
	warmUp := p.WarmUp
	if s.Quick {
		warmUp = min(warmUp, 20*time.Millisecond)
	}
	n, err := p.Calibrate(metric, warmUp, s.Slice)
	return &task{process: p, metric: metric, n: n, threads: 1}, err
}

// Growth measures plan picks and cold selections by the number of servers.
func Growth(c contestant.Contestant, sizes []int, s Settings) ([]report.Growth, error) {
	var processes running
	defer func() { processes.close() }()
	var tasks []*task
	for _, size := range sizes {
		p, err := processes.start(c, cases.Growth(size))
		if err != nil {
			return nil, err
		}
		for _, metric := range []string{contestant.Pick, contestant.Cold} {
			t, err := calibrated(p, metric, s)
			if err != nil {
				return nil, err
			}
			tasks = append(tasks, t)
		}
	}
	if err := rounds(tasks, s.Rounds); err != nil {
		return nil, err
	}
	var list []report.Growth
	for i, size := range sizes {
		list = append(list, report.Growth{Servers: size, Window: len(processes[i].Window),
			Pick: measured(tasks[2*i].cpu), Cold: measured(tasks[2*i+1].cpu)})
	}
	return list, nil
}

// Threads measures plan picks on 1 to 8 threads, on one topology and on one
// each.
func Threads(contestants []contestant.Contestant, on cases.Case, s Settings) ([]report.Threads, error) {
	var processes running
	defer func() { processes.close() }()
	var tasks []*task
	for _, c := range contestants {
		p, err := processes.start(c, on)
		if err != nil {
			return nil, err
		}
		one, err := calibrated(p, contestant.Pick, s)
		if err != nil {
			return nil, err
		}
		for _, threads := range []int{1, 2, 4, 8} {
			for _, own := range []bool{false, true} {
				tasks = append(tasks, &task{process: p, metric: contestant.Pick, n: 2 * one.n, threads: threads, own: own})
			}
		}
	}
	if err := rounds(tasks, s.Rounds); err != nil {
		return nil, err
	}
	var list []report.Threads
	for _, t := range tasks {
		list = append(list, report.Threads{Contestant: t.process.Name, Label: t.process.Label, Threads: t.threads, Own: t.own,
			MillionsPerSecond: 1e3 / stats.Median(t.wall), CPUNS: stats.Median(t.cpu)})
	}
	return list, nil
}

// BareCgo measures the call from C into Go that does nothing, and in the same
// rounds the picks of the Go packages and of the C library that is made of both.
func BareCgo(bare, packages, library contestant.Contestant, on cases.Case, s Settings) (report.BareCgo, error) {
	var processes running
	defer func() { processes.close() }()
	var tasks []*task
	for _, c := range []contestant.Contestant{bare, packages, library} {
		p, err := processes.start(c, on)
		if err != nil {
			return report.BareCgo{}, err
		}
		t, err := calibrated(p, contestant.Pick, s)
		if err != nil {
			return report.BareCgo{}, err
		}
		tasks = append(tasks, t)
	}
	err := rounds(tasks, s.Rounds)
	return report.BareCgo{Call: measured(tasks[0].cpu), Go: measured(tasks[1].cpu), C: measured(tasks[2].cpu)}, err
}

// Starts measures from nothing to the first answer, the contestants one after
// the other in each round.
func Starts(contestants []contestant.Contestant, on cases.Case, s Settings) ([]report.Start, error) {
	wall, cpu, rss := make([][]float64, len(contestants)), make([][]float64, len(contestants)), make([][]float64, len(contestants))
	for range min(s.Rounds, 7) {
		for i, c := range contestants {
			var processes running
			start := time.Now()
			p, err := processes.start(c, on)
			took := time.Since(start)
			if err != nil {
				return nil, err
			}
			spent, err := p.CPU()
			if err != nil {
				return nil, err
			}
			memory, err := p.RSS()
			if err != nil {
				return nil, err
			}
			processes.close()
			wall[i] = append(wall[i], took.Seconds()*1e3)
			cpu[i] = append(cpu[i], spent.Seconds()*1e3)
			rss[i] = append(rss[i], float64(memory)/(1<<20))
		}
	}
	var list []report.Start
	for i, c := range contestants {
		list = append(list, report.Start{Contestant: c.Name, Label: c.Label,
			WallMS: stats.Median(wall[i]), CPUMS: stats.Median(cpu[i]), RSSMiB: stats.Median(rss[i])})
	}
	return list, nil
}

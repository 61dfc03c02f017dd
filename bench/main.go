// Command bench measures readpref beside the official drivers' own server
// selection and writes docs/performance.md. Start it with run.sh, which builds
// what it runs; README.md says how it works.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/readpref/readpref/bench/internal/cases"
	"github.com/readpref/readpref/bench/internal/contestant"
	"github.com/readpref/readpref/bench/internal/measure"
	"github.com/readpref/readpref/bench/internal/report"
)

func main() {
	root := flag.String("root", "..", "the repository")
	quick := flag.Bool("quick", false, "few cases and short: to see that it works")
	count := flag.Int("rounds", 21, "rounds")
	slice := flag.Duration("slice", 20*time.Millisecond, "processor time of one sample")
	calls := flag.Int("calls", 5_000_000, "calls over which memory is to stay flat")
	budget := flag.Duration("budget", time.Minute, "processor time for these calls, for each runtime and kind of call")
	document := flag.String("report", "", "file for the report as a JSON document")
	from := flag.String("from", "", "a report that an earlier run wrote: measure nothing, only write the pages")
	memory := flag.Bool("memory", false, "with -from: measure only memory, anew")
	memoryOf := flag.String("memory-of", "", "a report that an earlier run wrote: take what it says of memory, and measure the rest")
	only := flag.String("only", "", "with -memory: the name of the one contestant; empty: all")
	docs := flag.String("docs", "", "folder for performance.md and its plots")
	revision := flag.String("revision", "", "of the sources, for the report")
	flag.Parse()

	var r *report.Report
	var err error
	s := settings{only: *only, memory: *memoryOf, build: filepath.Join(*root, "build"), sources: filepath.Join(*root, "bench"), calls: *calls, budget: *budget,
		Settings: measure.Settings{Rounds: *count, Slice: *slice, Quick: *quick}}
	switch {
	case *from == "":
		s.only = "" // cases compare
		r, err = s.run()
	case *memory:
		r, err = s.measureMemoryFor(*from)
	default:
		r, err = report.Read(*from)
	}
	if err == nil {
		if *revision != "" {
			r.Revision = *revision
		}
		err = write(r, *document, *docs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type settings struct {
	measure.Settings
	build, sources string
	calls          int
	budget         time.Duration
	only           string
	memory         string // the report that has it
}

// contestants are those to run.
func (s settings) contestants() ([]contestant.Contestant, []contestant.NotRun, error) {
	all, notRun, err := contestant.All(s.build, s.sources)
	if s.only != "" {
		all = slices.DeleteFunc(all, func(c contestant.Contestant) bool { return c.Name != s.only })
	}
	return all, notRun, err
}

// measureMemoryFor measures memory for an earlier report and replaces what that has of
// the same contestants.
func (s settings) measureMemoryFor(path string) (*report.Report, error) {
	r, err := report.Read(path)
	if err != nil {
		return nil, err
	}
	list, _, err := s.contestants()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c contestant.Contestant) bool { return c.Peer })
	memory, err := measure.Memory(list, cases.Growth(3), s.calls, s.budget)
	if err != nil {
		return nil, err
	}
	for _, m := range memory {
		i := slices.IndexFunc(r.Memory, func(o report.Memory) bool { return o.Contestant == m.Contestant && o.Metric == m.Metric })
		if i < 0 {
			r.Memory = append(r.Memory, m)
		} else {
			r.Memory[i] = m
		}
	}
	r.MemoryNote = "These rows were measured apart from the timings above, later."
	return r, nil
}

func (s settings) run() (*report.Report, error) {
	contestants, notRun, err := s.contestants()
	if err != nil {
		return nil, err
	}
	r := &report.Report{Date: time.Now().UTC().Format("2006-01-02 15:04"), Machine: report.ThisMachine(), Rounds: s.Rounds,
		SliceMS: s.Slice.Seconds() * 1e3, NotRun: notRun, Load: []float64{report.LoadAverage()}}
	if r.Versions, err = report.ReadVersions(filepath.Join(s.build, "bench", "versions")); err != nil {
		return nil, err
	}
	if r.Artifacts, err = report.Artifacts(filepath.Join(s.build, "bench", "lib"), notRun); err != nil {
		return nil, err
	}
	for _, n := range notRun {
		fmt.Printf("not run: %s (%s)\n", n.Name, n.Why)
	}
	if err := s.cases(r, contestants); err != nil {
		return nil, err
	}
	if err := s.others(r, contestants); err != nil {
		return nil, err
	}
	r.Load = append(r.Load, report.LoadAverage())
	fmt.Println("\ntargets")
	for _, t := range r.Targets() {
		fmt.Printf("  %-12s %s\n  %-12s %s\n", t.Met, t.Text, "", t.Figures)
	}
	return r, nil
}

func (s settings) cases(r *report.Report, contestants []contestant.Contestant) error {
	for _, c := range cases.All() {
		// In the quick mode the smallest and the two largest topologies, a preference each.
		if s.Quick && c.Name != "rs3/nearest" && c.Name != "rs50/secondaryPreferred+2tagsets" && c.Name != "mongos100/primary" {
			continue
		}
		result, err := measure.Case(c, contestants, s.Settings)
		if err != nil {
			return err
		}
		r.Cases = append(r.Cases, *result)
		r.Load = append(r.Load, report.LoadAverage())
		fmt.Printf("\n%s: %d servers, %d in the window\n", c.Name, result.Servers, result.Window)
		for _, one := range contestants {
			fmt.Println(result.Line(one.Name))
		}
	}
	return nil
}

// others measures what is not a comparison by case.
func (s settings) others(r *report.Report, contestants []contestant.Contestant) error {
	three := cases.Growth(3)
	sizes, calls := []int{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}, s.calls
	if s.Quick {
		sizes, calls = []int{3, 5000}, 1_000
	}
	var native, ours []contestant.Contestant
	for _, c := range contestants {
		if !c.Peer {
			ours = append(ours, c)
		}
		if c.Name == "go" || c.Name == "c" || c.Name == "portable" {
			native = append(native, c)
		}
	}
	fmt.Println("\ngrowth, threads, start, memory")
	var err error
	if r.Growth, err = measure.Growth(native[0], sizes, s.Settings); err != nil {
		return err
	}
	if r.Threads, err = measure.Threads(native, three, s.Settings); err != nil {
		return err
	}
	if r.BareCgo, err = measure.BareCgo(contestant.BareCgo(s.build), native[0], native[1], three, s.Settings); err != nil {
		return err
	}
	if r.Starts, err = measure.Starts(contestants, three, s.Settings); err != nil {
		return err
	}
	if s.memory == "" {
		r.Memory, err = measure.Memory(ours, three, calls, s.budget)
		return err
	}
	earlier, err := report.Read(s.memory)
	if err != nil {
		return err
	}
	r.Memory, r.MemoryNote = earlier.Memory, "These rows were measured apart from the timings above, before them."
	return nil
}

// write writes the files that were asked for.
func write(r *report.Report, document, docs string) error {
	if document != "" {
		if err := r.Write(document); err != nil {
			return err
		}
	}
	if docs == "" {
		return nil
	}
	for name, f := range map[string]func(io.Writer) error{
		"performance.md": r.Markdown, "performance.svg": r.Bars, "performance-growth.svg": r.Curves,
	} {
		if err := writeFile(filepath.Join(docs, name), f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func writeFile(path string, f func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := f(file); err != nil {
		file.Close() //nolint:errcheck // there is a better error
		return err
	}
	return file.Close()
}

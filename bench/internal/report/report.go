// Package report is what a run of the bench found: as a document, and as
// docs/performance.md.
package report

import (
	"encoding/json"
	"os"

	"github.com/readpref/readpref/bench/internal/contestant"
)

// Report is one run.
type Report struct {
	Date     string              `json:"date"`               // UTC, when it began
	Revision string              `json:"revision,omitempty"` // of the sources
	Machine  Machine             `json:"machine"`
	Load     []float64           `json:"load"` // processes that wanted to run, by the minute: before, after each case, at the end
	Rounds   int                 `json:"rounds"`
	SliceMS  float64             `json:"sliceMS"` // processor time of one sample
	Versions []Version           `json:"versions"`
	NotRun   []contestant.NotRun `json:"notRun"`

	Cases      []Case     `json:"cases"`
	Growth     []Growth   `json:"growth"`
	Threads    []Threads  `json:"threads"`
	BareCgo    BareCgo    `json:"bareCgo"`
	Starts     []Start    `json:"starts"`
	Memory     []Memory   `json:"memory"`
	MemoryNote string     `json:"memoryNote,omitempty"` // where it was not measured in the same run
	Artifacts  []Artifact `json:"artifacts"`
}

// Machine is where it ran.
type Machine struct {
	CPU       string  `json:"cpu"`
	Cores     int     `json:"cores"`
	MemoryGiB float64 `json:"memoryGiB"`
	OS        string  `json:"os"`
}

// Version is of a compiler, a runtime or a driver.
type Version struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Measured is nanoseconds of processor time for one operation.
type Measured struct {
	MedianNS float64 `json:"medianNS"`
	LowNS    float64 `json:"lowNS"`  // the 10th percentile of the rounds
	HighNS   float64 `json:"highNS"` // the 90th
}

// Case is one of the 16.
type Case struct {
	Name         string   `json:"name"`
	Topology     string   `json:"topology"`
	Preference   string   `json:"preference"`
	Servers      int      `json:"servers"`
	Window       int      `json:"window"` // servers in the latency window, the same for every contestant
	RequestBytes int      `json:"requestBytes"`
	Results      []Result `json:"results"`
}

// Result is one metric of one contestant.
type Result struct {
	Contestant string `json:"contestant"`
	Label      string `json:"label"`
	Peer       bool   `json:"peer"`
	Metric     string `json:"metric"`
	Measured
	Allocs *float64 `json:"allocs,omitempty"` // for each operation; of Go programs only
}

// Growth is readpref's Go packages on nearest with so many members.
type Growth struct {
	Servers int      `json:"servers"`
	Window  int      `json:"window"`
	Pick    Measured `json:"pick"`
	Cold    Measured `json:"cold"`
}

// Threads is plan picks on so many threads at once.
type Threads struct {
	Contestant        string  `json:"contestant"`
	Label             string  `json:"label"`
	Threads           int     `json:"threads"`
	Own               bool    `json:"own"`               // each thread has a topology of its own
	MillionsPerSecond float64 `json:"millionsPerSecond"` // all threads together, by the wall clock
	CPUNS             float64 `json:"cpuNS"`             // processor time of one pick
}

// BareCgo is what a plan pick through the C library is made of, on rs3/nearest.
type BareCgo struct {
	Call Measured `json:"call"` // from C into a Go function that does nothing
	Go   Measured `json:"go"`   // the pick in Go
	C    Measured `json:"c"`    // the pick through libreadpref
}

// Start is from nothing to the first answer.
type Start struct {
	Contestant string  `json:"contestant"`
	Label      string  `json:"label"`
	WallMS     float64 `json:"wallMS"`
	CPUMS      float64 `json:"cpuMS"`
	RSSMiB     float64 `json:"rssMiB"` // afterwards
}

// Memory is the resident memory before and after many calls.
type Memory struct {
	Contestant string  `json:"contestant"`
	Label      string  `json:"label"`
	Metric     string  `json:"metric"`
	Calls      int     `json:"calls"`
	BeforeMiB  float64 `json:"beforeMiB"` // after a warm-up: a collected heap takes its size first
	AfterMiB   float64 `json:"afterMiB"`
}

// Artifact is a file that is shipped.
type Artifact struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Gzip  int64  `json:"gzip"`
}

// Of returns a result of the case.
func (c *Case) Of(name, metric string) (Result, bool) {
	for _, r := range c.Results {
		if r.Contestant == name && r.Metric == metric {
			return r, true
		}
	}
	return Result{}, false
}

// NS is the median of a result, or 0 where it was not measured.
func (c *Case) NS(name, metric string) float64 {
	r, _ := c.Of(name, metric)
	return r.MedianNS
}

// Case returns a case by its name.
func (r *Report) Case(name string) *Case {
	for i := range r.Cases {
		if r.Cases[i].Name == name {
			return &r.Cases[i]
		}
	}
	return nil
}

// Read reads a report that Write wrote.
func Read(path string) (*Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Report
	return &r, json.Unmarshal(text, &r)
}

// Write writes the report as a JSON document.
func (r *Report) Write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Package workload is what an application does to a deployment, as operators
// think of it: operations of one kind with one read preference. The packages
// that answer operators' questions (simulate, whatif, advise, diff) share it.
package workload

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
)

// Limits of what operators ask, far above real deployments, which keep the work
// of one question bounded for hostile input. A replica set has 50 members at most.
const (
	MaxServers   = 1024 // servers in the topology
	MaxWorkloads = 100
	MaxWeight    = 1_000_000
)

// Question is what every such question is about.
type Question struct {
	Topology  *topology.Description
	Workloads []Workload
	Options   selection.Options
	Format    table.Format // of the answer's text
}

// Workload is a part of what an application does.
type Workload struct {
	Name       string // "" has a name by its number
	Preference readpref.Preference
	Operation  selection.Operation
	Weight     int64 // how many of its operations there are for those of the others, 1 to MaxWeight

	// What only advise asks:
	WritesBack  bool // the application writes what it made of what it read
	Transaction bool // the operations are parts of transactions
}

// AppendName appends the name of the i-th workload for people.
func (w *Workload) AppendName(dst []byte, i int) []byte {
	if w.Name != "" {
		return plain.Append(dst, w.Name)
	}
	return decimal.Append(str.Append(dst, "workload "), int64(i+1))
}

// AppendPreference appends the read preference for people; that of a write is
// primary, whatever it is.
func (w *Workload) AppendPreference(dst []byte) []byte {
	if w.Operation == selection.Write {
		return str.Append(dst, readpref.Primary.String())
	}
	return explain.AppendPreference(dst, &w.Preference)
}

// Outcome is where the operations of a workload go.
type Outcome struct {
	Window   []int32 // the servers in the latency window, indices in input order; empty where they fail
	Suitable int     // how many servers were, before the latency window
	// Code and Message say why they fail; Code is "" where they do not. It is the
	// name of a cause (package explain), or of the error that a selection gives.
	Code, Message string
	Role          selection.Role // that the pass looked for which decided
	TagSet        int            // that decided, -1 without
	Span          selection.Window
}

// Selector answers where the operations of workloads go. The zero value is
// ready to use; it serves one goroutine at a time.
type Selector struct {
	selector selection.Selector
	request  selection.Request
}

// Outcome selects for a workload. Its lists are its own.
func (s *Selector) Outcome(t *topology.Description, w *Workload, o selection.Options) Outcome {
	s.request = selection.Request{Topology: t, Preference: w.Preference, Operation: w.Operation, Options: o}
	res, err := s.selector.Select(&s.request)
	if err != nil {
		e := err.(*status.Error)
		return Outcome{Code: e.Code.String(), Message: e.Message}
	}
	if len(res.InLatencyWindow) == 0 {
		return Outcome{Code: explain.WhyNone(&s.request, res).String(), Message: string(explain.AppendNone(nil, &s.request, res))}
	}
	last := &res.Passes[len(res.Passes)-1]
	return Outcome{Window: append([]int32(nil), res.InLatencyWindow...), Suitable: len(res.Suitable), Role: last.Role, TagSet: last.TagSet, Span: res.Window}
}

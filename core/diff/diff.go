// Package diff answers who gains and who loses operations between two
// preferences, two topologies or two sets of options, and why.
package diff

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// MaxReasonBytes bounds the reasons of all changes together, which may repeat
// long tags for each server.
const MaxReasonBytes = 16 << 20

// Side is one of the two that are compared.
type Side struct {
	Topology  *topology.Description
	Workloads []workload.Workload
	Options   selection.Options
	Pick      selection.Pick
}

// Request is what is compared. The sides have equally many workloads: each is
// compared with that at the same place.
type Request struct {
	Before, After Side
	Format        table.Format
}

// Result is how the sides differ. Shares are exact, in parts per million.
type Result struct {
	Before, After *simulate.Result
	// Servers are those of either side: first those before, in input order, then
	// those that are only there after.
	Servers []Server
	Changes [][]Change // of each workload, by server
	reasons []byte
}

// Server is a server of either side.
type Server struct {
	Before, After int // its index, -1 where that side does not have it
}

// Change is a server whose share of a workload is another after.
type Change struct {
	Server        int // index in Result.Servers
	Before, After Reason
}

// Reason is why a server has the share that it has.
type Reason struct {
	SharePPM int64
	Stage    explain.Stage
	Staged   bool // there is a stage: not where the server is absent, or the selection an error
	from, to int  // of the text in Result.reasons
}

// Why returns the reason as one line of text.
func (res *Result) Why(r *Reason) []byte { return res.reasons[r.from:r.to] }

// Changed reports whether a share of a workload is another after.
func (res *Result) Changed() bool {
	for i := range res.Changes {
		if len(res.Changes[i]) > 0 || res.Before.Workloads[i].FailedPPM != res.After.Workloads[i].FailedPPM {
			return true
		}
	}
	return false
}

// Run compares. The error is a *status.Error: sides of unlike numbers of
// workloads, what simulate.Run refuses, more than MaxReasonBytes.
func Run(r *Request) (*Result, error) {
	if len(r.Before.Workloads) != len(r.After.Workloads) {
		return nil, &status.Error{Code: status.OutOfRange, Path: "after.workloads", Message: "each workload is compared with that at the same place: there are " +
			decimal.String(int64(len(r.Before.Workloads))) + " before and " + decimal.String(int64(len(r.After.Workloads))) + " after"}
	}
	res := &Result{Servers: pair(r.Before.Topology, r.After.Topology)}
	var err error
	if res.Before, err = r.Before.simulate(); err != nil {
		return nil, err
	}
	if res.After, err = r.After.simulate(); err != nil {
		return nil, inAfter(err)
	}
	var sides [2]side
	for i := range r.Before.Workloads {
		sides[0].look(&r.Before, res.Before, i)
		sides[1].look(&r.After, res.After, i)
		var changes []Change
		for k, s := range res.Servers {
			before, after := sides[0].share(s.Before), sides[1].share(s.After)
			if before == after {
				continue
			}
			changes = append(changes, Change{Server: k, Before: res.reason(&sides[0], s.Before), After: res.reason(&sides[1], s.After)})
			if len(res.reasons) > MaxReasonBytes {
				return nil, status.New(status.LimitExceeded, "after", "more than 16 MiB of reasons")
			}
		}
		res.Changes = append(res.Changes, changes)
	}
	return res, nil
}

func (s *Side) simulate() (*simulate.Result, error) {
	return simulate.Run(&simulate.Request{Question: workload.Question{Topology: s.Topology, Workloads: s.Workloads, Options: s.Options}, Pick: s.Pick})
}

// inAfter gives an error of the second side its path.
func inAfter(err error) error {
	e := *err.(*status.Error)
	e.Path = "after." + e.Path
	return &e
}

// pair finds the servers of either topology, by address.
func pair(before, after *topology.Description) []Server {
	var servers []Server
	for i := range before.Servers {
		servers = append(servers, Server{i, -1})
	}
	for k := range after.Servers {
		i := 0
		if before == after {
			i = k
		} else {
			key := topology.KeyOfAddress(after.Servers[k].Address)
			for i < len(before.Servers) && topology.KeyOfAddress(before.Servers[i].Address).Compare(key) != 0 {
				i++
			}
		}
		if i < len(before.Servers) {
			servers[i].After = k
		} else {
			servers = append(servers, Server{-1, k})
		}
	}
	return servers
}

// side is how a workload fares on one side.
type side struct {
	shares      []int64 // by server
	outcome     *simulate.Outcome
	explanation explain.Explanation
	selected    bool // explanation is there
	selector    selection.Selector
	request     selection.Request
}

// look turns to the i-th workload.
func (u *side) look(s *Side, res *simulate.Result, i int) {
	w := &s.Workloads[i]
	u.outcome = &res.Workloads[i]
	u.shares = append(u.shares[:0], make([]int64, len(s.Topology.Servers))...)
	for k, server := range u.outcome.Window {
		u.shares[server] = u.outcome.SharesPPM[k]
	}
	u.request = selection.Request{Topology: s.Topology, Preference: w.Preference, Operation: w.Operation, Options: s.Options}
	selected, err := u.selector.Select(&u.request)
	if u.selected = err == nil; u.selected {
		u.explanation.Explain(&u.request, selected, s.Pick, -1)
	}
}

func (u *side) share(server int) int64 {
	if server < 0 {
		return 0
	}
	return u.shares[server]
}

// reason says why a server has its share of the workload that u looks at.
func (res *Result) reason(u *side, server int) Reason {
	r := Reason{SharePPM: u.share(server), from: len(res.reasons)}
	switch {
	case server < 0:
		res.reasons = str.Append(res.reasons, "not in the topology")
	case !u.selected:
		res.reasons = str.Append(res.reasons, u.outcome.Message)
	default:
		r.Stage, r.Staged = u.explanation.Stages[server], true
		if r.Stage == explain.InLatencyWindow {
			res.reasons = u.appendInWindow(res.reasons, server)
		} else {
			res.reasons = u.explanation.AppendWhy(res.reasons, server)
		}
	}
	r.to = len(res.reasons)
	return r
}

func (u *side) appendInWindow(dst []byte, server int) []byte {
	n := len(u.outcome.Window)
	if n == 1 {
		return str.Append(dst, "the only server in the latency window")
	}
	dst = decimal.Append(str.Append(dst, "one of "), int64(n))
	dst = str.Append(dst, " in the latency window")
	if u.explanation.Pick != selection.LeastBusyOfTwo {
		return dst
	}
	dst = decimal.Append(str.Append(dst, " (operationCount "), u.request.Topology.Servers[server].OperationCount)
	return str.AppendByte(dst, ')')
}

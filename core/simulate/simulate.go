package simulate

import (
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// Limits of a request.
const (
	MaxPicks         = 10_000_000 // of one call
	MaxClients       = 1024
	MaxServiceTimeNS = 60_000_000_000
)

// million is all, in parts per million.
const million = 1_000_000

// Request is what is simulated.
type Request struct {
	workload.Question
	Pick selection.Pick
	Seed uint64

	// Picks is how many operations are simulated, up to MaxPicks; 0 counts
	// exactly instead, and the rest is of no account then.
	Picks int64
	// Clients is how many operations are in progress at any time, up to
	// MaxClients: each client begins one when its last has ended. 0 leaves the
	// operation counts as the topology has them.
	Clients int
	// ServiceTimesNS is how long each server takes for an operation, by index, up
	// to MaxServiceTimeNS; it may be shorter than the list of servers.
	ServiceTimesNS []int64
	// State is what the Result before said, to go on from there; "" begins.
	State string
}

// Result is where the operations went.
type Result struct {
	Exact     bool
	Picks     int64 // of all calls so far; 0 where Exact
	Workloads []Outcome
	// Reads, Writes and All are the shares of each server in parts per million,
	// the last element those of operations that found none. Each adds up to a
	// million, or is 0 throughout where there was no such operation.
	Reads, Writes, All []int64
	State              string // to go on from; "" where Exact
}

// Outcome is where the operations of one workload went.
type Outcome struct {
	workload.Outcome
	Picks []int64 // of each server in the window; nil where exact
	// Failed counts the operations that found no server.
	Failed int64
	// SharesPPM are the shares of the servers in the window in parts per million.
	SharesPPM []int64
	FailedPPM int64
	// RoundTripTime is the average of those operations that found a server, half-even
	// to the nanosecond; unset where no round-trip time is known.
	RoundTripTime topology.RTT
}

// Run simulates. The error is a *status.Error: what no request may ask, and a
// State that does not belong to the request.
//
// It counts operations in the servers of the topology, and takes them back at the end.
func Run(r *Request) (*Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	res := &Result{Exact: r.Picks == 0, Workloads: make([]Outcome, len(r.Workloads))}
	var s workload.Selector
	for i := range r.Workloads {
		res.Workloads[i].Outcome = s.Outcome(r.Topology, &r.Workloads[i], r.Options)
	}
	if res.Exact {
		res.count(r)
	} else if err := res.pick(r); err != nil {
		return nil, err
	}
	res.total(r)
	return res, nil
}

func (r *Request) check() error {
	refuse := func(code status.Code, path, message string) error {
		return status.New(code, path, message)
	}
	switch {
	case len(r.Topology.Servers) == 0:
		return refuse(status.OutOfRange, "topology.servers", "a topology without servers serves nothing")
	case len(r.Topology.Servers) > workload.MaxServers:
		return refuse(status.LimitExceeded, "topology.servers", "more than 1024 servers")
	case len(r.Workloads) == 0:
		return refuse(status.OutOfRange, "workloads", "there is no workload")
	case len(r.Workloads) > workload.MaxWorkloads:
		return refuse(status.LimitExceeded, "workloads", "more than 100 workloads")
	case r.Picks < 0 || r.Picks > MaxPicks:
		return refuse(status.OutOfRange, "picks", "at most 10000000 picks at once")
	case r.Clients < 0 || r.Clients > MaxClients:
		return refuse(status.OutOfRange, "clients", "at most 1024 clients")
	}
	return nil
}

// total adds the workloads up, by their weights or by their picks.
func (res *Result) total(r *Request) {
	n := len(r.Topology.Servers)
	reads, writes, all := make([]uint64, n+1), make([]uint64, n+1), make([]uint64, n+1)
	for i := range res.Workloads {
		o, of := &res.Workloads[i], reads
		if r.Workloads[i].Operation == selection.Write {
			of = writes
		}
		add := func(server int, parts, picks int64) {
			if res.Exact {
				picks = parts * r.Workloads[i].Weight
			}
			of[server] += uint64(picks)
			all[server] += uint64(picks)
		}
		for k, server := range o.Window {
			picks := int64(0)
			if !res.Exact {
				picks = o.Picks[k]
			}
			add(int(server), o.SharesPPM[k], picks)
		}
		add(n, o.FailedPPM, o.Failed)
	}
	res.Reads, res.Writes, res.All = apportion(reads), apportion(writes), apportion(all)
}

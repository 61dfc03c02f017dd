// Package oracle answers a selection in the most obvious way, straight from the
// MongoDB specifications: exact arithmetic, no reuse of memory, no shortcuts.
// Tests hold the engine against it. It shares no code with core/selection; of
// the engine it knows only the types that carry a request.
package oracle

import (
	"math/big"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// The operations.
const (
	Read                    = "read"
	Write                   = "write"
	AggregateWithWriteStage = "aggregateWithWriteStage"
)

// Request is one selection.
type Request struct {
	Topology      *topology.Description
	Preference    readpref.Preference
	Operation     string
	Deprioritized []string
	// KeepOnly is the custom selector: the addresses it keeps; nil is none.
	KeepOnly             []string
	LocalThresholdNS     int64
	HeartbeatFrequencyMS int64
	MinWire, MaxWire     int64 // what the client speaks
}

// Answer is what each step leaves: indices of servers.
type Answer struct {
	// Errors are the names of the errors that the first failing check finds;
	// an engine reports one of them.
	Errors []string
	// MinimumSeconds goes with maxStalenessTooSmall.
	MinimumSeconds *big.Int

	UsesPrimaryInstead bool // a write stage falls back to primary
	Candidates         []int
	Fresh              []int
	Suitable           []int
	Window             []int
}

// Select answers r.
func Select(r *Request) Answer {
	if errs := problems(r.Preference); len(errs) > 0 {
		return Answer{Errors: errs}
	}
	if r.LocalThresholdNS < 0 || r.HeartbeatFrequencyMS < 500 {
		return Answer{Errors: []string{"outOfRange"}}
	}
	if !compatible(r) {
		return Answer{Errors: []string{"incompatibleWireVersion"}}
	}
	pref, replaced := effective(r)
	if minimum := smallest(r.HeartbeatFrequencyMS); r.Operation != Write && isReplicaSet(r.Topology.Type) && limited(pref) {
		if seconds, _ := pref.MaxStaleness.Seconds(); big.NewInt(seconds).Cmp(minimum) < 0 {
			return Answer{Errors: []string{"maxStalenessTooSmall"}, MinimumSeconds: minimum}
		}
	}

	// Step 3: without the deprioritized servers; where that leaves none, with them.
	var all []int
	for i := range r.Topology.Servers {
		all = append(all, i)
	}
	a := ofServers(r, pref, keep(all, func(i int) bool { return !named(r.Deprioritized, r.Topology.Servers[i].Address) }))
	if len(a.Suitable) == 0 {
		a = ofServers(r, pref, all)
	}
	a.UsesPrimaryInstead = replaced
	// Step 4: the custom selector. Step 5: the latency window.
	if r.KeepOnly != nil {
		a.Suitable = keep(a.Suitable, func(i int) bool { return named(r.KeepOnly, r.Topology.Servers[i].Address) })
	}
	a.Window = window(r, a.Suitable)
	return a
}

// ofServers runs the logic of topology types, modes, staleness and tags over
// some of the servers.
func ofServers(r *Request, pref readpref.Preference, servers []int) Answer {
	only := func(types ...topology.ServerType) []int {
		return keep(servers, func(i int) bool {
			for _, t := range types {
				if r.Topology.Servers[i].Type == t {
					return true
				}
			}
			return false
		})
	}
	unfiltered := func(list []int) Answer { return Answer{Candidates: list, Fresh: list, Suitable: list} }
	filtered := func(list []int) Answer {
		a := Answer{Candidates: list}
		a.Fresh = keep(list, func(i int) bool { return fresh(r, pref, i) })
		a.Suitable = tagged(r, pref, a.Fresh)
		return a
	}
	switch r.Topology.Type {
	case topology.Single:
		return unfiltered(keep(servers, func(i int) bool { return available(r.Topology.Servers[i].Type) }))
	case topology.LoadBalanced:
		return unfiltered(servers)
	case topology.Sharded:
		return unfiltered(only(topology.Mongos))
	case topology.ReplicaSetNoPrimary:
		if r.Operation == Write || pref.Mode == readpref.Primary {
			return unfiltered(nil)
		}
		return filtered(only(topology.RSSecondary))
	case topology.ReplicaSetWithPrimary:
		primary := unfiltered(only(topology.RSPrimary))
		secondaries := filtered(only(topology.RSSecondary))
		if r.Operation == Write {
			return primary
		}
		switch pref.Mode {
		case readpref.Primary:
			return primary
		case readpref.PrimaryPreferred:
			if len(primary.Suitable) > 0 {
				return primary
			}
			return secondaries
		case readpref.Secondary:
			return secondaries
		case readpref.SecondaryPreferred:
			if len(secondaries.Suitable) > 0 {
				return secondaries
			}
			return primary
		case readpref.Nearest:
			return filtered(only(topology.RSPrimary, topology.RSSecondary))
		}
	}
	return unfiltered(nil)
}

// keep returns the members of list that are so, in order.
func keep(list []int, so func(int) bool) []int {
	var kept []int
	for _, i := range list {
		if so(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

func available(t topology.ServerType) bool {
	return t != topology.ServerUnknown && t != topology.PossiblePrimary
}

func isReplicaSet(t topology.Type) bool {
	return t == topology.ReplicaSetNoPrimary || t == topology.ReplicaSetWithPrimary
}

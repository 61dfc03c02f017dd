package explain_test

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

const (
	ms  = 1_000_000 // nanoseconds
	now = 1793000000000
)

type change func(*topology.Server)

// server makes an up-to-date server with a round-trip time of 5 ms.
func server(address string, of topology.ServerType, changes ...change) topology.Server {
	s := topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(5 * ms),
		LastWriteDate: topology.NewDate(now), LastUpdateTimeMS: now}
	for _, c := range changes {
		c(&s)
	}
	return s
}

func primary(address string, changes ...change) topology.Server {
	return server(address, topology.RSPrimary, changes...)
}

func secondary(address string, changes ...change) topology.Server {
	return server(address, topology.RSSecondary, changes...)
}

func rtt(ns int64) change           { return func(s *topology.Server) { s.RoundTripTime = topology.NewRTT(ns) } }
func unmeasured(s *topology.Server) { s.RoundTripTime = topology.RTT{} }
func undated(s *topology.Server)    { s.LastWriteDate = topology.Date{} }

func written(before int64) change {
	return func(s *topology.Server) { s.LastWriteDate = topology.NewDate(now - before) }
}

func tags(pairs ...string) change  { return func(s *topology.Server) { s.Tags = set(pairs...) } }
func busy(operations int64) change { return func(s *topology.Server) { s.OperationCount = operations } }
func failed(message string) change { return func(s *topology.Server) { s.Error = message } }
func wire(most int64) change {
	return func(s *topology.Server) { s.MaxWireVersion = topology.NewInt(most) }
}

func set(pairs ...string) tag.Set {
	s := tag.Set{}
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return s
}

func mode(m readpref.Mode, sets ...tag.Set) readpref.Preference {
	return readpref.Preference{Mode: m, TagSets: sets}
}

func stale(m readpref.Mode, seconds int64, sets ...tag.Set) readpref.Preference {
	return readpref.Preference{Mode: m, TagSets: sets, MaxStaleness: readpref.MaxStalenessSeconds(seconds)}
}

type option func(*selection.Request)

func operation(op selection.Operation) option { return func(r *selection.Request) { r.Operation = op } }

func deprioritized(addresses ...string) option {
	return func(r *selection.Request) { r.Deprioritized = addresses }
}

func keepOnly(addresses ...string) option {
	return func(r *selection.Request) {
		k := &selection.KeepOnly{}
		k.Reset(addresses)
		r.CustomSelector = k
	}
}

// request makes a read with the default options.
func request(of topology.Type, servers []topology.Server, p readpref.Preference, options ...option) *selection.Request {
	r := &selection.Request{Topology: &topology.Description{Type: of, Servers: servers}, Preference: p, Options: selection.DefaultOptions()}
	for _, o := range options {
		o(r)
	}
	return r
}

// explained runs a selection that must not fail, picks the first server of the
// window, and explains it as if pick had.
func explained(t require.TestingT, r *selection.Request, pick selection.Pick) *explain.Explanation {
	var s selection.Selector
	res, err := s.Select(r)
	require.NoError(t, err)
	var e explain.Explanation
	e.Explain(r, res, pick, selection.RoundRobin.Choose(r.Topology, res.InLatencyWindow, nil, 0))
	return &e
}

// verdicts lists what became of each server: "address stage: why".
func verdicts(e *explain.Explanation) []string {
	var list []string
	for i, s := range e.Request.Topology.Servers {
		list = append(list, s.Address+" "+e.Stages[i].String()+": "+string(e.AppendWhy(nil, i)))
	}
	return list
}

func lines(s string) []string { return strings.Split(s, "\n") }

package selection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

const ms = 1_000_000 // nanoseconds

// now is the lastWriteDate and lastUpdateTimeMS of servers that are up to date.
const now = 1793000000000

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

func rtt(ns int64) change { return func(s *topology.Server) { s.RoundTripTime = topology.NewRTT(ns) } }

// unmeasured removes the round-trip time.
func unmeasured(s *topology.Server) { s.RoundTripTime = topology.RTT{} }

// written sets lastWriteDate to so many milliseconds before now.
func written(before int64) change { return writtenAt(now - before) }

func writtenAt(date int64) change {
	return func(s *topology.Server) { s.LastWriteDate = topology.NewDate(date) }
}

// updated sets lastUpdateTimeMS to so many milliseconds after now.
func updated(after int64) change {
	return func(s *topology.Server) { s.LastUpdateTimeMS = now + after }
}

// undated removes lastWriteDate.
func undated(s *topology.Server) { s.LastWriteDate = topology.Date{} }

func tags(pairs ...string) change {
	return func(s *topology.Server) { s.Tags = set(pairs...) }
}

func wire(least, most int64) change {
	return func(s *topology.Server) {
		s.MinWireVersion, s.MaxWireVersion = topology.NewInt(least), topology.NewInt(most)
	}
}

func busy(operations int64) change {
	return func(s *topology.Server) { s.OperationCount = operations }
}

func set(pairs ...string) tag.Set {
	s := tag.Set{}
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, tag.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return s
}

func with(of topology.Type, servers ...topology.Server) *topology.Description {
	return &topology.Description{Type: of, Servers: servers}
}

func mode(m readpref.Mode, sets ...tag.Set) readpref.Preference {
	return readpref.Preference{Mode: m, TagSets: sets}
}

func stale(m readpref.Mode, seconds int64, sets ...tag.Set) readpref.Preference {
	return readpref.Preference{Mode: m, TagSets: sets, MaxStaleness: readpref.MaxStalenessSeconds(seconds)}
}

// request makes a read with the default options.
func request(d *topology.Description, p readpref.Preference, deprioritized ...string) *selection.Request {
	return &selection.Request{Topology: d, Preference: p, Deprioritized: deprioritized, Options: selection.DefaultOptions()}
}

// selected runs a request that must not fail.
func selected(t *testing.T, r *selection.Request) *selection.Result {
	t.Helper()
	var s selection.Selector
	res, err := s.Select(r)
	require.NoError(t, err)
	return res
}

// names returns the addresses of a view, joined by spaces.
func names(d *topology.Description, view []int32) string {
	s := ""
	for n, i := range view {
		if n > 0 {
			s += " "
		}
		s += d.Servers[i].Address
	}
	return s
}

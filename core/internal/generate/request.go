package generate

import (
	"math"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// Request draws a selection over up to most servers.
func Request(t *rapid.T, most int) *oracle.Request {
	r := &oracle.Request{
		Operation: rapid.SampledFrom([]string{oracle.Read, oracle.Read, oracle.Read, oracle.Write, oracle.AggregateWithWriteStage}).Draw(t, "operation"),
		LocalThresholdNS: rapid.SampledFrom([]int64{
			15e6, 15e6, 15e6, 0, 1, 2.5e6, math.MaxInt64, math.MaxInt64 - 1, -1,
		}).Draw(t, "threshold"),
		HeartbeatFrequencyMS: rapid.SampledFrom([]int64{
			10000, 10000, 10000, 10000, 500, 501, 60000, 79999, 80000, 80001, 120000, math.MaxInt64 - 1, math.MaxInt64, 499, -1,
		}).Draw(t, "heartbeat"),
		MinWire: 8, MaxWire: 29,
	}
	r.Preference = Preference(t, r.HeartbeatFrequencyMS)
	r.Topology = Topology(t, most)
	if rapid.Bool().Draw(t, "edge") {
		pushStaleness(t, r)
		pushRoundTripTimes(t, r)
	}
	n := len(r.Topology.Servers)
	if rapid.Bool().Draw(t, "deprioritizes") {
		r.Deprioritized = addresses(t, n, "deprioritized")
	}
	if rapid.IntRange(0, 2).Draw(t, "custom") == 0 {
		r.KeepOnly = addresses(t, n, "keepOnly")
	}
	return r
}

// Topology draws a topology of up to most servers.
func Topology(t *rapid.T, most int) *topology.Description {
	d := &topology.Description{Type: topology.Type(rapid.SampledFrom([]int{0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5}).Draw(t, "topologyType"))}
	n := rapid.IntRange(0, most).Draw(t, "servers")
	for i := range n {
		d.Servers = append(d.Servers, server(t, d.Type, i))
	}
	return d
}

// usual are the types that servers mostly have in each topology.
var usual = [...][]topology.ServerType{
	topology.Unknown:               {topology.ServerUnknown, topology.RSGhost},
	topology.Single:                {topology.Standalone, topology.RSSecondary, topology.Mongos},
	topology.Sharded:               {topology.Mongos},
	topology.ReplicaSetNoPrimary:   {topology.RSSecondary},
	topology.ReplicaSetWithPrimary: {topology.RSSecondary, topology.RSSecondary, topology.RSPrimary},
	topology.LoadBalanced:          {topology.LoadBalancer},
}

func server(t *rapid.T, of topology.Type, i int) topology.Server {
	s := topology.Server{Address: Address(t, i), Tags: Tags(t, 3)}
	if rapid.IntRange(0, 4).Draw(t, "odd") > 0 {
		s.Type = rapid.SampledFrom(usual[of]).Draw(t, "type")
	} else {
		s.Type = topology.ServerType(rapid.IntRange(0, 9).Draw(t, "anyType"))
	}
	if rapid.IntRange(0, 9).Draw(t, "measured") > 0 {
		s.RoundTripTime = topology.NewRTT(rapid.SampledFrom([]int64{
			0, 1, 5e6, 5e6, 20e6, 20e6 - 1, 20e6 + 1, 15e6, 15e6 + 1, 100e6, math.MaxInt64, math.MaxInt64 - 1,
		}).Draw(t, "rtt"))
	}
	s.OperationCount = rapid.SampledFrom([]int64{0, 0, 1, 2, math.MaxInt64}).Draw(t, "operationCount")
	const now = 1793000000000
	if rapid.IntRange(0, 9).Draw(t, "dated") > 0 {
		s.LastWriteDate = topology.NewDate(rapid.SampledFrom([]int64{
			now, now, now - 1, now - 80000, now - 80001, now - 110000, now - 110001, 0, -1, 1 << 59, 1<<59 - 1, -1 << 59, -1<<59 - 1,
			math.MinInt64, math.MaxInt64,
		}).Draw(t, "lastWriteDate"))
	}
	s.LastUpdateTimeMS = rapid.SampledFrom([]int64{now, now, now + 500, 0, 1, -1 << 59, 1 << 59, math.MinInt64, math.MaxInt64}).Draw(t, "lastUpdate")
	if rapid.IntRange(0, 4).Draw(t, "versioned") == 0 {
		s.MaxWireVersion = topology.NewInt(rapid.SampledFrom([]int64{12, 13, 14, 8, 25, 29, 25, 7}).Draw(t, "maxWire"))
		s.MinWireVersion = topology.NewInt(rapid.SampledFrom([]int64{0, 0, 0, 8, 29, 29, 0, 30}).Draw(t, "minWire"))
	}
	return s
}

// pushStaleness moves secondaries to where their staleness is exactly the
// maximum, or a millisecond beside it.
func pushStaleness(t *rapid.T, r *oracle.Request) {
	seconds, ok := r.Preference.MaxStaleness.Seconds()
	if !ok {
		return
	}
	reference := -1
	for i, s := range r.Topology.Servers {
		if s.Type == topology.RSPrimary && r.Topology.Type == topology.ReplicaSetWithPrimary {
			reference = i
			break
		}
		if w, _ := s.LastWriteDate.UnixMS(); s.Type == topology.RSSecondary && s.LastWriteDate.IsDefined() {
			if reference < 0 {
				reference = i
			} else if best, _ := r.Topology.Servers[reference].LastWriteDate.UnixMS(); w > best {
				reference = i
			}
		}
	}
	if reference < 0 {
		return
	}
	p := r.Topology.Servers[reference]
	written, _ := p.LastWriteDate.UnixMS()
	for i := range r.Topology.Servers {
		s := &r.Topology.Servers[i]
		if i == reference || s.Type != topology.RSSecondary || !rapid.Bool().Draw(t, "pushed") {
			continue
		}
		// Sums that overflow wrap, and are as good a number as any.
		write := written + r.HeartbeatFrequencyMS - seconds*1000 + rapid.Int64Range(-1, 1).Draw(t, "ms")
		if p.Type == topology.RSPrimary {
			write += s.LastUpdateTimeMS - p.LastUpdateTimeMS
		}
		s.LastWriteDate = topology.NewDate(write)
	}
}

// pushRoundTripTimes moves servers to the end of the latency window, or a
// nanosecond beside it.
func pushRoundTripTimes(t *rapid.T, r *oracle.Request) {
	if len(r.Topology.Servers) == 0 || r.LocalThresholdNS < 0 {
		return
	}
	fastest, ok := r.Topology.Servers[0].RoundTripTime.Nanoseconds()
	if !ok {
		return
	}
	for i := range r.Topology.Servers[1:] {
		if rapid.Bool().Draw(t, "pushed") {
			ns := fastest + r.LocalThresholdNS + rapid.Int64Range(-1, 1).Draw(t, "ns")
			if ns >= 0 {
				r.Topology.Servers[1+i].RoundTripTime = topology.NewRTT(ns)
			}
		}
	}
}

// Plain draws a request that every check passes: a valid preference that the
// replica set allows, and no incompatible server.
func Plain(t *rapid.T, most int) *oracle.Request {
	r := Request(t, most)
	r.HeartbeatFrequencyMS, r.LocalThresholdNS = 10000, max(r.LocalThresholdNS, 0)
	if p := &r.Preference; p.Mode == readpref.Primary || p.Mode > readpref.Nearest {
		*p = readpref.Preference{}
	} else if seconds, ok := p.MaxStaleness.Seconds(); ok {
		p.MaxStaleness = readpref.MaxStalenessSeconds(max(seconds, 90))
	}
	for i := range r.Topology.Servers {
		s := &r.Topology.Servers[i]
		s.MinWireVersion = topology.Int{}
		if v, ok := s.MaxWireVersion.Get(); ok {
			s.MaxWireVersion = topology.NewInt(max(v, 8))
		}
	}
	return r
}

package simulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// Two clients, two servers with an RTT of 1 ms; b works 10 ms longer. Of a pair
// of two, the less busy one is always taken. The clients begin with one operation
// on each. While b works, a is free each time: picks at 1, 2, … 10 ms. At 11 ms
// both end; b's began first, so b is taken, then a. So in 24 picks: a and b, ten of
// a, b and a, ten of a.
func TestSlowServerGetsLess(t *testing.T) {
	for seed := range uint64(4) { // whichever is the first
		r := request(set(member("a", topology.RSPrimary, ms, 0), member("b", topology.RSSecondary, ms, 0)), reads(readpref.Nearest))
		r.Seed, r.Picks, r.Clients, r.ServiceTimesNS = seed, 24, 2, []int64{0, 10 * ms}
		res := run(t, r)
		assert.Equal(t, []int64{22, 2}, res.Workloads[0].Picks)
		assert.Equal(t, []int64{916_667, 83_333}, res.Workloads[0].SharesPPM, "22/24 and 2/24; the remainders are 2/3 and 1/3")
		assert.Equal(t, int64(24), res.Picks)
		assert.Equal(t, int64(0), r.Topology.Servers[0].OperationCount, "counts are taken back")
	}
}

// A server that is as busy as the other from the beginning, with 5 operations
// that never end, gets its share when the other has as many.
func TestCountsOfTheTopologyStay(t *testing.T) {
	r := request(set(member("a", topology.RSPrimary, ms, 0), member("b", topology.RSSecondary, ms, 5)), reads(readpref.Nearest))
	r.Picks, r.Clients = 1000, 5 // a has 4 others at most: always fewer than 5
	assert.Equal(t, []int64{1000, 0}, run(t, r).Workloads[0].Picks)
	assert.Equal(t, int64(5), r.Topology.Servers[1].OperationCount)
}

// Without clients the picks are those of a handle with the same seed.
func TestPicksAreThoseOfAHandle(t *testing.T) {
	for _, pick := range []selection.Pick{selection.LeastBusyOfTwo, selection.Random, selection.RoundRobin} {
		d := set(member("a", topology.RSPrimary, ms, 1), member("b", topology.RSSecondary, ms, 0), member("c", topology.RSSecondary, ms, 1))
		settings := cluster.Settings{Options: selection.DefaultOptions(), Pick: pick, Seed: 42}
		handle, err := cluster.Open(d, settings)
		require.NoError(t, err)
		p, err := cluster.NewPreference(readpref.Preference{Mode: readpref.Nearest})
		require.NoError(t, err)
		ids, want := make([]int32, 1000), make([]int64, 3)
		require.Equal(t, status.OK, handle.SelectInto(ids, p, selection.Read, false))
		for _, id := range ids {
			want[id]++
		}
		r := request(d, reads(readpref.Nearest))
		r.Pick, r.Seed, r.Picks = pick, 42, 1000
		assert.Equal(t, want, run(t, r).Workloads[0].Picks, pick.String())
	}
}

// A million picks come close to the exact shares: within five times the standard
// deviation, which is at most 500 of a million.
func TestPicksComeClose(t *testing.T) {
	web, nightly := reads(readpref.Nearest), reads(readpref.Secondary)
	web.Weight = 4
	r := request(set(member("a", topology.RSPrimary, ms, 1), member("b", topology.RSSecondary, ms, 0), member("c", topology.RSSecondary, ms, 1)),
		web, nightly, writes())
	exact := run(t, r)
	r.Picks = 1_000_000
	picked := run(t, r)
	for i, share := range exact.All {
		assert.InDelta(t, share, picked.All[i], 2500)
	}
	assert.Equal(t, int64(1_000_000), picked.Picks)
	for _, column := range [][]int64{picked.Reads, picked.Writes, picked.All} {
		sum := int64(0)
		for _, share := range column {
			sum += share
		}
		assert.Equal(t, int64(1_000_000), sum)
	}
}

// drawn draws a request to simulate.
func drawn(t *rapid.T) *simulate.Request {
	d := &topology.Description{Type: topology.ReplicaSetWithPrimary}
	n := rapid.IntRange(1, 4).Draw(t, "servers")
	for i := range n {
		of := topology.RSSecondary
		if i == 0 {
			of = topology.RSPrimary
		}
		d.Servers = append(d.Servers, member(string(rune('a'+i)), of, rapid.Int64Range(0, 3).Draw(t, "rtt"), rapid.Int64Range(0, 2).Draw(t, "busy")))
	}
	r := request(d)
	for range rapid.IntRange(1, 3).Draw(t, "workloads") {
		w := reads(readpref.Mode(rapid.IntRange(0, 4).Draw(t, "mode")))
		w.Weight = rapid.SampledFrom([]int64{1, 2, 1_000_000}).Draw(t, "weight")
		r.Workloads = append(r.Workloads, w)
	}
	r.Pick = selection.Pick(rapid.IntRange(0, 2).Draw(t, "pick"))
	r.Seed = rapid.Uint64().Draw(t, "seed")
	r.Picks = int64(rapid.IntRange(1, 60).Draw(t, "picks"))
	if r.Clients = rapid.IntRange(0, 6).Draw(t, "clients"); r.Clients > 0 {
		r.ServiceTimesNS = rapid.SliceOfN(rapid.Int64Range(0, 5), n, n).Draw(t, "service")
	}
	return r
}

// As slowly as it is said: every operation in a list, the next client by looking
// at all.
func TestPicksAsTheyAreDescribed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		want := slowly(r)
		got := run(t, r)
		for i := range want {
			require.Equal(t, want[i].Picks, got.Workloads[i].Picks)
			require.Equal(t, want[i].Failed, got.Workloads[i].Failed)
		}
	})
}

func slowly(r *simulate.Request) []simulate.Outcome {
	type operation struct {
		ends, number int64
		server       int32
	}
	d := *r.Topology
	d.Servers = slices.Clone(d.Servers)
	var selector workload.Selector
	var out []simulate.Outcome
	var lots uint64
	for i := range r.Workloads {
		o := simulate.Outcome{Outcome: selector.Outcome(&d, &r.Workloads[i], r.Options)}
		o.Picks = make([]int64, len(o.Window))
		out = append(out, o)
		lots += uint64(r.Workloads[i].Weight)
	}
	rng, turn := selection.SplitMix64(r.Seed), r.Seed
	var inProgress []operation
	for i := range r.Clients {
		inProgress = append(inProgress, operation{number: int64(i), server: -1})
	}
	for number := int64(r.Clients); number < r.Picks+int64(r.Clients); number++ {
		now, client := int64(0), 0
		if r.Clients > 0 {
			for i, o := range inProgress {
				if o.ends < inProgress[client].ends || o.ends == inProgress[client].ends && o.number < inProgress[client].number {
					client = i
				}
			}
			now = inProgress[client].ends
			if s := inProgress[client].server; s >= 0 {
				d.Servers[s].OperationCount--
			}
		}
		which := 0
		for len(out) > 1 {
			x := rng.Next() >> 32 * lots
			if x%(1<<32) < (1<<32)%lots {
				continue
			}
			x >>= 32
			for which = 0; x >= uint64(r.Workloads[which].Weight); which++ {
				x -= uint64(r.Workloads[which].Weight)
			}
			break
		}
		next := operation{ends: now, number: number, server: -1}
		if o := &out[which]; len(o.Window) > 0 {
			next.server = r.Pick.Choose(&d, o.Window, &rng, turn)
			turn++
			o.Picks[slices.Index(o.Window, next.server)]++
			ns, _ := d.Servers[next.server].RoundTripTime.Nanoseconds()
			next.ends += ns
			if r.ServiceTimesNS != nil {
				next.ends += r.ServiceTimesNS[next.server]
			}
		} else {
			o.Failed++
		}
		if r.Clients > 0 {
			if next.server >= 0 {
				d.Servers[next.server].OperationCount++
			}
			inProgress[client] = next
		}
	}
	return out
}

package selection_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// round is one selection with its own topology and lists.
type round struct {
	request selection.Request
	keep    []string
	seed    uint64
}

// rounds makes selections over n servers that differ in types, figures, tags
// and lists, for one preference.
func rounds(n int, p readpref.Preference) []round {
	var list []round
	for k := range 16 {
		d := with(topology.ReplicaSetWithPrimary)
		r := round{seed: uint64(k)}
		for i := range n {
			s := secondary(fmt.Sprintf("m%d.example:27017", i), rtt(int64(1+(i*7+k)%40)*ms), written(int64((i*11+k)%100)*1000),
				tags("dc", []string{"ny", "sf", "la"}[(i+k)%3], "rack", fmt.Sprint((i+k)%2)), busy(int64((i*k)%5)))
			if i == k%n {
				s.Type = topology.RSPrimary
			}
			d.Servers = append(d.Servers, s)
			if (i+k)%3 == 0 {
				r.request.Deprioritized = append(r.request.Deprioritized, fmt.Sprintf("M%d.example", i))
			}
			if (i+k)%4 > 0 {
				r.keep = append(r.keep, s.Address)
			}
		}
		switch k % 8 {
		case 1:
			r.request.Deprioritized = nil
		case 2:
			r.keep = nil
		case 3: // a far date takes the exact path of the staleness
			d.Servers[0].LastUpdateTimeMS = -1 << 62
		case 4:
			d.Type = topology.ReplicaSetNoPrimary
			d.Servers[k%n].Type = topology.RSArbiter
		case 5:
			d.Type, r.request.Operation = topology.ReplicaSetWithPrimary, selection.Write
		case 6: // everything deprioritized
			for i := range n {
				r.request.Deprioritized = append(r.request.Deprioritized, d.Servers[i].Address)
			}
		}
		r.request.Topology, r.request.Preference, r.request.Options = d, p, selection.DefaultOptions()
		list = append(list, r)
	}
	return list
}

var allocationPreferences = []struct {
	name string
	p    readpref.Preference
}{
	{"primary", mode(readpref.Primary)},
	{"primaryPreferred, tags", mode(readpref.PrimaryPreferred, set("dc", "ny"), set())},
	{"secondary, staleness, tags", stale(readpref.Secondary, 120, set("dc", "none"), set("dc", "sf", "rack", "1"), set("dc", "la"))},
	{"secondaryPreferred, tags that match nothing", stale(readpref.SecondaryPreferred, 90, set("dc", "none"))},
	{"nearest", mode(readpref.Nearest)},
	{"nearest, staleness", stale(readpref.Nearest, 90)},
}

// chosen keeps the compiler from leaving the work out.
var chosen int32

// From a description to a pick nothing is allocated, at any size.
func TestSelectAllocatesNothing(t *testing.T) {
	sizes := []int{3, 50, 1000}
	if raceDetector {
		sizes = sizes[:2] // what is left is that nothing races or fails
	}
	for _, n := range sizes {
		for _, p := range allocationPreferences {
			t.Run(fmt.Sprintf("%d servers, %s", n, p.name), func(t *testing.T) {
				list := rounds(n, p.p)
				var s selection.Selector
				var keep selection.KeepOnly
				run := func(r *round) {
					if r.keep != nil {
						keep.Reset(r.keep)
						r.request.CustomSelector = &keep
					}
					res, err := s.Select(&r.request)
					if err != nil {
						t.Fatal(err)
					}
					rng := selection.SplitMix64(r.seed)
					for pick := selection.LeastBusyOfTwo; pick <= selection.RoundRobin; pick++ {
						chosen = pick.Choose(r.request.Topology, res.InLatencyWindow, &rng, r.seed)
					}
				}
				for i := range list { // the memory grows to what these need
					run(&list[i])
				}
				next := 0
				allocations := testing.AllocsPerRun(2*len(list), func() {
					run(&list[next%len(list)])
					next++
				})
				if !raceDetector {
					require.Zero(t, allocations)
				}
			})
		}
	}
}

// A Selector that serves for long holds no more memory than one that has served
// a while.
func TestSelectorDoesNotGrow(t *testing.T) {
	var list []round
	for _, p := range allocationPreferences {
		list = append(list, rounds(50, p.p)...)
	}
	var s selection.Selector
	run := func(times int) {
		for range times {
			for i := range list {
				if _, err := s.Select(&list[i].request); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	heap := func() (inUse, objects uint64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, m.Mallocs - m.Frees
	}
	times := 200
	if raceDetector {
		times = 10
	}
	run(5)
	bytes, objects := heap()
	run(times)
	bytesAfter, objectsAfter := heap()
	if !raceDetector {
		require.InDelta(t, bytes, bytesAfter, 32<<10)
		require.InDelta(t, objects, objectsAfter, 200)
	}
	runtime.KeepAlive(list)
}

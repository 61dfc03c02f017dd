package cluster_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

// What a driver does for each operation allocates nothing, once a preference was
// used on the description.
func TestNothingIsAllocated(t *testing.T) {
	for _, n := range []int{1, 3, 50} {
		for pick := selection.LeastBusyOfTwo; pick <= selection.RoundRobin; pick++ {
			settings := cluster.DefaultSettings()
			settings.Pick = pick
			c, p := open(t, set(n), settings), preference(t, readpref.Preference{Mode: readpref.Nearest})
			var scratch cluster.Scratch
			ids := make([]int32, 16)
			deprioritized := []string{"S0", "p:27017"}
			var keepOnly selection.KeepOnly
			keepOnly.Reset([]string{"p", "s0", "S1:27017"})
			ok := func(code status.Code) {
				if code != status.OK {
					t.Fatal(code)
				}
			}
			for name, f := range map[string]func(){
				"Select": func() {
					id, code := c.Select(p, selection.Read, true)
					ok(code)
					c.Release(id)
				},
				"Select for a write": func() { _, code := c.Select(p, selection.Write, false); ok(code) },
				"SelectInto":         func() { ok(c.SelectInto(ids, p, selection.Read, true)) },
				"SelectExcept": func() {
					_, code := c.SelectExcept(&scratch, p, selection.Read, deprioritized, &keepOnly, true)
					ok(code)
				},
				"Address": func() {
					if _, ok := c.Address(0); !ok {
						t.Fatal("no address")
					}
				},
				"Release": func() {
					if !c.Release(1) {
						t.Fatal("no server")
					}
				},
				"OperationCount": func() { c.OperationCount(0) },
				"Generation":     func() { c.Generation() },
			} {
				t.Run(fmt.Sprintf("%s, %s, %d secondaries", name, pick, n), func(t *testing.T) {
					f() // the plan is made, memory grows
					allocations := testing.AllocsPerRun(100, f)
					if !raceDetector {
						require.Zero(t, allocations)
					}
				})
			}
		}
	}
}

// Nor do selections that find nothing, or fail.
func TestFailingAllocatesNothing(t *testing.T) {
	c := open(t, set(0), cluster.DefaultSettings())
	for want, p := range map[status.Code]readpref.Preference{
		status.NoServer:             {Mode: readpref.Secondary},
		status.MaxStalenessTooSmall: {Mode: readpref.Secondary, MaxStaleness: readpref.MaxStalenessSeconds(1)},
	} {
		kept := preference(t, p)
		f := func() {
			if _, code := c.Select(kept, selection.Read, true); code != want {
				t.Fatal(code)
			}
		}
		f()
		allocations := testing.AllocsPerRun(100, f)
		if !raceDetector {
			require.Zero(t, allocations, "%v", want)
		}
	}
}

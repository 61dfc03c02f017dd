package cluster_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Sixteen goroutines on one Topology: every answer is of one description, no
// checkout is lost, and the draws of a roundRobin are each taken once.
func TestOneTopologyFromManyGoroutines(t *testing.T) {
	const goroutines, rounds = 16, 400
	settings := cluster.DefaultSettings()
	settings.Pick = selection.RoundRobin
	// Each description has one set of addresses; a has as many operations as the
	// caller has checked out, in all of them.
	descriptions := []*topology.Description{sharded("a"), sharded("a", "b"), sharded("c", "a", "d"), sharded()}
	c := open(t, descriptions[0], settings)
	shared := preference(t, readpref.Preference{Mode: readpref.Nearest})
	var wg sync.WaitGroup
	held := make([][]int32, goroutines)
	for g := range goroutines {
		wg.Go(func() {
			var scratch cluster.Scratch
			own, err := cluster.NewPreference(readpref.Preference{Mode: readpref.Secondary})
			assert.NoError(t, err)
			last := uint32(0)
			for i := range rounds {
				switch (g + i) % 8 {
				case 0:
					assert.NoError(t, c.Update(descriptions[(g+i/8)%len(descriptions)], keep))
				case 1:
					d, s := c.Describe()
					for _, s := range d.Servers {
						assert.GreaterOrEqual(t, s.OperationCount, int64(0))
					}
					assert.LessOrEqual(t, s.Seed, uint64(math.MaxInt32))
				case 2:
					ids := [3]int32{-1, -1, -1}
					if code := c.SelectInto(ids[:], own, selection.Read, true); code == status.OK {
						held[g] = append(held[g], ids[:]...)
					} else {
						assert.Equal(t, status.NoServer, code)
						assert.Equal(t, [3]int32{-1, -1, -1}, ids)
					}
				case 3:
					if id, code := c.SelectExcept(&scratch, shared, selection.Read, []string{"a"}, nil, true); code == status.OK {
						held[g] = append(held[g], id)
					}
				case 4:
					c.View(func(d *topology.Description, generation uint32) {
						assert.GreaterOrEqual(t, generation, last)
						last = generation
					})
				default:
					if id, code := c.Select(shared, selection.Read, true); code == status.OK {
						held[g] = append(held[g], id)
						_, ok := c.Address(id)
						assert.True(t, ok)
					} else {
						assert.Equal(t, status.NoServer, code)
					}
				}
			}
		})
	}
	wg.Wait()
	want := map[string]int64{}
	for _, ids := range held {
		for _, id := range ids {
			address, _ := c.Address(id)
			want[address]++
		}
	}
	require.Len(t, want, 4)
	for id := range int32(4) {
		address, ok := c.Address(id)
		require.True(t, ok)
		n, _ := c.OperationCount(id)
		assert.Equal(t, want[address], n, address)
	}
	for g := range goroutines {
		wg.Go(func() {
			for _, id := range held[g] {
				c.Release(id)
			}
		})
	}
	wg.Wait()
	for id := range int32(4) {
		n, _ := c.OperationCount(id)
		assert.Zero(t, n)
	}
}

// The draws of one state are shared out over goroutines: each is taken once.
func TestDrawsAreTakenOnce(t *testing.T) {
	for pick := selection.LeastBusyOfTwo; pick <= selection.RoundRobin; pick++ {
		t.Run(pick.String(), func(t *testing.T) {
			const goroutines, each = 8, 500
			settings := cluster.DefaultSettings()
			settings.Pick, settings.Seed = pick, 42
			many, one := open(t, set(4), settings), open(t, set(4), settings)
			p := preference(t, readpref.Preference{Mode: readpref.Nearest})
			counts := func(c *cluster.Topology, ids []int32) [5]int {
				var n [5]int
				for _, id := range ids {
					n[id]++
				}
				return n
			}
			ids := make([][]int32, goroutines)
			var wg sync.WaitGroup
			for g := range goroutines {
				wg.Go(func() {
					for range each {
						id, code := many.Select(p, selection.Read, false)
						assert.Equal(t, status.OK, code)
						ids[g] = append(ids[g], id)
					}
				})
			}
			wg.Wait()
			all := []int32{}
			for _, list := range ids {
				all = append(all, list...)
			}
			want := make([]int32, goroutines*each)
			require.Equal(t, status.OK, one.SelectInto(want, p, selection.Read, false))
			assert.Equal(t, counts(one, want), counts(many, all))
			_, a := many.Describe()
			_, b := one.Describe()
			assert.Equal(t, b.Seed, a.Seed, fmt.Sprint(pick))
		})
	}
}

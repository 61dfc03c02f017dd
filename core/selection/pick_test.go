package selection_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// loads makes mongoses with these operation counts, and the view of them all.
func loads(counts ...int64) (*topology.Description, []int32) {
	d := with(topology.Sharded)
	var view []int32
	for i, n := range counts {
		d.Servers = append(d.Servers, server(string(rune('a'+i)), topology.Mongos, busy(n)))
		view = append(view, int32(i))
	}
	return d, view
}

// Computed by a Python program from the definition, for seeds 0 to 19.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name   string
		pick   selection.Pick
		counts []int64
		want   []int32
	}{
		{"five", selection.LeastBusyOfTwo, []int64{3, 1, 4, 1, 5}, []int32{1, 3, 0, 0, 2, 1, 3, 1, 3, 3, 3, 1, 3, 3, 0, 3, 1, 0, 1, 3}},
		{"two, tied", selection.LeastBusyOfTwo, []int64{0, 0}, []int32{1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1}},
		{"three", selection.LeastBusyOfTwo, []int64{9, 2, 7}, []int32{2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"random", selection.Random, []int64{3, 1, 4, 1, 5}, []int32{4, 2, 2, 0, 2, 1, 3, 1, 3, 3, 0, 1, 2, 3, 2, 2, 1, 2, 0, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, view := loads(c.counts...)
			for seed, w := range c.want {
				rng := selection.SplitMix64(seed)
				assert.Equal(t, w, c.pick.Choose(d, view, &rng, 0), "seed %d", seed)
			}
		})
	}
}

func TestRoundRobin(t *testing.T) {
	d, _ := loads(0, 0, 0, 0)
	window := []int32{3, 0, 2}
	rng := selection.SplitMix64(1)
	for turn, w := range map[uint64]int32{0: 3, 1: 0, 2: 2, 3: 3, 4: 0, math.MaxUint64: window[math.MaxUint64%3]} {
		assert.Equal(t, w, selection.RoundRobin.Choose(d, window, &rng, turn))
	}
	assert.Equal(t, selection.SplitMix64(1), rng, "nothing was drawn")
}

// 3.33: nothing from nothing, and the only one from one.
func TestChooseFromFew(t *testing.T) {
	d, _ := loads(0, math.MaxInt64)
	for pick := selection.LeastBusyOfTwo; pick <= selection.RoundRobin; pick++ {
		rng := selection.SplitMix64(3)
		assert.Equal(t, int32(-1), pick.Choose(d, nil, &rng, 5))
		assert.Equal(t, int32(1), pick.Choose(d, []int32{1}, &rng, 5))
	}
}

// 3.33: of two the less loaded always wins; of three or more with one busiest
// that one never does; the choice is in the window.
func TestLeastBusyOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 1, 2, 3, math.MaxInt64 - 1, math.MaxInt64}), 2, 8).Draw(t, "counts")
		d, all := loads(counts...)
		window := all[rapid.IntRange(0, len(all)-2).Draw(t, "from"):]
		var most int64
		for _, i := range window {
			most = max(most, counts[i])
		}
		busiest := 0
		for _, i := range window {
			if counts[i] == most {
				busiest++
			}
		}
		rng := selection.SplitMix64(rapid.Uint64().Draw(t, "seed"))
		for range 20 {
			got := selection.LeastBusyOfTwo.Choose(d, window, &rng, 0)
			require.Contains(t, window, got)
			if busiest == 1 {
				require.NotEqual(t, most, counts[got], "the one busiest of %v was picked", counts)
			}
		}
	})
}

// 3.33, 3.35: the shares of every server, by a chi-square test at 0.1 % with
// fixed seeds.
func TestChoicesAreFair(t *testing.T) {
	// The critical values for 1 to 7 degrees of freedom.
	critical := []float64{0, 10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32}
	even := func(n int) []float64 {
		p := make([]float64, n)
		for i := range p {
			p[i] = 1 / float64(n)
		}
		return p
	}
	for _, c := range []struct {
		name   string
		pick   selection.Pick
		counts []int64
		want   []float64
	}{
		{"random ignores the load", selection.Random, []int64{0, 9}, even(2)},
		{"random of three", selection.Random, []int64{5, 0, 1}, even(3)},
		{"random of eight", selection.Random, make([]int64, 8), even(8)},
		{"two equals", selection.LeastBusyOfTwo, []int64{4, 4}, even(2)},
		{"three equals", selection.LeastBusyOfTwo, []int64{0, 0, 0}, even(3)},
		{"seven equals", selection.LeastBusyOfTwo, make([]int64, 7), even(7)},
		{"the lesser of two", selection.LeastBusyOfTwo, []int64{1, 0}, []float64{0, 1}},
		// Of n servers with different loads, k less loaded ones beat the others in
		// n-1-k of the n(n-1)/2 pairs.
		{"three different", selection.LeastBusyOfTwo, []int64{2, 0, 1}, []float64{0, 2. / 3, 1. / 3}},
		{"five different", selection.LeastBusyOfTwo, []int64{0, 10, 20, 30, 40}, []float64{.4, .3, .2, .1, 0}},
		{"a tie above the least", selection.LeastBusyOfTwo, []int64{0, 5, 5}, []float64{2. / 3, 1. / 6, 1. / 6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const draws = 20_000
			d, view := loads(c.counts...)
			for _, how := range []struct {
				name string
				rng  func(n uint64, last selection.SplitMix64) selection.SplitMix64
			}{
				{"one stream", func(_ uint64, last selection.SplitMix64) selection.SplitMix64 { return last }},
				{"consecutive seeds", func(n uint64, _ selection.SplitMix64) selection.SplitMix64 { return selection.SplitMix64(n) }},
			} {
				got := make([]int, len(view))
				rng := selection.SplitMix64(2026)
				for n := range uint64(draws) {
					rng = how.rng(n, rng)
					got[c.pick.Choose(d, view, &rng, 0)]++
				}
				chi, freedom := 0.0, -1
				for i, p := range c.want {
					if p == 0 {
						assert.Zero(t, got[i], how.name)
						continue
					}
					freedom++
					e := p * draws
					chi += (float64(got[i]) - e) * (float64(got[i]) - e) / e
				}
				if freedom > 0 {
					assert.Less(t, chi, critical[freedom], "%s: %v", how.name, got)
				}
			}
		})
	}
}

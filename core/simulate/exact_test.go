package simulate_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// The ordered pairs of three servers are six. Rule 3.33: the less busy of a
// pair, the first drawn where they are level.
func TestExactLeastBusyOfTwo(t *testing.T) {
	for _, c := range []struct {
		busy [3]int64
		want []int64
	}{
		{[3]int64{0, 3, 0}, []int64{500_000, 0, 500_000}},       // 3, 0 and 3 of 6 pairs
		{[3]int64{1, 2, 3}, []int64{666_667, 333_333, 0}},       // 4, 2, 0: the remainders are 2/3 and 1/3
		{[3]int64{5, 5, 5}, []int64{333_334, 333_333, 333_333}}, // 2 each, equal remainders: the first
		{[3]int64{7, 7, 1}, []int64{166_667, 166_667, 666_666}}, // 1, 1, 4: remainders 2/3, 2/3, 2/3, two to give
	} {
		r := request(set(member("a", topology.RSPrimary, ms, c.busy[0]), member("b", topology.RSSecondary, ms, c.busy[1]),
			member("c", topology.RSSecondary, ms, c.busy[2])), reads(readpref.Nearest))
		assert.Equal(t, c.want, run(t, r).Workloads[0].SharesPPM, "%v", c.busy)
	}
}

func TestExactOtherPicks(t *testing.T) {
	for _, pick := range []selection.Pick{selection.Random, selection.RoundRobin} {
		r := request(set(member("a", topology.RSPrimary, ms, 9), member("b", topology.RSSecondary, ms, 0),
			member("c", topology.RSSecondary, ms, 0)), reads(readpref.Nearest))
		r.Pick = pick
		assert.Equal(t, []int64{333_334, 333_333, 333_333}, run(t, r).Workloads[0].SharesPPM)
	}
}

// Averages are half-even to the nanosecond: 1.5 is 2, 2.5 is 2.
func TestAverageRoundTripTime(t *testing.T) {
	for _, c := range [][3]int64{{1, 2, 2}, {2, 3, 2}, {3, 4, 4}, {0, 0, 0}, {1<<63 - 1, 1<<63 - 2, 1<<63 - 2}} {
		r := request(set(member("a", topology.RSPrimary, c[0], 0), member("b", topology.RSSecondary, c[1], 0)), reads(readpref.Nearest))
		assert.Equal(t, topology.NewRTT(c[2]), run(t, r).Workloads[0].RoundTripTime, "%v", c)
	}
	// 2 ms three times of six, 9.5 ms three times: 5.75 ms.
	r := request(set(member("a", topology.RSPrimary, 2*ms, 0), member("b", topology.RSSecondary, 5*ms, 3), member("c", topology.RSSecondary, 9.5*ms, 0)),
		reads(readpref.Nearest))
	assert.Equal(t, topology.NewRTT(5.75*ms), run(t, r).Workloads[0].RoundTripTime)
	r = request(set(topology.Server{Address: "a", Type: topology.RSPrimary}), reads(readpref.Primary))
	assert.False(t, run(t, r).Workloads[0].RoundTripTime.IsDefined())
}

// Three reads for each write and each read that fails: of the reads a quarter
// fails; of all operations three fifths are spread, a fifth each is the write and what fails.
func TestTotals(t *testing.T) {
	web, lost := reads(readpref.Secondary), reads(readpref.Secondary)
	web.Weight = 3
	lost.Preference.MaxStaleness = readpref.MaxStalenessSeconds(10)
	r := request(set(member("a", topology.RSPrimary, ms, 0), member("b", topology.RSSecondary, ms, 0), member("c", topology.RSSecondary, ms, 0)),
		web, writes(), lost)
	res := run(t, r)
	assert.Equal(t, []int64{0, 375_000, 375_000, 250_000}, res.Reads)
	assert.Equal(t, []int64{1_000_000, 0, 0, 0}, res.Writes)
	assert.Equal(t, []int64{200_000, 300_000, 300_000, 200_000}, res.All)
	failed := res.Workloads[2]
	assert.Equal(t, "maxStalenessTooSmall", failed.Code)
	assert.Contains(t, failed.Message, "allows 90 or more")
	assert.Equal(t, int64(1_000_000), failed.FailedPPM)
	assert.Equal(t, int64(0), res.Picks)
	assert.True(t, res.Exact)
	assert.Empty(t, res.State)
}

// Without a write, no server has a share of the writes.
func TestNoOperationOfAKind(t *testing.T) {
	res := run(t, request(set(member("a", topology.RSPrimary, ms, 0)), reads(readpref.Primary)))
	assert.Equal(t, []int64{0, 0}, res.Writes)
}

// Whatever the counts: as many draws of all ordered pairs as a share says, to
// less than one in a million, and a million in all.
func TestExactIsTheCountOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		busy := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 1, 2, 3, 1<<63 - 1}), 1, 9).Draw(t, "busy")
		d := &topology.Description{Type: topology.Sharded}
		for i, n := range busy {
			d.Servers = append(d.Servers, member(string(rune('a'+i)), topology.Mongos, ms, n))
		}
		won := make([]int64, len(busy))
		for i := range busy {
			for j := range busy {
				switch {
				case len(busy) == 1:
					won[0]++
				case i == j:
				case busy[j] < busy[i]:
					won[j]++
				default:
					won[i]++
				}
			}
		}
		pairs := int64(max(1, len(busy)*(len(busy)-1)))
		res := run(t, request(d, reads(readpref.Nearest)))
		sum := int64(0)
		for i, share := range res.Workloads[0].SharesPPM {
			sum += share
			off := new(big.Rat).Sub(big.NewRat(share, 1), big.NewRat(won[i]*1_000_000, pairs))
			require.Negative(t, off.Abs(off).Cmp(big.NewRat(1, 1)), "%v: %d has %d", busy, i, share)
		}
		require.Equal(t, int64(1_000_000), sum)
		require.Equal(t, res.Workloads[0].SharesPPM, res.Reads[:len(busy)])
		require.Equal(t, res.Reads, res.All)
	})
}

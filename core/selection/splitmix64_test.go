package selection_test

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/selection"
)

// The first three of seed 0 and all of seed 1234567 are published; the others
// were computed by a Python program written from Vigna's C.
func TestSplitMix64(t *testing.T) {
	for seed, want := range map[uint64][]uint64{
		0:              {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b},
		1:              {0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e, 0x71c18690ee42c90b, 0x71bb54d8d101b5b9},
		42:             {0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52, 0x581ce1ff0e4ae394, 0x09bc585a244823f2},
		1234567:        {6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821},
		math.MaxUint64: {0xe4d971771b652c20, 0xe99ff867dbf682c9, 0x382ff84cb27281e9, 0x6d1db36ccba982d2, 0xb4a0472e578069ae},
		1 << 63:        {0x481ec0a212a9f3db, 0xc46fa638a6309012, 0x61a685ffc80a8140, 0x592e268383e356f9, 0x0c8881ee746884d3},
	} {
		rng := selection.SplitMix64(seed)
		for n, w := range want {
			require.Equal(t, w, rng.Next(), "seed %d, draw %d", seed, n)
		}
	}
}

// Computed by conformance/vectors/splitmix64.py, from the definition.
func TestTwo(t *testing.T) {
	for n, want := range map[int][][2]uint64{
		2:         {{0, 1}, {0, 1}, {1, 0}, {1, 0}},
		3:         {{1, 0}, {0, 2}, {2, 1}, {1, 0}},
		10:        {{3, 4}, {0, 9}, {9, 6}, {5, 3}},
		1000:      {{389, 348}, {16, 954}, {900, 728}, {582, 402}},
		1 << 20:   {{408766, 365344}, {17603, 1000390}, {944516, 764689}, {611246, 422882}},
		1 << 31:   {{837153010, 748226283}, {36052587, 2048799502}, {1934368832, 1566086400}, {1251833272, 866063589}},
		1<<32 - 1: {{1674306019, 1496452566}, {72105174, 4097599003}, {3868737663, 3132172800}, {2503666543, 1732127178}},
	} {
		rng := selection.SplitMix64(7)
		two := selection.NewTwo(n)
		for k, w := range want {
			i, j, ok := two.Of(rng.Next())
			for !ok {
				i, j, ok = two.Of(rng.Next())
			}
			require.Equal(t, w, [2]uint64{i, j}, "n %d, draw %d", n, k)
		}
	}
}

// Exactly the unfair outputs are passed over; the others give two different
// positions below n. Most outputs here are near the boundary of a position.
func TestTwoPassesOverUnfairOutputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(2, 1<<20).Draw(t, "n")
		half := func(name string, choices uint64) uint64 {
			edge := rapid.Uint64Range(0, choices).Draw(t, name+" edge") * (1 << 32) / choices
			return min(1<<32-1, edge+rapid.Uint64Range(0, 2).Draw(t, name+" beyond"))
		}
		h, l := half("high", n), half("low", n-1)
		two := selection.NewTwo(int(n))
		i, j, ok := two.Of(h<<32 | l)
		fair := h*n%(1<<32) >= (1<<32)%n && l*(n-1)%(1<<32) >= (1<<32)%(n-1)
		require.Equal(t, fair, ok)
		if !ok {
			return
		}
		require.Equal(t, h*n>>32, i)
		require.Less(t, j, n)
		require.NotEqual(t, i, j)
	})
}

// Every position is the answer of the same number of high halves.
func TestTwoIsFair(t *testing.T) {
	for _, n := range []uint64{2, 3, 5, 7, 10, 1000, 65535} {
		two := selection.NewTwo(int(n))
		want := (uint64(1) << 32) / n
		for _, i := range []uint64{0, 1, n / 2, n - 1} {
			// The halves h with h*n/2^32 = i.
			from, to := (i<<32+n-1)/n, ((i+1)<<32+n-1)/n
			got := to - from
			for h := from; h < to && h < from+4; h++ { // only the first of them can be unfair
				if a, _, ok := two.Of(h<<32 | 0xffffffff); !ok {
					got--
				} else {
					require.Equal(t, i, a)
				}
			}
			require.Equal(t, want, got, "n %d, position %d", n, i)
		}
	}
}

func TestShardSeed(t *testing.T) {
	// Published FNV-1a values.
	assert.Equal(t, uint64(0xcbf29ce484222325), selection.ShardSeed(0, ""))
	assert.Equal(t, uint64(0xaf63dc4c8601ec8c), selection.ShardSeed(0, "a"))
	assert.Equal(t, uint64(0x85944171f73967e8), selection.ShardSeed(0, "foobar"))
	assert.Equal(t, uint64(0x85944171f73967e8^42), selection.ShardSeed(42, "foobar"))
	rapid.Check(t, func(t *rapid.T) {
		seed, name := rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "name")
		h := fnv.New64a()
		_, _ = h.Write([]byte(name))
		require.Equal(t, seed^h.Sum64(), selection.ShardSeed(seed, name))
	})
}

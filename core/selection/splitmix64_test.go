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

// Computed by the same Python program, from the definition: draws below 2^64
// mod n are rejected, the others are taken mod n.
func TestUniform(t *testing.T) {
	for n, want := range map[uint64][]uint64{
		1:              {0, 0, 0, 0, 0, 0},
		2:              {1, 0, 0, 1, 0, 1},
		3:              {0, 0, 0, 0, 1, 0},
		10:             {7, 4, 6, 3, 4, 5},
		1 << 63:        {7191089600892374487, 309689372594955804, 7392729709960833538, 1529793891446696395, 8346079845500723674, 4601199455465548305},
		1<<63 + 1:      {7392729709960833537, 1529793891446696394, 8483179396677329707, 7711100304988943181, 6849861940886463535, 6714756187199313381},
		math.MaxUint64: {7191089600892374487, 309689372594955804, 16616101746815609346, 10753165928301472203, 8346079845500723674, 4601199455465548305},
	} {
		rng := selection.SplitMix64(7)
		for i, w := range want {
			require.Equal(t, w, rng.Uniform(n), "n %d, draw %d", n, i)
		}
	}
}

func TestUniformIsBelowN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := selection.SplitMix64(rapid.Uint64().Draw(t, "seed"))
		n := max(1, rapid.OneOf(rapid.Uint64Range(1, 100), rapid.Uint64()).Draw(t, "n"))
		before := rng
		got := rng.Uniform(n)
		require.Less(t, got, n)
		// The draws that were taken are those of Next, and the last one is the answer.
		var x uint64
		for before != rng {
			x = before.Next()
		}
		require.Equal(t, x%n, got)
	})
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

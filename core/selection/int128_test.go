package selection

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// 3.21: sums of dates are exact, whatever the dates.
func TestInt128(t *testing.T) {
	edges := rapid.OneOf(
		rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62}),
		rapid.Int64())
	rapid.Check(t, func(t *rapid.T) {
		var a int128
		exact := new(big.Int)
		for range rapid.IntRange(0, 6).Draw(t, "terms") {
			v := edges.Draw(t, "v")
			if rapid.Bool().Draw(t, "minus") {
				a = a.sub(v)
				exact.Sub(exact, big.NewInt(v))
			} else {
				a = a.add(v)
				exact.Add(exact, big.NewInt(v))
			}
			require.Equal(t, exact.String(), a.big().String())
		}
		want := int64(math.MaxInt64)
		if exact.IsInt64() {
			want = exact.Int64()
		} else if exact.Sign() < 0 {
			want = math.MinInt64
		}
		require.Equal(t, want, a.clamp())

		seconds := max(0, edges.Draw(t, "seconds"))
		limit := new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1000))
		require.Equal(t, exact.Cmp(limit) <= 0, a.atMost(seconds))

		v := edges.Draw(t, "other")
		require.Equal(t, exact.Cmp(big.NewInt(v)) < 0, a.less(int128{}.add(v)))
	})
}

// atMost at its edge: 1000 times the maximum, and one beside it.
func TestInt128AtMostEdge(t *testing.T) {
	for _, seconds := range []int64{0, 90, 1 << 48, math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, math.MaxInt64} {
		var edge int128
		for range 1000 {
			edge = edge.add(seconds)
		}
		require.True(t, edge.atMost(seconds))
		require.False(t, edge.add(1).atMost(seconds))
		require.True(t, edge.sub(1).atMost(seconds))
	}
}

func (a int128) big() *big.Int {
	v := big.NewInt(a.hi)
	v.Lsh(v, 64)
	return v.Add(v, new(big.Int).SetUint64(a.lo))
}

// The fast path of fresh is taken only where five terms cannot overflow.
func TestSmall(t *testing.T) {
	for v, want := range map[int64]bool{
		0: true, 1<<59 - 1: true, 1 << 59: false, -1 << 59: true, -1<<59 - 1: false, math.MaxInt64: false, math.MinInt64: false,
	} {
		require.Equal(t, want, small(v), v)
	}
}

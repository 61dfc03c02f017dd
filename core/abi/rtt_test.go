package abi_test

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/abi"
)

// 5.7 to 5.9, computed with fractions: each average is the nearest nanosecond to
// (sample + 4·average)/5.
func TestRTTIsExact(t *testing.T) {
	var c abi.Context
	nearest := func(r *big.Rat) *big.Rat { // a fifth is never a half
		n := new(big.Int).Mul(r.Num(), big.NewInt(2))
		n.Add(n, r.Denom())
		return new(big.Rat).SetInt(n.Div(n, new(big.Int).Mul(r.Denom(), big.NewInt(2))))
	}
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 100_000_000), rapid.Int64Range(0, math.MaxInt64))
		var average *big.Rat
		request := object{}
		if rapid.Bool().Draw(t, "resumed") {
			old := sample.Draw(t, "old")
			average = new(big.Rat).SetInt64(old)
			request.add("roundTripTimeMS", milliseconds(old))
		}
		var list, averages []any
		var known []int64
		written := func() any {
			if average == nil {
				return nil
			}
			return average.Num().Int64()
		}
		for range rapid.IntRange(0, 30).Draw(t, "count") {
			if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
				list, known, average = append(list, nil), nil, nil
			} else {
				ns := sample.Draw(t, "sample")
				list, known = append(list, milliseconds(ns)), append(known, ns)
				x := new(big.Rat).SetInt64(ns)
				if average != nil {
					x.Add(x, new(big.Rat).Mul(average, big.NewRat(4, 1))).Mul(x, big.NewRat(1, 5))
				}
				average = nearest(x)
			}
			averages = append(averages, written())
		}
		var minimum any
		if average != nil {
			least := int64(0)
			if last := known[max(0, len(known)-10):]; len(last) > 1 {
				least = last[0]
				for _, ns := range last {
					least = min(least, ns)
				}
			}
			minimum = least
		}
		if list == nil {
			list = []any{}
		}
		request.add("samplesMS", list)
		var got struct {
			RoundTripTimeMS, MinRoundTripTimeMS json.Number
			AveragesMS                          []json.Number
		}
		answer(t, &c, "rtt", request, &got)
		same := func(want any, got json.Number) {
			if want == nil {
				require.Empty(t, got)
				return
			}
			ms, ok := new(big.Rat).SetString(string(got))
			require.True(t, ok, "%q", got)
			require.Zero(t, ms.Cmp(big.NewRat(want.(int64), 1_000_000)), "%v ns, got %s ms", want, got)
		}
		same(written(), got.RoundTripTimeMS)
		same(minimum, got.MinRoundTripTimeMS)
		require.Len(t, got.AveragesMS, len(averages))
		for i, want := range averages {
			same(want, got.AveragesMS[i])
		}
	})
}

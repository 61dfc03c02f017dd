package decimal_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/decimal"
)

// The edges of the type and of each number of digits.
func edges() (list []int64) {
	for p := int64(1); ; p *= 10 {
		list = append(list, p-1, p, p+1, -p, 1-p)
		if p == 1e18 {
			return append(list, math.MinInt64, math.MinInt64+1, math.MaxInt64, math.MaxInt64-1)
		}
	}
}

func TestAsStrconv(t *testing.T) {
	check := func(v int64) {
		want := strconv.FormatInt(v, 10)
		require.Equal(t, want, decimal.String(v))
		require.Equal(t, "x"+want, string(decimal.Append([]byte("x"), v)))
		require.Equal(t, strconv.FormatUint(uint64(v), 10), string(decimal.AppendUint(nil, uint64(v))))
		got, ok := decimal.Parse(want)
		require.True(t, ok, want)
		require.Equal(t, v, got)
	}
	for _, v := range edges() {
		check(v)
	}
	rapid.Check(t, func(r *rapid.T) { check(rapid.Int64().Draw(r, "v")) })
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "-", "+", "+7", "-0", "007", "1_0", "0x1", " 1", "1 ", "１",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "92233720368547758070",
		"18446744073709551616", "00000000000000000000000000000001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := strconv.ParseInt(s, 10, 64)
		got, ok := decimal.Parse(s)
		require.Equal(t, err == nil, ok, "%q", s)
		if ok {
			require.Equal(t, want, got, "%q", s)
		}
	})
}

func TestAllocatesNothing(t *testing.T) {
	b := make([]byte, 0, 64)
	text := "-1234567890"
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		v, _ := decimal.Parse(text)
		b = decimal.Append(b[:0], v)
	}))
	assert.Equal(t, text, string(b))
}

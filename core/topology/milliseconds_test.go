package topology_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/topology"
)

func TestParseMS(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "-0.000": 0, "0e99": 0, "0.0e-99": 0, "-0E+1000000000000": 0,
		"15": 15_000_000, "2.4": 2_400_000, "0.000001": 1, "12.345678": 12_345_678,
		"1e3": 1_000_000_000, "1E+3": 1_000_000_000, "1500e-2": 15_000_000, "0.15e2": 15_000_000,
		// Half to even at the nanosecond, and only where exactly half is left.
		"0.0000005": 0, "0.0000015": 2, "0.0000025": 2, "0.0000035": 4,
		"0.00000050000000000000000001": 1, "0.0000004999999999999999999999": 0, "0.0000025000000000000000000001": 3,
		"0.00000051": 1, "0.00000250": 2, "5e-7": 0, "15e-7": 2, "25e-7": 2, "1e-400": 0,
		// What a float64 would get wrong.
		"0.1": 100_000, "135.135": 135_135_000, "9007199254.740993": 9007199254740993,
		"9223372036854.775807": math.MaxInt64, "9223372036854.7758074": math.MaxInt64, "9223372036854.7758065": math.MaxInt64 - 1,
		"9223372036854775807e-6": math.MaxInt64, "0.000000000009223372036854775807e24": math.MaxInt64,
		strings.Repeat("0", 1) + "." + strings.Repeat("0", 400) + "1e401": 1_000_000,
		"1" + strings.Repeat("0", 400) + "e-400":                          1_000_000,
	} {
		ns, ok := topology.ParseMS([]byte(text))
		assert.True(t, ok, text)
		assert.Equal(t, want, ns, text)
	}
	for _, text := range []string{
		"-1", "-0.0000001", "-1e-400", "9223372036854.775808", "9223372036854.7758075", "9223372036855", "1e13", "1e400", "1e99999999999999999999",
		"18446744073709.551616", "18446744073709.551615", "36893488147419.103233", "1" + strings.Repeat("0", 400),
	} {
		_, ok := topology.ParseMS([]byte(text))
		assert.False(t, ok, text)
	}
}

// halfEven rounds a number of milliseconds to nanoseconds by the definition.
func halfEven(text string) *big.Int {
	ms, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	ns := ms.Mul(ms, big.NewRat(1_000_000, 1))
	floor, rest := new(big.Int).DivMod(ns.Num(), ns.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(ns.Denom()) {
	case 1:
		floor.Add(floor, big.NewInt(1))
	case 0:
		floor.Add(floor, new(big.Int).And(floor, big.NewInt(1)))
	}
	return floor
}

func TestParseMSIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`0|[1-9][0-9]{0,22}`).Draw(t, "digits")
		if rapid.Bool().Draw(t, "fraction") {
			digits += "." + rapid.OneOf(rapid.StringMatching(`[0-9]{1,25}`), rapid.StringMatching(`[0-9]{6}(5|50|500000001|49999)`)).Draw(t, "digits")
		}
		if rapid.Bool().Draw(t, "exponent") {
			digits += rapid.StringMatching(`[eE][+-]?[0-9]{1,2}`).Draw(t, "power")
		}
		want := halfEven(digits)
		ns, ok := topology.ParseMS([]byte(digits))
		require.Equal(t, want.IsInt64(), ok, digits)
		if ok {
			require.Equal(t, want.Int64(), ns, digits)
		}
		zero := strings.Trim(strings.FieldsFunc(digits, func(r rune) bool { return r == 'e' || r == 'E' })[0], "0.") == ""
		ns, ok = topology.ParseMS([]byte("-" + digits))
		require.Equal(t, zero, ok, "only 0 may have a minus")
		require.Zero(t, ns)
	})
}

// What AppendMS prints is the shortest decimal, and reads back as it was.
func TestAppendMS(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0", 1: "0.000001", 10: "0.00001", 999_999: "0.999999", 1_000_000: "1", 1_000_001: "1.000001", 2_400_000: "2.4",
		15_000_000: "15", 100_500_000: "100.5", 101_010_100: "101.0101", math.MaxInt64: "9223372036854.775807",
	} {
		assert.Equal(t, "x"+want, string(topology.AppendMS([]byte("x"), ns)))
	}
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.Int64Range(0, 5_000_000)).Draw(t, "ns")
		text := string(topology.AppendMS(nil, ns))
		want := new(big.Rat).SetFrac64(ns, 1_000_000).FloatString(6)
		require.Equal(t, strings.TrimSuffix(strings.TrimRight(want, "0"), "."), strings.TrimSuffix(trimZeros(text), "."))
		require.NotContains(t, text, "e")
		require.Equal(t, trimZeros(text), text, "no trailing zeros")
		back, ok := topology.ParseMS([]byte(text))
		require.True(t, ok)
		require.Equal(t, ns, back)
	})
}

// trimZeros cuts zeros at the end of a fraction.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		return strings.TrimRight(s, "0")
	}
	return s
}

func ExampleParseMS() {
	ns, ok := topology.ParseMS([]byte("2.4"))
	fmt.Println(ns, ok)
	fmt.Println(string(topology.AppendMS(nil, ns)), "ms")
	// Output:
	// 2400000 true
	// 2.4 ms
}

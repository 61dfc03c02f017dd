package sdam_test

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// 5.7, the official cases: their averages are of float milliseconds, ours of
// whole nanoseconds.
func TestSpecRTT(t *testing.T) {
	for _, file := range specSuite(t, "server-selection/rtt") {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var c struct {
			Old json.RawMessage `json:"avg_rtt_ms"`
			New json.Number     `json:"new_rtt_ms"`
			Avg float64         `json:"new_avg_rtt"`
		}
		require.NoError(t, json.Unmarshal(raw, &c))
		var r sdam.RTTAverage
		if string(c.Old) != `"NULL"` {
			ns, ok := topology.ParseMS(c.Old)
			require.True(t, ok)
			r.Add(ns)
		}
		ns, ok := topology.ParseMS([]byte(c.New))
		require.True(t, ok)
		r.Add(ns)
		got, _ := r.Average().Nanoseconds()
		assert.InDelta(t, c.Avg*1e6, float64(got), 1, file)
	}
}

// 5.7: the average is exact to the nanosecond, at all sizes.
func TestAverageIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, math.MaxInt64))
		old, x := sample.Draw(t, "old"), sample.Draw(t, "sample")
		var r sdam.RTTAverage
		r.Add(old)
		r.Add(x)
		sum := new(big.Int).Add(big.NewInt(x), new(big.Int).Mul(big.NewInt(4), big.NewInt(old)))
		want := new(big.Int).Div(sum.Add(sum, big.NewInt(2)), big.NewInt(5)) // a fifth is never a half
		got, ok := r.Average().Nanoseconds()
		require.True(t, ok)
		require.Equal(t, want.String(), strconv.FormatInt(got, 10))
	})
}

// 5.7, 5.9: 0 is a sample, a negative one is none; the minimum is of the last
// ten and 0 until there are two.
func TestSamples(t *testing.T) {
	var r sdam.RTTAverage
	assert.False(t, r.Average().IsDefined())
	assert.False(t, r.Minimum().IsDefined())
	r.Add(-1)
	assert.False(t, r.Average().IsDefined())
	r.Add(0)
	assert.Equal(t, topology.NewRTT(0), r.Average())
	r.Reset()
	assert.False(t, r.Average().IsDefined())
	r.Add(7)
	assert.Equal(t, topology.NewRTT(0), r.Minimum())
	r.Add(9)
	assert.Equal(t, topology.NewRTT(7), r.Minimum())
	for range 9 { // the 7 is the eleventh last now
		r.Add(20)
	}
	assert.Equal(t, topology.NewRTT(9), r.Minimum())
	r.Add(20)
	assert.Equal(t, topology.NewRTT(20), r.Minimum())
}

// 5.7, 5.9: an average that is resumed weighs as any other, but its samples are
// forgotten.
func TestResume(t *testing.T) {
	r := sdam.ResumeRTT(topology.NewRTT(10))
	assert.Equal(t, topology.NewRTT(10), r.Average())
	assert.Equal(t, topology.NewRTT(0), r.Minimum())
	r.Add(20)
	assert.Equal(t, topology.NewRTT(12), r.Average())
	assert.Equal(t, topology.NewRTT(0), r.Minimum(), "one sample is known")
	r.Add(20)
	assert.Equal(t, topology.NewRTT(20), r.Minimum())
	r = sdam.ResumeRTT(topology.RTT{})
	assert.False(t, r.Average().IsDefined() || r.Minimum().IsDefined())
	r.Add(20)
	assert.Equal(t, topology.NewRTT(20), r.Average())
}

package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		samples []float64
		want    float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1}, 5},
		{[]float64{9, 1, 2}, 2},
		{[]float64{100, 3, 1, 2}, 2.5},
	}
	for _, tt := range tests {
		before := append([]float64(nil), tt.samples...)
		assert.Equal(t, tt.want, Median(tt.samples))
		assert.Equal(t, before, tt.samples, "the samples stay in order")
	}
	assert.True(t, math.IsNaN(Median(nil)))
}

func TestQuantile(t *testing.T) {
	samples := []float64{50, 10, 40, 20, 30}
	assert.Equal(t, 10.0, Quantile(samples, 0))
	assert.Equal(t, 14.0, Quantile(samples, 0.1))
	assert.Equal(t, 20.0, Quantile(samples, 0.25))
	assert.Equal(t, 50.0, Quantile(samples, 1))
}

func TestRatio(t *testing.T) {
	assert.Equal(t, 50.0, Ratio(1000, 20))
	assert.Equal(t, 0.5, Ratio(10, 20))
	for _, bad := range [][2]float64{{0, 1}, {1, 0}, {math.NaN(), 1}, {1, math.NaN()}} {
		assert.True(t, math.IsNaN(Ratio(bad[0], bad[1])), "%v", bad)
	}
}

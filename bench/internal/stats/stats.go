// Package stats has the few figures that the bench makes of its samples.
package stats

import (
	"math"
	"slices"
)

// Quantile returns the q-th quantile of the samples, between neighbours by
// proportion; NaN where there are none.
func Quantile(samples []float64, q float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(samples))
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 == len(sorted) {
		return sorted[below]
	}
	return sorted[below] + (at-float64(below))*(sorted[below+1]-sorted[below])
}

// Median is the middle sample, or the mean of the two in the middle.
func Median(samples []float64) float64 { return Quantile(samples, 0.5) }

// Ratio says how many times faster ours is than theirs, both in nanoseconds;
// NaN where one was not measured.
func Ratio(theirs, ours float64) float64 {
	if !(ours > 0) || !(theirs > 0) {
		return math.NaN()
	}
	return theirs / ours
}

package heapsort_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/heapsort"
)

func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "numbers")
		want := slices.Clone(got)
		slices.Sort(want)
		heapsort.Sort(len(got), func(i, j int) bool { return got[i] < got[j] }, func(i, j int) { got[i], got[j] = got[j], got[i] })
		require.Equal(t, want, got)
	})
}

// n log n steps, whatever the order.
func TestSteps(t *testing.T) {
	const n, log = 1 << 12, 12
	for name, at := range map[string]func(i int) int{
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return -i },
		"equal":      func(int) int { return 0 },
		"saw":        func(i int) int { return i % 7 },
	} {
		list := make([]int, n)
		for i := range list {
			list[i] = at(i)
		}
		steps := 0
		heapsort.Sort(n, func(i, j int) bool { steps++; return list[i] < list[j] }, func(i, j int) { list[i], list[j] = list[j], list[i] })
		require.True(t, slices.IsSorted(list), name)
		require.LessOrEqual(t, steps, 3*n*log, name)
	}
}

func TestAllocations(t *testing.T) {
	list := make([]int, 100)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for i := range list {
			list[i] = i * 37 % 100
		}
		heapsort.Sort(len(list), func(i, j int) bool { return list[i] < list[j] }, func(i, j int) { list[i], list[j] = list[j], list[i] })
	}))
}

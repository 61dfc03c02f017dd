package simulate

import (
	"math/bits"

	"github.com/readpref/readpref/core/internal/heapsort"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// count fills the outcomes with exact shares, for one client whose operations
// leave the operation counts as they are.
//
// Server Selection specification, "Server Selection Algorithm", steps 6 to 8.
func (res *Result) count(r *Request) {
	for i := range res.Workloads {
		o := &res.Workloads[i]
		if o.Code != "" {
			o.FailedPPM = million
			continue
		}
		ways := waysOf(r.Topology, o.Window, r.Pick)
		o.SharesPPM = apportion(ways)
		o.RoundTripTime = average(r.Topology, o.Window, ways)
	}
}

// waysOf returns in how many of the draws, which are all equally likely, each
// server of a window is taken. random and, in the long run, roundRobin take each
// alike. Of the n(n-1) ordered pairs of leastBusyOfTwo, a server wins those with
// each of the busier ones, whichever is drawn first, and those with each that is
// as busy where it is drawn first itself.
func waysOf(t *topology.Description, window []int32, pick selection.Pick) []uint64 {
	n := len(window)
	ways := make([]uint64, n)
	if pick != selection.LeastBusyOfTwo || n == 1 {
		for k := range ways {
			ways[k] = 1
		}
		return ways
	}
	order := make([]int, n) // by operation count
	for k := range order {
		order[k] = k
	}
	busy := func(k int) int64 { return t.Servers[window[order[k]]].OperationCount }
	heapsort.Sort(n, func(i, j int) bool { return busy(i) < busy(j) }, func(i, j int) { order[i], order[j] = order[j], order[i] })
	for from := 0; from < n; {
		to := from + 1
		for to < n && busy(to) == busy(from) {
			to++
		}
		for k := from; k < to; k++ {
			ways[order[k]] = uint64(2*(n-to) + to - from - 1)
		}
		from = to
	}
	return ways
}

// apportion returns the parts in parts per million of their sum, which add up to
// a million: each rounded down, then one more for those that lost most, the
// first of equal ones. (The largest remainders; Hamilton's method.) All are 0
// where the sum is.
func apportion(parts []uint64) []int64 {
	shares := make([]int64, len(parts))
	sum := uint64(0)
	for _, p := range parts {
		sum += p
	}
	if sum == 0 {
		return shares
	}
	lost, order := make([]uint64, len(parts)), make([]int, len(parts))
	left := million
	for k, p := range parts {
		hi, lo := bits.Mul64(p, million)
		quotient, remainder := bits.Div64(hi, lo, sum)
		shares[k], lost[k], order[k] = int64(quotient), remainder, k
		left -= int(quotient)
	}
	heapsort.Sort(len(order), func(i, j int) bool {
		a, b := order[i], order[j]
		return lost[a] > lost[b] || lost[a] == lost[b] && a < b
	}, func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, k := range order[:left] {
		shares[k]++
	}
	return shares
}

// average returns the average round-trip time of the servers of a window, each
// counted so often, half-even. In a window either all are known or none is.
func average(t *topology.Description, window []int32, times []uint64) topology.RTT {
	var hi, lo, sum uint64
	for k, server := range window {
		ns, ok := t.Servers[server].RoundTripTime.Nanoseconds()
		if !ok {
			return topology.RTT{}
		}
		h, l := bits.Mul64(uint64(ns), times[k])
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		hi += h + carry
		sum += times[k]
	}
	if sum == 0 {
		return topology.RTT{}
	}
	quotient, remainder := bits.Div64(hi, lo, sum)
	if half := sum - remainder; remainder > half || remainder == half && quotient&1 == 1 {
		quotient++
	}
	return topology.NewRTT(int64(quotient))
}

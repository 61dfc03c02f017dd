package sdam

import (
	"math/bits"

	"github.com/readpref/readpref/core/topology"
)

const minimumOf = 10 // samples

// RTTAverage is a server's average round-trip time and the minimum of its last
// ten samples. The zero value has no samples.
//
// Server Selection specification, "Calculation of Average Round Trip Times";
// Server Monitoring specification, "Measuring RTT".
type RTTAverage struct {
	average topology.RTT
	last    [minimumOf]int64
	samples int // how many of last are valid
	next    int
}

// ResumeRTT returns an average that goes on from an earlier one, whose samples
// are not known any more.
func ResumeRTT(average topology.RTT) RTTAverage { return RTTAverage{average: average} }

// Add takes a sample in nanoseconds: the average becomes (sample + 4·average)/5,
// half-even. A negative sample measured nothing and is ignored.
func (r *RTTAverage) Add(ns int64) {
	if ns < 0 {
		return
	}
	old, ok := r.average.Nanoseconds()
	if !ok {
		r.average = topology.NewRTT(ns)
	} else {
		r.average = topology.NewRTT(weigh(ns, old))
	}
	r.last[r.next] = ns
	r.next = (r.next + 1) % minimumOf
	r.samples = min(r.samples+1, minimumOf)
}

// weigh returns (sample + 4·old)/5 rounded half-even; a fifth is never a half,
// so that is to the nearest. The sum may need 66 bits.
func weigh(sample, old int64) int64 {
	hi, lo := bits.Mul64(uint64(old), 4)
	lo, carry := bits.Add64(lo, uint64(sample), 0)
	hi += carry
	lo, carry = bits.Add64(lo, 2, 0) // to the nearest
	q, _ := bits.Div64(hi+carry, lo, 5)
	return int64(q)
}

// Average returns the average, unset without samples.
func (r *RTTAverage) Average() topology.RTT { return r.average }

// Minimum returns the least of the last ten samples, and 0 until there are two.
func (r *RTTAverage) Minimum() topology.RTT {
	if !r.average.IsDefined() {
		return topology.RTT{}
	}
	if r.samples < 2 {
		return topology.NewRTT(0)
	}
	least := r.last[0]
	for _, ns := range r.last[1:r.samples] {
		least = min(least, ns)
	}
	return topology.NewRTT(least)
}

// resume makes an average that goes on from a description. Of the samples, which
// that does not have, its minimum is one, twice where it counts already.
func (r *RTTAverage) resume(average, minimum topology.RTT) {
	r.Reset()
	r.average = average
	ns, ok := average.Nanoseconds()
	if !ok {
		return
	}
	r.samples, r.next = 1, 1
	if least, ok := minimum.Nanoseconds(); ok && least > 0 {
		r.samples, r.next = 2, 2
		ns = least
	}
	r.last[0], r.last[1] = ns, ns
}

// Reset forgets all samples: the server became Unknown.
func (r *RTTAverage) Reset() { *r = RTTAverage{} }

package selection

import "github.com/readpref/readpref/core/topology"

// Pick is a way to choose one server of those in the latency window. The zero
// value is LeastBusyOfTwo, the specification's.
type Pick uint8

// The picks.
const (
	// LeastBusyOfTwo draws two distinct servers and takes the one with fewer
	// operations in progress. (Server Selection specification, steps 6 to 8.)
	LeastBusyOfTwo Pick = iota
	// Random takes any server with the same probability, as single-threaded
	// drivers do and the Java driver did in version 2.
	Random
	// RoundRobin takes one after the other.
	RoundRobin
)

// PickNames lists the names of the picks, in the order of their values. Do not
// modify it.
var PickNames = [...]string{"leastBusyOfTwo", "random", "roundRobin"}

// String returns the documents' name of the pick.
func (p Pick) String() string { return nameOf(PickNames[:], int(p)) }

// Choose picks from the window of a selection and returns the server's index, or -1 from
// an empty window. Random draws come from rng; RoundRobin takes
// window[turn mod len(window)].
func (p Pick) Choose(t *topology.Description, window []int32, rng *SplitMix64, turn uint64) int32 {
	n := uint64(len(window))
	switch {
	case n == 0:
		return -1
	case p == RoundRobin:
		return window[turn%n]
	case n == 1:
		return window[0]
	}
	two := NewTwo(len(window))
	i, j, ok := two.Of(rng.Next())
	for !ok {
		i, j, ok = two.Of(rng.Next())
	}
	if p == Random {
		return window[i]
	}
	a, b := window[i], window[j]
	if t.Servers[b].OperationCount < t.Servers[a].OperationCount {
		return b
	}
	return a
}

// SplitMix64 is the random number generator of every runtime: the same seed
// gives the same picks everywhere. Its value is its state. It is fast and fair,
// and not for secrets.
type SplitMix64 uint64

// Gamma is what each draw adds to the state.
const Gamma = 0x9e3779b97f4a7c15

// Next returns the next 64 bits.
func (s *SplitMix64) Next() uint64 {
	*s += Gamma
	return Mix(uint64(*s))
}

// Mix makes the output of a state. A generator whose state several threads
// advance by adding Gamma atomically draws the same numbers, each once.
func Mix(state uint64) uint64 {
	z := state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Two draws two different positions of a window from one output of the
// generator, every ordered pair with exactly the same probability.
type Two struct {
	n       uint64
	unfairI uint32 // 2^32 mod n: products whose low half is below are rejected
	unfairJ uint32 // 2^32 mod (n-1)
}

// NewTwo prepares to draw from a window of n ≥ 2 servers; n is less than 2^32.
func NewTwo(n int) Two {
	if n < 2 {
		return Two{}
	}
	m := uint32(n)
	return Two{n: uint64(n), unfairI: -m % m, unfairJ: -(m - 1) % (m - 1)}
}

// Of returns the positions that the output x stands for; ok is false when x
// must be passed over, and the next output taken, for the draw to be fair.
//
// i comes from the high half of x and j from the low half, each multiplied by
// the number of choices and shifted back (Lemire's method); j counts the
// positions other than i.
func (t *Two) Of(x uint64) (i, j uint64, ok bool) {
	pi, pj := x>>32*t.n, x&0xffffffff*(t.n-1)
	if uint32(pi) < t.unfairI || uint32(pj) < t.unfairJ {
		return 0, 0, false
	}
	i, j = pi>>32, pj>>32
	if j >= i {
		j++
	}
	return i, j, true
}

// ShardSeed returns the seed of one shard's pick: the request's, exclusive-or
// the 64-bit FNV-1a hash of the shard's name, so that shards draw independently.
func ShardSeed(seed uint64, name string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return seed ^ h
}

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
	i := rng.Uniform(n)
	if p == Random {
		return window[i]
	}
	j := rng.Uniform(n - 1)
	if j >= i {
		j++
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

// Next returns the next 64 bits.
func (s *SplitMix64) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uniform returns a number in [0, n), n > 0, each with exactly the same
// probability: draws below 2^64 mod n are rejected.
func (s *SplitMix64) Uniform(n uint64) uint64 {
	least := -n % n
	for {
		if x := s.Next(); x >= least {
			return x % n
		}
	}
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

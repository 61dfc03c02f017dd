package connstring

// chooseFirst moves n random hosts to the front: the first n steps of a
// Fisher-Yates shuffle. Step i swaps host i with one of those from i on, each
// with the same probability.
func chooseFirst(hosts []Host, n int, draw func() uint64) {
	for i := range n {
		j := i + int(below(uint32(len(hosts)-i), draw))
		hosts[i], hosts[j] = hosts[j], hosts[i]
	}
}

// below draws a number less than n: the high half of a draw times n, without its
// own low half. A draw that would make some numbers likelier is passed over
// (Lemire's method).
func below(n uint32, draw func() uint64) uint32 {
	for {
		if p := draw() >> 32 * uint64(n); uint32(p) >= -n%n {
			return uint32(p >> 32)
		}
	}
}

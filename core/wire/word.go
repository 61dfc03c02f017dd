package wire

import "math/bits"

// plainUntil returns where the part of a string that begins at i ends: at a
// quote, a backslash or a control character, or with the document. It looks at
// eight bytes at a time.
func plainUntil(in []byte, i int) int {
	for ; i+8 <= len(in); i += 8 {
		if at := special(word(in, i)); at != 0 {
			return i + bits.TrailingZeros64(at)>>3
		}
	}
	for i < len(in) && in[i] >= 0x20 && in[i] != '"' && in[i] != '\\' {
		i++
	}
	return i
}

// special has the high bit of the first byte, counted from the low end, that is
// a quote, a backslash or below 0x20; bits above that mean nothing.
func special(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, backslash := w^'"'*ones, w^'\\'*ones
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (w-0x20*ones)&^w) & high
}

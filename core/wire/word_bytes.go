//go:build !amd64 && !arm64 && !wasm

package wire

// word returns the eight bytes at i, of which there are as many, the first as the
// lowest.
func word(in []byte, i int) uint64 {
	b := in[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

//go:build amd64 || arm64 || wasm

package wire

import "unsafe"

// word returns the eight bytes at i, of which there are as many, the first as the
// lowest. These processors read them at once from any address.
func word(in []byte, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(in)), i))
}

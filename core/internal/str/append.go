//go:build !wasip1

package str

// Append appends s. It is append, but for WebAssembly: there, what the compiler
// makes of append is 150 bytes each time, and a call half of that.
func Append(dst []byte, s string) []byte { return append(dst, s...) }

// AppendByte appends c.
func AppendByte(dst []byte, c byte) []byte { return append(dst, c) }

// Package abi is the boundary of readpref: the method registry and the one
// function behind rp_call, shared by the C library and the WebAssembly module.
package abi

import "unsafe"

// Version is the ABI version, major<<16 | minor, as rp_abi_version returns it.
const Version uint32 = 1 << 16

// Context holds the scratch memory of one caller; the zero value is ready to
// use. A Context serves one call at a time.
type Context struct{}

// Call runs a method on a document and writes its answer into out. It returns
// the answer's length, or minus the length of the error document; where that
// is more than len(out), nothing was written.
func (c *Context) Call(method string, in, out []byte) int32 { return 0 }

// CallPointers is Call for hosts that pass pointers and lengths. It checks
// them, and turns a panic into an error document.
func (c *Context) CallPointers(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return 0
}

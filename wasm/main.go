//go:build wasip1

// Command wasm is readpref.wasm: the boundary of core/abi as a WASI reactor.
//
// A host instantiates the module, calls _initialize once, and then:
//
//	in  = rp_buffer(0, len(method)+len(input))   // where the method's name and, after it, the document go
//	out = rp_buffer(1, 65536)                    // where the answer goes
//	n   = rp_call(in, len(method), in+len(method), len(input), out, 65536)
//
// n is the length of the answer, or minus the length of the error document.
// Where that is more than the capacity, nothing was written: ask for a larger
// buffer 1 and call again, or call with out and cap 0 only to learn the length.
// The memory may have grown in any call, so a host looks at it anew after each.
//
// Method and input are read from buffer 0 only, the answer is written into
// buffer 1 only. Any other address is taken as null, so a careless host gets
// the error code "argument" and never a trap. An instance that did trap (out of
// memory is the one way left) is of no more use: make another.
//
// There is no logic here: see core/abi.
package main

import (
	"unsafe"

	"github.com/readpref/readpref/core/abi"
)

var (
	handles abi.Table
	context = abi.Context{Table: &handles}
)

// main is not called in a reactor.
func main() {}

// rpABIVersion is rp_abi_version: major<<16 | minor.
//
//go:wasmexport rp_abi_version
func rpABIVersion() uint32 { return abi.Version }

// rpCall is rp_call: runs a method on a document.
//
//go:wasmexport rp_call
func rpCall(method, methodLen, in, inLen, out, capacity uint32) int32 {
	return context.CallPointers(
		input.borrow(method, methodLen, maxMethod), uint64(methodLen),
		input.borrow(in, inLen, maxDocument), uint64(inLen),
		output.at(out, capacity), uint64(capacity))
}

// rpBuffer is rp_buffer: the address of buffer 0 (in) or 1 (out), with room for
// at least capacity bytes, or 0 where that is refused: another buffer, or more
// than the buffer's limit. Asking again invalidates that buffer's earlier
// address and contents, except that a refusal changes nothing.
//
//go:wasmexport rp_buffer
func rpBuffer(which, capacity uint32) uint32 {
	var b *buffer
	switch which {
	case 0:
		b = &input
	case 1:
		b = &output
	default:
		return 0
	}
	if !b.grow(capacity) {
		return 0
	}
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b.bytes))))
}

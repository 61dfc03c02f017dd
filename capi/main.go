// Command capi is libreadpref, the C library: built by ./build.sh so as a
// shared library and by ./build.sh a as a static one. Its interface is
// readpref.h; docs/integrating.md shows how to bind it.
//
// The public symbols are defined in shim.c and call the functions exported
// here. Nothing is decided in this package: pointers and lengths go to
// core/abi as they came.
package main

/*
#include <stddef.h>
#include <stdint.h>
#include "readpref.h"
*/
import "C"

import (
	"unsafe"

	"github.com/readpref/readpref/core/abi"
)

// The version in the header is the version of the engine, or this does not
// compile: one of the two lengths would be negative.
var (
	_ [C.RP_ABI_VERSION - abi.Version]struct{}
	_ [abi.Version - C.RP_ABI_VERSION]struct{}
)

//export goRpCall
func goRpCall(method unsafe.Pointer, methodLen C.size_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(call(method, uint64(methodLen), in, uint64(inLen), out, uint64(outCap)))
}

func main() {} // required by the build modes, never run

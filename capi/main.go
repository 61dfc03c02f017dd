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

//export goRpTopologyOpen
func goRpTopologyOpen(in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 { return c.TopologyOpenPointers(in, uint64(inLen), out, uint64(outCap)) }))
}

//export goRpTopologyUpdate
func goRpTopologyUpdate(topology C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.TopologyUpdatePointers(uint32(topology), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpTopologyDescribe
func goRpTopologyDescribe(topology C.uint32_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 { return c.TopologyDescribePointers(uint32(topology), out, uint64(outCap)) }))
}

//export goRpTopologyHello
func goRpTopologyHello(topology C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.TopologyHelloPointers(uint32(topology), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpTopologyError
func goRpTopologyError(topology C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.TopologyErrorPointers(uint32(topology), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpTopologySRV
func goRpTopologySRV(topology C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.TopologySRVPointers(uint32(topology), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpTopologyShutdown
func goRpTopologyShutdown(topology C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.TopologyShutdownPointers(uint32(topology), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpTopologyEvents
func goRpTopologyEvents(topology C.uint32_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 { return c.TopologyEventsPointers(uint32(topology), out, uint64(outCap)) }))
}

//export goRpTopologyEventsAck
func goRpTopologyEventsAck(topology, upto C.uint32_t) C.int32_t {
	return C.int32_t(handles.EventsAck(uint32(topology), uint32(upto)))
}

//export goRpReadprefOpen
func goRpReadprefOpen(in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 { return c.ReadprefOpenPointers(in, uint64(inLen), out, uint64(outCap)) }))
}

//export goRpSelect
func goRpSelect(topology, preference, flags C.uint32_t) C.int32_t {
	return C.int32_t(handles.Select(uint32(topology), uint32(preference), uint32(flags)))
}

//export goRpSelectEx
func goRpSelectEx(topology, preference, flags C.uint32_t, in unsafe.Pointer, inLen C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.SelectExPointers(uint32(topology), uint32(preference), uint32(flags), in, uint64(inLen))
	}))
}

//export goRpSelectBatch
func goRpSelectBatch(topology, preference, flags C.uint32_t, ids unsafe.Pointer, n C.uint32_t) C.int32_t {
	return C.int32_t(handles.SelectBatchPointers(uint32(topology), uint32(preference), uint32(flags), ids, uint32(n)))
}

//export goRpExplain
func goRpExplain(topology, preference C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.ExplainPointers(uint32(topology), uint32(preference), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpCommand
func goRpCommand(topology, preference, id C.uint32_t, in unsafe.Pointer, inLen C.size_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(lend(func(c *abi.Context) int32 {
		return c.CommandPointers(uint32(topology), uint32(preference), uint32(id), in, uint64(inLen), out, uint64(outCap))
	}))
}

//export goRpAddress
func goRpAddress(topology, id C.uint32_t, out unsafe.Pointer, outCap C.size_t) C.int32_t {
	return C.int32_t(handles.AddressPointers(uint32(topology), uint32(id), out, uint64(outCap)))
}

//export goRpRelease
func goRpRelease(topology, id C.uint32_t) C.int32_t {
	return C.int32_t(handles.Release(uint32(topology), uint32(id)))
}

//export goRpGeneration
func goRpGeneration(topology C.uint32_t) C.uint32_t {
	return C.uint32_t(handles.Generation(uint32(topology)))
}

//export goRpClose
func goRpClose(handle C.uint32_t) C.int32_t {
	return C.int32_t(handles.Close(uint32(handle)))
}

func main() {} // required by the build modes, never run

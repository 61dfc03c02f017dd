// Command cgo is a shared library with one function that does nothing: what a
// call from C into Go costs at least.
package main

import "C"

//export bare
func bare(topology, preference, flags uint32) int32 { return int32(flags) }

func main() {}

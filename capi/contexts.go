package main

import (
	"sync"
	"unsafe"

	"github.com/readpref/readpref/core/abi"
)

// contexts holds the scratch memory of past calls. Any thread of the host may
// call, and its calls may move between the Go scheduler's processors, so
// contexts belong to no thread: a call is lent one. What a call with a huge
// document leaves behind is given back by the garbage collector, which empties
// the pool.
var contexts = sync.Pool{New: func() any { return &abi.Context{Table: &handles} }}

// handles are this process's.
var handles abi.Table

// lend lends a context to one call. It is not given back by defer: after a panic
// that abi let through, it is not to be trusted.
func lend(f func(*abi.Context) int32) int32 {
	c := contexts.Get().(*abi.Context)
	n := f(c)
	contexts.Put(c)
	return n
}

// call is rp_call.
func call(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return lend(func(c *abi.Context) int32 { return c.CallPointers(method, methodLen, in, inLen, out, outCap) })
}

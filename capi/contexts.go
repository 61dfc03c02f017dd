package main

import (
	"sync"
	"unsafe"

	"github.com/readpref/readpref/core/abi"
)

// contexts holds the scratch memory of past calls. Any thread of the host may
// call, and its calls may move between the Go scheduler's processors, so
// contexts belong to no thread: a call borrows one. What a call with a huge
// document leaves behind is given back by the garbage collector, which empties
// the pool.
var contexts = sync.Pool{New: func() any { return &abi.Context{Table: &handles} }}

// handles are this process's.
var handles abi.Table

// borrow takes a context for one call, giveBack returns it. It is not deferred:
// after a panic that abi let through, the context is not to be trusted.
func borrow() *abi.Context { return contexts.Get().(*abi.Context) }

func giveBack(c *abi.Context) { contexts.Put(c) }

// call lends a context to one call.
func call(method unsafe.Pointer, methodLen uint64, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	c := borrow()
	n := c.CallPointers(method, methodLen, in, inLen, out, outCap)
	giveBack(c)
	return n
}

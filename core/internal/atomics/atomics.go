//go:build !wasip1

// Package atomics is sync/atomic and sync.Mutex where there are threads, and
// plain memory in a WebAssembly instance, which has one.
package atomics

import (
	"sync"
	"sync/atomic"
)

type (
	Int64          = atomic.Int64
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
	Mutex          = sync.Mutex
)

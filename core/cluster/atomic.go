//go:build !wasip1

package cluster

import (
	"sync"
	"sync/atomic"
)

type (
	atomicInt64          = atomic.Int64
	atomicUint64         = atomic.Uint64
	atomicPointer[T any] = atomic.Pointer[T]
	mutex                = sync.Mutex
)

//go:build wasip1

package cluster

// A WebAssembly instance has one thread, and sync/atomic is real calls there:
// plain loads and stores make a pick twice as fast.

type atomicInt64 struct{ v int64 }

func (a *atomicInt64) Load() int64       { return a.v }
func (a *atomicInt64) Store(v int64)     { a.v = v }
func (a *atomicInt64) Add(d int64) int64 { a.v += d; return a.v }
func (a *atomicInt64) CompareAndSwap(old, v int64) bool {
	if a.v != old {
		return false
	}
	a.v = v
	return true
}

type atomicUint64 struct{ v uint64 }

func (a *atomicUint64) Load() uint64        { return a.v }
func (a *atomicUint64) Store(v uint64)      { a.v = v }
func (a *atomicUint64) Add(d uint64) uint64 { a.v += d; return a.v }

type atomicPointer[T any] struct{ p *T }

func (a *atomicPointer[T]) Load() *T   { return a.p }
func (a *atomicPointer[T]) Store(p *T) { a.p = p }

type mutex struct{}

func (*mutex) Lock()   {}
func (*mutex) Unlock() {}

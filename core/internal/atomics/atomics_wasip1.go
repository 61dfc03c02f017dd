//go:build wasip1

// Package atomics is plain memory here: a WebAssembly instance has one thread,
// and sync/atomic is real calls there, which would double the cost of a pick.
package atomics

type Int64 struct{ v int64 }

func (a *Int64) Load() int64       { return a.v }
func (a *Int64) Store(v int64)     { a.v = v }
func (a *Int64) Add(d int64) int64 { a.v += d; return a.v }
func (a *Int64) CompareAndSwap(old, v int64) bool {
	if a.v != old {
		return false
	}
	a.v = v
	return true
}

type Uint64 struct{ v uint64 }

func (a *Uint64) Load() uint64        { return a.v }
func (a *Uint64) Store(v uint64)      { a.v = v }
func (a *Uint64) Add(d uint64) uint64 { a.v += d; return a.v }

type Pointer[T any] struct{ p *T }

func (a *Pointer[T]) Load() *T   { return a.p }
func (a *Pointer[T]) Store(p *T) { a.p = p }

type Mutex struct{}

func (*Mutex) Lock()   {}
func (*Mutex) Unlock() {}

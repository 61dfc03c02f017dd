//go:build wasip1

package main

import "unsafe"

// The documented limits of core/abi, which refuses anything longer without
// reading it.
const (
	maxMethod   = 64
	maxDocument = 16 << 20
)

// maxAnswer is above what any answer needs: core/abi refuses longer ones.
const maxAnswer = 128<<20 + 4096

var (
	input  = buffer{limit: maxMethod + maxDocument}
	output = buffer{limit: maxAnswer}
)

// buffer is memory that the host may write or read. It only grows.
type buffer struct {
	bytes []byte
	limit uint32
}

// grow makes room for n bytes and reports whether it could. Sizes are powers of
// two, so that documents that grow slowly do not leave a trail of garbage.
func (b *buffer) grow(n uint32) bool {
	if n > b.limit {
		return false
	}
	if b.bytes != nil && n <= uint32(len(b.bytes)) {
		return true
	}
	size := uint32(64 << 10)
	for size < n {
		size <<= 1
	}
	b.bytes = nil // the collector may have it before the new one is made
	b.bytes = make([]byte, min(size, b.limit))
	return true
}

// at returns the n bytes at address p of the host's view, or nil where they are
// not all in the buffer.
//
// The pointer is derived from the buffer, never made from a number, since the
// garbage collector throws on a pointer into memory that it did not hand out.
func (b *buffer) at(p, n uint32) unsafe.Pointer {
	base := unsafe.Pointer(unsafe.SliceData(b.bytes))
	offset := p - uint32(uintptr(base)) // wraps for an address before the buffer
	if size := uint32(len(b.bytes)); offset >= size || n > size-offset {
		return nil
	}
	return unsafe.Add(base, offset)
}

// borrow is at for what core/abi only reads: it refuses more than longest bytes
// by their number alone and touches none of them, so all that counts then is
// that they begin in the buffer.
func (b *buffer) borrow(p, n, longest uint32) unsafe.Pointer {
	if n > longest {
		n = 0
	}
	return b.at(p, n)
}

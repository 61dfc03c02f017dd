package abi_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/abi"
)

func at(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func TestCallPointers(t *testing.T) {
	var c abi.Context
	method, in, out := []byte("select"), []byte(sharded), make([]byte, 4096)
	n := c.CallPointers(at(method), 6, at(in), uint64(len(in)), at(out), uint64(len(out)))
	assert.Equal(t, shardedAnswer, string(out[:n]))

	n = c.CallPointers(at(method), 6, at(in), uint64(len(in)), nil, 0)
	assert.Equal(t, int32(len(shardedAnswer)), n, "no buffer: the length")

	info := []byte("build_info")
	n = c.CallPointers(at(info), uint64(len(info)), nil, 0, at(out), uint64(len(out)))
	assert.Positive(t, n, "no document")
}

// Pointers that are null with a length, and lengths that are absurd, are
// refused before any memory is read.
func TestCallPointersRefuses(t *testing.T) {
	var c abi.Context
	one, out := []byte("x"), make([]byte, 4096)
	const max = ^uint64(0)
	for _, r := range []struct {
		name      string
		method    unsafe.Pointer
		methodLen uint64
		in        unsafe.Pointer
		inLen     uint64
		out       unsafe.Pointer
		outCap    uint64
		want      string
	}{
		{"no method", nil, 1, nil, 0, at(out), 4096, `{"error":{"code":"argument","status":-1,"message":"method is null but has a length","path":"method"}}`},
		{"no document", at(one), 1, nil, 5, at(out), 4096, `{"error":{"code":"argument","status":-1,"message":"in is null but has a length","path":"in"}}`},
		{"no buffer", at(one), 1, nil, 0, nil, 1, `{"error":{"code":"argument","status":-1,"message":"out is null but has a length","path":"out"}}`},
		{"a long method", at(one), 65, nil, 0, at(out), 4096, `{"error":{"code":"unknownMethod","status":-7,"message":"a method name has at most 64 bytes","path":""}}`},
		{"an endless method", at(one), max, nil, 0, at(out), 4096, `{"error":{"code":"unknownMethod","status":-7,"message":"a method name has at most 64 bytes","path":""}}`},
		{"a long document", at(one), 1, at(one), 16<<20 + 1, at(out), 4096, `{"error":{"code":"documentTooLarge","status":-14,"message":"the document is larger than 16 MiB","path":""}}`},
		{"an endless document", at(one), 1, at(one), max, at(out), 4096, `{"error":{"code":"documentTooLarge","status":-14,"message":"the document is larger than 16 MiB","path":""}}`},
		{"no method name", nil, 0, nil, 0, at(out), 4096, `{"error":{"code":"unknownMethod","status":-7,"message":"unknown method \"\"; it is one of ` + methodNames() + `","path":""}}`},
	} {
		t.Run(r.name, func(t *testing.T) {
			clear(out)
			n := c.CallPointers(r.method, r.methodLen, r.in, r.inLen, r.out, r.outCap)
			assert.Equal(t, -int32(len(r.want)), n)
			if r.out != nil {
				assert.Equal(t, r.want, string(out[:-n]))
			}
		})
	}
}

// A buffer that is too small stays as it is.
func TestCallPointersSmallBuffer(t *testing.T) {
	var c abi.Context
	method, in, out := []byte("select"), []byte(sharded), []byte("unchanged")
	for size := range len(out) + 1 {
		n := c.CallPointers(at(method), 6, at(in), uint64(len(in)), at(out), uint64(size))
		assert.Equal(t, int32(len(shardedAnswer)), n)
		assert.Equal(t, "unchanged", string(out))
	}
}

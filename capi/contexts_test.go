//go:build !race

// Under the race detector sync.Pool drops contexts at random, so that calls allocate by design.

package main

import (
	"testing"
	"unsafe"
)

// TestCallDoesNotAllocate calls as a C host does, with requests that change
// from call to call.
func TestCallDoesNotAllocate(t *testing.T) {
	method := []byte("select")
	requests := [][]byte{
		[]byte(`{"topology":{"servers":[{"address":"a:1","type":"RSPrimary","roundTripTimeMS":2.5},{"address":"b:1","type":"RSSecondary","roundTripTimeMS":5}]},"readPreference":{"mode":"nearest"},"seed":7}`),
		[]byte(`{"topology":{"servers":[{"address":"a:1","type":"RSPrimary","roundTripTimeMS":2.5,"tags":{"dc":"ny"}}]},"readPreference":{"mode":"nearest","tags":[{"dc":"ny"},{}]}}`),
		[]byte(`{"topology":{"servers":[{"address":"a:1","type":"Mongos","roundTripTimeMS":2.5}]},"operation":"write"}`),
	}
	out := make([]byte, 4096)
	ask := func(in []byte) int32 {
		return call(unsafe.Pointer(&method[0]), uint64(len(method)), unsafe.Pointer(&in[0]), uint64(len(in)), unsafe.Pointer(&out[0]), uint64(len(out)))
	}
	for i, in := range requests {
		if n := ask(in); n <= 0 {
			t.Fatalf("request %d: %d", i, n)
		}
	}
	i := 0
	if allocs := testing.AllocsPerRun(500, func() {
		ask(requests[i%len(requests)])
		i++
	}); allocs != 0 {
		t.Errorf("%v allocations per call", allocs)
	}
}

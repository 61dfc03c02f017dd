package host_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/wasm/host"
)

// A document of megabytes makes the memory grow in the middle of a call.
func TestMemoryGrowth(t *testing.T) {
	i := instance(t)
	ctx := t.Context()
	before := i.MemorySize()
	answer, err := i.Call(ctx, "explain", []byte(largeRequest(20_000)))
	require.NoError(t, err)
	require.False(t, answer.IsError, "%.300s", answer.Document)
	assert.Contains(t, string(answer.Document), `"member-19999.example:27017"`)
	assert.Greater(t, i.MemorySize(), before)
	answer, err = i.Call(ctx, "select", []byte(secondaryRequest))
	require.NoError(t, err)
	assert.Equal(t, secondaryAnswer, string(answer.Document))
}

// Calls leave nothing behind. A selection allocates nothing at all; what errors
// and explanations allocate is collected, for which Go needs some room: 64
// bytes left behind by each call would be more.
func TestFlatMemory(t *testing.T) {
	const calls = 20_000
	large := largeRequest(50)
	for _, tt := range []struct {
		name, method string
		documents    []string
		room         uint32
	}{
		{"select", "select", []string{secondaryRequest, large, `{"topology":` + topologyJSON + `}`}, 0},
		{"explain", "explain", []string{secondaryRequest}, 1 << 20},
		{"errors", "select", []string{`{"topology":5}`, large[:1000], `{"topolgy":5}`, ""}, 1 << 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := instance(t)
			round := func(n int) {
				for k := range n {
					_, err := i.Call(t.Context(), tt.method, []byte(tt.documents[k%len(tt.documents)]))
					require.NoError(t, err)
				}
			}
			// Until the collector has run: at 4 MiB first, and the heap is as large as it
			// gets only after some rounds.
			for range 40_000 {
				_, err := i.Call(t.Context(), "explain", []byte(secondaryRequest))
				require.NoError(t, err)
			}
			round(100)
			size := i.MemorySize()
			round(calls)
			assert.LessOrEqual(t, i.MemorySize(), size+tt.room)
		})
	}
}

// An answer is the caller's: later calls do not write over it.
func TestAnswersAreCopies(t *testing.T) {
	i := instance(t)
	first, err := i.Call(t.Context(), "select", []byte(secondaryRequest))
	require.NoError(t, err)
	_, err = i.Call(t.Context(), "methods", nil)
	require.NoError(t, err)
	assert.Equal(t, secondaryAnswer, string(first.Document))
}

// An instance that ran out of memory is thrown away; the next call has another.
func TestTrap(t *testing.T) {
	ctx := t.Context()
	h, err := host.Open(ctx, module, host.Options{CacheDir: cache, MemoryPages: 256})
	require.NoError(t, err)
	defer h.Close(ctx)
	for range 2 {
		answer, err := h.Call(ctx, "select", []byte(secondaryRequest))
		require.NoError(t, err)
		assert.Equal(t, secondaryAnswer, string(answer.Document))

		_, err = h.Call(ctx, "select", []byte(`"`+strings.Repeat("x", 15<<20)+`"`))
		var trap *host.TrapError
		require.ErrorAs(t, err, &trap)
		assert.Contains(t, trap.Error(), "out of memory")
	}
}

// A trapped instance refuses every further call.
func TestTrappedInstance(t *testing.T) {
	ctx := t.Context()
	i := instance(t)
	require.True(t, i.Write(0, bytes.Repeat([]byte{0xff}, int(i.MemorySize()))))
	var trap *host.TrapError
	_, err := i.Call(ctx, "select", []byte(secondaryRequest))
	require.ErrorAs(t, err, &trap)
	_, err = i.ABIVersion(ctx)
	require.ErrorAs(t, err, &trap)
}

func TestConcurrentCalls(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				answer, err := shared.Call(context.Background(), "select", []byte(secondaryRequest))
				if assert.NoError(t, err) {
					assert.Equal(t, secondaryAnswer, string(answer.Document))
				}
			}
		})
	}
	wg.Wait()
}

func TestNotAModule(t *testing.T) {
	_, err := host.Open(t.Context(), []byte("no module"), host.Options{})
	require.Error(t, err)
	// Another module, valid and empty.
	h, err := host.Open(t.Context(), []byte("\x00asm\x01\x00\x00\x00"), host.Options{})
	require.NoError(t, err)
	defer h.Close(t.Context())
	_, err = h.Call(t.Context(), "select", nil)
	require.Error(t, err)
}

package host_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/wasm/host"
)

const page = 64 << 10

// Buffers only grow; a refusal changes nothing.
func TestBufferContract(t *testing.T) {
	i := instance(t)
	ctx := t.Context()
	for which, limit := range []uint32{64 + 16<<20, 256 << 20} {
		which := uint32(which)
		first, err := i.Buffer(ctx, which, 0)
		require.NoError(t, err)
		again, err := i.Buffer(ctx, which, 100)
		require.NoError(t, err)
		assert.Equal(t, first, again, "no growth, no new address")
		larger, err := i.Buffer(ctx, which, 3*page)
		require.NoError(t, err)
		assert.True(t, i.Write(larger, make([]byte, 3*page)))
		smaller, err := i.Buffer(ctx, which, 1)
		require.NoError(t, err)
		assert.Equal(t, larger, smaller, "it does not shrink")
		for _, n := range []uint32{limit + 1, math.MaxInt32, math.MaxUint32} {
			_, err = i.Buffer(ctx, which, n)
			assert.ErrorIs(t, err, host.ErrRefused, "%d", n)
		}
		kept, err := i.Buffer(ctx, which, 3*page)
		require.NoError(t, err)
		assert.Equal(t, larger, kept, "refusals change nothing")
	}
	largest, err := i.Buffer(ctx, 0, 64+16<<20)
	require.NoError(t, err)
	assert.LessOrEqual(t, uint64(largest)+64+16<<20, uint64(i.MemorySize()))
	for _, which := range []uint32{2, 3, math.MaxUint32} {
		_, err := i.Buffer(ctx, which, 1)
		assert.ErrorIs(t, err, host.ErrRefused)
	}
}

// caller makes raw calls of build_info in one instance.
type caller struct {
	t       *testing.T
	i       *host.Instance
	in, out uint32
}

func newCaller(t *testing.T) *caller {
	c := &caller{t: t, i: instance(t)}
	var err error
	c.in, err = c.i.Buffer(t.Context(), 0, page)
	require.NoError(t, err)
	c.out, err = c.i.Buffer(t.Context(), 1, page)
	require.NoError(t, err)
	require.True(t, c.i.Write(c.in, []byte("build_info{}")))
	return c
}

func (c *caller) raw(method, methodLen, in, inLen, out, capacity uint32) int32 {
	c.t.Helper()
	n, err := c.i.RawCall(c.t.Context(), method, methodLen, in, inLen, out, capacity)
	require.NoError(c.t, err)
	return n
}

// code is the code of the error document in the out buffer.
func (c *caller) code(n int32) string {
	c.t.Helper()
	require.Negative(c.t, n)
	text, ok := c.i.Read(c.out, uint32(-n))
	require.True(c.t, ok)
	var document struct{ Error struct{ Code string } }
	require.NoError(c.t, json.Unmarshal(text, &document), "%s", text)
	return document.Error.Code
}

// What a careless host passes is an error, and never a trap.
func TestBadPointers(t *testing.T) {
	c := newCaller(t)
	good := c.raw(c.in, 10, c.in+10, 2, c.out, page)
	require.Positive(t, good)
	end := c.i.MemorySize()
	outside := []uint32{0, 1, c.in - 1, c.out, c.in + page - 1, end - 1, end, end + 1, math.MaxInt32, 1 << 31, math.MaxUint32}
	for _, p := range outside {
		assert.Equal(t, "argument", c.code(c.raw(p, 10, c.in+10, 2, c.out, page)), "method at %d", p)
		assert.Equal(t, "argument", c.code(c.raw(c.in, 10, p, 2, c.out, page)), "in at %d", p)
		assert.Positive(t, c.raw(c.in, 10, p, 0, c.out, page), "a length of 0 needs no address")
	}
	for _, p := range []uint32{0, 1, c.in, c.out - 1, c.out + 1, end - 1, end, 1 << 31, math.MaxUint32} {
		assert.Negative(t, c.raw(c.in, 10, c.in+10, 2, p, page), "out at %d", p)
	}
	for _, n := range []uint32{page + 1, math.MaxInt32, 1 << 31, math.MaxUint32} {
		assert.Negative(t, c.raw(c.in, 10, c.in+10, 2, c.out, n), "out of %d bytes", n)
	}
	assert.Equal(t, good, c.raw(c.in, 10, c.in+10, 2, c.out, page))
}

// An address from before a buffer grew is an address outside of it.
func TestStaleAddress(t *testing.T) {
	c := newCaller(t)
	_, err := c.i.Buffer(t.Context(), 0, 40*page)
	require.NoError(t, err)
	assert.Equal(t, "argument", c.code(c.raw(c.in, 10, c.in+10, 2, c.out, page)))
}

func TestAbsurdLengths(t *testing.T) {
	c := newCaller(t)
	for _, n := range []uint32{16<<20 + 1, math.MaxInt32, 1 << 31, math.MaxUint32} {
		assert.Equal(t, "documentTooLarge", c.code(c.raw(c.in, 10, c.in+10, n, c.out, page)), "%d", n)
		assert.Equal(t, "unknownMethod", c.code(c.raw(c.in, n, c.in+10, 2, c.out, page)), "%d", n)
	}
	assert.Equal(t, "argument", c.code(c.raw(c.in, 10, c.in+10, 16<<20, c.out, page)), "legal, but not in the buffer")
}

// Below the answer's length nothing is written and the length comes back.
func TestShortOut(t *testing.T) {
	c := newCaller(t)
	want := c.raw(c.in, 10, c.in+10, 2, 0, 0)
	require.Positive(t, want)
	untouched := bytes.Repeat([]byte{0xa5}, page)
	for short := range uint32(want) {
		require.True(t, c.i.Write(c.out, untouched))
		require.Equal(t, want, c.raw(c.in, 10, c.in+10, 2, c.out, short))
		after, _ := c.i.Read(c.out, page)
		require.True(t, bytes.Equal(untouched, after), "written to a buffer of %d", short)
	}
	require.Equal(t, want, c.raw(c.in, 10, c.in+10, 2, c.out, uint32(want)))
	text, _ := c.i.Read(c.out, uint32(want)+1)
	assert.True(t, json.Valid(text[:want]))
	assert.Equal(t, byte(0xa5), text[want], "nothing behind the answer")
	// Errors are held to the same.
	n := c.raw(c.in, 10, c.in, 10, 0, 0)
	require.Negative(t, n)
	assert.Equal(t, n, c.raw(c.in, 10, c.in, 10, c.out, uint32(-n)-1))
}

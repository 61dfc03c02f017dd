package topology_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/topology"
)

// 5.7: 0 is a value, distinct from unset; negatives are no measurement.
func TestRTT(t *testing.T) {
	assert.False(t, topology.RTT{}.IsDefined())
	assert.False(t, topology.NewRTT(-1).IsDefined())
	assert.Equal(t, topology.RTT{}, topology.NewRTT(math.MinInt64))
	for _, ns := range []int64{0, 1, math.MaxInt64} {
		got, ok := topology.NewRTT(ns).Nanoseconds()
		assert.True(t, ok)
		assert.Equal(t, ns, got)
		assert.True(t, topology.NewRTT(ns).IsDefined())
	}
	assert.NotEqual(t, topology.RTT{}, topology.NewRTT(0))
}

// 5.5: dates and numbers may be absent, and 0 is not absent.
func TestDateAndInt(t *testing.T) {
	assert.False(t, topology.Date{}.IsDefined())
	assert.False(t, topology.Int{}.IsDefined())
	for _, v := range []int64{0, -1, math.MaxInt64, math.MinInt64} {
		ms, ok := topology.NewDate(v).UnixMS()
		assert.True(t, ok)
		assert.Equal(t, v, ms)
		assert.True(t, topology.NewDate(v).IsDefined())
		n, ok := topology.NewInt(v).Get()
		assert.True(t, ok)
		assert.Equal(t, v, n)
		assert.True(t, topology.NewInt(v).IsDefined())
	}
}

// 5.5: an electionId has 12 bytes.
func TestObjectID(t *testing.T) {
	id, ok := topology.ParseObjectID("7fFFffff0000000000000019")
	assert.True(t, ok)
	assert.True(t, id.IsDefined())
	b, ok := id.Bytes()
	assert.True(t, ok)
	assert.Equal(t, [12]byte{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x19}, b)
	assert.Equal(t, topology.NewObjectID(b), id)
	assert.Equal(t, "id 7fffffff0000000000000019", string(id.AppendHex([]byte("id "))))
	for _, wrong := range []string{"", "7fffffff000000000000001", "7fffffff00000000000000190", "7fffffff000000000000001g",
		"7fffffff00000000000000/9", "7fffffff0000000000000:19", "@fffffff0000000000000019", "`fffffff0000000000000019"} {
		id, ok := topology.ParseObjectID(wrong)
		assert.False(t, ok, wrong)
		assert.False(t, id.IsDefined(), wrong)
	}
	zero, ok := topology.ParseObjectID("000000000000000000000000")
	assert.True(t, ok)
	assert.True(t, zero.IsDefined(), "all zeros is an id")
	assert.False(t, topology.ObjectID{}.IsDefined())
	assert.False(t, topology.Version{Counter: 5}.IsDefined(), "a topologyVersion has a processId")
	assert.True(t, topology.Version{ProcessID: zero}.IsDefined())
}

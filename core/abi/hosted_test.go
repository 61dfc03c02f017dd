package abi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
)

// The handles that a host with a table of its own may choose: kind in bits 29
// and 30, generation from bit 16, slot below.
const (
	hostedTopology = 1<<29 | 7
	hostedNearest  = 2<<29 | 3<<16 | 300
	hostedPrimary  = 2<<29 | 8
)

// hosted is a table with a topology and two preferences, opened as the portable
// library does.
func hosted(t *testing.T, topology string) *abi.Context {
	c := &abi.Context{Table: new(abi.Table)}
	out := make([]byte, abi.MinBuffer)
	for handle, document := range map[uint32]string{
		hostedTopology: topology,
		hostedNearest:  `{"readPreference":{"mode":"nearest"}}`,
		hostedPrimary:  `{"readPreference":{"mode":"primary"}}`,
	} {
		n := c.OpenAsPointers(handle, at([]byte(document)), uint64(len(document)), at(out), uint64(len(out)))
		require.Zero(t, n, "%s", out[:max(-n, 0)])
	}
	return c
}

// opened has two servers in the window of mode nearest, and one primary.
func opened(pick string) string {
	return fmt.Sprintf(`{"topology":{"type":"ReplicaSetWithPrimary","setName":"rs","servers":[`+
		`{"address":"a:1","type":"RSPrimary","roundTripTimeMS":1,"maxWireVersion":25},`+
		`{"address":"b:1","type":"RSSecondary","roundTripTimeMS":2,"maxWireVersion":25}]},"pick":"%s","seed":"42"}`, pick)
}

// Pick is Select for a host that has looked at the topology's handle: the same
// ids from the same seed, for every flag and every pick.
func TestPickIsSelect(t *testing.T) {
	for _, pick := range []string{"leastBusyOfTwo", "random", "roundRobin"} {
		short, long := hosted(t, opened(pick)), hosted(t, opened(pick))
		seen := map[int32]int{}
		for i := range uint32(200) {
			preference, flags := uint32(hostedNearest), i%8
			if i%5 == 0 {
				preference = hostedPrimary
			}
			got := short.Table.Pick(preference, flags)
			require.Equal(t, long.Table.Select(hostedTopology, preference, flags), got, "%s, pick %d, flags %d", pick, i, flags)
			seen[got]++
		}
		assert.NotZero(t, seen[0], "%s: the primary", pick)
		assert.NotZero(t, seen[1], "%s: the secondary", pick)
		assert.Equal(t, 200, seen[0]+seen[1]+seen[int32(status.Argument)], "operation 3 does not exist: the only error")
		assert.Equal(t, 50, seen[int32(status.Argument)], "flags 3 and 7 have it, in 2 of 8 calls")
	}
}

// What cannot be picked has the status that Select would give.
func TestPickRefuses(t *testing.T) {
	c := hosted(t, opened("leastBusyOfTwo"))
	assert.Equal(t, int32(status.Argument), c.Table.Pick(hostedNearest, 8), "a flag that does not exist")
	assert.Equal(t, int32(status.Argument), c.Table.Pick(0, 8), "which counts before handles")
	assert.Equal(t, int32(status.Handle), c.Table.Pick(0, 0), "no preference")
	assert.Equal(t, int32(status.Handle), c.Table.Pick(hostedNearest+1<<16, 0), "another generation")
	assert.Equal(t, int32(status.Handle), c.Table.Pick(hostedTopology, 0), "a topology is no preference")

	require.Zero(t, c.Table.Displace(hostedNearest))
	assert.Equal(t, int32(status.Handle), c.Table.Pick(hostedNearest, 0), "a preference that was closed")
	assert.Zero(t, c.Table.Pick(hostedPrimary, 0), "the other one is open")

	require.Zero(t, c.Table.Displace(hostedTopology))
	assert.Equal(t, int32(status.Handle), c.Table.Pick(hostedPrimary, 0), "no topology")
	assert.Equal(t, int32(status.Argument), c.Table.Pick(hostedPrimary, 8))

	empty := hosted(t, `{"topology":{"type":"ReplicaSetNoPrimary","setName":"rs","servers":[]}}`)
	assert.Equal(t, int32(status.NoServer), empty.Table.Pick(hostedNearest, 0))
}

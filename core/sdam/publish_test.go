package sdam_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// 6.15, 6.25: what is told of a primary that is no longer one is what it became,
// not what it said.
func TestEventOfStalePrimary(t *testing.T) {
	election := func(n byte) func(*sdam.Hello) {
		return func(h *sdam.Hello) {
			primary(h)
			h.SetVersion, h.ElectionID = topology.NewInt(1), topology.NewObjectID([12]byte{11: n})
		}
	}
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "b", member("rs", election(2)))
	out := reply(m, "a", member("rs", election(1)))
	require.Len(t, out.Events, 2)
	told := out.Events[0]
	require.Equal(t, sdam.ServerDescriptionChanged, told.Kind)
	assert.Equal(t, "a:27017", told.Address)
	assert.Equal(t, topology.ServerUnknown, told.NewServer.Type)
	assert.Contains(t, told.NewServer.Error, "primary marked stale due to electionId/setVersion mismatch") // 6.19
	assert.Equal(t, sdam.TopologyDescriptionChanged, out.Events[1].Kind)
}

// 6.21, 6.22: a pool becomes ready once, and again after it was cleared.
func TestPoolBecomesReadyOnce(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	ready := []string{"poolReady a:27017"}
	out := reply(m, "a", member("rs", secondary))
	assert.Equal(t, ready, kinds(out.Effects))
	out = reply(m, "a", member("rs", secondary))
	assert.Empty(t, out.Effects)
	out = sdam.Changes{}
	_, err := m.Hello(&sdam.Reply{Address: "a", Error: "not authorized"}, &out)
	require.NoError(t, err)
	assert.Equal(t, []string{"poolClear a:27017"}, kinds(out.Effects))
	out = reply(m, "a", member("rs", secondary))
	assert.Equal(t, ready, kinds(out.Effects))
}

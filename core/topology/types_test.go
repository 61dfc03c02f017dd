package topology_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/topology"
)

// 0.8: the names are those of the specification.
func TestTypeNames(t *testing.T) {
	for want, of := range map[string]topology.Type{
		"Unknown": topology.Unknown, "Single": topology.Single, "Sharded": topology.Sharded, "LoadBalanced": topology.LoadBalanced,
		"ReplicaSetNoPrimary": topology.ReplicaSetNoPrimary, "ReplicaSetWithPrimary": topology.ReplicaSetWithPrimary,
	} {
		assert.Equal(t, want, of.String())
		got, ok := topology.ParseType(want)
		assert.True(t, ok)
		assert.Equal(t, of, got)
		assert.Equal(t, strings.HasPrefix(want, "ReplicaSet"), of.IsReplicaSet())
	}
	for _, wrong := range []string{"", "unknown", "ReplicaSet", "LoadBalancer", "invalid"} {
		_, ok := topology.ParseType(wrong)
		assert.False(t, ok, wrong)
	}
	assert.Equal(t, "invalid", topology.Type(6).String())
	assert.False(t, topology.Type(6).IsReplicaSet())
}

// 0.8, 0.9: names, and which types are available and data-bearing.
func TestServerTypes(t *testing.T) {
	for _, c := range []struct {
		of                     topology.ServerType
		name                   string
		available, dataBearing bool
	}{
		{topology.ServerUnknown, "Unknown", false, false},
		{topology.PossiblePrimary, "PossiblePrimary", false, false},
		{topology.Standalone, "Standalone", true, true},
		{topology.Mongos, "Mongos", true, true},
		{topology.RSPrimary, "RSPrimary", true, true},
		{topology.RSSecondary, "RSSecondary", true, true},
		{topology.RSArbiter, "RSArbiter", true, false},
		{topology.RSOther, "RSOther", true, false},
		{topology.RSGhost, "RSGhost", true, false},
		{topology.LoadBalancer, "LoadBalancer", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.name, c.of.String())
			got, ok := topology.ParseServerType(c.name)
			assert.True(t, ok)
			assert.Equal(t, c.of, got)
			assert.Equal(t, c.available, c.of.IsAvailable())
			assert.Equal(t, c.dataBearing, c.of.IsDataBearing())
		})
	}
	for _, wrong := range []string{"", "unknown", "LoadBalanced", "RSGhost "} {
		_, ok := topology.ParseServerType(wrong)
		assert.False(t, ok, wrong)
	}
	assert.Equal(t, "invalid", topology.ServerType(10).String())
}

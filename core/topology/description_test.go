package topology_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

func of(types ...topology.ServerType) []topology.Server {
	var list []topology.Server
	for _, t := range types {
		list = append(list, topology.Server{Type: t})
	}
	return list
}

// docs/json.md, "Topology description": what a topology without a type is.
func TestDeriveType(t *testing.T) {
	for _, c := range []struct {
		name    string
		servers []topology.Server
		want    topology.Type
	}{
		{"no server", nil, topology.Unknown},
		{"an unknown server", of(topology.ServerUnknown), topology.Unknown},
		{"a possible primary", of(topology.PossiblePrimary), topology.Unknown},
		{"a ghost", of(topology.RSGhost), topology.Unknown},
		{"a primary", of(topology.RSGhost, topology.RSPrimary), topology.ReplicaSetWithPrimary},
		{"a primary among others", of(topology.Mongos, topology.LoadBalancer, topology.Standalone, topology.RSSecondary, topology.RSPrimary), topology.ReplicaSetWithPrimary},
		{"a secondary", of(topology.RSSecondary), topology.ReplicaSetNoPrimary},
		{"an arbiter", of(topology.Mongos, topology.RSArbiter), topology.ReplicaSetNoPrimary},
		{"another member", of(topology.RSOther), topology.ReplicaSetNoPrimary},
		{"a mongos", of(topology.ServerUnknown, topology.Mongos), topology.Sharded},
		{"a mongos before a load balancer", of(topology.LoadBalancer, topology.Mongos), topology.Sharded},
		{"a standalone", of(topology.Standalone), topology.Single},
		{"two standalones", of(topology.Standalone, topology.Standalone), topology.Unknown},
		{"a standalone among others", of(topology.Standalone, topology.ServerUnknown), topology.Unknown},
		{"a load balancer", of(topology.LoadBalancer), topology.LoadBalanced},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, topology.DeriveType(c.servers)) })
	}
}

func TestPrimary(t *testing.T) {
	d := topology.Description{Type: topology.ReplicaSetWithPrimary, Servers: of(topology.RSSecondary, topology.RSPrimary, topology.RSPrimary)}
	assert.Equal(t, 1, d.Primary())
	d.Type = topology.ReplicaSetNoPrimary
	assert.Equal(t, -1, d.Primary(), "the topology says there is none")
	d = topology.Description{Type: topology.ReplicaSetWithPrimary, Servers: of(topology.RSSecondary)}
	assert.Equal(t, -1, d.Primary())
}

// Reset and Grow reuse memory and leave nothing of what was there.
func TestGrowReusesMemory(t *testing.T) {
	full := func(s *topology.Server) {
		*s = topology.Server{Address: "a", Type: topology.Mongos, RoundTripTime: topology.NewRTT(1), MinRoundTripTime: topology.NewRTT(1),
			Tags: append(s.Tags, tag.Tag{Name: "dc", Value: "ny"}), LastWriteDate: topology.NewDate(1), LastUpdateTimeMS: 1,
			MinWireVersion: topology.NewInt(1), MaxWireVersion: topology.NewInt(1), OperationCount: 1, SetName: "s", SetVersion: topology.NewInt(1),
			ElectionID: topology.NewObjectID([12]byte{}), Primary: "p", Me: "m", Hosts: append(s.Hosts, "h"), Passives: append(s.Passives, "p"),
			Arbiters: append(s.Arbiters, "a"), TopologyVersion: topology.Version{Counter: 1}, LogicalSessionTimeoutMinutes: topology.NewInt(1),
			IsCryptd: true, ServiceID: topology.NewObjectID([12]byte{}), Error: "e"}
	}
	var d topology.Description
	for range 3 {
		full(d.Grow())
	}
	d.SetName, d.Type, d.MaxSetVersion = "rs", topology.Sharded, topology.NewInt(1)
	before := &d.Servers[0]
	d.Reset()
	assert.Equal(t, topology.Description{Servers: []topology.Server{}}, d)
	s := d.Grow()
	assert.Same(t, before, s)
	assert.Equal(t, topology.Server{Tags: tag.Set{}, Hosts: []string{}, Passives: []string{}, Arbiters: []string{}}, *s)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		d.Reset()
		for range 3 {
			full(d.Grow())
		}
	}))
}

func TestTypeOf(t *testing.T) {
	d := topology.Description{Servers: []topology.Server{{Address: "A.example", Type: topology.RSPrimary}, {Address: "[::1]:27018", Type: topology.Mongos}}}
	assert.Equal(t, topology.RSPrimary, d.TypeOf("a.EXAMPLE:27017"), "5.4: in any spelling")
	assert.Equal(t, topology.Mongos, d.TypeOf("[::1]:27018"))
	assert.Equal(t, topology.ServerUnknown, d.TypeOf("a.example:27018"))
	assert.Equal(t, topology.ServerUnknown, d.TypeOf(""))
}

package topology_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// 6.8, 3.2, 0.7
func TestCheckCompatible(t *testing.T) {
	versions := func(of topology.ServerType, least, most int64) topology.Server {
		return topology.Server{Address: "a.example:27017", Type: of, MinWireVersion: topology.NewInt(least), MaxWireVersion: topology.NewInt(most)}
	}
	good := versions(topology.RSPrimary, 0, 25)
	client := topology.DefaultWireVersions
	assert.Equal(t, topology.WireVersions{Min: 8, Max: 29}, client, "0.7")
	for _, c := range []struct {
		rule    string
		of      topology.Type
		servers []topology.Server
		want    string
	}{
		{"6.8 no servers", topology.Unknown, nil, ""},
		{"6.8 the ranges meet", topology.Sharded, []topology.Server{good, versions(topology.Mongos, 29, 40), versions(topology.Mongos, 0, 8)}, ""},
		{"6.8 too new", topology.Sharded, []topology.Server{good, versions(topology.Mongos, 30, 40)},
			"topology.servers[1].minWireVersion: Server at a.example:27017 requires wire version 30, but this version of readpref only supports up to 29"},
		{"6.8 too old", topology.ReplicaSetWithPrimary, []topology.Server{versions(topology.RSSecondary, 0, 7), good},
			"topology.servers[0].maxWireVersion: Server at a.example:27017 reports wire version 7, but this version of readpref requires at least 8"},
		{"6.8 arbiters count", topology.ReplicaSetWithPrimary, []topology.Server{versions(topology.RSArbiter, 0, 7)},
			"topology.servers[0].maxWireVersion: Server at a.example:27017 reports wire version 7, but this version of readpref requires at least 8"},
		{"6.8 so do ghosts and others", topology.ReplicaSetNoPrimary, []topology.Server{versions(topology.RSGhost, 30, 30), versions(topology.RSOther, 0, 7)},
			"topology.servers[0].minWireVersion: Server at a.example:27017 requires wire version 30, but this version of readpref only supports up to 29"},
		{"6.8 Unknown servers do not", topology.ReplicaSetNoPrimary, []topology.Server{versions(topology.ServerUnknown, 0, 0)}, ""},
		{"6.8 nor does a PossiblePrimary", topology.ReplicaSetNoPrimary, []topology.Server{versions(topology.PossiblePrimary, 99, 99)}, ""},
		{"6.3 LoadBalanced is always compatible", topology.LoadBalanced, []topology.Server{versions(topology.LoadBalancer, 99, 99)}, ""},
		{"absent versions are compatible", topology.Sharded, []topology.Server{{Type: topology.Mongos}}, ""},
		{"5.5 a version of 0 is one", topology.Sharded, []topology.Server{versions(topology.Mongos, 0, 0)},
			"topology.servers[0].maxWireVersion: Server at a.example:27017 reports wire version 0, but this version of readpref requires at least 8"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			d := topology.Description{Type: c.of, Servers: c.servers}
			err := d.CheckCompatible(client)
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.want)
			assert.ErrorIs(t, err, &status.Error{Code: status.IncompatibleWireVersion})
		})
	}
}

func ExampleDescription_CheckCompatible() {
	d := topology.Description{Type: topology.Sharded, Servers: []topology.Server{
		{Address: "m1.example:27017", Type: topology.Mongos, MaxWireVersion: topology.NewInt(6)},
	}}
	fmt.Println(d.CheckCompatible(topology.DefaultWireVersions))
	// Output: topology.servers[0].maxWireVersion: Server at m1.example:27017 reports wire version 6, but this version of readpref requires at least 8
}

package cluster_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

const ms = 1_000_000 // nanoseconds

// server makes a server with a round-trip time of 5 ms.
func server(address string, of topology.ServerType, operations int64) topology.Server {
	return topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(5 * ms), OperationCount: operations}
}

// sharded makes a description of mongoses.
func sharded(addresses ...string) *topology.Description {
	d := &topology.Description{Type: topology.Sharded}
	for _, a := range addresses {
		d.Servers = append(d.Servers, server(a, topology.Mongos, 0))
	}
	return d
}

// set makes a description of a primary p and secondaries s0, s1, ...
func set(secondaries int) *topology.Description {
	d := &topology.Description{Type: topology.ReplicaSetWithPrimary, Servers: []topology.Server{server("p", topology.RSPrimary, 0)}}
	for i := range secondaries {
		d.Servers = append(d.Servers, server(fmt.Sprintf("s%d", i), topology.RSSecondary, 0))
	}
	return d
}

func open(t testing.TB, d *topology.Description, s cluster.Settings) *cluster.Topology {
	t.Helper()
	c, err := cluster.Open(d, s)
	require.NoError(t, err)
	return c
}

func preference(t testing.TB, p readpref.Preference) *cluster.Preference {
	t.Helper()
	made, err := cluster.NewPreference(p)
	require.NoError(t, err)
	return made
}

// keep is an update's answer that every server keeps its count.
func keep(int) bool { return true }

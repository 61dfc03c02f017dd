package simulate_test

import (
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

const ms = 1_000_000 // nanoseconds

// member makes a server with a round-trip time and operations in progress.
func member(address string, of topology.ServerType, ns, busy int64) topology.Server {
	return topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(ns), OperationCount: busy}
}

// set makes a replica set: the first server is its primary.
func set(servers ...topology.Server) *topology.Description {
	t := &topology.Description{Servers: servers}
	t.Derive()
	return t
}

func reads(mode readpref.Mode) workload.Workload {
	return workload.Workload{Preference: readpref.Preference{Mode: mode}, Weight: 1}
}

func writes() workload.Workload { return workload.Workload{Operation: selection.Write, Weight: 1} }

func request(t *topology.Description, list ...workload.Workload) *simulate.Request {
	return &simulate.Request{Question: workload.Question{Topology: t, Workloads: list, Options: selection.DefaultOptions()}}
}

func run(t require.TestingT, r *simulate.Request) *simulate.Result {
	res, err := simulate.Run(r)
	require.NoError(t, err)
	return res
}

package main

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTimesAreExactDecimals(t *testing.T) {
	for in, want := range map[nanoseconds]string{0: "0", 1: "0.000001", 15_000_000: "15", 2_400_000: "2.4", 1_001_854_266: "1001.854266"} {
		got, err := json.Marshal(in)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
}

// The cases have to reach what they are for, or agreement on them says nothing.
func TestTheGeneratorReachesTheEdges(t *testing.T) {
	g := newGenerator(1)
	seen := map[string]int{}
	for range 2000 {
		c := g.selectCase()
		ours, err := ourSelect(c.document())
		require.NoError(t, err)
		require.True(t, c.possible(), c.document())
		seen["type "+c.Topology.Type]++
		seen["operation "+c.Operation]++
		seen["error "+ours.Error]++
		count := func(what string, is bool) {
			if is {
				seen[what]++
			}
		}
		count("a tie at the window's end", len(c.atWindowEnd(ours)) > 0)
		count("at the limit of staleness", len(c.atStalenessLimit()) > 0)
		count("too small", c.tooSmall())
		count("deprioritized", len(c.Deprioritized) > 0)
		count("no servers", len(c.Topology.Servers) == 0)
		count("no dates", c.lacksDates())
	}
	for what, least := range map[string]int{
		"type ReplicaSetWithPrimary": 500, "type ReplicaSetNoPrimary": 300, "type Sharded": 100, "type Single": 50, "type Unknown": 20,
		"type LoadBalanced": 20, "operation write": 100, "operation aggregateWithWriteStage": 50, "error maxStalenessTooSmall": 50,
		"error maxStalenessWithPrimary": 5, "error tagsWithPrimary": 2, "error invalidMaxStaleness": 3, "error incompatibleWireVersion": 5,
		"a tie at the window's end": 300, "at the limit of staleness": 60, "too small": 50, "deprioritized": 200, "no servers": 20, "no dates": 3,
	} {
		assert.GreaterOrEqual(t, seen[what], least, what)
	}
}

// A driver that were wrong in a new way must not be taken for one of the known.
func TestAnUnheardOfAnswerIsOfNoKind(t *testing.T) {
	g := newGenerator(2)
	tried := 0
	for range 500 {
		c := g.selectCase()
		ours, err := ourSelect(c.document())
		require.NoError(t, err)
		i := slices.IndexFunc(c.Topology.Servers, func(s serverDoc) bool { return s.Type == "RSArbiter" })
		if !c.isReplicaSet() || i < 0 {
			continue
		}
		tried++
		wrong := &answer{Window: []string{c.Topology.Servers[i].Address}}
		for _, peer := range []string{pymongo, node, goPeer, java} {
			assert.Nil(t, classify(&difference{peer, c, ours, wrong}), c.document())
		}
	}
	assert.Greater(t, tried, 50)
}

func TestAFailureIsOfAKindOnlyWhereTheCaseIs(t *testing.T) {
	rtt, zero := nanoseconds(2e6), int64(0)
	c := &selectCase{LocalThresholdMS: 15, HeartbeatFrequencyMS: 10_000, ReadPreference: preferenceDoc{Mode: "nearest"}}
	c.Topology = topologyDoc{Type: "Sharded", Servers: []serverDoc{{Address: "a:1", Type: "Mongos", RoundTripTime: &rtt}}}
	ours, err := ourSelect(c.document())
	require.NoError(t, err)
	failed := &answer{Error: "MongoInvalidArgumentError: maxStalenessSeconds must be a positive integer"}
	assert.Nil(t, classify(&difference{node, c, ours, failed}))
	c.ReadPreference.MaxStalenessSeconds = &zero
	assert.Equal(t, "zeroRefusedEverywhere", idsOf(classify(&difference{node, c, ours, failed})))
	assert.Nil(t, classify(&difference{goPeer, c, ours, failed}), "Go's driver takes it")
}

func TestShrinkingKeepsTopologiesPossible(t *testing.T) {
	g := newGenerator(3)
	for range 300 {
		c := g.selectCase()
		before := c.document()
		for _, n := range c.smaller() {
			require.True(t, n.possible(), n.document())
			require.NotEqual(t, before, n.document())
		}
		require.Equal(t, before, c.document(), "the case itself was changed")
	}
}

// By the specification an arbiter's reply makes the topology a set without
// primary (the table of TopologyType Unknown), and adds the hosts it names.
func TestOurReducerIsAsked(t *testing.T) {
	c := &sdamCase{Seeds: []string{"a.example:27017"}, Replies: []reply{
		{"a.example:27017", helloDoc{OK: 1, ArbiterOnly: true, SetName: "rs0", Hosts: []string{"b.example:27017"}, MaxWireVersion: 25}},
		{"a.example:27017", helloDoc{}},
	}}
	a, err := ourSDAM(c)
	require.NoError(t, err)
	name := "rs0"
	assert.Equal(t, []step{
		{Type: "ReplicaSetNoPrimary", SetName: &name, Servers: map[string]string{"a.example:27017": "RSArbiter", "b.example:27017": "Unknown"}},
		{Type: "ReplicaSetNoPrimary", SetName: &name, Servers: map[string]string{"a.example:27017": "Unknown", "b.example:27017": "Unknown"}},
	}, a.Steps)
}

package selection_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// 3.43
func TestReadableAndWritable(t *testing.T) {
	unknown := server("u", topology.ServerUnknown)
	for _, c := range []struct {
		name               string
		d                  *topology.Description
		p                  readpref.Preference
		readable, writable bool
	}{
		{"Unknown, whatever the servers look like", everyMember(topology.Unknown), mode(readpref.Nearest), false, false},
		{"Single, available", with(topology.Single, secondary("s")), mode(readpref.Primary), true, true},
		{"Single, a standalone, tags do not count", with(topology.Single, server("s", topology.Standalone)), mode(readpref.Secondary, secondaryDC), true, true},
		{"Single, Unknown", with(topology.Single, unknown), mode(readpref.Nearest), false, false},
		{"Single, a possible primary", with(topology.Single, server("s", topology.PossiblePrimary)), mode(readpref.Nearest), false, false},
		{"Single without servers", with(topology.Single), mode(readpref.Nearest), false, false},
		{"no primary, mode primary", with(topology.ReplicaSetNoPrimary, secondary("s")), mode(readpref.Primary), false, false},
		{"no primary, primaryPreferred", with(topology.ReplicaSetNoPrimary, secondary("s")), mode(readpref.PrimaryPreferred), true, false},
		{"no primary, and the tags match none", with(topology.ReplicaSetNoPrimary, secondary("s")), mode(readpref.Secondary, secondaryDC), false, false},
		{"no primary, an arbiter", with(topology.ReplicaSetNoPrimary, server("a", topology.RSArbiter)), mode(readpref.Nearest), false, false},
		{"with primary, mode primary", with(topology.ReplicaSetWithPrimary, primary("p"), unknown), mode(readpref.Primary), true, true},
		{"with primary, no secondary", with(topology.ReplicaSetWithPrimary, primary("p")), mode(readpref.Secondary), false, true},
		{"with primary, the tags of secondaries match none", with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s")), mode(readpref.SecondaryPreferred, secondaryDC), true, true},
		{"Sharded, one of two", with(topology.Sharded, unknown, server("m", topology.Mongos)), mode(readpref.Secondary, secondaryDC), true, true},
		{"Sharded, none", with(topology.Sharded, unknown), mode(readpref.Primary), false, false},
		{"LoadBalanced", with(topology.LoadBalanced, server("l", topology.LoadBalancer)), mode(readpref.Secondary, secondaryDC), true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s selection.Selector
			got, err := s.HasReadableServer(c.d, c.p, selection.DefaultHeartbeatFrequencyMS)
			require.NoError(t, err)
			assert.Equal(t, c.readable, got)
			assert.Equal(t, c.writable, selection.HasWritableServer(c.d))
		})
	}
	var s selection.Selector
	_, err := s.HasReadableServer(with(topology.ReplicaSetNoPrimary), stale(readpref.Nearest, 89), selection.DefaultHeartbeatFrequencyMS)
	assert.True(t, errors.Is(err, &status.Error{Code: status.MaxStalenessTooSmall}))
	_, err = s.HasReadableServer(with(topology.Sharded), mode(readpref.Primary, secondaryDC), selection.DefaultHeartbeatFrequencyMS)
	assert.True(t, errors.Is(err, &status.Error{Code: status.TagsWithPrimary}))
}

// 3.43: on topologies that could be, readable and writable say what a selection
// finds.
func TestReadableAgreesWithSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s selection.Selector
		r := generate.ForEngine(generate.Plain(t, 6))
		d := r.Topology
		possible := d.Type != topology.LoadBalanced || len(d.Servers) == 1
		for i := range d.Servers {
			server := &d.Servers[i]
			server.MinWireVersion, server.MaxWireVersion = topology.Int{}, topology.Int{}
			possible = possible && (d.Type != topology.Sharded || !server.Type.IsAvailable() || server.Type == topology.Mongos)
		}
		if !possible {
			return
		}
		r.Deprioritized, r.DeprioritizedSet, r.CustomSelector, r.Operation = nil, nil, nil, selection.Read
		res, err := s.Select(r)
		found := err == nil && len(res.Suitable) > 0
		readable, failed := s.HasReadableServer(d, r.Preference, r.Options.HeartbeatFrequencyMS)
		require.Equal(t, err, failed)
		require.Equal(t, found, readable)

		r.Operation = selection.Write
		res, err = s.Select(r)
		require.Equal(t, err == nil && len(res.Suitable) > 0, err == nil && selection.HasWritableServer(d))
	})
}

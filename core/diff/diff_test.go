package diff_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/diff"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

func TestMain(m *testing.M) { os.Exit(generate.RunTests(m, "2000")) }

func side(t *topology.Description, workloads ...workload.Workload) diff.Side {
	return diff.Side{Topology: t, Workloads: workloads, Options: selection.DefaultOptions()}
}

// What the shares are, whatever the sides (RULES 0.8): those of each side add up
// to a million, so what some win others lose; and a side differs in nothing from itself.
func TestChangesAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		before, after := generate.ForEngine(generate.Request(r, 6)), generate.ForEngine(generate.Request(r, 6))
		of := func(q *selection.Request) diff.Side {
			return diff.Side{Topology: q.Topology, Options: q.Options,
				Workloads: []workload.Workload{{Preference: q.Preference, Operation: q.Operation, Weight: 1}}}
		}
		if len(before.Topology.Servers) == 0 || len(after.Topology.Servers) == 0 {
			return
		}
		res, err := diff.Run(&diff.Request{Before: of(before), After: of(after)})
		require.NoError(r, err)
		sum := res.After.Workloads[0].FailedPPM - res.Before.Workloads[0].FailedPPM
		for _, c := range res.Changes[0] {
			require.NotEqual(r, c.Before.SharePPM, c.After.SharePPM)
			require.NotEmpty(r, res.Why(&c.Before))
			require.NotEmpty(r, res.Why(&c.After))
			sum += c.After.SharePPM - c.Before.SharePPM
		}
		require.Zero(r, sum)

		same, err := diff.Run(&diff.Request{Before: of(before), After: of(before)})
		require.NoError(r, err)
		require.False(r, same.Changed())
		require.Empty(r, same.Changes[0])
	})
}

// Reasons repeat the tags of each server, so there is an end to them.
func TestReasonsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 190)
	cluster := &topology.Description{Type: topology.ReplicaSetWithPrimary}
	for i := range workload.MaxServers {
		cluster.Servers = append(cluster.Servers, topology.Server{Address: "h" + strings.Repeat("y", i), Type: topology.RSSecondary, Tags: tag.Set{{Name: long, Value: long}}})
	}
	var sets []tag.Set
	for range 8 {
		sets = append(sets, tag.Set{{Name: long, Value: "no"}})
	}
	before := workload.Workload{Preference: readpref.Preference{Mode: readpref.Nearest}, Weight: 1}
	after := workload.Workload{Preference: readpref.Preference{Mode: readpref.Nearest, TagSets: sets}, Weight: 1}
	// Some 8 · 3 · 190 bytes for each of 1024 servers: 4.7 MB for each workload, 18.7 MB for four.
	_, err := diff.Run(&diff.Request{Before: side(cluster, before), After: side(cluster, after)})
	require.NoError(t, err)
	_, err = diff.Run(&diff.Request{Before: side(cluster, before, before, before, before), After: side(cluster, after, after, after, after)})
	e, ok := err.(*status.Error)
	require.True(t, ok)
	assert.Equal(t, status.LimitExceeded, e.Code)
	assert.Equal(t, "after", e.Path)
}

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExplain(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out, []string{"../data/three-data-centres.json"}))
	assert.Contains(t, out.String(), "topology    ReplicaSetWithPrimary rs0, 5 servers\n")
	// 120 s is the maximum; sf1 wrote 155 s before ny1 and was read 8 ms later: 155.008 + 10 - 120.
	assert.Contains(t, out.String(), "stale by 45.008 s over maxStalenessSeconds 120\n")
}

func TestExplainShards(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(&out, []string{"../data/sharded-two-shards.json"}))
	first, second := strings.Index(out.String(), `shard "shard0"`), strings.Index(out.String(), `shard "shard1"`)
	assert.True(t, first >= 0 && first < second)
}

func TestErrors(t *testing.T) {
	assert.ErrorContains(t, run(nil, nil), "which file")
	assert.Error(t, run(nil, []string{"no such file"}))
	assert.ErrorContains(t, run(nil, []string{"main.go"}), "invalidJSON")
}

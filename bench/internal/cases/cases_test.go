package cases

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

func TestAll(t *testing.T) {
	all := All()
	require.Len(t, all, 16)
	servers := map[string]int{}
	for _, c := range all {
		servers[c.Topology] = c.Servers
		assert.Equal(t, c.Topology+"/"+c.Preference, c.Name)
		assert.NotContains(t, c.Select+c.Open+c.Prefer, "\t")
		assert.NotContains(t, c.Select+c.Open+c.Prefer, "\n")
		assert.True(t, strings.HasPrefix(c.Open, `{"topology":{`))
	}
	assert.Equal(t, map[string]int{"rs3": 3, "rs7": 7, "rs50": 50, "mongos100": 100}, servers)
}

// The sizes of the latency windows, by hand: RTTs of 2, 5, 9, 14, 18 and 30 ms
// go round, the primary is member n/2, every fifth is stale, those in the east
// are the even ones.
func TestWindows(t *testing.T) {
	want := map[string]int{
		"rs3/primary": 1, "rs3/nearest": 3, "rs3/secondaryPreferred+2tagsets": 2, "rs3/secondary+maxStaleness120": 2,
		"rs7/primary": 1, "rs7/nearest": 5, "rs7/secondaryPreferred+2tagsets": 3, "rs7/secondary+maxStaleness120": 4,
		"mongos100/primary": 68, "mongos100/nearest": 68,
		"mongos100/secondaryPreferred+2tagsets": 68, "mongos100/secondary+maxStaleness120": 68,
	}
	var context abi.Context
	for _, c := range All() {
		answer, ok := context.Answer("select", []byte(c.Select))
		require.True(t, ok, "%s: %s", c.Name, answer)
		var got struct{ InLatencyWindow []string }
		require.NoError(t, json.Unmarshal(answer, &got))
		if n, ok := want[c.Name]; ok {
			assert.Len(t, got.InLatencyWindow, n, c.Name)
		}
		assert.NotEmpty(t, got.InLatencyWindow, c.Name)
		for _, request := range [][2]string{{"topology.open", c.Open}, {"readpref.open", c.Prefer}} {
			answer, ok = context.Answer(request[0], []byte(request[1]))
			assert.True(t, ok, "%s: %s", c.Name, answer)
		}
	}
}

func TestGrowth(t *testing.T) {
	for _, n := range []int{1, 3, 5000} {
		assert.Equal(t, n, Growth(n).Servers)
	}
	assert.Equal(t, All()[1], Growth(3))
}

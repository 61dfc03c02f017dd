package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/bench/internal/cases"
	"github.com/readpref/readpref/bench/internal/contestant"
)

func TestMemory(t *testing.T) {
	shell := contestant.Contestant{Name: "shell", Metrics: []string{contestant.Pick, contestant.JSON}, Command: []string{"sh", "-c",
		`while IFS="	" read -r what metric n rest; do case $what in load) echo '{"window":["a:1"]}';; run) i=0; while [ $i -lt $n ]; do i=$((i+1)); done; echo "{\"done\":$n}";; esac; done`}}
	list, err := Memory([]contestant.Contestant{shell}, cases.Growth(3), 1000, time.Minute)
	require.NoError(t, err)
	require.Len(t, list, 2)
	for i, metric := range shell.Metrics {
		assert.Equal(t, metric, list[i].Metric)
		assert.Equal(t, 1000, list[i].Calls)
		assert.Positive(t, list[i].BeforeMiB)
		assert.InDelta(t, list[i].BeforeMiB, list[i].AfterMiB, 1)
	}
	list, err = Memory([]contestant.Contestant{shell}, cases.Growth(3), 1_000_000_000, 20*time.Millisecond)
	require.NoError(t, err)
	assert.Less(t, list[0].Calls, 10_000_000, "no more than the budget pays for")
}

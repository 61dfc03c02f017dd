package contestant

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/bench/internal/cases"
)

func TestParse(t *testing.T) {
	a, err := parse([]byte(`{"window":["b:1","a:1"],"picked":["c:1","b:1"]}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"a:1", "b:1"}, a.Window)
	assert.Equal(t, []string{"b:1", "c:1"}, a.Picked)

	a, err = parse([]byte(`{"select":{"server":null,"inLatencyWindow":["b:1","a:1"]}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"a:1", "b:1"}, a.Window)
	assert.Nil(t, a.Picked)

	_, err = parse([]byte(`{"error":"no such case"}`))
	assert.EqualError(t, err, "no such case")
	_, err = parse([]byte(`Exception in thread`))
	assert.ErrorContains(t, err, "Exception in thread")
}

// shell is a contestant that answers with these lines, and burns time for each run.
func shell(lines string) Contestant {
	return Contestant{Name: "shell", Command: []string{"sh", "-c",
		`while IFS="	" read -r what metric n rest; do case $what in load) echo '` + lines + `';; run) i=0; while [ $i -lt $n ]; do i=$((i+1)); done; echo "{\"done\":$n}";; esac; done`}}
}

func TestProcess(t *testing.T) {
	p, err := shell(`{"window":["b:1","a:1"]}`).Start()
	require.NoError(t, err)
	require.NoError(t, p.Load(cases.Growth(3)))
	assert.Equal(t, []string{"a:1", "b:1"}, p.Window)
	n, err := p.Calibrate(Cold, 0, 20*time.Millisecond)
	require.NoError(t, err)
	cost, err := p.Run(Cold, n, 1, false)
	require.NoError(t, err)
	// The processor may be another's for a while, but its time is not counted.
	assert.InDelta(t, 20, cost.CPU.Seconds()*1e3, 19)
	assert.GreaterOrEqual(t, cost.Wall, cost.CPU/2)
	rss, err := p.RSS()
	require.NoError(t, err)
	assert.Positive(t, rss)
	require.NoError(t, p.Close())
}

func TestLoadRefusesEmptyWindows(t *testing.T) {
	p, err := shell(`{"window":[]}`).Start()
	require.NoError(t, err)
	assert.ErrorContains(t, p.Load(cases.Growth(3)), "no server in the window")
	require.NoError(t, p.Close())
}

func TestAll(t *testing.T) {
	build := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(build, "bench"), 0o755))
	names := func(list []Contestant) (names []string) {
		for _, c := range list {
			names = append(names, c.Name)
		}
		return names
	}
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(build, "bench", "not-run"), []byte(text), 0o644))
	}
	write("")
	list, notRun, err := All(build, "bench")
	require.NoError(t, err)
	assert.Empty(t, notRun)
	assert.Equal(t, []string{"go", "c", "portable", "wazero", "python", "node", "peer-go", "peer-python", "peer-node", "peer-java", "peer-rust"}, names(list))

	write("portable\tnot built\npython\tno venv\npeer-java\tneeds javac\n")
	list, notRun, err = All(build, "bench")
	require.NoError(t, err)
	assert.Equal(t, []NotRun{{"portable", "not built"}, {"python", "no venv"}, {"peer-java", "needs javac"}}, notRun)
	assert.Equal(t, []string{"go", "c", "wazero", "node", "peer-go", "peer-node", "peer-rust"}, names(list))

	write("no tab\n")
	_, _, err = All(build, "bench")
	assert.ErrorContains(t, err, "no tab")
}

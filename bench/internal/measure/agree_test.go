package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/bench/internal/cases"
	"github.com/readpref/readpref/bench/internal/contestant"
)

func TestAgree(t *testing.T) {
	process := func(name string, window, picked []string) *contestant.Process {
		return &contestant.Process{Contestant: contestant.Contestant{Name: name}, Window: window, Picked: picked}
	}
	c := cases.Growth(3)
	ab, a := []string{"a:1", "b:1"}, []string{"a:1"}
	assert.NoError(t, agree(c, []*contestant.Process{process("go", ab, ab), process("peer", ab, nil)}))
	assert.ErrorContains(t, agree(c, []*contestant.Process{process("go", ab, ab), process("peer", a, nil)}), "rs3/nearest: peer has [a:1]")
	assert.ErrorContains(t, agree(c, []*contestant.Process{process("go", ab, a)}), "go picks from [a:1]")
}

func TestMeasured(t *testing.T) {
	m := measured([]float64{30, 10, 20, 50, 40})
	assert.Equal(t, 30.0, m.MedianNS)
	assert.Equal(t, 14.0, m.LowNS)
	assert.Equal(t, 46.0, m.HighNS)
}

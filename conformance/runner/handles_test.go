package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// discoverySuite is a case of several calls on a handle.
func discoverySuite(t *testing.T) suite {
	t.Helper()
	const file = ownCases + "/server-discovery-and-monitoring/monitoring/events.json"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	c := loadSDAMCase(file, data)
	require.NoError(t, c.loadErr)
	return suite{name: "s", files: []string{file}, cases: []testCase{c, c}}
}

func TestCasesCloseWhatTheyOpen(t *testing.T) {
	e := newEngine()
	s := discoverySuite(t)
	_, err := runCase(&s.cases[0], e, nil, false)
	require.NoError(t, err)
	failing := s.cases[1]
	failing.steps = append([]step(nil), failing.steps[:2]...)
	failing.steps[1].check = func(reply) error { return assert.AnError }
	_, err = runCase(&failing, e, nil, false)
	require.ErrorIs(t, err, assert.AnError)
	// The slot is free again: the low half of the number.
	h, err := e.answer("topology.open", []byte(`{"seeds":["a"]}`)).handle("topology")
	require.NoError(t, err)
	assert.Zero(t, h&0xffff)
}

// The numbers of handles may differ between testees; all else may not.
func TestHandleNumbersAreNotCompared(t *testing.T) {
	res, out := runFakes(t, discoverySuite(t), map[string]bool{"engine": true}, "engine", "engine with a handle")
	assert.Empty(t, out)
	assert.Equal(t, 2, res.rows[0].Passed)
	assert.Equal(t, 2, res.rows[1].Passed)
}

func TestTypedStepsAreCompared(t *testing.T) {
	res, out := runFakes(t, discoverySuite(t), map[string]bool{"engine lies typed": true}, "engine", "engine lies typed")
	assert.Equal(t, 2, res.rows[0].Passed)
	assert.Equal(t, 2, res.rows[1].Failed)
	assert.Contains(t, out, `via typed: at ".events[0].event": got "topologyClosed", want "topologyOpening"`)
}

// Steps that name handles by their numbers are asked through typed APIs by the
// numbers that those gave.
func TestTypedStepsOfVectors(t *testing.T) {
	const steps = `{"description":"d","rule":"3.10","typed":true,"steps":[
		{"method":"topology.open","in":{"topology":{"type":"Sharded","servers":[{"address":"a:27017","type":"Mongos"}]}},"expected":{"answer":{"topology":536870912}}},
		{"method":"readpref.open","in":{"readPreference":{"mode":"nearest"}},"expected":{"answer":{"readPreference":1073741825}}},
		{"method":"topology.select","in":{"topology":536870912,"readPreference":1073741825},"expected":{"answer":{"server":{"id":0,"address":"a:27017"}}}},
		{"method":%q,"in":%s,"expected":{"has":{}}}]}`
	s := suite{name: "s", files: []string{"f"}}
	s.cases = loadVectorFile("f", fmt.Appendf(nil, steps, "topology.update", `{"handle":536870912,"topology":{"servers":[]}}`))
	require.NoError(t, s.cases[0].loadErr)
	const manner = "engine with a typed handle"
	res, out := runFakes(t, s, map[string]bool{manner: true}, manner)
	assert.Equal(t, 1, res.rows[0].Passed, out)

	s.cases = loadVectorFile("f", fmt.Appendf(nil, steps, "topology.events", `{"topology":536870912}`))
	res, out = runFakes(t, s, map[string]bool{manner: true}, manner)
	assert.Equal(t, 1, res.rows[0].Failed, out)

	s.cases = loadVectorFile("f", fmt.Appendf(nil, steps, "build_info", `{}`))
	res, out = runFakes(t, s, map[string]bool{manner: true}, manner)
	assert.Equal(t, 1, res.rows[0].Failed)
	assert.Contains(t, out, "step 4: via typed: no typed API has build_info")
}

func TestAnswersWithoutHandle(t *testing.T) {
	for _, r := range []reply{{0, `{}`}, {0, `{"topology":null}`}, {0, `{"topology":0}`}, {0, `{"topology":-1}`}, {0, `{"topology":"1"}`}, {0, `x`}, {-3, `{"topology":1}`}} {
		assert.Error(t, checkOpened("topology")(r), r)
	}
	assert.NoError(t, checkOpened("topology")(reply{0, `{"topology":536870912}`}))
}

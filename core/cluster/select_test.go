package cluster_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// onePicks are the picks of a Topology done again with a Selector and
// Pick.Choose for each: nothing kept but the state.
type onePicks struct {
	d    topology.Description // with live counts
	pick selection.Pick
	rng  selection.SplitMix64
	turn uint64
}

func newOnePicks(d *topology.Description, s cluster.Settings) *onePicks {
	o := &onePicks{d: *d, pick: s.Pick, rng: selection.SplitMix64(s.Seed), turn: s.Seed}
	o.d.Servers = slices.Clone(d.Servers)
	return o
}

// choose returns the index of the server that one selection picks.
func (o *onePicks) choose(q *selection.Request, checkout bool) (int32, status.Code) {
	again := *q
	again.Topology = &o.d
	var selector selection.Selector
	res, err := selector.Select(&again)
	if err != nil {
		return -1, err.(*status.Error).Code
	}
	i := o.pick.Choose(&o.d, res.InLatencyWindow, &o.rng, o.turn)
	if i < 0 {
		return -1, status.NoServer
	}
	o.turn++
	if n := &o.d.Servers[i].OperationCount; checkout && *n < math.MaxInt64 {
		*n++
	}
	return i, status.OK
}

// Plans, batches and selections without a plan pick what a Selector and
// Pick.Choose do, with the same state, one after the other.
func TestPicksOfASelector(t *testing.T) {
	var found, none, failed, excepted int
	var scratch cluster.Scratch // keeps its memory from case to case
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Request(t, 8)
		q := generate.ForEngine(r)
		settings := cluster.Settings{Options: q.Options, Pick: selection.Pick(rapid.IntRange(0, 2).Draw(t, "pick")), Seed: rapid.Uint64().Draw(t, "seed")}
		c, err := cluster.Open(q.Topology, settings)
		require.NoError(t, err)
		p, err := cluster.NewPreference(q.Preference)
		if err != nil {
			require.Equal(t, q.Preference.Validate(), err)
			return
		}
		shadow := newOnePicks(q.Topology, settings)
		plain := *q
		plain.Deprioritized, plain.CustomSelector = nil, nil
		check := func(id int32, code status.Code, want int32, wantCode status.Code) {
			require.Equal(t, wantCode, code)
			switch {
			case code == status.OK:
				found++
				require.Equal(t, want, id, "ids are indices of the first description")
				address, ok := c.Address(id)
				require.True(t, ok)
				require.Equal(t, topology.NormalizeAddress(q.Topology.Servers[want].Address), address)
			case code == status.NoServer:
				none++
				require.Equal(t, int32(-1), id)
			default:
				failed++
				require.Equal(t, int32(-1), id)
			}
		}
		for range 12 {
			checkout := rapid.Bool().Draw(t, "checkout")
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0, 1:
				want, wantCode := shadow.choose(&plain, checkout)
				id, code := c.Select(p, q.Operation, checkout)
				check(id, code, want, wantCode)
			case 2:
				ids := make([]int32, rapid.IntRange(0, 5).Draw(t, "n"))
				code := c.SelectInto(ids, p, q.Operation, checkout)
				for _, id := range ids {
					want, wantCode := shadow.choose(&plain, checkout)
					if code != status.OK {
						id = -1
					}
					check(id, code, want, wantCode)
				}
			case 3:
				excepted++
				want, wantCode := shadow.choose(q, checkout)
				id, code := c.SelectExcept(&scratch, p, q.Operation, q.Deprioritized, q.CustomSelector, checkout)
				check(id, code, want, wantCode)
			}
		}
		for i := range q.Topology.Servers {
			n, ok := c.OperationCount(int32(i))
			require.True(t, ok)
			require.Equal(t, shadow.d.Servers[i].OperationCount, n)
		}
		d, s := c.Describe()
		sameServers(t, shadow.d.Servers, d.Servers)
		if settings.Pick == selection.RoundRobin {
			require.Equal(t, shadow.turn, s.Seed)
		} else {
			require.Equal(t, uint64(shadow.rng), s.Seed)
		}
	})
	for name, n := range map[string]int{"found": found, "none": none, "failed": failed, "excepted": excepted} {
		assert.Greater(t, n, 50, name)
	}
}

// sameServers compares servers; no tags are the same as an empty set.
func sameServers(t require.TestingT, want, got []topology.Server) {
	require.Len(t, got, len(want))
	for i := range want {
		a, b := want[i], got[i]
		if len(a.Tags)+len(b.Tags) == 0 {
			a.Tags, b.Tags = nil, nil
		}
		require.Equal(t, a, b)
	}
}

// Every pick of a batch is in the window, over many seeds, and each server of
// the window is picked.
func TestBatchesStayInTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Plain(t, 6)
		q := generate.ForEngine(r)
		q.Deprioritized, q.CustomSelector = nil, nil
		for i := range q.Topology.Servers {
			q.Topology.Servers[i].OperationCount = 0
		}
		var selector selection.Selector
		res, err := selector.Select(q)
		require.NoError(t, err)
		c, err := cluster.Open(q.Topology, cluster.Settings{Options: q.Options, Pick: selection.Pick(rapid.IntRange(0, 2).Draw(t, "pick")), Seed: rapid.Uint64().Draw(t, "seed")})
		require.NoError(t, err)
		p, err := cluster.NewPreference(q.Preference)
		require.NoError(t, err)
		ids := slices.Repeat([]int32{-7}, 600)
		code := c.SelectInto(ids, p, q.Operation, false)
		if len(res.InLatencyWindow) == 0 {
			require.Equal(t, status.NoServer, code)
			require.Equal(t, slices.Repeat([]int32{-7}, 600), ids, "none of them")
			return
		}
		require.Equal(t, status.OK, code)
		slices.Sort(ids)
		require.Equal(t, res.InLatencyWindow, slices.Compact(ids))
	})
}

func TestUnknownOperation(t *testing.T) {
	c, p := open(t, sharded("a"), cluster.DefaultSettings()), preference(t, readpref.Preference{})
	id, code := c.Select(p, 3, true)
	assert.Equal(t, int32(-1), id)
	assert.Equal(t, status.Argument, code)
	assert.Equal(t, status.Argument, c.SelectInto(make([]int32, 2), p, 3, true))
	var scratch cluster.Scratch
	id, code = c.SelectExcept(&scratch, p, 255, nil, nil, true)
	assert.Equal(t, int32(-1), id)
	assert.Equal(t, status.Argument, code)
	n, _ := c.OperationCount(0)
	assert.Zero(t, n)
}

// A preference is its own copy.
func TestPreferenceIsCopied(t *testing.T) {
	p := readpref.Preference{Mode: readpref.Secondary, TagSets: []tag.Set{{{Name: "dc", Value: "ny"}}}}
	kept := preference(t, p)
	p.TagSets[0][0].Value = "sf"
	p.TagSets[0] = nil
	assert.Equal(t, "ny", kept.Document().TagSets[0][0].Value)

	_, err := cluster.NewPreference(readpref.Preference{MaxStaleness: readpref.MaxStalenessSeconds(90)})
	require.Error(t, err)
	assert.Equal(t, "maxStalenessSeconds", err.(*status.Error).Path)
}

// A description is its Topology's own copy.
func TestDescriptionIsCopied(t *testing.T) {
	d := sharded("a", "b")
	c, p := open(t, d, cluster.DefaultSettings()), preference(t, readpref.Preference{})
	d.Servers[0].Type, d.Servers[1].Type = topology.ServerUnknown, topology.ServerUnknown
	id, code := c.Select(p, selection.Read, false)
	assert.Equal(t, status.OK, code)
	assert.Contains(t, []int32{0, 1}, id)

	got, _ := c.Describe()
	got.Servers[0].Type, got.Servers[1].Type = topology.ServerUnknown, topology.ServerUnknown
	c.View(func(v *topology.Description, generation uint32) {
		assert.Equal(t, topology.Mongos, v.Servers[0].Type)
		assert.Equal(t, uint32(1), generation)
	})
}

// The plans of one preference for several operations are told apart, wherever
// the hash table puts them.
func TestOperationsHavePlansOfTheirOwn(t *testing.T) {
	d := set(1)
	d.Servers[1].MaxWireVersion = topology.NewInt(12)
	for n := range 400 {
		c := open(t, d, cluster.DefaultSettings())
		// Few plans of many preferences: a table of eight slots, where they collide.
		preferences := make([]*cluster.Preference, 1+n%3)
		for i := range preferences {
			preferences[i] = preference(t, readpref.Preference{Mode: readpref.Secondary})
		}
		for range 2 {
			for _, p := range preferences {
				for op := selection.Read; op <= selection.AggregateWithWriteStage; op++ {
					id, code := c.Select(p, op, false)
					require.Equal(t, status.OK, code)
					require.Equal(t, op == selection.Read, id == 1, "%v", op)
				}
			}
		}
		require.Equal(t, 3*len(preferences), c.Plans())
	}
}

// Of the preferences that were used, so many keep a plan; one more is a cold
// selection, not a wrong one.
func TestManyPreferences(t *testing.T) {
	c := open(t, set(3), cluster.DefaultSettings())
	one, modes := preference(t, readpref.Preference{}), []readpref.Mode{readpref.Primary, readpref.Secondary}
	for i := range 2*cluster.MaxPlans + 100 {
		mode := modes[i%2]
		id, code := c.Select(preference(t, readpref.Preference{Mode: mode}), selection.Read, false)
		require.Equal(t, status.OK, code)
		require.Equal(t, mode == readpref.Primary, id == 0)
		if i%1000 == 0 {
			for op := selection.Read; op <= selection.AggregateWithWriteStage; op++ {
				id, code = c.Select(one, op, false)
				require.Equal(t, status.OK, code)
				require.Zero(t, id)
			}
		}
		require.LessOrEqual(t, c.Plans(), cluster.MaxPlans)
	}
	assert.Positive(t, c.Plans())
	require.NoError(t, c.Update(set(3), nil))
	assert.Zero(t, c.Plans(), "a new description begins without")
}

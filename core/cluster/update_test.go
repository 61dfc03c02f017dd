package cluster_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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

// model is what a Topology must remember: the ids and counts of addresses.
type model struct {
	ids        []string // normalised addresses by id
	counts     []int64
	present    []int32 // ids in the order of the description
	generation uint32
}

func (m *model) id(address string) (int32, bool) {
	i := slices.Index(m.ids, topology.NormalizeAddress(address))
	return int32(i), i >= 0
}

// update does what Update promises.
func (m *model) update(d *topology.Description, keep func(int) bool) {
	m.present = m.present[:0]
	for i, s := range d.Servers {
		id, known := m.id(s.Address)
		if !known {
			id = int32(len(m.ids))
			m.ids, m.counts = append(m.ids, topology.NormalizeAddress(s.Address)), append(m.counts, 0)
		}
		if !known || !keep(i) {
			m.counts[id] = s.OperationCount
		}
		m.present = append(m.present, id)
	}
	m.generation++
}

// Ids are stable over removal and return, counts follow them, and the
// generation changes with every update, over many updates in a row.
func TestUpdatesKeepIdsAndCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		description := func() *topology.Description {
			d := &topology.Description{Type: topology.Sharded}
			for _, i := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6}).Draw(t, "servers")[:rapid.IntRange(0, 7).Draw(t, "n")] {
				s := server(generate.Address(t, i), topology.Mongos, rapid.Int64Range(0, 3).Draw(t, "operations"))
				d.Servers = append(d.Servers, s)
			}
			return d
		}
		var m model
		first := description()
		m.update(first, func(int) bool { return false })
		c, err := cluster.Open(first, cluster.Settings{Options: selection.DefaultOptions(), Pick: selection.RoundRobin})
		require.NoError(t, err)
		p, err := cluster.NewPreference(readpref.Preference{})
		require.NoError(t, err)
		turn := 0
		t.Repeat(map[string]func(*rapid.T){
			"update": func(t *rapid.T) {
				d := description()
				counted := rapid.SliceOfN(rapid.Bool(), len(d.Servers), len(d.Servers)).Draw(t, "counted")
				keep := func(i int) bool { return !counted[i] }
				m.update(d, keep)
				require.NoError(t, c.Update(d, keep))
			},
			"update with all counts": func(t *rapid.T) {
				d := description()
				m.update(d, func(int) bool { return false })
				require.NoError(t, c.Update(d, nil))
			},
			"checkout": func(t *rapid.T) {
				id, code := c.Select(p, selection.Read, true)
				if len(m.present) == 0 {
					require.Equal(t, status.NoServer, code)
					return
				}
				require.Equal(t, m.present[turn%len(m.present)], id)
				turn++
				m.counts[id]++
			},
			"release": func(t *rapid.T) {
				id := rapid.Int32Range(-2, int32(len(m.ids))+1).Draw(t, "id")
				known := id >= 0 && int(id) < len(m.ids)
				require.Equal(t, known, c.Release(id))
				if known {
					m.counts[id] = max(0, m.counts[id]-1)
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, m.generation, c.Generation())
				for id, want := range m.ids {
					address, ok := c.Address(int32(id))
					require.True(t, ok)
					require.Equal(t, want, address)
					n, ok := c.OperationCount(int32(id))
					require.True(t, ok)
					require.Equal(t, m.counts[id], n)
				}
				for _, id := range []int32{-1, int32(len(m.ids)), math.MaxInt32, math.MinInt32} {
					_, ok := c.Address(id)
					require.False(t, ok)
					_, ok = c.OperationCount(id)
					require.False(t, ok)
				}
				d, s := c.Describe()
				require.Len(t, d.Servers, len(m.present))
				for i, id := range m.present {
					require.Equal(t, m.counts[id], d.Servers[i].OperationCount)
				}
				require.Equal(t, uint64(turn), s.Seed)
			},
		})
	})
}

// What Describe returns opens a Topology that picks as the first one does.
func TestDescribedTopologyGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := generate.ForEngine(generate.Plain(t, 6))
		settings := cluster.Settings{Options: q.Options, Pick: selection.Pick(rapid.IntRange(0, 2).Draw(t, "pick")), Seed: rapid.Uint64().Draw(t, "seed")}
		c, err := cluster.Open(q.Topology, settings)
		require.NoError(t, err)
		p, err := cluster.NewPreference(q.Preference)
		require.NoError(t, err)
		picks := func(c *cluster.Topology) (list []int32) {
			for range 10 {
				id, _ := c.Select(p, q.Operation, true)
				list = append(list, id)
			}
			return list
		}
		picks(c)
		d, s := c.Describe()
		require.Equal(t, settings.Options, s.Options)
		require.Equal(t, settings.Pick, s.Pick)
		again, err := cluster.Open(&d, s)
		require.NoError(t, err)
		require.Equal(t, picks(c), picks(again))
		a, sa := c.Describe()
		b, sb := again.Describe()
		require.Equal(t, a, b)
		require.Equal(t, sa, sb)
	})
}

// A Topology describes all that it was given.
func TestDescribeIsWhole(t *testing.T) {
	s := server("A.example", topology.RSSecondary, 2)
	s.MinRoundTripTime, s.Tags = topology.NewRTT(1), tag.Set{{Name: "dc", Value: "ny"}}
	s.LastWriteDate, s.LastUpdateTimeMS = topology.NewDate(3), 4
	s.MinWireVersion, s.MaxWireVersion, s.SetVersion = topology.NewInt(5), topology.NewInt(25), topology.NewInt(7)
	s.SetName, s.Primary, s.Me, s.Error = "rs", "p", "m", "e"
	s.Hosts, s.Passives, s.Arbiters = []string{"h"}, []string{"q", "r"}, []string{"s"}
	s.LogicalSessionTimeoutMinutes, s.IsCryptd = topology.NewInt(30), true
	s.ElectionID, _ = topology.ParseObjectID("7fffffff0000000000000002")
	s.ServiceID, _ = topology.ParseObjectID("64b0c0ffee0123456789abcd")
	s.TopologyVersion = topology.Version{ProcessID: s.ServiceID, Counter: 8}
	d := topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "rs", Servers: []topology.Server{s}, MaxElectionID: s.ElectionID,
		MaxSetVersion: topology.NewInt(9), LogicalSessionTimeoutMinutes: topology.NewInt(30)}
	got, _ := open(t, &d, cluster.DefaultSettings()).Describe()
	assert.Equal(t, d, got)
}

// The spelling of an address and its case do not make another server.
func TestSpellingsAreOneServer(t *testing.T) {
	c := open(t, sharded("a.example", "::1"), cluster.DefaultSettings())
	require.NoError(t, c.Update(sharded("[::1]:27017", "A.EXAMPLE:27017", "a.example:1"), keep))
	for id, want := range []string{"a.example:27017", "[::1]:27017", "a.example:1"} {
		address, ok := c.Address(int32(id))
		assert.True(t, ok)
		assert.Equal(t, want, address)
	}
	_, ok := c.Address(3)
	assert.False(t, ok)
}

// 3.34: a release never makes a count negative, and a checkout never makes it
// wrap.
func TestCountsStayInRange(t *testing.T) {
	d := sharded("a")
	d.Servers[0].OperationCount = math.MaxInt64 - 1
	c, p := open(t, d, cluster.DefaultSettings()), preference(t, readpref.Preference{})
	count := func() int64 {
		n, ok := c.OperationCount(0)
		require.True(t, ok)
		return n
	}
	for range 3 {
		_, code := c.Select(p, selection.Read, true)
		require.Equal(t, status.OK, code)
		require.Equal(t, int64(math.MaxInt64), count())
	}
	require.True(t, c.Release(0))
	require.Equal(t, int64(math.MaxInt64-1), count())
	require.NoError(t, c.Update(sharded("a"), nil))
	require.True(t, c.Release(0))
	require.Zero(t, count())
}

// 0 is what a bad handle has.
func TestGenerationIsNeverZero(t *testing.T) {
	c := open(t, sharded("a"), cluster.DefaultSettings())
	assert.Equal(t, uint32(1), c.Generation())
	c.SetGeneration(math.MaxUint32 - 1)
	require.NoError(t, c.Update(sharded("a"), nil))
	assert.Equal(t, uint32(math.MaxUint32), c.Generation())
	require.NoError(t, c.Update(sharded("a"), nil))
	assert.Equal(t, uint32(1), c.Generation())
}

// Ids are never reused, so their number is bounded. An update that goes beyond
// is refused, and all is as it was.
func TestTooManyAddresses(t *testing.T) {
	const each = 1 << 16
	d := &topology.Description{Type: topology.Sharded, Servers: make([]topology.Server, each)}
	number := func(from int) {
		for i := range d.Servers {
			d.Servers[i] = server("m"+strconv.Itoa(from+i)+":1", topology.Mongos, 0)
		}
	}
	number(0)
	c := open(t, d, cluster.DefaultSettings())
	for from := each; from < cluster.MaxServers; from += each {
		number(from)
		require.NoError(t, c.Update(d, nil))
	}
	generation := c.Generation()
	last := int32(cluster.MaxServers - 1)
	before, _ := c.Describe()

	over := sharded("m0:1", "m1:1", "beyond:1")
	over.Servers[0].OperationCount = 5
	err := c.Update(over, nil)
	require.Error(t, err)
	assert.Equal(t, status.LimitExceeded, err.(*status.Error).Code)
	assert.Equal(t, "topology.servers", err.(*status.Error).Path)
	assert.Equal(t, generation, c.Generation())
	n, _ := c.OperationCount(0)
	assert.Zero(t, n)
	_, ok := c.Address(last + 1)
	assert.False(t, ok)
	after, _ := c.Describe()
	assert.True(t, slices.EqualFunc(before.Servers, after.Servers, func(a, b topology.Server) bool { return a.Address == b.Address }))

	// The addresses it knows still come and go, and its last id is the last.
	require.NoError(t, c.Update(sharded("m7:1", fmt.Sprintf("m%d:1", last)), nil))
	p := preference(t, readpref.Preference{})
	var scratch cluster.Scratch
	id, code := c.SelectExcept(&scratch, p, selection.Read, []string{"m7:1"}, nil, false)
	assert.Equal(t, status.OK, code)
	assert.Equal(t, last, id)
}

// A first description may not be too large either.
func TestTooManyAddressesAtOnce(t *testing.T) {
	d := &topology.Description{Type: topology.Sharded, Servers: make([]topology.Server, cluster.MaxServers+1)}
	for i := range d.Servers {
		d.Servers[i] = topology.Server{Address: strconv.Itoa(i), Type: topology.Mongos}
	}
	_, err := cluster.Open(d, cluster.DefaultSettings())
	require.Error(t, err)
	assert.Equal(t, status.LimitExceeded, err.(*status.Error).Code)
}

package selection_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestDeprioritized(t *testing.T) {
	ny, sf := set("dc", "ny"), set("dc", "sf")
	replicas := func(of topology.Type) *topology.Description {
		d := with(of, secondary("a:27017", tags("dc", "ny")), secondary("b:27017", tags("dc", "sf")))
		if of == topology.ReplicaSetWithPrimary {
			d.Servers = append(d.Servers, primary("p:27017"))
		}
		return d
	}
	rs, none := replicas(topology.ReplicaSetWithPrimary), replicas(topology.ReplicaSetNoPrimary)
	shards := with(topology.Sharded, server("m1:27017", topology.Mongos), server("m2:27017", topology.Mongos))
	for _, c := range []struct {
		rule string
		d    *topology.Description
		op   selection.Operation
		p    readpref.Preference
		list string
		want string
	}{
		{"3.27 the others serve", rs, selection.Read, mode(readpref.Secondary), "a:27017", "b:27017"},
		{"3.26 in any spelling", rs, selection.Read, mode(readpref.Secondary), "A", "b:27017"},
		{"3.26 not on another port", rs, selection.Read, mode(readpref.Secondary), "a:27018", "a:27017 b:27017"},
		{"3.26 an address that is not there", rs, selection.Read, mode(readpref.Secondary), "z", "a:27017 b:27017"},
		{"3.27 all: the normal result", rs, selection.Read, mode(readpref.Secondary), "a b p", "a:27017 b:27017"},
		{"3.27 all secondaries: secondaryPreferred takes the primary", rs, selection.Read, mode(readpref.SecondaryPreferred), "a b", "p:27017"},
		{"3.27 and the secondaries where it is deprioritized too", rs, selection.Read, mode(readpref.SecondaryPreferred), "a b p", "a:27017 b:27017"},
		{"3.27 the primary: primaryPreferred takes a matching secondary", rs, selection.Read, mode(readpref.PrimaryPreferred, sf), "p", "b:27017"},
		{"3.27 and the primary where no secondary matches", rs, selection.Read, mode(readpref.PrimaryPreferred, set("dc", "la")), "p", "p:27017"},
		{"3.27 only deprioritized servers match the tags", rs, selection.Read, mode(readpref.Secondary, ny), "a", "a:27017"},
		{"3.27 the sole primary", rs, selection.Read, mode(readpref.Primary), "p", "p:27017"},
		{"3.27 also for writes", rs, selection.Write, mode(readpref.Primary), "p", "p:27017"},
		{"3.28 a healthy match of set 2 beats a deprioritized one of set 1", rs, selection.Read, mode(readpref.Secondary, ny, sf), "a", "b:27017"},
		{"3.27 NoPrimary", none, selection.Read, mode(readpref.SecondaryPreferred), "b", "a:27017"},
		{"3.27 Sharded", shards, selection.Write, mode(readpref.Primary), "m1", "m2:27017"},
		{"3.27 Sharded, all", shards, selection.Read, mode(readpref.Primary), "m2 m1", "m1:27017 m2:27017"},
		{"3.27 Single", with(topology.Single, server("s", topology.Standalone)), selection.Read, mode(readpref.Primary), "s", "s"},
		{"3.27 LoadBalanced", with(topology.LoadBalanced, server("lb", topology.LoadBalancer)), selection.Write, mode(readpref.Primary), "lb", "lb"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := request(c.d, c.p, strings.Fields(c.list)...)
			r.Operation = c.op
			assert.Equal(t, c.want, names(c.d, selected(t, r).Suitable))
		})
	}
}

// 3.27: a stale server is no reason to keep to the servers that are left.
func TestDeprioritizedAndStale(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p"), secondary("a"), secondary("b", written(80001)))
	res := selected(t, request(d, stale(readpref.Secondary, 90), "a"))
	assert.Equal(t, "a", names(d, res.Suitable))
	require.Len(t, res.Passes, 2)
	assert.Equal(t, "p b", names(d, res.Passes[0].View))
	assert.True(t, res.Passes[0].Deprioritized)
	assert.Equal(t, "b", names(d, res.Passes[0].Candidates))
	assert.Equal(t, "", names(d, res.Passes[0].Fresh))
	assert.False(t, res.Passes[1].Deprioritized)
	assert.Equal(t, "p a b", names(d, res.Passes[1].View))
	assert.Equal(t, "a b", names(d, res.Passes[1].Candidates))
	assert.Equal(t, "a", names(d, res.Passes[1].Fresh))
}

// A preferred mode with everything deprioritized takes all four passes.
func TestFourPasses(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p"), secondary("a"), server("o", topology.RSArbiter))
	res := selected(t, request(d, mode(readpref.SecondaryPreferred, set("dc", "ny")), "p", "a"))
	assert.Equal(t, "p", names(d, res.Suitable))
	var roles []string
	for _, p := range res.Passes {
		roles = append(roles, fmt.Sprint(p.Role, " ", p.Deprioritized))
	}
	assert.Equal(t, []string{"secondary true", "primary true", "secondary false", "primary false"}, roles)
}

// 3.29: no second fallback after the custom selector.
func TestNoFallbackAfterTheCustomSelector(t *testing.T) {
	d := with(topology.ReplicaSetNoPrimary, secondary("a"), secondary("b"))
	r := request(d, mode(readpref.Secondary), "a")
	k := &selection.KeepOnly{}
	k.Reset([]string{"a"})
	r.CustomSelector = k
	res := selected(t, r)
	assert.Empty(t, res.Suitable)
	assert.Len(t, res.Passes, 1)
}

// 3.26: long lists are sorted and searched, short ones scanned: the answer is
// the same.
func TestAddressSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 5, 63, 64, 65, 200}).Draw(t, "length")
		list := make([]string, n)
		for i := range list {
			list[i] = generate.Address(t, rapid.IntRange(0, 40).Draw(t, "which"))
		}
		before := strings.Join(list, " ")
		var a selection.AddressSet
		a.Reset([]string{"other"})
		a.Reset(list)
		require.Equal(t, before, strings.Join(list, " "), "the caller's list keeps its order")
		require.Equal(t, n, a.Len())
		for i := range 45 {
			address := generate.Address(t, i)
			want := false
			for _, s := range list {
				want = want || oracle.Canonical(s) == oracle.Canonical(address)
			}
			require.Equal(t, want, a.Contains(address), address)
		}
		require.False(t, a.Contains("other"))
	})
	var zero selection.AddressSet
	assert.False(t, zero.Contains("a"))
	assert.Zero(t, zero.Len())
}

func TestWithoutDeprioritizedAppends(t *testing.T) {
	d := with(topology.Sharded, server("a", topology.Mongos), server("b", topology.Mongos), server("c", topology.Mongos))
	var list selection.AddressSet
	list.Reset([]string{"B:27017"})
	assert.Equal(t, []int32{9, 2, 0}, selection.WithoutDeprioritized(d, &list, []int32{2, 1, 0}, []int32{9}))
	assert.Equal(t, []int32{9, 1}, selection.Candidates(d, selection.RoleMongos, []int32{1}, []int32{9}))
	assert.Nil(t, selection.Candidates(d, selection.RoleMember, []int32{0, 1, 2}, nil))
}

package discovery_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

func preference(t *testing.T, mode readpref.Mode) *cluster.Preference {
	p, err := cluster.NewPreference(readpref.Preference{Mode: mode})
	require.NoError(t, err)
	return p
}

// 3.13, 3.14, 6.15: selections follow what servers say, ids and counts stay with
// their addresses.
func TestSelectionsFollow(t *testing.T) {
	s := settings("a", "b")
	s.SetName = "rs"
	d, err := discovery.Open(s)
	require.NoError(t, err)
	primary, secondary := preference(t, readpref.Primary), preference(t, readpref.Secondary)
	picks := func(p *cluster.Preference) string {
		id, code := d.Topology().Select(p, selection.Read, true)
		if code != status.OK {
			return code.String()
		}
		address, _ := d.Topology().Address(id)
		return fmt.Sprint(id, " ", address)
	}
	step := func(r *sdam.Reply, accepted bool) {
		before := d.Topology().Generation()
		o, err := d.Hello(r)
		require.NoError(t, err)
		require.Equal(t, accepted, o.Accepted)
		require.Equal(t, accepted, o.Generation != before)
	}
	assert.Equal(t, "noServer", picks(primary))
	step(reply("a", "primary", "a", "b", "c"), true)
	assert.Equal(t, "0 a:27017", picks(primary))
	assert.Equal(t, "noServer", picks(secondary))
	step(reply("C", "secondary", "a", "b", "c"), true)
	assert.Equal(t, "2 c:27017", picks(secondary))
	step(reply("b", "primary", "b", "c"), true) // an election; a is gone from the set
	assert.Equal(t, "1 b:27017", picks(primary))
	step(reply("a", "secondary"), false)
	step(reply("b", "primary", "a", "b", "c"), true) // and comes back
	step(reply("a", "secondary", "a", "b", "c"), true)
	n, _ := d.Topology().OperationCount(0)
	assert.Equal(t, int64(1), n, "its count is as it was")
	step(reply("b", "failed"), true)
	assert.Equal(t, "noServer", picks(primary))
	o, err := d.Error(&sdam.ApplicationError{Address: "c", Kind: sdam.NetworkError, Labels: []string{sdam.LabelSystemOverloaded}})
	require.NoError(t, err)
	assert.False(t, o.Accepted)
	assert.False(t, o.Deprioritize, "enableOverloadRetargeting is off")
	generation, err := d.Shutdown()
	require.NoError(t, err)
	assert.Equal(t, d.Topology().Generation(), generation)
	assert.Equal(t, "noServer", picks(secondary))
	step(reply("a", "secondary", "a"), false)
}

// The addresses of a topology's life are limited, and a reply over it changes
// nothing.
func TestAddressesOfALife(t *testing.T) {
	d, err := discovery.Open(settings("a"))
	require.NoError(t, err)
	// What years of churn would do.
	seen := topology.Description{Servers: make([]topology.Server, 1<<16)}
	for round := range cluster.MaxServers/len(seen.Servers) - 1 {
		for i := range seen.Servers {
			seen.Servers[i].Address = fmt.Sprintf("h%d-%d:27017", round, i)
		}
		require.NoError(t, d.Topology().Update(&seen, nil))
	}
	hosts := func(prefix string, n int) []string {
		list := make([]string, n+1)
		for i := range n {
			list[i] = fmt.Sprintf("%s-%d:27017", prefix, i)
		}
		list[n] = "a:27017"
		return list
	}
	_, err = d.Hello(reply("a", "primary", hosts("x", 40_000)...))
	require.NoError(t, err)
	before := d.Topology().Generation()
	_, err = d.Hello(reply("a", "primary", hosts("y", 40_000)...))
	assert.ErrorIs(t, err, &status.Error{Code: status.LimitExceeded})
	assert.Equal(t, before, d.Topology().Generation())
	_, err = d.Hello(reply("a", "primary", hosts("h3", 60_000)...))
	assert.NoError(t, err, "those it has seen")
}

func lastOf(d *discovery.Deployment) (last uint32) {
	d.Visit(func(c discovery.Change) bool { last = c.Sequence; return true })
	return last
}

// 2.24.
func TestSRV(t *testing.T) {
	c, err := connstring.Parse("mongodb+srv://cluster.shop.example/?srvMaxHosts=2&heartbeatFrequencyMS=7000")
	require.NoError(t, err)
	record := func(name string, ttl uint32) connstring.SRVRecord {
		return connstring.SRVRecord{Target: name + ".shop.example.", Port: 27017, TTLSeconds: ttl}
	}
	first := []connstring.SRVRecord{record("m1", 100), record("m2", 90)}
	resolved, err := c.Resolve(first, nil, nil)
	require.NoError(t, err)
	d, err := discovery.Open(discovery.FromURI(resolved, first))
	require.NoError(t, err)
	h := newHost()
	h.do(d.Changes())
	assert.Equal(t, int64(90_000), h.scan)

	scan, err := d.SRV(nil) // a DNS error
	require.NoError(t, err)
	h.do(d.Changes())
	assert.True(t, scan.Polled)
	assert.Equal(t, int64(7000), scan.NextMS)
	assert.Equal(t, int64(7000), h.scan)
	assert.Equal(t, uint32(1), scan.Generation)

	// m1 survives, and of the three new ones one fills up to srvMaxHosts.
	scan, err = d.SRV([]connstring.SRVRecord{record("m3", 30), record("m1", 30), record("m4", 30), record("m5", 30)})
	require.NoError(t, err)
	assert.Equal(t, []string{"m2.shop.example:27017"}, scan.Removed)
	assert.Len(t, scan.Added, 1)
	assert.Equal(t, int64(60_000), scan.NextMS)
	assert.Equal(t, uint32(2), scan.Generation)
	h.do(d.Changes())
	_, _, pools := d.Describe()
	assert.Empty(t, h.is(pools))

	_, err = d.Hello(reply("m1.shop.example", "primary", "m1.shop.example"))
	require.NoError(t, err)
	scan, err = d.SRV([]connstring.SRVRecord{record("m9", 30)})
	require.NoError(t, err)
	assert.False(t, scan.Polled, "a replica set tells of its members itself")
	known, _, _ := d.Describe()
	assert.Len(t, known.Servers, 1, "and m9 is none of them")
}

// A load balancer is there at once, and its hello needs a serviceId.
func TestLoadBalanced(t *testing.T) {
	s := settings("LB")
	s.LoadBalanced = true
	d, err := discovery.Open(s)
	require.NoError(t, err)
	assert.Equal(t, []string{"poolReady lb"}, effects(d.Changes()))
	id, code := d.Topology().Select(preference(t, readpref.Secondary), selection.Write, false)
	assert.Equal(t, status.OK, code)
	assert.Equal(t, int32(0), id)
	o, err := d.Hello(reply("lb", "mongos"))
	require.NoError(t, err)
	assert.True(t, o.NotLoadBalanced)
	assert.False(t, o.Accepted)
	r := reply("lb", "mongos")
	r.Hello.ServiceID = topology.NewObjectID([12]byte{1})
	o, err = d.Hello(r)
	require.NoError(t, err)
	assert.False(t, o.NotLoadBalanced)
	assert.Equal(t, topology.LoadBalancer, o.Server.Type)
}

func TestResume(t *testing.T) {
	s := settings("a", "b")
	s.SetName, s.Selection.Seed = "rs", 42
	d, err := discovery.Open(s)
	require.NoError(t, err)
	_, err = d.Hello(reply("a", "primary", "a", "b"))
	require.NoError(t, err)
	_, err = d.Hello(reply("b", "secondary", "a", "b"))
	require.NoError(t, err)
	nearest := preference(t, readpref.Nearest)
	for range 5 {
		d.Topology().Select(nearest, selection.Read, true)
	}
	known, now, pools := d.Describe()
	again, err := discovery.Resume(now, &known, pools)
	require.NoError(t, err)
	described, settled, resumed := again.Describe()
	assert.Equal(t, known, described)
	assert.Equal(t, now, settled)
	assert.Equal(t, pools, resumed)
	for range 50 {
		x, _ := d.Topology().Select(nearest, selection.Read, true)
		y, _ := again.Topology().Select(nearest, selection.Read, true)
		require.Equal(t, x, y)
	}
}

// A reply costs in proportion to the servers, not to their square, in time and in
// memory: what every member of a large set lists is kept once.
func TestRepliesOfLargeSets(t *testing.T) {
	bytes := func(n int) float64 {
		hosts := make([]string, n)
		for i := range hosts {
			hosts[i] = fmt.Sprintf("h%d:27017", i)
		}
		s := settings(hosts...)
		s.SetName = "rs"
		d, err := discovery.Open(s)
		require.NoError(t, err)
		_, err = d.Hello(reply("h0", "primary", hosts...))
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const replies = 8
		for i := range replies {
			_, err := d.Hello(reply(hosts[i+1], "secondary", hosts...))
			require.NoError(t, err)
			require.NoError(t, d.Acknowledge(lastOf(d)))
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / replies
	}
	small, large := bytes(500), bytes(10_000)
	assert.Less(t, large/small, 30.0, "20 times the servers: %.0f and %.0f bytes a reply", small, large)
	assert.Less(t, large, 12e6)
}

// All methods from sixteen goroutines; the race detector watches.
func TestConcurrently(t *testing.T) {
	d, err := discovery.Open(settings("a", "b", "c"))
	require.NoError(t, err)
	nearest := preference(t, readpref.Nearest)
	names := []string{"a", "b", "c", "d"}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 300 {
				name := names[(g+i)%4]
				switch (g + i) % 8 {
				case 0:
					_, err := d.Hello(reply(name, "primary", names[:1+i%4]...))
					assert.NoError(t, err)
				case 1:
					_, err := d.Hello(reply(name, "secondary", names...))
					assert.NoError(t, err)
				case 2:
					_, err := d.Error(&sdam.ApplicationError{Address: name, Kind: sdam.NetworkError})
					assert.NoError(t, err)
				case 3:
					_ = d.Acknowledge(lastOf(d))
				case 4:
					_, _, pools := d.Describe()
					assert.LessOrEqual(t, len(pools), 4)
				case 5:
					_ = d.Changes()
				default:
					id, code := d.Topology().Select(nearest, selection.Read, true)
					if code == status.OK {
						d.Topology().Release(id)
					} else {
						assert.Equal(t, status.NoServer, code)
					}
				}
			}
		})
	}
	wg.Wait()
	known, _, _ := d.Describe()
	for _, s := range known.Servers {
		assert.Zero(t, s.OperationCount)
	}
}

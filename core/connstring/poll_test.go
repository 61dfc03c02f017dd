package connstring_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// The prose tests of the polling specification, by their numbers.
func TestPollingProse(t *testing.T) {
	const host, target = "test1.test.build.10gen.cc", "localhost.test.build.10gen.cc"
	at := func(ports ...uint16) (list []connstring.SRVRecord) {
		for _, p := range ports {
			list = append(list, connstring.SRVRecord{Target: target + ".", Port: p, TTLSeconds: 86400})
		}
		return list
	}
	for _, c := range []struct {
		number, options string
		initial, scan   []connstring.SRVRecord
		want            string // ports of the topology after the scan
		nextMS          int64
	}{
		{"1", "", at(27017, 27018), at(27017, 27018, 27019), "27017 27018 27019", 86_400_000},
		{"2", "", at(27017, 27018), at(27017), "27017", 86_400_000},
		{"3", "", at(27017, 27018), at(27017, 27019), "27017 27019", 86_400_000},
		{"4", "", at(27017, 27018), at(27019), "27019", 86_400_000},
		{"5", "", at(27017, 27018), at(27019, 27020), "27019 27020", 86_400_000},
		{"6, 7, 8", "", at(27017, 27018), nil, "27017 27018", 10_000},
		{"10", "srvMaxHosts=0", at(27017, 27018), at(27017, 27019, 27020), "27017 27019 27020", 86_400_000},
		{"11", "srvMaxHosts=2", at(27017, 27018), at(27019, 27020), "27019 27020", 86_400_000},
		{"12", "srvMaxHosts=2", at(27017, 27018), at(27017, 27019, 27020), "27017 *", 86_400_000},
		{"13", "srvServiceName=customname", at(27017), at(27019, 27020), "27019 27020", 86_400_000},
	} {
		t.Run(c.number, func(t *testing.T) {
			rng := selection.SplitMix64(1)
			s, err := parse(t, "mongodb+srv://"+host+"/?"+c.options).Resolve(c.initial, nil, rng.Next)
			require.NoError(t, err)
			require.True(t, s.Polls(topology.Sharded))
			before := s.Seeds()
			r := s.Poll(before, c.scan, 10_000, rng.Next)
			assert.Equal(t, c.nextMS, r.NextMS)
			var after []string
			for _, a := range before {
				if !contains(r.Removed, a) {
					after = append(after, a)
				}
			}
			after = append(after, r.Added...)
			want := strings.Fields(c.want)
			require.Len(t, after, len(want))
			for i, port := range want {
				if port != "*" {
					assert.Equal(t, target+":"+port, after[i])
				}
			}
		})
	}
	// 9: a load balancer is not polled.
	s, err := parse(t, "mongodb+srv://test3.test.build.10gen.cc/?loadBalanced=true").Resolve(at(27017), nil, nil)
	require.NoError(t, err)
	assert.False(t, s.Polls(topology.LoadBalanced))
}

func TestPolls(t *testing.T) {
	srv, plain := parse(t, "mongodb+srv://a.b.c"), parse(t, "mongodb://a.b.c")
	for kind := range topology.Type(len(topology.TypeNames)) {
		assert.Equal(t, kind == topology.Unknown || kind == topology.Sharded, srv.Polls(kind), kind)
		assert.False(t, plain.Polls(kind))
	}
}

func TestPoll(t *testing.T) {
	c := parse(t, "mongodb+srv://a.b.c")
	// A record outside the domain is passed over; spelling makes no difference.
	r := c.Poll([]string{"X.b.c", "y.b.c:27017"}, records("x.B.c.", "x.evil.c", "Z.b.c", "z.b.c", ""), 10_000, nil)
	assert.Equal(t, []string{"z.b.c:27017"}, r.Added)
	assert.Equal(t, []string{"y.b.c:27017"}, r.Removed)
	require.Len(t, r.Warnings, 2)
	assert.Equal(t, "invalidSRVRecord srv[1]", r.Warnings[0].Code+" "+r.Warnings[0].Path)
	assert.Equal(t, "srv[4]", r.Warnings[1].Path)

	// With bad records only, nothing changes.
	r = c.Poll([]string{"x.b.c:27017"}, records("x.evil.c"), 2_000, nil)
	assert.Empty(t, r.Added)
	assert.Empty(t, r.Removed)
	assert.EqualValues(t, 2_000, r.NextMS)

	// Survivors are kept where there are more than srvMaxHosts.
	c = parse(t, "mongodb+srv://a.b.c/?srvMaxHosts=1")
	r = c.Poll([]string{"x.b.c:27017", "y.b.c:27017"}, records("x.b.c", "y.b.c", "z.b.c"), 2_000, nil)
	assert.Empty(t, r.Added)
	assert.Empty(t, r.Removed)

	r = c.Poll(nil, make([]connstring.SRVRecord, 1000), 2_000, nil)
	assert.Len(t, r.Warnings, 100)
	many := make([]connstring.SRVRecord, connstring.MaxHosts+1)
	for i := range many {
		many[i] = connstring.SRVRecord{Target: "x.b.c", Port: 1}
	}
	r = c.Poll(nil, many, 2_000, nil)
	assert.Equal(t, []string{"x.b.c:1"}, r.Added)
	require.Len(t, r.Warnings, 1)
}

func TestRescanMS(t *testing.T) {
	ttl := func(seconds ...uint32) (list []connstring.SRVRecord) {
		for _, s := range seconds {
			list = append(list, connstring.SRVRecord{TTLSeconds: s})
		}
		return list
	}
	assert.EqualValues(t, 60_000, connstring.RescanMS(nil))
	assert.EqualValues(t, 60_000, connstring.RescanMS(ttl(0)))
	assert.EqualValues(t, 60_000, connstring.RescanMS(ttl(300, 59)))
	assert.EqualValues(t, 61_000, connstring.RescanMS(ttl(300, 61, 500)))
	assert.EqualValues(t, 4_294_967_295_000, connstring.RescanMS(ttl(1<<32-1)))
}

// After a scan the topology is a subset of the records that keeps every
// survivor and is as large as srvMaxHosts allows.
func TestPollProperties(t *testing.T) {
	names := []string{"p.b.c", "q.b.c", "r.b.c", "s.b.c", "t.b.c"}
	subset := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, len(names), rapid.ID)
	limits := []string{"", "?srvMaxHosts=0", "?srvMaxHosts=1", "?srvMaxHosts=2", "?srvMaxHosts=4", "?srvMaxHosts=9"}
	rapid.Check(t, func(t *rapid.T) {
		c, err := connstring.Parse("mongodb+srv://a.b.c/" + rapid.SampledFrom(limits).Draw(t, "limit"))
		require.NoError(t, err)
		before, scan := subset.Draw(t, "before"), subset.Draw(t, "scan")
		rng := selection.SplitMix64(rapid.Uint64().Draw(t, "seed"))
		r := c.Poll(before, records(scan...), 500, rng.Next)
		if len(scan) == 0 {
			require.Equal(t, connstring.Rescan{NextMS: 500}, r)
			return
		}
		survivors := 0
		for _, a := range before {
			require.Equal(t, !contains(scan, a), contains(r.Removed, a))
			if contains(scan, a) {
				survivors++
			}
		}
		for _, a := range r.Added {
			name := strings.TrimSuffix(a, ":27017")
			require.True(t, contains(scan, name) && !contains(before, name))
		}
		want := len(scan)
		if n := int(c.SRVMaxHosts.Value); n > 0 {
			want = max(survivors, min(n, want))
		}
		require.Equal(t, want, survivors+len(r.Added))
	})
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

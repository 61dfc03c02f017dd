package connstring_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

func records(targets ...string) []connstring.SRVRecord {
	var list []connstring.SRVRecord
	for _, target := range targets {
		list = append(list, connstring.SRVRecord{Target: target, Port: 27017, TTLSeconds: 86400})
	}
	return list
}

func parse(t *testing.T, uri string) *connstring.ConnString {
	t.Helper()
	c, err := connstring.Parse(uri)
	require.NoError(t, err)
	return c
}

func TestLookup(t *testing.T) {
	for uri, want := range map[string]string{
		"mongodb+srv://a.b.c":                             "_mongodb._tcp.a.b.c a.b.c",
		"mongodb+srv://u:p@A.b.C./db?srvServiceName=name": "_name._tcp.A.b.C A.b.C",
		"mongodb+srv://localhost/?srvServiceName=a.b":     "_mongodb._tcp.localhost localhost",
	} {
		srv, txt := parse(t, uri).Lookup()
		assert.Equal(t, want, srv+" "+txt)
	}
}

// The prose tests of the seedlist specification, 1 to 4, and more of their kind.
func TestDomains(t *testing.T) {
	for _, c := range []struct {
		host, target string
		ok           bool
	}{
		{"localhost", "test.mongo.localhost", true},
		{"mongo.local", "test.mongo.local", true},
		{"localhost", "localhost.mongodb", false},
		{"mongo.local", "test_1.evil.local", false},
		{"blogs.mongodb.com", "blogs.evil.com", false},
		{"localhost", "localhost", false},
		{"mongo.local", "mongo.local", false},
		{"localhost", "test_1.cluster_1localhost", false},
		{"mongo.local", "test_1.my_hostmongo.local", false},
		{"blogs.mongodb.com", "cluster.testmongodb.com", false},
		{"blogs.mongodb.com", "mongodb.com", false},
		{"blogs.mongodb.com", ".mongodb.com", false},
		{"blogs.mongodb.com", "x.mongodb.com", true},
		{"blogs.mongodb.com", "x.y.mongodb.com.", true},
		{"BLOGS.mongoDB.com", "X.MongoDB.com", true},
		{"blogs.mongodb.com.", "x.mongodb.com", true},
		{"a.b.c.d", "x.c.d", false},
		{"blogs.mongodb.com", "", false},
		{"blogs.mongodb.com", ".", false},
		{"blogs.mongodb.com", "a b.mongodb.com", false},
		{"blogs.mongodb.com", "x\x00.mongodb.com", false},
		{"blogs.mongodb.com", "u@x.mongodb.com", false},
	} {
		c1 := parse(t, "mongodb+srv://"+c.host)
		got, err := c1.Resolve(records(c.target), nil, nil)
		if c.ok {
			require.NoError(t, err, c)
			assert.Len(t, got.Seeds(), 1)
		} else {
			assert.Equal(t, "invalidSRVRecord srv[0]", codeOf(err), c)
		}
	}
}

func TestResolve(t *testing.T) {
	const ok = "mongodb+srv://a.b.c/"
	one := records("x.b.c")
	for _, c := range []struct {
		rule, uri string
		srv       []connstring.SRVRecord
		txt       [][]string
		want      string // the error
	}{
		{rule: "2.20 no records", uri: ok, want: "noSRVRecords srv"},
		{rule: "2.21 one bad target", uri: ok, srv: records("x.b.c", "x.evil.c"), want: "invalidSRVRecord srv[1]"},
		{rule: "no port", uri: ok, srv: []connstring.SRVRecord{{Target: "x.b.c"}}, want: "invalidSRVRecord srv[0]"},
		{rule: "too many", uri: ok, srv: make([]connstring.SRVRecord, connstring.MaxHosts+1), want: "limitExceeded srv"},
		{rule: "2.23 two TXT records", uri: ok, srv: one, txt: [][]string{{"authSource=a"}, {"authSource=a"}}, want: "invalidTXTRecord txt"},
		{rule: "2.23 another option", uri: ok, srv: one, txt: [][]string{{"tls=false"}}, want: "invalidTXTRecord txt.tls"},
		{rule: "2.23 a preference", uri: ok, srv: one, txt: [][]string{{"readPreference=nearest"}}, want: "invalidTXTRecord txt.readPreference"},
		{rule: "2.23 an unknown option", uri: ok, srv: one, txt: [][]string{{"foo=1"}}, want: "invalidTXTRecord txt.foo"},
		{rule: "2.23 no pair", uri: ok, srv: one, txt: [][]string{{"authSource"}}, want: "invalidTXTRecord txt.authSource"},
		{rule: "2.23 escape", uri: ok, srv: one, txt: [][]string{{"authSource=%"}}, want: "invalidTXTRecord txt.authSource"},
		{rule: "2.23 the strings join without a separator", uri: ok, srv: one, txt: [][]string{{"replicaSet=a", "authSource=b"}}},
		{rule: "2.23 an empty record", uri: ok, srv: one, txt: [][]string{{""}}},
		{rule: "2.18 after SRV", uri: ok + "?loadBalanced=true", srv: records("x.b.c", "y.b.c"), want: "loadBalancedWithMultipleHosts options.loadBalanced"},
		{rule: "2.18 twice the same host", uri: ok + "?loadBalanced=true", srv: records("x.b.c", "X.b.c.")},
		{rule: "2.18 after TXT", uri: ok + "?replicaSet=x", srv: one, txt: [][]string{{"loadBalanced=true"}}, want: "loadBalancedWithReplicaSet options.loadBalanced"},
		{rule: "2.18 both in TXT", uri: ok, srv: one, txt: [][]string{{"loadBalanced=true&replicaSet=x"}}, want: "loadBalancedWithReplicaSet options.loadBalanced"},
		{rule: "2.19 after TXT", uri: ok + "?srvMaxHosts=1", srv: one, txt: [][]string{{"replicaSet=x"}}, want: "conflictingOptions options.srvMaxHosts"},
		{rule: "2.18 srvMaxHosts does not make several hosts one", uri: ok + "?srvMaxHosts=1", srv: records("x.b.c", "y.b.c"), txt: [][]string{{"loadBalanced=true"}}, want: "loadBalancedWithMultipleHosts options.loadBalanced"},
		{rule: "the connection string wins", uri: ok + "?loadBalanced=false&replicaSet=x", srv: one, txt: [][]string{{"loadBalanced=true"}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rng := selection.SplitMix64(1)
			got, err := parse(t, c.uri).Resolve(c.srv, c.txt, rng.Next)
			assert.Equal(t, c.want, codeOf(err))
			assert.Equal(t, err == nil, got != nil)
		})
	}
}

func TestResolveMerges(t *testing.T) {
	c := parse(t, "mongodb+srv://u:p@a.b.c/db?authSource=mine&appname=x&tls=false&foo=1")
	r, err := c.Resolve(records("X.b.c.", "y.b.c", "x.b.c"), [][]string{{"authSource=theirs&repli", "caSet=rs&loadBalanced=maybe"}}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"x.b.c:27017", "y.b.c:27017"}, r.Seeds())
	assert.Equal(t, given("rs"), r.ReplicaSet)
	assert.Equal(t, given(false), r.TLS)
	assert.Zero(t, r.LoadBalanced)
	assert.Equal(t, "unknownURIOption options.foo, invalidURIOptionValue txt.loadBalanced", warnings(r))
	var options []string
	for _, o := range r.Options {
		options = append(options, fmt.Sprint(o.Name, "=", value(t, o)))
	}
	assert.Equal(t, []string{"authSource=mine", "appname=x", "tls=false", "replicaSet=rs"}, options)
	assert.Equal(t, []any{"u", "p", "db", true}, []any{r.Username, r.Password, r.Database, r.SRV})

	// The original stays as it was, so that it can be resolved again.
	assert.Empty(t, c.Hosts)
	assert.Zero(t, c.ReplicaSet)
	assert.Len(t, c.Options, 3)
	assert.Len(t, c.Warnings, 1)
	again, err := c.Resolve(records("z.b.c"), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"z.b.c:27017"}, again.Seeds())
	assert.Zero(t, again.ReplicaSet)
	assert.Equal(t, given(true), parse(t, "mongodb+srv://a.b.c").TLS)
}

// Every subset is as likely as every other.
func TestSRVMaxHostsIsFair(t *testing.T) {
	c := parse(t, "mongodb+srv://a.b.c/?srvMaxHosts=2")
	const rounds = 12000
	counts := map[string]int{}
	rng := selection.SplitMix64(3)
	for range rounds {
		r, err := c.Resolve(records("p.b.c", "q.b.c", "r.b.c", "s.b.c"), nil, rng.Next)
		require.NoError(t, err)
		require.Len(t, r.Hosts, 2)
		counts[r.Hosts[0].Name+" "+r.Hosts[1].Name]++
	}
	require.Len(t, counts, 12)
	for pair, n := range counts {
		assert.InDelta(t, rounds/12, n, 150, pair) // five standard deviations
	}

	// The same seed chooses the same hosts.
	one, two := selection.SplitMix64(7), selection.SplitMix64(7)
	r1, err := c.Resolve(records("p.b.c", "q.b.c", "r.b.c"), nil, one.Next)
	require.NoError(t, err)
	r2, err := c.Resolve(records("p.b.c", "q.b.c", "r.b.c"), nil, two.Next)
	require.NoError(t, err)
	assert.Equal(t, r1.Hosts, r2.Hosts)
}

// A draw that would favour some hosts is passed over.
func TestSRVMaxHostsPassesOver(t *testing.T) {
	draws := []uint64{0, 1 << 32, 1<<64 - 1} // of three hosts, the first makes the low half 0, which is less than 2^32 mod 3
	draw := func() uint64 {
		d := draws[0]
		draws = draws[1:]
		return d
	}
	r, err := parse(t, "mongodb+srv://a.b.c/?srvMaxHosts=1").Resolve(records("p.b.c", "q.b.c", "r.b.c"), nil, draw)
	require.NoError(t, err)
	assert.Equal(t, []string{"p.b.c:27017"}, r.Seeds())
	assert.Len(t, draws, 1)
}

// A TXT record of many short strings is read in time that grows with its bytes.
func TestLongTXT(t *testing.T) {
	c, err := connstring.Parse("mongodb+srv://cluster.shop.example/")
	require.NoError(t, err)
	parts := make([]string, 4_000_000) // joined one by one these copy 8 TB
	for i := range parts {
		parts[i] = "a"
	}
	_, err = c.Resolve([]connstring.SRVRecord{{Target: "m.shop.example", Port: 1}}, [][]string{parts}, nil)
	assert.ErrorIs(t, err, &status.Error{Code: status.InvalidTXTRecord})
}

package importer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/importer"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

func log(texts ...string) *importer.Request {
	r := &importer.Request{Node: func(string, *topology.Description) {}}
	for _, text := range texts {
		r.Documents = append(r.Documents, importer.Document{Kind: importer.DriverLog, LogText: text})
	}
	return r
}

// A log may be anything, and long: it is read in a bounded time, to a topology
// or to an error that says where (RULES 0.8).
func TestLogsMayBeAnything(t *testing.T) {
	part := rapid.SampledFrom([]string{"newDescription", "topologyDescription", `": "`, `'`, `"`, `\`, "\n", ":", "=", " ", "<TopologyDescription ", "<ServerDescription (",
		"'a', 1)", "('a', None)", "server_type: RSPrimary", "rtt: 1e-05", "rtt: 1e99999999999", ", error=", ">, ", "topology_type: Single,", "Type: Sharded, Servers: [", "{ Addr: b:1", ", Type: Mongos",
		", Tag sets: a=b,c", ", Average RTT: -5", " }, ", `{"type":`, "é", "[::1"})
	rapid.Check(t, func(r *rapid.T) {
		res, err := importer.Run(log(rapid.SliceOfN(rapid.Map(rapid.SliceOfN(part, 0, 30), func(parts []string) string { return strings.Join(parts, "") }), 1, 3).Draw(r, "texts")...))
		if err != nil {
			e, ok := err.(*status.Error)
			require.True(r, ok)
			require.True(r, strings.HasPrefix(e.Path, "documents"), e.Path)
			return
		}
		require.Len(r, res.Topologies, 1)
		require.NotEmpty(r, res.Notes)
	})
}

func TestLongLogsTakeBoundedTime(t *testing.T) {
	const size = 16 << 20
	for _, part := range []string{"newDescription", "newDescription: <TopologyDescription <ServerDescription ('a', 1)", "newDescription=Type: Single, Servers: [{ Addr: ",
		"<ServerDescription (", `newDescription": "\`, "x", "'"} {
		begin := time.Now()
		_, _ = importer.Run(log(strings.Repeat(part, size/len(part))))
		assert.Less(t, time.Since(begin), 20*time.Second, part) // a second or two
	}
}

func TestManyAddressesTakeBoundedTime(t *testing.T) {
	r := &importer.Request{}
	hosts := make([]string, 40_000)
	for i := range hosts {
		hosts[i] = "h" + strings.Repeat("x", i%50) + ":1"
	}
	for range importer.MaxDocuments {
		d := importer.Document{Kind: importer.HelloReply}
		d.Hello.Hosts = hosts
		d.Check.Address = "a:1"
		r.Documents = append(r.Documents, d)
	}
	begin := time.Now()
	_, err := importer.Run(r)
	assert.Error(t, err)
	assert.Less(t, time.Since(begin), 20*time.Second)
}

func TestParseShard(t *testing.T) {
	s, ok := importer.ParseShard("s0", "rs/a:1,[::1]:2")
	assert.True(t, ok)
	assert.Equal(t, importer.Shard{Name: "s0", SetName: "rs", Hosts: []string{"a:1", "[::1]:2"}}, s)
	for _, bad := range []string{"", "rs", "rs/", "/a", "a:1,b:1", "rs/a,", "rs/,a"} {
		_, ok := importer.ParseShard("s0", bad)
		assert.False(t, ok, bad)
	}
}

package abi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
)

const sharded = `{"topology":{"type":"Sharded","servers":[{"address":"m1","type":"Mongos"},{"address":"m2","type":"Mongos","roundTripTimeMS":0}]}}`

const shardedAnswer = `{"server":{"index":1,"address":"m2","type":"Mongos"},"candidates":["m1","m2"],"fresh":["m1","m2"],"suitable":["m1","m2"],"inLatencyWindow":["m2"]}`

// The length of an answer is positive, of an error document negative; where the
// buffer is too small nothing is written and the length is told all the same.
func TestCall(t *testing.T) {
	var c abi.Context
	out := make([]byte, 4096)
	n := c.Call("select", []byte(sharded), out)
	require.Equal(t, int32(len(shardedAnswer)), n)
	assert.Equal(t, shardedAnswer, string(out[:n]))
	assert.Equal(t, make([]byte, 10), out[n:n+10], "nothing behind it")

	const refused = `{"error":{"code":"invalidJSON","status":-10,"message":"the document is empty","path":""}}`
	n = c.Call("select", nil, out)
	require.Equal(t, -int32(len(refused)), n)
	assert.Equal(t, refused, string(out[:-n]))

	for _, size := range []int{0, 1, len(shardedAnswer) - 1} {
		small := make([]byte, size)
		assert.Equal(t, int32(len(shardedAnswer)), c.Call("select", []byte(sharded), small))
		assert.Equal(t, make([]byte, size), small, "nothing was written")
	}
	exact := make([]byte, len(shardedAnswer))
	assert.Equal(t, int32(len(shardedAnswer)), c.Call("select", []byte(sharded), exact))
	assert.Equal(t, shardedAnswer, string(exact))
	assert.Equal(t, -int32(len(refused)), c.Call("select", nil, nil))
}

// methodNames is the registry as a message lists it.
func methodNames() string {
	var names []string
	for _, m := range abi.Methods() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

func TestUnknownMethod(t *testing.T) {
	var c abi.Context
	for method, want := range map[string]string{
		"":                      `unknown method ""; it is one of ` + methodNames(),
		"Select":                `unknown method "Select"; did you mean "select"?`,
		"server.parse_helo":     `unknown method "server.parse_helo"; did you mean "server.parse_hello"?`,
		"select\x00":            `unknown method "select` + `\u0000"; did you mean "select"?`,
		strings.Repeat("x", 65): "a method name has at most 64 bytes",
		strings.Repeat("x", 64): `unknown method "` + strings.Repeat("x", 64) + `"; it is one of ` + methodNames(),
	} {
		answer, ok := c.Answer(method, []byte(`{}`))
		assert.False(t, ok)
		var e struct {
			Error struct {
				Code, Message, Path string
				Status              int
			}
		}
		require.NoError(t, json.Unmarshal(answer, &e))
		assert.Equal(t, "unknownMethod", e.Error.Code)
		assert.Equal(t, int(status.UnknownMethod), e.Error.Status)
		assert.Equal(t, want, e.Error.Message, method)
	}
}

// A Context may be used for anything after anything, errors too.
func TestContextIsReused(t *testing.T) {
	calls := []struct{ method, in string }{
		{"select", sharded},
		{"select", `{"topology":{"servers":[]},"readPreference":{"mode":"secondary","tags":[{"dc":"ny"}],"maxStalenessSeconds":90,"hedge":{}},"customSelector":{"keepOnly":["a"]},"deprioritized":["b"],"seed":7,"pick":"random","operation":"write","localThresholdMS":1,"heartbeatFrequencyMS":500,"wireVersions":{"min":1,"max":2}}`},
		{"select", `{"topology":{"servers":[{"address":"a","type":"RSPrimary"`},
		{"explain", sharded},
		{"select", `{"shards":{"x":{"servers":[]},"y":{"servers":[{"address":"a","type":"RSPrimary"}]}}}`},
		{"validate", `{"readPreference":{"mode":"primary","tags":[{"dc":"ny"}]}}`},
		{"validate", `{"uriOptions":"readPreference=nearest"}`},
		{"server.parse_hello", `{"address":"A","hello":{"ok":1,"setName":"rs","hosts":["b"],"tags":{"x":"y"}}}`},
		{"server.parse_hello", `{"address":"A","hello":{}}`},
		{"build_info", ``},
		{"methods", `{}`},
		{"none", ``},
	}
	var used abi.Context
	for range 3 {
		for i := range calls {
			call := calls[(i*5)%len(calls)]
			var fresh abi.Context
			want, wantOK := fresh.Answer(call.method, []byte(call.in))
			got, ok := used.Answer(call.method, []byte(call.in))
			assert.Equal(t, string(want), string(got))
			assert.Equal(t, wantOK, ok)
		}
	}
}

// Defaults come back after a request that set everything.
func TestRequestsAreIndependent(t *testing.T) {
	var c abi.Context
	servers := `"topology":{"type":"ReplicaSetWithPrimary","servers":[{"address":"a","type":"RSPrimary","roundTripTimeMS":1},{"address":"b","type":"RSSecondary","roundTripTimeMS":16,"tags":{"dc":"ny"}}]}`
	_, ok := c.Answer("select", []byte(`{`+servers+`,"readPreference":{"mode":"secondary","tags":[{"dc":"ny"}]},"deprioritized":["b"],"customSelector":{"keepOnly":["b"]},"localThresholdMS":0,"seed":"18446744073709551615","pick":"roundRobin","operation":"aggregateWithWriteStage"}`))
	require.True(t, ok)
	answer, ok := c.Answer("select", []byte(`{`+servers+`,"readPreference":{"mode":"nearest"}}`))
	require.True(t, ok)
	assert.Contains(t, string(answer), `"inLatencyWindow":["a","b"]}`)
}

// Each shard is answered on its own: its seed, and its errors under its path.
func TestShards(t *testing.T) {
	var c abi.Context
	topo := `{"type":"Sharded","servers":[{"address":"m0","type":"Mongos"},{"address":"m1","type":"Mongos"},{"address":"m2","type":"Mongos"},{"address":"m3","type":"Mongos"}]}`
	old := `{"type":"Sharded","servers":[{"address":"m","type":"Mongos"},{"address":"m2","type":"Mongos","maxWireVersion":1}]}`
	names := []string{"shardA", "shard B", "é", ""}
	doc := `{"seed":99,"shards":{"old one":` + old
	for _, n := range names {
		quoted, err := json.Marshal(n)
		require.NoError(t, err)
		doc += "," + string(quoted) + ":" + topo
	}
	answer, ok := c.Answer("select", []byte(doc+`}}`))
	require.True(t, ok, string(answer))
	var got struct {
		Shards map[string]struct {
			Server struct{ Index int }
			Error  struct{ Code, Path string }
		}
	}
	require.NoError(t, json.Unmarshal(answer, &got))
	require.Len(t, got.Shards, 5)
	assert.Equal(t, "incompatibleWireVersion", got.Shards["old one"].Error.Code)
	assert.Equal(t, `shards["old one"].servers[1].maxWireVersion`, got.Shards["old one"].Error.Path)
	for _, n := range names {
		rng := selection.SplitMix64(selection.ShardSeed(99, n))
		two := selection.NewTwo(4)
		i, _, ok := two.Of(rng.Next())
		require.True(t, ok)
		assert.Equal(t, int(i), got.Shards[n].Server.Index, "loads are equal, so the first drawn of shard %q", n)
	}
}

// The registry is the one list: of Go, of the method methods, and of the calls.
func TestMethods(t *testing.T) {
	var c abi.Context
	answer, ok := c.Answer("methods", nil)
	require.True(t, ok)
	var got struct{ Methods []abi.Method }
	require.NoError(t, json.Unmarshal(answer, &got))
	assert.Equal(t, abi.Methods(), got.Methods)
	for _, m := range got.Methods {
		answer, _ := c.Answer(m.Name, []byte(`[]`))
		assert.Contains(t, string(answer), `"code":"wrongType"`, m.Name)
		for _, schema := range []string{m.Request, m.Answer} {
			_, err := os.Stat("../../docs/schema/" + schema)
			assert.NoError(t, err)
		}
	}
}

func TestBuildInfo(t *testing.T) {
	version, err := os.ReadFile("../../VERSION")
	require.NoError(t, err)
	release := strings.TrimSpace(string(version))
	assert.Equal(t, release, abi.Release, "run go generate ./core/abi")
	var c abi.Context
	for _, in := range []string{"", "{}", " { } "} {
		answer, ok := c.Answer("build_info", []byte(in))
		assert.True(t, ok)
		assert.Equal(t, `{"name":"readpref","version":"`+release+`","abi":{"major":1,"minor":0}}`, string(answer))
	}
	for _, in := range []string{"null", `{"x":1}`, "{}{}", " "} {
		_, ok := c.Answer("build_info", []byte(in))
		assert.False(t, ok, in)
	}
	assert.Equal(t, uint32(0x00010000), abi.Version)
}

// Error documents fit into 4096 bytes, and are UTF-8, whatever the caller's
// names are.
func TestErrorDocumentsAreShort(t *testing.T) {
	var c abi.Context
	for _, unit := range []string{"x", `\u0001`, `\"`, `\\`, "é", "日本", "😀", `\u202e`} {
		for _, n := range []int{1, 63, 64, 65, 1000, 5000} {
			name := `"` + strings.Repeat(unit, n) + `"`
			short := `"x` + strings.Repeat(unit, min(n, 33)) + `"`
			nested := strings.Repeat(`{`+short+`:`, 60)
			for _, in := range []string{
				`{` + name + `:1}`,
				`{"topology":{"type":` + name + `,"servers":[]}}`,
				`{"topology":{"type":"Sharded","servers":[{"address":` + name + `,"type":"Mongos","maxWireVersion":1}]}}`,
				`{"topology":{"servers":[{"address":` + name + `,"type":"Mongos"},{"address":` + name + `,"type":"Mongos"}]}}`,
				`{"topology":{"servers":[{"address":"a","type":"Mongos","tags":{` + name + `:"a",` + name + `:1}}]}}`,
				`{"topology":{"servers":[{"address":"a","hello":` + nested + `x`,
				`{"topology":{"servers":[{"address":"a","hello":` + nested + `1` + strings.Repeat("}", 60) + `,"type":"Mongos"}]}}`,
				`{"shards":{` + name + `:{"servers":[{"address":"a","type":5}]}}}`,
				`{"topology":{"servers":[]},"seed":` + name + `}`,
				`{"topology":{"servers":[]},"readPreference":{"mode":` + name + `}}`,
				`{"topology":{"servers":[]},"localThresholdMS":-` + strings.Repeat("1", n) + `}`,
			} {
				answer, ok := c.Answer("select", []byte(in))
				if ok {
					continue // a nested hello is ignored but for its keys
				}
				requireErrorDocument(t, answer)
			}
		}
	}
}

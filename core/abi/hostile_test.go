package abi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/wire"
)

// What attackers found, so that it stays found.

// An object where a number should stand ends where it ends: what follows is
// read as what it is.
func TestValidateStaysInStep(t *testing.T) {
	var c abi.Context
	for in, want := range map[string]string{
		`{"readPreference":{"maxStalenessSeconds":{}}}`:                                        "wrongType readPreference.maxStalenessSeconds",
		`{"readPreference":{"mode":"nearest","maxStalenessSeconds":{"$numberInt":5}}}`:         "wrongType readPreference.maxStalenessSeconds.$numberInt",
		`{"readPreference":{"mode":"nearest","maxStalenessSeconds":{"a":1}}}`:                  "wrongType readPreference.maxStalenessSeconds",
		`{"readPreference":{"mode":"nearest","maxStalenessSeconds":{"$numberInt":"5","b":1}}}`: "unknownKey readPreference.maxStalenessSeconds.b",
	} {
		answer, ok := c.Answer("validate", []byte(in))
		require.True(t, ok, "%s: %s", in, answer)
		var v struct {
			Valid    bool
			Problems []struct{ Code, Path string }
		}
		require.NoError(t, json.Unmarshal(answer, &v))
		assert.False(t, v.Valid)
		require.NotEmpty(t, v.Problems, in)
		assert.Equal(t, want, v.Problems[0].Code+" "+v.Problems[0].Path, in)
	}
	for in, want := range map[string]string{
		`{"readPreference":{"maxStalenessSeconds":{}}}}`:                                   "invalidJSON",
		`{"readPreference":{"maxStalenessSeconds":{}},"uriOptions":"x=1"}}`:                "unknownKey",
		`{"readPreference":{"maxStalenessSeconds":{"a":1,"\u0061":2}}}`:                    "duplicateKey",
		`{"readPreference":{"maxStalenessSeconds":{"$numberLong":"1","$numberLong":"1"}}}`: "duplicateKey",
		`{"readPreference":{"maxStalenessSeconds":{"$numberLong":"1","b":1,"b":2}}}`:       "duplicateKey",
	} {
		answer, ok := c.Answer("validate", []byte(in))
		require.False(t, ok, "%s: %s", in, answer)
		assert.Contains(t, string(answer), `"code":"`+want+`"`, in)
	}
}

// Servers add fields, also inside the objects of their replies.
func TestRepliesMayHaveMoreKeys(t *testing.T) {
	var c abi.Context
	answer, ok := c.Answer("server.parse_hello", []byte(`{"address":"a","hello":{"ok":1,"lastWrite":{"new":1},
		"topologyVersion":{"processId":{"$oid":"7fffffff0000000000000001"},"counter":1,"new":2}}}`))
	require.True(t, ok, string(answer))
	answer, ok = c.Answer("server.parse_hello", []byte(`{"address":"a","hello":{"ok":1,"hosts":["a",""]}}`))
	require.False(t, ok)
	assert.Contains(t, string(answer), `"path":"hello.hosts[1]"`)
}

// An explanation repeats foreign tags shortened, and an answer has an end.
func TestExplanationsHaveAnEnd(t *testing.T) {
	long := strings.Repeat("k", 10_000)
	var c abi.Context
	request := func(servers int) []byte {
		var b strings.Builder
		b.WriteString(`{"topology":{"type":"ReplicaSetNoPrimary","servers":[`)
		for i := range servers {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"address":"h%d","type":"RSSecondary"}`, i)
		}
		b.WriteString(`]},"readPreference":{"mode":"nearest","tags":[`)
		for k := range 8 {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"%d%s":"%s"}`, k, long, long)
		}
		b.WriteString(`]}}`)
		return []byte(b.String())
	}
	answer, ok := c.Answer("explain", request(1))
	require.True(t, ok)
	assert.Less(t, len(answer), 30_000)
	answer, ok = c.Answer("explain", request(60_000))
	require.False(t, ok)
	assert.Equal(t, `{"error":{"code":"limitExceeded","status":-15,"message":"the answer would be larger than 128 MiB","path":""}}`, string(answer))
	assert.Less(t, len(answer), wire.MaxAnswerBytes)
}

// Foreign text is shown and not obeyed, in paths as in messages.
func TestErrorsArePlain(t *testing.T) {
	var c abi.Context
	answer, _ := c.Answer("select", []byte("{\"topology\":{\"servers\":[]},\"readPreference\":{\"\u202e\u009b31m\":1}}"))
	var e struct {
		Error struct{ Message, Path string }
	}
	require.NoError(t, json.Unmarshal(answer, &e))
	for _, r := range e.Error.Message + e.Error.Path {
		assert.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%q", r)
	}
}

// Lists of addresses are prepared once, not for every shard.
func TestManyShardsAndAddresses(t *testing.T) {
	var c abi.Context
	request := func(shards, addresses int) []byte {
		var b strings.Builder
		b.WriteString(`{"shards":{`)
		for i := range shards {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%d":{"servers":[{"address":"z","type":"Mongos"}]}`, i)
		}
		b.WriteString(`},"deprioritized":[`)
		for i := range addresses {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"h%d"`, i*7919%1_000_003)
		}
		b.WriteString(`]}`)
		return []byte(b.String())
	}
	// 4,096 shards with as many addresses: as pairs, sixteen million.
	answer, ok := c.Answer("select", request(4096, 100_000))
	require.True(t, ok)
	assert.Equal(t, 4096, strings.Count(string(answer), `"address":"z"`))
}

// What changes something does so once, with room for its answer, or not at all.
func TestSmallBuffersOfCalls(t *testing.T) {
	var c abi.Context
	open := []byte(`{"topology":{"type":"Sharded","servers":[{"address":"a","type":"Mongos"},{"address":"b","type":"Mongos"}]}}`)
	small, large := make([]byte, abi.MinBuffer-1), make([]byte, abi.MinBuffer)
	refused := func(method, in string) {
		n := c.Call(method, []byte(in), small)
		require.Negative(t, n, method)
		assert.Contains(t, string(small[:-n]), `"code":"buffer","status":-2`, method)
	}
	refused("topology.open", string(open))
	n := c.Call("topology.open", open, large)
	require.Equal(t, `{"topology":536870912}`, string(large[:n]), "the refused call took no handle")
	n = c.Call("readpref.open", []byte(`{"readPreference":{}}`), large)
	require.Equal(t, `{"readPreference":1073741825}`, string(large[:n]))
	both := `{"topology":536870912,"readPreference":1073741825`
	refused("topology.select", both+`,"checkout":true}`)
	n = c.Call("topology.select_batch", []byte(both+`,"count":1000,"checkout":true}`), large)
	require.Negative(t, n)
	assert.Contains(t, string(large[:-n]), "an answer buffer of 11010 bytes")
	answer, ok := c.Answer("topology.describe", []byte(`{"topology":536870912}`))
	require.True(t, ok)
	assert.NotContains(t, string(answer), "operationCount")
	refused("close", `{"handle":536870912}`)
	n = c.Call("close", []byte(`{"handle":536870912}`), large)
	assert.Equal(t, "{}", string(large[:n]))
}

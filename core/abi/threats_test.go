package abi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

// The threats of SECURITY.md, by its names.

// claim is a reply of a member that claims these hosts, as the request of
// topology.hello without the handle.
func claim(topology int64, address string, hosts []string) []byte {
	b, err := json.Marshal(map[string]any{"topology": topology, "address": address, "nowMS": 1, "roundTripTimeMS": 1, "hello": map[string]any{
		"ok": 1, "isWritablePrimary": true, "setName": "rs", "hosts": hosts, "maxWireVersion": 25}})
	if err != nil {
		panic(err)
	}
	return b
}

func manyHosts(first, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("h%d.example:27017", first+i)
	}
	return list
}

func openDiscovered(t *testing.T, c *abi.Context) int64 {
	answer, ok := c.Answer("topology.open", []byte(discovered))
	require.True(t, ok, "%s", answer)
	var opened struct{ Topology int64 }
	require.NoError(t, json.Unmarshal(answer, &opened))
	return opened.Topology
}

func codeOf(t *testing.T, answer []byte) string {
	var e struct{ Error struct{ Code string } }
	require.NoError(t, json.Unmarshal(answer, &e))
	return e.Error.Code
}

// A server that claims very many hosts gets them into the topology as Unknown
// servers, up to a limit; over it the reply is refused and nothing changes.
func TestServersThatClaimManyHosts(t *testing.T) {
	var c abi.Context
	topology := openDiscovered(t, &c)
	describe := func() string {
		answer, ok := c.Answer("topology.describe", fmt.Appendf(nil, `{"topology":%d}`, topology))
		require.True(t, ok)
		return string(answer)
	}
	hosts := append([]string{"a.example:27017"}, manyHosts(0, 10_000)...)
	answer, ok := c.Answer("topology.hello", claim(topology, "a.example:27017", hosts))
	require.True(t, ok, "%.300s", answer)
	before := describe()
	assert.Equal(t, 10_001, strings.Count(before, `"address":`)-strings.Count(before, `"pools"`)*strings.Count(before[strings.Index(before, `"pools"`):], `"address":`))

	answer, ok = c.Answer("topology.hello", claim(topology, "a.example:27017", append(hosts, manyHosts(10_000, 65_536)...)))
	require.False(t, ok)
	assert.Equal(t, "limitExceeded", codeOf(t, answer))
	assert.Equal(t, before, describe())
}

// New names with every reply fill no memory for ever: a topology sees 2^20
// addresses in its life, and then takes no new one.
func TestServersThatAlwaysClaimOthers(t *testing.T) {
	var c abi.Context
	topology := openDiscovered(t, &c)
	refused := ""
	for i := 0; i < 20 && refused == ""; i++ {
		hosts := append([]string{"a.example:27017"}, manyHosts(i*60_000, 60_000)...)
		answer, ok := c.Answer("topology.hello", claim(topology, "a.example:27017", hosts))
		if !ok {
			refused = codeOf(t, answer)
			assert.Equal(t, 17, i, "2^20 / 60,000 replies fit")
		}
	}
	assert.Equal(t, "limitExceeded", refused)
}

// Tags are bounded in number, and a long one is shortened where it is repeated.
func TestServersWithGiantTags(t *testing.T) {
	var c abi.Context
	tags := map[string]string{}
	for i := range 101 {
		tags[fmt.Sprint("t", i)] = "x"
	}
	reply := func(tags map[string]string) []byte {
		b, err := json.Marshal(map[string]any{"address": "a.example", "hello": map[string]any{"ok": 1, "secondary": true, "setName": "rs", "tags": tags}})
		require.NoError(t, err)
		return b
	}
	answer, ok := c.Answer("server.parse_hello", reply(tags))
	require.False(t, ok)
	assert.Equal(t, "limitExceeded", codeOf(t, answer))

	long := strings.Repeat("n", 1<<20)
	request, err := json.Marshal(map[string]any{"readPreference": map[string]any{"mode": "secondary", "tags": []any{map[string]string{"dc": "ny"}}},
		"topology": map[string]any{"servers": []any{map[string]any{"address": "a.example", "type": "RSSecondary", "tags": map[string]string{"dc": long}}}}})
	require.NoError(t, err)
	answer, ok = c.Answer("explain", request)
	require.True(t, ok)
	assert.Less(t, len(answer), 1<<13, "an explanation does not repeat a megabyte")
}

// Depth is bounded before anything is read into.
func TestServersWithDeepReplies(t *testing.T) {
	var c abi.Context
	deep := strings.Repeat(`{"x":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	answer, ok := c.Answer("server.parse_hello", []byte(`{"address":"a.example","hello":{"ok":1,"extra":`+deep+`}}`))
	require.False(t, ok)
	assert.Equal(t, "nestingTooDeep", codeOf(t, answer))
}

// What a terminal would obey is shown as text.
func TestServersWithEscapeSequences(t *testing.T) {
	var c abi.Context
	evil := "\x1b]0;owned\x07\x1b[2J\r\n\u202e\u2028"
	request, err := json.Marshal(map[string]any{"readPreference": map[string]any{"mode": "secondary", "tags": []any{map[string]string{"dc": "ny"}}},
		"topology": map[string]any{"servers": []any{map[string]any{"address": "a.example" + evil, "type": "RSSecondary", "tags": map[string]string{"dc": evil}},
			map[string]any{"address": "b.example", "type": "Unknown", "error": evil}}}})
	require.NoError(t, err)
	answer, ok := c.Answer("explain", request)
	require.True(t, ok)
	var explained struct{ Text string }
	require.NoError(t, json.Unmarshal(answer, &explained))
	assert.Contains(t, explained.Text, `\u001b]0;owned`)
	for _, forbidden := range []string{"\x1b", "\x07", "\r", "\u202e", "\u2028"} {
		assert.NotContains(t, explained.Text, forbidden)
	}
}

// Connection strings made to be slow are read in one pass or refused, and what an
// error repeats of them is short.
func TestHostileConnectionStrings(t *testing.T) {
	var c abi.Context
	const n = 1 << 20
	for name, uri := range map[string]string{
		"at signs": "mongodb://" + strings.Repeat("@", n), "percents": "mongodb://a/?" + strings.Repeat("%", n), "ampersands": "mongodb://a/?" + strings.Repeat("&", n),
		"hosts": "mongodb://" + strings.Repeat("a,", n/2), "brackets": "mongodb://" + strings.Repeat("[", n), "colons": "mongodb://" + strings.Repeat(":", n),
		"tags": "mongodb://a/?readPreference=nearest" + strings.Repeat("&readPreferenceTags=a:b", n/24), "options": "mongodb://a/?" + strings.Repeat("x=1&", n/4),
		"nulls": "mongodb://a\x00b/" + strings.Repeat("\x00", 10), "slashes": "mongodb://a" + strings.Repeat("/", n),
	} {
		in, err := json.Marshal(map[string]string{"uri": uri})
		require.NoError(t, err)
		answer, ok := c.Answer("parse_uri", in)
		require.True(t, json.Valid(answer), name)
		if !ok {
			requireErrorDocument(t, answer)
		}
		assert.Less(t, len(answer), 1<<17, name)
	}
}

package docs_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// handleRulings are hand-written, from the chapter on handles. No handle that
// they name is open: that is no fault of the document.
func handleRulings() []ruling {
	var list []ruling
	add := func(method string, valid bool, documents ...string) {
		for _, d := range documents {
			list = append(list, ruling{method, d, valid})
		}
	}
	add("topology.open", true,
		`{"topology":{"servers":[]}}`,
		`{"topology":{"servers":[]},"localThresholdMS":null,"heartbeatFrequencyMS":null,"wireVersions":null,"pick":null,"seed":null}`,
		`{"topology":{"servers":[{"address":"a","type":"Mongos","operationCount":3}]},"localThresholdMS":{"$numberDouble":"0.5"},"heartbeatFrequencyMS":500,"wireVersions":{"min":0,"max":1},"pick":"random","seed":"18446744073709551615"}`,
		`{"topology":{"servers":[{"address":"a","hello":{},"operationCount":{"$numberLong":"3"}}]},"seed":{"$numberLong":"1"}}`,
	)
	add("topology.open", false,
		`[]`, `{}`, `null`, `{"topology":null}`, `{"topology":5}`, `{"topology":{}}`, `{"topology":[]}`,
		`{"topology":{"servers":[]},"readPreference":{}}`, `{"topology":{"servers":[]},"operation":"read"}`, `{"topology":{"servers":[]},"operation":null}`,
		`{"topology":{"servers":[]},"deprioritized":[]}`, `{"topology":{"servers":[]},"customSelector":{"keepOnly":[]}}`, `{"shards":{}}`, `{"topology":{"servers":[]},"shards":null}`,
		`{"topology":{"servers":[]},"handle":1}`, `{"topology":{"servers":[]},"heartbeatFrequencyMS":499}`, `{"topology":{"servers":[]},"localThresholdMS":-1}`,
		`{"topology":{"servers":[]},"pick":"first"}`, `{"topology":{"servers":[]},"seed":-1}`, `{"topology":{"servers":[]},"wireVersions":{"min":1}}`,
		`{"topology":{"servers":[{"address":"a","type":"Mongos","operationCount":-1}]}}`,
	)
	add("topology.update", true,
		`{"handle":536870912,"topology":{"servers":[]}}`, `{"topology":{"servers":[]},"handle":{"$numberInt":"2147483647"}}`, `{"handle":0,"topology":{"servers":[],"type":"Single"}}`,
	)
	add("topology.update", false,
		`{}`, `{"handle":1}`, `{"topology":{"servers":[]}}`, `{"handle":null,"topology":{"servers":[]}}`, `{"handle":1,"topology":null}`, `{"handle":1,"topology":2}`,
		`{"handle":-1,"topology":{"servers":[]}}`, `{"handle":2147483648,"topology":{"servers":[]}}`, `{"handle":"1","topology":{"servers":[]}}`, `{"handle":1.5,"topology":{"servers":[]}}`,
		`{"handle":1,"topology":{"servers":[]},"seed":1}`, `{"handle":1,"topology":{"servers":[]},"pick":null}`,
	)
	for _, method := range []string{"topology.describe", "topology.generation"} {
		add(method, true, `{"topology":0}`, `{"topology":2147483647}`, `{"topology":{"$numberLong":"536870912"}}`)
		add(method, false, `{}`, `[]`, `{"topology":null}`, `{"topology":-1}`, `{"topology":2147483648}`, `{"topology":"536870912"}`, `{"topology":{"servers":[]}}`,
			`{"handle":1}`, `{"topology":1,"id":0}`, `{"topology":1,"id":null}`)
	}
	const both = `{"topology":1,"readPreference":2`
	for _, method := range []string{"topology.select", "topology.explain"} {
		add(method, true, both+`}`, both+`,"operation":null,"deprioritized":null,"customSelector":null}`,
			both+`,"operation":"write","deprioritized":["a",""],"customSelector":{"keepOnly":[]}}`)
		add(method, false, `{}`, `{"topology":1}`, `{"readPreference":2}`, `{"topology":null,"readPreference":2}`, `{"topology":1,"readPreference":null}`,
			`{"topology":1,"readPreference":{"mode":"nearest"}}`, both+`,"operation":"Read"}`, both+`,"deprioritized":"a"}`, both+`,"customSelector":{}}`,
			both+`,"customSelector":{"keepOnly":null}}`, both+`,"count":1}`, both+`,"count":null}`, both+`,"seed":1}`, both+`,"pick":"random"}`, both+`,"id":0}`)
	}
	add("topology.select", true, both+`,"checkout":true}`, both+`,"checkout":false}`, both+`,"checkout":null}`)
	add("topology.select", false, both+`,"checkout":1}`, both+`,"checkout":"true"}`)
	add("topology.explain", false, both+`,"checkout":true}`, both+`,"checkout":null}`)
	add("topology.select_batch", true, both+`,"count":1}`, both+`,"count":1048576}`, both+`,"count":{"$numberInt":"7"},"operation":"aggregateWithWriteStage","checkout":true}`)
	add("topology.select_batch", false, both+`}`, both+`,"count":null}`, both+`,"count":0}`, both+`,"count":-1}`, both+`,"count":1048577}`, both+`,"count":{"$numberInt":"0"}}`,
		both+`,"count":{"$numberLong":"-5"}}`, both+`,"count":1.5}`, both+`,"count":"1"}`, both+`,"count":1,"deprioritized":[]}`, both+`,"count":1,"customSelector":null}`)
	for _, method := range []string{"topology.address", "topology.release"} {
		add(method, true, `{"topology":1,"id":0}`, `{"id":{"$numberLong":"2147483647"},"topology":1}`, `{"topology":1,"id":1048576}`)
		add(method, false, `{}`, `{"topology":1}`, `{"id":0}`, `{"topology":1,"id":null}`, `{"topology":1,"id":-1}`, `{"topology":1,"id":2147483648}`, `{"topology":1,"id":"0"}`,
			`{"topology":1,"id":0,"address":"a"}`, `{"topology":1,"id":0,"count":1}`)
	}
	add("close", true, `{"handle":0}`, `{"handle":2147483647}`, `{"handle":{"$numberInt":"5"}}`)
	add("close", false, `{}`, `5`, `{"handle":null}`, `{"handle":-1}`, `{"handle":2147483648}`, `{"handle":"5"}`, `{"handle":true}`, `{"topology":5}`, `{"handle":5,"topology":5}`,
		`{"handle":5,"topology":null}`, `{"handle":{"$numberInt":"-1"}}`)
	return list
}

// TestHandlesBeyondSchemas is TestBeyondSchemas for what only handles have.
func TestHandlesBeyondSchemas(t *testing.T) {
	s := schemasOf(t)
	var c abi.Context
	for _, b := range []struct{ method, document, code, path string }{
		{"close", `{"handle":5.0}`, "wrongType", "handle"},
		{"close", `{"handle":{"$numberLong":"2147483648"}}`, "outOfRange", "handle.$numberLong"},
		{"topology.address", `{"topology":1,"id":1e2}`, "wrongType", "id"},
		{"topology.select_batch", `{"topology":1,"readPreference":2,"count":3.0}`, "wrongType", "count"},
		{"topology.select_batch", `{"topology":1,"readPreference":2,"count":{"$numberLong":"1048577"}}`, "outOfRange", "count.$numberLong"},
	} {
		got := ask(t, &c, b.method, b.document)
		assert.Equal(t, b.code, got.Code, b.document)
		assert.Equal(t, b.path, got.Path, b.document)
		m, _ := methodOf(t, b.method)
		assert.NoError(t, s.validate(m.Request, []byte(b.document)), "%s: a schema can say it; move it to the rulings", b.document)
	}
}

// limitRow returns the number in a row of the page's table of limits.
func limitRow(t *testing.T, what string) int {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(what) + ` \| ([0-9,]+)`).FindStringSubmatch(pageText(t))
	require.NotNil(t, m, "the table of limits has no row %q", what)
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	require.NoError(t, err)
	return n
}

// errorCode returns the code of an error document.
func errorCode(t *testing.T, answer []byte) string {
	t.Helper()
	var e struct{ Error struct{ Code string } }
	require.NoError(t, json.Unmarshal(answer, &e))
	assert.NoError(t, schemasOf(t).validate("error.json", answer))
	return e.Error.Code
}

// opened runs a method that answers with one number, and returns it.
func opened(t *testing.T, c *abi.Context, method, document string) int64 {
	t.Helper()
	answer, ok := c.Answer(method, []byte(document))
	require.True(t, ok, "%s", answer)
	var numbers map[string]int64
	require.NoError(t, json.Unmarshal(answer, &numbers))
	require.Len(t, numbers, 1)
	for _, n := range numbers {
		return n
	}
	return 0
}

// TestLimitOfOpenHandles opens as many as the page allows, one more, and one in
// place of one that was closed.
func TestLimitOfOpenHandles(t *testing.T) {
	var c abi.Context
	const topology, preference = `{"topology":{"servers":[]}}`, `{"readPreference":{}}`
	numbers := map[int64]bool{}
	var last int64
	limit := limitRow(t, "open handles, of both kinds together")
	for i := range limit {
		if i%2 == 0 {
			last = opened(t, &c, "topology.open", topology)
		} else {
			last = opened(t, &c, "readpref.open", preference)
		}
		numbers[last] = true
	}
	assert.Len(t, numbers, limit, "two handles have one number")
	for method, document := range map[string]string{"topology.open": topology, "readpref.open": preference} {
		answer, ok := c.Answer(method, []byte(document))
		require.False(t, ok)
		assert.Equal(t, "limitExceeded", errorCode(t, answer))
	}
	_, ok := c.Answer("close", fmt.Appendf(nil, `{"handle":%d}`, last))
	require.True(t, ok)
	again := opened(t, &c, "topology.open", topology)
	assert.NotContains(t, numbers, again, "the number of a closed handle was given out again")
	assert.Positive(t, again)
	assert.Less(t, again, int64(1)<<31)
}

// TestLimitOfAddresses shows one topology as many addresses as the page allows,
// and one more.
func TestLimitOfAddresses(t *testing.T) {
	var c abi.Context
	handle := opened(t, &c, "topology.open", `{"topology":{"servers":[]}}`)
	limit, at := limitRow(t, "addresses that one topology handle has seen in its life"), limitRow(t, "servers in a topology")
	update := func(from, to int) ([]byte, bool) {
		b := fmt.Appendf(nil, `{"handle":%d,"topology":{"type":"Sharded","servers":[`, handle)
		for i := from; i < to; i++ {
			if i > from {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, `{"address":"m%d:1","type":"Mongos"}`, i)
		}
		return c.Answer("topology.update", append(b, "]}}"...))
	}
	for from := 0; from < limit; from += at {
		answer, ok := update(from, min(from+at, limit))
		require.True(t, ok, "%s", answer)
	}
	generation := opened(t, &c, "topology.generation", fmt.Sprintf(`{"topology":%d}`, handle))
	answer, ok := update(limit, limit+1)
	require.False(t, ok)
	assert.Equal(t, "limitExceeded", errorCode(t, answer))
	assert.Equal(t, generation, opened(t, &c, "topology.generation", fmt.Sprintf(`{"topology":%d}`, handle)))
	answer, ok = c.Answer("topology.address", fmt.Appendf(nil, `{"topology":%d,"id":%d}`, handle, limit-1))
	require.True(t, ok)
	assert.Equal(t, fmt.Sprintf(`{"address":"m%d:1"}`, limit-1), string(answer))
	answer, ok = c.Answer("topology.address", fmt.Appendf(nil, `{"topology":%d,"id":%d}`, handle, limit))
	require.False(t, ok)
	assert.Equal(t, "argument", errorCode(t, answer))
	// The known addresses may still come and go.
	answer, ok = update(5, 7)
	require.True(t, ok, "%s", answer)
}

// TestLimitOfBatches picks as many servers at once as the page allows, and one
// more.
func TestLimitOfBatches(t *testing.T) {
	var c abi.Context
	topology := opened(t, &c, "topology.open", `{"topology":{"type":"LoadBalanced","servers":[{"address":"lb","type":"LoadBalancer"}]}}`)
	preference := opened(t, &c, "readpref.open", `{"readPreference":{}}`)
	limit := limitRow(t, "picks of one `topology.select_batch`")
	batch := func(n int) ([]byte, bool) {
		return c.Answer("topology.select_batch", fmt.Appendf(nil, `{"topology":%d,"readPreference":%d,"count":%d,"checkout":true}`, topology, preference, n))
	}
	answer, ok := batch(limit + 1)
	require.False(t, ok)
	assert.Equal(t, "outOfRange", errorCode(t, answer))
	answer, ok = batch(limit)
	require.True(t, ok)
	assert.Equal(t, `{"ids":[0`+strings.Repeat(",0", limit-1)+`]}`, string(answer))
	assert.Equal(t, int64(limit-1), opened(t, &c, "topology.release", fmt.Sprintf(`{"topology":%d,"id":0}`, topology)), "the refused batch counted")
}

// TestBatchesFitTheirRoom holds the page's promise of 12 bytes a pick.
func TestBatchesFitTheirRoom(t *testing.T) {
	for _, count := range []int{1, 2, 1000, 1 << 20} {
		ids := strings.Repeat(",1048575", count)[1:]
		assert.LessOrEqual(t, len(`{"ids":[`+ids+`]}`), max(4096, 12*count))
	}
}

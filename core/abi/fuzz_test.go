package abi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/status"
)

// requireErrorDocument requires what every error document is.
func requireErrorDocument(t require.TestingT, answer []byte) {
	require.Less(t, len(answer), 4096, "%.300s", answer)
	require.True(t, utf8.Valid(answer), "%q", answer)
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	var doc struct {
		Error *struct {
			Code           string
			Status         int32
			Message        *string
			Path           *string
			MinimumSeconds *int64
		}
	}
	require.NoError(t, d.Decode(&doc), "%s", answer)
	require.False(t, d.More())
	e := doc.Error
	require.True(t, e != nil && e.Message != nil && e.Path != nil, "%s", answer)
	require.NotEmpty(t, *e.Message)
	code, ok := status.Parse(e.Code)
	require.True(t, ok, e.Code)
	require.Equal(t, int32(code), e.Status)
	require.NotEqual(t, status.Internal, code, "%s", answer)
	require.Equal(t, code == status.MaxStalenessTooSmall, e.MinimumSeconds != nil)
}

// Whatever the method and the bytes: no panic, an answer that is JSON in UTF-8,
// the same answer again, and the document untouched.
func FuzzCall(f *testing.F) {
	for _, in := range fuzzSeeds {
		f.Add(in.method, []byte(in.document))
	}
	f.Fuzz(func(t *testing.T, method string, document []byte) {
		in := bytes.Clone(document)
		var c, other abi.Context
		answer, ok := c.Answer(method, in)
		first := bytes.Clone(answer)
		require.Equal(t, document, in, "the document was changed")
		require.True(t, json.Valid(first), "%q", first)
		require.True(t, utf8.Valid(first), "%q", first)
		if ok {
			require.Equal(t, byte('{'), first[0])
		} else {
			requireErrorDocument(t, first)
		}
		again, okAgain := c.Answer(method, in)
		require.Equal(t, ok, okAgain)
		require.Equal(t, string(first), string(again), "another answer the second time")

		// A Context that has done other things answers the same, through Call too.
		out := make([]byte, len(first))
		_, _ = other.Answer("select", []byte(sharded))
		n := other.Call(method, in, out)
		require.Equal(t, string(first), string(out))
		require.Equal(t, ok, n > 0)
		if explained, done := c.Answer("explain", in); method == "select" && done == ok && ok {
			requireExplainBeginsWith(t, first, explained)
		}
	})
}

// requireExplainBeginsWith requires that explain answers what select does, and
// more.
func requireExplainBeginsWith(t require.TestingT, selected, explained []byte) {
	var a, b map[string]any
	require.NoError(t, json.Unmarshal(selected, &a))
	require.NoError(t, json.Unmarshal(explained, &b))
	requirePart(t, a, b)
}

func requirePart(t require.TestingT, part, whole map[string]any) {
	for k, v := range part {
		inner, isObject := v.(map[string]any)
		other, both := whole[k].(map[string]any)
		if isObject && both {
			requirePart(t, inner, other)
			continue
		}
		require.True(t, assert.ObjectsAreEqual(v, whole[k]), "%s: %v and %v", k, v, whole[k])
	}
}

var fuzzSeeds = func() []struct{ method, document string } {
	type seed = struct{ method, document string }
	const everything = `{"topology":{"type":"ReplicaSetWithPrimary","setName":"rs0","servers":[{"address":"a.example:27017","type":"RSPrimary","roundTripTimeMS":2.4,"tags":{"dc":"ny"},"lastWriteDate":1793000000000,"lastUpdateTimeMS":1793000000950,"minWireVersion":0,"maxWireVersion":25,"operationCount":3},{"address":"b","type":"RSSecondary","roundTripTimeMS":{"$numberDouble":"5.0"},"tags":{"d\u0063":"n\ny"},"lastWriteDate":{"$date":"2026-10-26T07:33:18Z"},"lastUpdateTimeMS":{"$numberLong":"1793000000950"},"topologyVersion":{"processId":{"$oid":"6734a1f0c2b9e5d4a8f01234"},"counter":{"$numberLong":"6"}}},{"address":"::1","type":"Unknown","error":"refused\u202e"}],"maxElectionId":{"$oid":"7fffffff0000000000000019"},"maxSetVersion":3,"logicalSessionTimeoutMinutes":30},"readPreference":{"mode":"secondaryPreferred","tags":[{"dc":"ny"},{}],"maxStalenessSeconds":120,"hedge":{"enabled":false}},"operation":"aggregateWithWriteStage","deprioritized":["B:27017"],"customSelector":{"keepOnly":["a.example"]},"localThresholdMS":15.5,"heartbeatFrequencyMS":10000,"wireVersions":{"min":8,"max":29},"pick":"random","seed":"18446744073709551615"}`
	const hello = `{"ok":1.0,"setName":"rs","isWritablePrimary":true,"hosts":["A","[::1]:27018"],"lastWrite":{"opTime":{"ts":{"$timestamp":{"t":1,"i":2}}},"lastWriteDate":{"$date":{"$numberLong":"1793000000000"}}},"tags":{"x":"y"},"electionId":{"$oid":"7fffffff0000000000000019"},"other":[1,{"a":null}]}`
	seeds := []seed{
		{"select", everything}, {"explain", everything},
		{"select", sharded}, {"explain", sharded},
		{"select", `{"topology":{"servers":[]}}`},
		{"select", `{"shards":{"a":{"servers":[{"address":"x","type":"RSPrimary"}]},"b\\":{"servers":[]}},"seed":9007199254740991}`},
		{"explain", `{"topology":{"servers":[{"address":"a","hello":` + hello + `,"nowMS":1},{"address":"b","hello":{},"error":"down"}]},"readPreference":{"mode":"nearest","maxStalenessSeconds":{"$numberInt":"90"}}}`},
		{"select", `{"topology":{"type":"LoadBalanced","servers":[{"address":"lb","type":"LoadBalancer"}]},"pick":"roundRobin"}`},
		{"validate", `{"readPreference":{"mode":"primary","tags":[{"a":1},{"b":"c"}],"maxStalenessSeconds":-2,"hedge":{"enabled":1}}}`},
		{"validate", `{"uriOptions":"readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&maxStalenessSeconds=120&x"}`},
		{"validate", `{"mongosh":["secondary",[{"region":"us-east"},{}],{"enabled":true},4]}`},
		{"server.parse_hello", `{"address":"A","hello":` + hello + `,"roundTripTimeMS":0.0000005,"nowMS":-5}`},
		{"parse_uri", `{"uri":"mongodb://u%40:p@A.example,[::1]:27018,%2Ftmp%2Fm.sock/app?readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=&replicaSet=rs0&w=2&compressors=zstd&authMechanismProperties=A:b&wtimeout=1&foo=1&tls=yes"}`},
		{"parse_uri", `{"uri":"mongodb+srv://c.example.com/?srvMaxHosts=2"}`}, {"parse_uri", `{"uri":"mongodb://a@b@c"}`},
		{"command", `{"topology":{"type":"Single","servers":[{"address":"A","type":"RSSecondary","maxWireVersion":12}]},"server":"a:27017","readPreference":{"mode":"secondaryPreferred","hedge":{}},"operation":"aggregateWithWriteStage","opcode":"OP_QUERY"}`},
		{"srv", `{"uri":"mongodb+srv://c.example.com/?srvMaxHosts=1","srv":[{"target":"A.example.com.","port":27017,"ttlSeconds":90},{"target":"b.example.com","port":1}],"txt":[["replicaSe","t=rs0"]],"seed":42}`},
		{"srv", `{"uri":"mongodb+srv://c.example.com","srv":[{"target":"a.example.com","port":27017},{"target":"x","port":1}],"current":["B"],"heartbeatFrequencyMS":500}`},
		{"to_uri", `{"readPreference":{"mode":"nearest","tags":[{"a&b":"%:é","c":""},{}],"maxStalenessSeconds":90}}`}, {"to_uri", `{"readPreference":{"mode":"nearest","tags":[{"a":","}]}}`},
		{"rtt", `{"samplesMS":[10,null,{"$numberDouble":"2.5"},9223372036854.775807],"roundTripTimeMS":9223372036854.775807}`},
		{"effective_preference", `{"command":{"aggregate":"c","pipeline":[{"$match":{}},{"$merge":{"into":"x"}}]},"clientReadPreference":{"mode":"nearest","hedge":{}},"transaction":null}`},
		{"effective_preference", `{"command":"find","collectionReadPreference":{"mode":"secondary"},"sessionReadPreference":{"mode":"nearest"},"transaction":{"readPreference":null,"pinned":true}}`},
		{"readable", everything}, {"readable", `{"topology":{"servers":[{"address":"a","type":"RSSecondary"}]},"readPreference":{"mode":"secondary"}}`},
		{"writable", `{"topology":{"servers":[{"address":"a","type":"RSPrimary"}]}}`},
		{"simulate", `{"topology":{"servers":[{"address":"a|b","type":"RSPrimary","roundTripTimeMS":9223372036854.775807,"operationCount":9223372036854775807},{"address":"b","type":"RSSecondary","operationCount":9223372036854775807}]},"workloads":[{"name":"x\n","readPreference":{"mode":"nearest","hedge":{}},"weight":1000000},{"operation":"write"},{"operation":"aggregateWithWriteStage","readPreference":{"mode":"secondary","maxStalenessSeconds":1}}],"picks":100,"clients":3,"serviceTimesMS":{"B:27017":60000},"seed":"7","format":"markdown"}`},
		{"simulate", `{"topology":{"servers":[{"address":"a","type":"RSPrimary"}]},"workloads":[{}],"picks":1,"state":"1 2 3 4 5 6"}`},
		{"simulate", `{"topology":{"servers":[{"address":"a","type":"Mongos"},{"address":"b","type":"Mongos","operationCount":1}]},"workloads":[{},{"weight":2}],"pick":"random"}`},
		{"what_if", `{"topology":{"servers":[{"address":"a","type":"RSPrimary","lastWriteDate":-9223372036854775808,"tags":{"dc":"ny"}},{"address":"b","type":"RSSecondary","lastWriteDate":9223372036854775807,"passives":["B"]},{"address":"c","type":"RSArbiter"}]},"workloads":[{"readPreference":{"mode":"secondaryPreferred"}},{"operation":"write"}],"events":[{"type":"memberLags","address":"b","lagSeconds":999999999},{"type":"zoneDown","tags":{"dc":"ny"}},{"type":"memberAdded","server":{"address":"d","hello":{"ok":1,"setName":"x","secondary":true}}},{"type":"tagsChanged","address":"a","tags":{"x":"\u0000|"}}],"atOnce":3,"everySingle":true,"everyPair":true,"format":"markdown"}`},
		{"what_if", `{"topology":{"servers":[{"address":"a","type":"RSPrimary"}]},"workloads":[{}],"events":[{"type":"networkSplit","tags":{"dc":"ny"}},{"type":"zoneSlower","tags":{},"roundTripTimeMS":9223372036854.775807},{"type":"primarySteppedDown"}]}`},
		{"diff", `{"topology":{"servers":[{"address":"a","type":"RSPrimary","roundTripTimeMS":1},{"address":"b","type":"RSSecondary","operationCount":9223372036854775807,"tags":{"x":"\u0000|"}}]},"workloads":[{"readPreference":{"mode":"nearest"}},{"operation":"write","weight":1000000}],"after":{"topology":{"servers":[{"address":"B:27017","hello":{"ok":1,"setName":"x","secondary":true}},{"address":"c","type":"RSPrimary"}]},"workloads":[{"readPreference":{"mode":"secondary","tags":[{"x":"y"}],"maxStalenessSeconds":120}},{}],"localThresholdMS":0,"heartbeatFrequencyMS":500,"wireVersions":{"min":0,"max":0},"pick":"random"},"format":"markdown"}`},
		{"import", `{"documents":[{"set":"r","date":{"$date":"2026-10-26T07:33:21Z"},"members":[{"name":"a","state":1,"self":true,"pingMs":{"$numberLong":"3"}},{"name":"b","stateStr":"SECONDARY","health":{"$numberDouble":"0.0"}}]},{"config":{"_id":"r","members":[{"host":"b","hidden":true,"slaveDelay":5,"tags":{"x":"\u0000"}}]}},{"map":{"config":"c/d","s":"t/e,f"}},{"address":"e","hello":{"ok":1,"setName":"t","secondary":true,"hosts":["E","g"]}}]}`},
		{"import", `{"documents":["x newDescription\": \"<TopologyDescription topology_type: Single, servers: [<ServerDescription ('::1', 2) server_type: RSPrimary, rtt: 1e-5>]>","newDescription: 'Type: Sharded, Servers: [{ Addr: a, Type: Mongos, Tag sets: x=y,z, Average RTT: 9 }, ]'",{"newDescription":"{\"type\":\"Sharded\",\"servers\":{\"a\":{\"type\":\"Mongos\",\"hello\":{},\"roundTripTime\":-1,\"lastUpdateTime\":1"}]}`},
		{"import", `{"documents":[{"name":"c","replicationSpecs":[{"numShards":2,"regionConfigs":[{"providerName":"p","regionName":"r","priority":7,"electableSpecs":{"nodeCount":2},"analyticsSpecs":{"nodeCount":50}}]}]},{"shards":[{"_id":"s","host":"t/e,f"}]},{"ismaster":true,"localTime":0,"msg":"isdbgrid","ok":1}]}`},
		{"advise", `{"topology":{"servers":[{"address":"a","type":"RSPrimary","tags":{"DC":"ny","x\u0000":"|"},"roundTripTimeMS":1},{"address":"b","type":"RSSecondary","tags":{"DC":"sf"},"roundTripTimeMS":9223372036854.775807}]},"workloads":[{"readPreference":{"mode":"nearest","tags":[{"dc":"x"},{"DC":"ny","nodeType":"ANALYTICS"},{}],"maxStalenessSeconds":1,"hedge":{}},"writesBack":true,"transaction":true},{"operation":"write","readPreference":{"mode":"secondary","maxStalenessSeconds":9223372036854775807}},{"readPreference":{"mode":"primaryPreferred","tags":[{"DC":"la"}]}}],"localThresholdMS":9223372036854.775807,"directConnection":true,"flowControl":false,"format":"markdown"}`},
		{"build_info", ``}, {"methods", `{}`}, {"", ""}, {"selec", "{}"},
		{"select", `{"topology":{"servers":[{"address":"a","type":"Mongos","roundTripTimeMS":9223372036854.775807}]},"localThresholdMS":9223372036854.775807}`},
		{"select", `{"topology":{"servers":[{"address":"a","type":"RSSecondary","lastWriteDate":-9223372036854775808},{"address":"b","type":"RSSecondary","lastWriteDate":9223372036854775807}]},"readPreference":{"mode":"secondary","maxStalenessSeconds":9223372036854775807},"heartbeatFrequencyMS":9223372036854775807}`},
		{"select", "{\"a\":\"\xff\"}"}, {"select", `{"a":"\ud800"}`}, {"select", `[[[[`}, {"select", `{"topology":{"servers":[{"address":"a"`},
	}
	for _, s := range seeds[:2] { // each with one byte less, and cut
		seeds = append(seeds, seed{s.method, s.document[:len(s.document)/2]}, seed{s.method, strings.Replace(s.document, ":", "", 5)})
	}
	seeds = append(seeds, seed{"validate", fmt.Sprintf(`{"readPreference":%s%s}`, strings.Repeat("[", 70), strings.Repeat("]", 70))})
	return seeds
}()

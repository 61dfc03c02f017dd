package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/readpref/readpref/core/abi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusal is why the engine does not accept a document; its zero value is that
// it does.
type refusal struct{ Code, Path, Message string }

// ask returns the engine's refusal of a document.
func ask(t testing.TB, c *abi.Context, method, document string) refusal {
	t.Helper()
	answer, ok := c.Answer(method, []byte(document))
	return refusalOf(t, c, method, document, answer, ok)
}

// refusalOf returns the refusal of a document that an answer is. A selection
// that fails, a handle that is not open and an id that no server has say nothing
// about the document: it was accepted. Nor does an error of readpref.open that
// validate lists as a problem, nor one of what a connection string says or cannot
// say.
func refusalOf(t testing.TB, c *abi.Context, method, document string, answer []byte, ok bool) refusal {
	t.Helper()
	if ok {
		return refusal{}
	}
	var e struct{ Error refusal }
	require.NoError(t, json.Unmarshal(answer, &e))
	require.NotEmpty(t, e.Error.Code)
	switch e.Error.Code {
	case "maxStalenessTooSmall", "incompatibleWireVersion", "handle", "noServer", "argument", "transactionReadPreferenceNotPrimary":
		return refusal{}
	}
	if (method == "parse_uri" || method == "srv" || method == "topology.open") && uriCodes[e.Error.Code] || method == "to_uri" && e.Error.Code == "invalidURIOption" {
		return refusal{}
	}
	if method == "readpref.open" {
		if answer, ok := c.Answer("validate", []byte(document)); ok {
			var v struct{ Problems []refusal }
			require.NoError(t, json.Unmarshal(answer, &v))
			require.NotEmpty(t, v.Problems, "%s: refused by readpref.open only: %+v", document, e.Error)
			assert.Equal(t, v.Problems[0], e.Error, document)
			return refusal{}
		}
	}
	return e.Error
}

// uriCodes are the errors of what a connection string, or DNS, says.
var uriCodes = map[string]bool{
	"maxStalenessWithPrimary": true, "tagsWithPrimary": true, "invalidURIOption": true, "invalidURI": true, "invalidHost": true,
	"conflictingOptions": true, "directConnectionWithMultipleHosts": true, "loadBalancedWithReplicaSet": true,
	"loadBalancedWithMultipleHosts": true, "loadBalancedWithDirectConnection": true,
	"noSRVRecords": true, "invalidSRVRecord": true, "invalidTXTRecord": true,
}

// beyondSchemas are the errors that no JSON Schema can find: a schema sees
// values, not their text, and compares no two of them.
var beyondSchemas = map[string]bool{
	"invalidJSON": true, "invalidUTF8": true, "duplicateKey": true, "nestingTooDeep": true, "documentTooLarge": true,
	"duplicateAddress": true,
}

// beyondSchema reports a refusal of a kind that TestBeyondSchemas lists, in the
// documents that vectors and mutations have.
func (r refusal) beyondSchema(document string) bool {
	switch {
	case beyondSchemas[r.Code]:
		return true
	case strings.HasPrefix(r.Path, "documents"):
		return true // what import reads are the documents of others: a schema names their keys
	case r.Code == "missingKey" && r.Message == `a mongodb+srv:// connection string needs "srv", the answer of DNS`:
		return true // a schema does not read connection strings
	case r.Code == "outOfRange" && (impossible[r.Message] || strings.HasPrefix(r.Message, "each workload is compared with that at the same place: ")):
		return true
	case r.Code == "outOfRange" && impossibleEvent[strings.TrimPrefix(r.Message, "cannot happen together with the events before: ")]:
		return true
	case r.Code == "outOfRange":
		return r.Message == "the greatest wire version is less than the smallest" || strings.Contains(document, `"18446744073709551616"`)
	}
	// An integer to a schema, but not to the engine.
	written := strings.TrimPrefix(r.Message, "expected an integer, found ")
	return r.Code == "wrongType" && slices.Contains([]string{"120.0", "1.2e2", "536870912.0", "5e8"}, written)
}

// impossible are refusals of descriptions that discovery cannot have come to, in
// the documents that vectors and mutations have: a schema compares no two values.
var impossible = map[string]bool{
	"the topology has no server of this address":                                           true,
	"not the name that replicaSet gives":                                                   true,
	"not what the answer to a request like this one had as its state":                      true,
	"a topology of type Single has one server":                                             true,
	"a topology of type LoadBalanced has one server":                                       true,
	"a topology of these settings cannot be of type Unknown":                               true,
	"a topology of these settings cannot be of type Single":                                true,
	"a topology of these settings cannot be of type Sharded":                               true,
	"a topology of these settings cannot be of type LoadBalanced":                          true,
	"a topology of these settings cannot be of type ReplicaSetNoPrimary":                   true,
	"a topology of these settings cannot be of type ReplicaSetWithPrimary":                 true,
	"a discovered topology of type Sharded has no server of type RSPrimary":                true,
	"a discovered topology of type ReplicaSetWithPrimary has no server of type Standalone": true,
}

// impossibleEvent are refusals of events by what the topology is.
var impossibleEvent = map[string]bool{
	"the topology has no server of this address": true, "the server is down already": true, "the topology has no primary": true,
	"only a secondary lags": true, "no other member's lastWriteDate is known": true, "the topology has this server already": true,
	"a server of this type cannot join the topology": true, "no available server has these tags": true, "what is behind a load balancer cannot be seen": true,
}

// ruling is a document and whether it is one.
type ruling struct {
	method, document string
	valid            bool
}

// inServer puts keys into the smallest request with a server; the other functions
// are the same for other places.
func inServer(keys string) string {
	return `{"topology":{"servers":[{"address":"a.example","type":"RSSecondary",` + keys + `}]}}`
}

func inPreference(preference string) string {
	return `{"topology":{"servers":[]},"readPreference":` + preference + `}`
}

func inRequest(keys string) string { return `{"topology":{"servers":[]},` + keys + `}` }

func inHello(keys string) string { return `{"address":"a.example","hello":{"ok":1,` + keys + `}}` }

// rulings are hand-written, from docs/json.md.
func rulings() []ruling {
	var list []ruling
	add := func(method string, valid bool, documents ...string) {
		for _, d := range documents {
			list = append(list, ruling{method, d, valid})
		}
	}
	add("select", true,
		`{"topology":{"servers":[]}}`,
		`{"shards":{}}`,
		`{"shards":{"a":{"servers":[]},"":{"servers":[]}}}`,
		`{"topology":{"servers":[]},"shards":null}`,
		`{"topology":null,"shards":{"a":{"servers":[]}}}`,
		`{"topology":{"type":null,"setName":null,"servers":[],"maxElectionId":null,"maxSetVersion":null,"logicalSessionTimeoutMinutes":null}}`,
		`{"topology":{"servers":[],"maxElectionId":{"$oid":"7fffffff0000000000000002"},"maxSetVersion":{"$numberLong":"3"}}}`,
		`{"topology":{"servers":[{"address":"a","hello":{}}]}}`,
		`{"topology":{"servers":[{"address":"a","hello":{},"type":null,"tags":null,"nowMS":1,"roundTripTimeMS":1,"minRoundTripTimeMS":1,"operationCount":1,"error":"x"}]}}`,
		`{"topology":{"servers":[{"address":"a","hello":null,"type":"Mongos","nowMS":null}]}}`,
	)
	add("select", false,
		`[]`, `null`, `0`, `"select"`, `{}`,
		`{"topology":null}`, `{"shards":null}`, `{"topology":null,"shards":null}`,
		`{"topology":{"servers":[]},"shards":{}}`,
		`{"shards":{"a":null}}`, `{"shards":[]}`, `{"shards":{"a":{}}}`,
		`{"topology":{}}`, `{"topology":{"servers":null}}`, `{"topology":{"servers":{}}}`, `{"topology":{"servers":[null]}}`,
		`{"topology":{"servers":[],"type":"ReplicaSet"}}`, `{"topology":{"servers":[],"typ":"Sharded"}}`,
		`{"topology":{"servers":[],"maxElectionId":"7fffffff0000000000000002"}}`,
		`{"topology":{"servers":[{"type":"Mongos"}]}}`, `{"topology":{"servers":[{"address":null,"type":"Mongos"}]}}`,
		`{"topology":{"servers":[{"address":"","type":"Mongos"}]}}`, `{"topology":{"servers":[{"address":"a"}]}}`,
		`{"topology":{"servers":[{"address":"a","type":null}]}}`, `{"topology":{"servers":[{"address":"a","type":"mongos"}]}}`,
		`{"topology":{"servers":[{"address":"a","hello":{},"type":"Mongos"}]}}`,
		`{"topology":{"servers":[{"address":"a","hello":{},"lastUpdateTimeMS":1}]}}`,
		`{"topology":{"servers":[{"address":"a","type":"Mongos","nowMS":1}]}}`,
		`{"topology":{"servers":[{"address":"a","hello":[]}]}}`,
	)
	add("select", true,
		inRequest(`"readPreference":null,"operation":null,"deprioritized":null,"customSelector":null,"localThresholdMS":null,"heartbeatFrequencyMS":null,"wireVersions":null,"pick":null,"seed":null`),
		inRequest(`"operation":"write"`), inRequest(`"operation":"aggregateWithWriteStage"`),
		inRequest(`"deprioritized":[]`), inRequest(`"deprioritized":["a","a",""]`),
		inRequest(`"customSelector":{"keepOnly":[]}`),
		inRequest(`"localThresholdMS":0`), inRequest(`"localThresholdMS":-0.0`), inRequest(`"localThresholdMS":1e3`),
		inRequest(`"localThresholdMS":9223372036854.7758074`), inRequest(`"localThresholdMS":{"$numberDouble":"1.5e1"}`),
		inRequest(`"heartbeatFrequencyMS":500`), inRequest(`"heartbeatFrequencyMS":9223372036854775807`),
		inRequest(`"heartbeatFrequencyMS":{"$numberInt":"500"}`), inRequest(`"heartbeatFrequencyMS":{"$numberLong":"9223372036854775807"}`),
		inRequest(`"wireVersions":{"min":0,"max":2147483647}`), inRequest(`"wireVersions":{"min":{"$numberInt":"8"},"max":8}`),
		inRequest(`"pick":"roundRobin"`),
		inRequest(`"seed":9007199254740991`), inRequest(`"seed":"18446744073709551615"`), inRequest(`"seed":"0"`),
		inRequest(`"seed":{"$numberLong":"9223372036854775807"}`),
	)
	add("select", false,
		inRequest(`"readpreference":{}`), inRequest(`"operation":"Read"`), inRequest(`"operation":1`),
		inRequest(`"deprioritized":"a"`), inRequest(`"deprioritized":[null]`), inRequest(`"deprioritized":[{"address":"a"}]`),
		inRequest(`"customSelector":{}`), inRequest(`"customSelector":{"keepOnly":null}`), inRequest(`"customSelector":["a"]`),
		inRequest(`"customSelector":{"keepOnly":[],"drop":[]}`),
		inRequest(`"localThresholdMS":-1`), inRequest(`"localThresholdMS":-1e-30`), inRequest(`"localThresholdMS":"15"`),
		inRequest(`"localThresholdMS":9223372036854.7758075`), inRequest(`"localThresholdMS":{"$numberDouble":"Infinity"}`),
		inRequest(`"localThresholdMS":{"$numberDouble":"-1"}`), inRequest(`"localThresholdMS":{"$numberDecimal":"1"}`),
		inRequest(`"localThresholdMS":{"$numberInt":"1","$numberLong":"1"}`), inRequest(`"localThresholdMS":{"$numberInt":1}`),
		inRequest(`"heartbeatFrequencyMS":499`), inRequest(`"heartbeatFrequencyMS":{"$numberLong":"499"}`),
		inRequest(`"heartbeatFrequencyMS":500.5`), inRequest(`"heartbeatFrequencyMS":9223372036854775808`), inRequest(`"heartbeatFrequencyMS":"500"`),
		inRequest(`"heartbeatFrequencyMS":{"$numberLong":"0500"}`),
		inRequest(`"wireVersions":{"min":8}`), inRequest(`"wireVersions":{"min":null,"max":9}`), inRequest(`"wireVersions":[8,9]`),
		inRequest(`"wireVersions":{"min":-1,"max":9}`), inRequest(`"wireVersions":{"min":0,"max":2147483648}`),
		inRequest(`"pick":"leastbusyoftwo"`), inRequest(`"pick":true`),
		inRequest(`"seed":-1`), inRequest(`"seed":9007199254740992`), inRequest(`"seed":"01"`), inRequest(`"seed":"-0"`), inRequest(`"seed":""`),
		inRequest(`"seed":"0x1"`), inRequest(`"seed":1.5`), inRequest(`"seed":{"$numberLong":"-1"}`),
	)
	add("select", true,
		inServer(`"roundTripTimeMS":0`), inServer(`"roundTripTimeMS":{"$numberLong":"3"}`), inServer(`"roundTripTimeMS":2.0000000000000000000001`),
		inServer(`"tags":{}`), inServer(`"tags":{"":"","a":"\u0000"}`),
		inServer(`"lastWriteDate":-1`), inServer(`"lastWriteDate":{"$numberLong":"-9223372036854775808"}`), inServer(`"lastWriteDate":{"$date":5}`),
		inServer(`"lastWriteDate":{"$date":{"$numberLong":"5"}}`), inServer(`"lastWriteDate":{"$date":"2024-02-29T23:59:59.123456789+05:30"}`),
		inServer(`"lastWriteDate":{"$date":"0000-01-01T00:00:00-0000"}`), inServer(`"lastWriteDate":{"$numberInt":"-0"}`),
		inServer(`"lastUpdateTimeMS":-9223372036854775808`),
		inServer(`"minWireVersion":0,"maxWireVersion":2147483647`), inServer(`"operationCount":9223372036854775807`),
		inServer(`"electionId":{"$oid":"7FFFffff0000000000000002"}`),
		inServer(`"topologyVersion":{"processId":{"$oid":"7fffffff0000000000000002"},"counter":-1}`),
		inServer(`"hosts":[],"passives":[""],"arbiters":["a"],"me":"","primary":"","setName":"","error":"","iscryptd":false`),
	)
	add("select", false,
		inServer(`"roundTripTimeMS":-0.1`), inServer(`"roundTripTimeMS":"2"`), inServer(`"roundTripTimeMS":true`), inServer(`"roundTripTimeMS":[]`),
		inServer(`"tags":[]`), inServer(`"tags":{"a":1}`), inServer(`"tags":{"a":null}`), inServer(`"tags":"a"`),
		inServer(`"lastWriteDate":"2024-02-29T00:00:00Z"`), inServer(`"lastWriteDate":1.5`), inServer(`"lastWriteDate":{"$date":null}`),
		inServer(`"lastWriteDate":{"$date":"2024-02-29"}`), inServer(`"lastWriteDate":{"$date":"2024-02-29T00:00:00"}`),
		inServer(`"lastWriteDate":{"$date":"2024-04-31T00:00:00Z"}`), inServer(`"lastWriteDate":{"$date":"2024-13-01T00:00:00Z"}`),
		inServer(`"lastWriteDate":{"$date":"2024-02-30T00:00:00Z"}`), inServer(`"lastWriteDate":{"$date":"2024-02-29T24:00:00Z"}`),
		inServer(`"lastWriteDate":{"$date":"2024-02-29T00:00:60Z"}`), inServer(`"lastWriteDate":{"$date":"2024-02-29t00:00:00z"}`),
		inServer(`"lastWriteDate":{"$date":"2024-02-29T00:00:00.Z"}`), inServer(`"lastWriteDate":{"$date":5,"$x":1}`), inServer(`"lastWriteDate":{}`),
		inServer(`"lastWriteDate":9223372036854775808`),
		inServer(`"lastUpdateTimeMS":{"$date":5}`), inServer(`"lastUpdateTimeMS":0.5`),
		inServer(`"minWireVersion":-1`), inServer(`"maxWireVersion":2147483648`), inServer(`"operationCount":-1`),
		inServer(`"operationCount":{"$numberLong":"-1"}`),
		inServer(`"electionId":"7fffffff0000000000000002"`), inServer(`"electionId":{}`), inServer(`"electionId":{"$oid":null}`),
		inServer(`"electionId":{"$oid":"7fffffff000000000000000"}`), inServer(`"electionId":{"$oid":"7fffffff000000000000000g"}`),
		inServer(`"electionId":{"$oid":"7fffffff0000000000000002","x":1}`),
		inServer(`"topologyVersion":{"processId":{"$oid":"7fffffff0000000000000002"}}`), inServer(`"topologyVersion":{"counter":1}`),
		inServer(`"topologyVersion":{"processId":null,"counter":1}`),
		inServer(`"hosts":["a",null]`), inServer(`"hosts":"a"`), inServer(`"setName":1`), inServer(`"iscryptd":1`), inServer(`"iscryptd":"true"`),
		inServer(`"avg_rtt_ms":5`), inServer(`"setVersion":1.5`), inServer(`"logicalSessionTimeoutMinutes":-1`),
	)
	add("server.parse_hello", true,
		`{"address":"a","hello":{}}`, `{"address":"a","hello":{},"roundTripTimeMS":null,"nowMS":null}`,
		`{"address":"a","hello":{"ok":null}}`, `{"address":"a","hello":{"ok":0}}`, `{"address":"a","hello":{"ok":-1}}`,
		`{"address":"a","hello":{"ok":true}}`, `{"address":"a","hello":{"ok":{"$numberDouble":"-1.0"}}}`,
		inHello(`"anything":[{"x":null}],"lastWrite":{"opTime":5}`), inHello(`"lastWrite":null,"tags":null,"hosts":null,"electionId":null`),
		inHello(`"lastWrite":{"lastWriteDate":null}`), inHello(`"lastWrite":{"lastWriteDate":{"$date":"2026-10-26T07:33:20Z"}}`),
		inHello(`"minWireVersion":{"$numberInt":"0"},"setVersion":{"$numberLong":"-3"}`),
	)
	add("server.parse_hello", false,
		`{}`, `{"address":"a"}`, `{"hello":{}}`, `{"address":null,"hello":{}}`, `{"address":"","hello":{}}`, `{"address":"a","hello":null}`,
		`{"address":"a","hello":[]}`, `{"address":"a","hello":{},"tags":{}}`, `{"address":"a","hello":{},"nowMS":0.5}`,
		`{"address":"a","hello":{},"roundTripTimeMS":-1}`,
		`{"address":"a","hello":{"ok":"1"}}`, `{"address":"a","hello":{"ok":[]}}`, `{"address":"a","hello":{"ok":{}}}`,
		`{"address":"a","hello":{"ok":{"$numberDouble":"NaN"}}}`,
		inHello(`"secondary":1`), inHello(`"setName":[]`), inHello(`"hosts":{}`), inHello(`"tags":{"a":1}`), inHello(`"lastWrite":5`),
		inHello(`"lastWrite":{"lastWriteDate":"x"}`), inHello(`"minWireVersion":-1`), inHello(`"minWireVersion":1.5`),
		inHello(`"electionId":{"$oid":""}`), inHello(`"topologyVersion":{"counter":1}`), inHello(`"msg":false`),
	)
	for _, method := range []string{"validate", "readpref.open"} {
		add(method, true,
			`{"readPreference":5}`, `{"readPreference":{"mode":"x","tags":7,"y":null}}`, `{"readPreference":{},"uriOptions":null,"mongosh":null}`,
			`{"readPreference":null,"uriOptions":""}`, `{"mongosh":[]}`, `{"mongosh":"secondary"}`, `{"mongosh":["secondary",null,null]}`,
			`{"mongosh":["secondary",[{}],{},1,2]}`,
		)
		add(method, false,
			`{}`, `[]`, `{"readPreference":null}`, `{"readPreference":{},"uriOptions":""}`, `{"uriOptions":5}`, `{"uriOptions":["a"]}`,
			`{"mongosh":[],"readPreference":{}}`, `{"readpreference":{}}`,
		)
	}
	const asked = `{"uri":"mongodb+srv://a.b.c","srv":[{"target":"x.b.c","port":1}]`
	add("srv", true, asked+`}`, asked+`,"txt":null,"seed":null,"current":null,"heartbeatFrequencyMS":null}`, asked+`,"txt":[],"seed":"7"}`, asked+`,"txt":[[],["",""]]}`,
		asked+`,"current":[]}`, asked+`,"current":["a"],"heartbeatFrequencyMS":500,"seed":{"$numberLong":"1"},"txt":null}`, `{"uri":"","srv":[]}`, `{"uri":"mongodb://a","srv":[]}`,
		`{"uri":"x","srv":[{"target":"","port":0,"ttlSeconds":null},{"target":"y","port":{"$numberInt":"65535"},"ttlSeconds":{"$numberLong":"4294967295"}}]}`)
	add("srv", false, `{}`, `[]`, `{"uri":"mongodb+srv://a.b.c"}`, `{"srv":[]}`, `{"uri":null,"srv":[]}`, `{"uri":"x","srv":null}`, `{"uri":"x","srv":{}}`, `{"uri":"x","srv":["a"]}`,
		`{"uri":"x","srv":[{"target":"a"}]}`, `{"uri":"x","srv":[{"port":1}]}`, `{"uri":"x","srv":[{"target":"a","port":65536}]}`, `{"uri":"x","srv":[{"target":"a","port":-1}]}`,
		`{"uri":"x","srv":[{"target":"a","port":"1"}]}`, `{"uri":"x","srv":[{"target":"a","port":1,"ttlSeconds":4294967296}]}`, `{"uri":"x","srv":[{"target":"a","port":1,"ttlSeconds":1.5}]}`,
		`{"uri":"x","srv":[{"target":"a","port":1,"priority":1}]}`, asked+`,"txt":[""]}`, asked+`,"txt":"a=b"}`, asked+`,"txt":[[null]]}`, asked+`,"seed":-1}`,
		asked+`,"heartbeatFrequencyMS":500}`, asked+`,"current":["a"],"txt":[]}`, asked+`,"current":[""]}`, asked+`,"current":["a"],"heartbeatFrequencyMS":499}`)
	for _, p := range preferenceRulings() {
		add("to_uri", p.valid, `{"readPreference":`+p.document+`}`)
	}
	add("to_uri", false, `{}`, `[]`, `{"readPreference":null}`, `{"readPreference":{},"uri":"x"}`, `{"mode":"nearest"}`, `{"readPreference":"secondary"}`)
	add("rtt", true, `{"samplesMS":[]}`, `{"samplesMS":[0,null,2.5,{"$numberInt":"3"},{"$numberDouble":"1e3"}],"roundTripTimeMS":null}`, `{"samplesMS":[null],"roundTripTimeMS":1.5}`)
	add("rtt", false, `{}`, `[]`, `{"samplesMS":null}`, `{"samplesMS":5}`, `{"samplesMS":["5"]}`, `{"samplesMS":[-1]}`, `{"samplesMS":[[]]}`, `{"samplesMS":[true]}`,
		`{"samplesMS":[],"roundTripTimeMS":-1}`, `{"samplesMS":[],"roundTripTimeMS":"1"}`, `{"samplesMS":[],"averageMS":1}`, `{"samplesMS":[9223372036854.7758075]}`)
	const sent = `{"topology":{"servers":[]},"server":"a"`
	add("command", true, sent+`}`, sent+`,"readPreference":null,"operation":null,"opcode":null}`,
		sent+`,"readPreference":{"mode":"nearest"},"operation":"write","opcode":"OP_QUERY"}`)
	add("command", false, `{}`, `[]`, `{"topology":{"servers":[]}}`, `{"server":"a"}`, `{"topology":null,"server":"a"}`, `{"topology":{"servers":[]},"server":null}`,
		`{"topology":{"servers":[]},"server":""}`, `{"topology":{"servers":[]},"server":0}`, sent+`,"opcode":"OP_msg"}`, sent+`,"opcode":2013}`, sent+`,"operation":"aggregate"}`,
		sent+`,"readPreference":{"tags":[{"a":"b"}]}}`, sent+`,"seed":1}`, sent+`,"shards":null}`)
	add("effective_preference", true, `{"command":"find"}`, `{"command":{"find":"c"}}`, `{"command":{"aggregate":"c","pipeline":[{},5,{"$out":"x"}]}}`, `{"command":{"aggregate":"c","pipeline":5}}`,
		`{"command":{"mapReduce":"c","out":{"inline":1},"x":null}}`, `{"command":"x","runCommand":null,"clientReadPreference":null,"databaseReadPreference":null,"collectionReadPreference":null,"readPreference":null,"sessionReadPreference":null,"transaction":null}`,
		`{"command":"x","runCommand":true,"readPreference":{"mode":"nearest"},"transaction":{}}`, `{"command":"x","transaction":{"readPreference":null,"pinned":null}}`, `{"command":"x","transaction":{"readPreference":{},"pinned":true}}`)
	add("effective_preference", false, `{}`, `[]`, `{"command":null}`, `{"command":""}`, `{"command":{}}`, `{"command":5}`, `{"command":["find"]}`, `{"command":"x","runCommand":1}`,
		`{"command":"x","clientReadPreference":{"tags":[{"a":"b"}]}}`, `{"command":"x","transaction":true}`, `{"command":"x","transaction":{"mode":"nearest"}}`, `{"command":"x","transaction":{"pinned":0}}`,
		`{"command":"x","transaction":{"readPreference":"nearest"}}`, `{"command":"x","readpreference":{}}`)
	add("readable", true, `{"topology":{"servers":[]}}`, `{"topology":{"servers":[]},"readPreference":null,"heartbeatFrequencyMS":null}`, `{"topology":{"servers":[]},"readPreference":{"mode":"nearest"},"heartbeatFrequencyMS":500}`)
	add("readable", false, `{}`, `[]`, `{"topology":null}`, `{"topology":{}}`, `{"topology":1}`, `{"topology":{"servers":[]},"readPreference":{"mode":"x"}}`, `{"topology":{"servers":[]},"operation":"read"}`, `{"topology":{"servers":[]},"heartbeatFrequencyMS":499}`)
	add("writable", true, `{"topology":{"servers":[]}}`)
	add("writable", false, `{}`, `[]`, `{"topology":null}`, `{"topology":{}}`, `{"topology":{"servers":[]},"readPreference":{}}`, `{"topology":{"servers":[]},"readPreference":null}`)
	add("parse_uri", true, `{"uri":"mongodb://a"}`, `{"uri":""}`, `{"uri":"x"}`, `{"uri":"mongodb://a:0/?readPreferenceTags=a:b"}`)
	add("parse_uri", false, `{}`, `[]`, `"mongodb://a"`, `{"uri":null}`, `{"uri":5}`, `{"uri":["mongodb://a"]}`, `{"URI":"mongodb://a"}`, `{"uri":"mongodb://a","srv":null}`)
	for _, method := range []string{"build_info", "methods"} {
		add(method, true, `{}`, ` { } `)
		add(method, false, `[]`, `null`, `{"a":null}`, `{"a":1}`)
	}
	for _, p := range preferenceRulings() {
		add("select", p.valid, inPreference(p.document))
		add("explain", p.valid, inPreference(p.document))
	}
	return append(list, handleRulings()...)
}

// preferenceRulings are $readPreference documents.
func preferenceRulings() []ruling {
	var list []ruling
	add := func(valid bool, documents ...string) {
		for _, d := range documents {
			list = append(list, ruling{"validate", d, valid})
		}
	}
	add(true,
		`{}`, `{"mode":null,"tags":null,"maxStalenessSeconds":null,"hedge":null}`,
		`{"mode":"primary","tags":[],"maxStalenessSeconds":-1}`, `{"tags":[{}]}`, `{"tags":[{},{}]}`,
		`{"maxStalenessSeconds":{"$numberInt":"-1"}}`, `{"maxStalenessSeconds":{"$numberLong":"-1"}}`,
		`{"mode":"primaryPreferred","tags":[{"a":"b"},{}],"maxStalenessSeconds":0,"hedge":{}}`,
		`{"mode":"secondary","maxStalenessSeconds":9223372036854775807}`, `{"mode":"secondaryPreferred","hedge":{"enabled":null}}`,
		`{"mode":"nearest","maxStalenessSeconds":{"$numberLong":"120"},"hedge":{"enabled":false}}`,
		`{"mode":"nearest","maxStalenessSeconds":-0}`, `{"mode":"nearest","maxStalenessSeconds":{"$numberInt":"-0"}}`,
	)
	add(false,
		`[]`, `"secondary"`, `{"mode":"Secondary"}`, `{"mode":"secondary_preferred"}`, `{"mode":""}`, `{"mode":0}`, `{"mode":["secondary"]}`,
		`{"tags":[{"a":"b"}]}`, `{"mode":"primary","tags":[{},{"a":"b"}]}`, `{"mode":null,"tags":[{"a":"b"}]}`,
		`{"maxStalenessSeconds":0}`, `{"mode":"primary","maxStalenessSeconds":120}`, `{"mode":"primary","maxStalenessSeconds":{"$numberInt":"90"}}`,
		`{"hedge":{}}`, `{"mode":"primary","hedge":{"enabled":false}}`,
		`{"mode":"nearest","tags":{}}`, `{"mode":"nearest","tags":[null]}`, `{"mode":"nearest","tags":[{"a":1}]}`, `{"mode":"nearest","tags":["a:b"]}`,
		`{"mode":"nearest","maxStalenessSeconds":-2}`, `{"mode":"nearest","maxStalenessSeconds":1.5}`, `{"mode":"nearest","maxStalenessSeconds":"120"}`,
		`{"mode":"nearest","maxStalenessSeconds":{"$numberLong":"-2"}}`, `{"mode":"nearest","maxStalenessSeconds":9223372036854775808}`,
		`{"mode":"nearest","maxStalenessSeconds":{"$numberDouble":"120"}}`,
		`{"mode":"nearest","hedge":true}`, `{"mode":"nearest","hedge":{"enabled":1}}`, `{"mode":"nearest","hedge":{"enable":true}}`,
		`{"mode":"nearest","tag_sets":[]}`,
	)
	return list
}

// TestAgreement holds engine and schemas to hand-written rulings.
func TestAgreement(t *testing.T) {
	s := schemasOf(t)
	var c abi.Context
	for _, r := range rulings() {
		m, ok := methodOf(t, r.method)
		require.True(t, ok)
		got := ask(t, &c, r.method, r.document)
		assert.Equal(t, r.valid, got == refusal{}, "engine, %s %s: %+v", r.method, r.document, got)
		err := s.validate(m.Request, []byte(r.document))
		assert.Equal(t, r.valid, err == nil, "schema, %s %s: %v", r.method, r.document, err)
	}
}

// TestAgreementOnPreferences holds validate and read-preference.json together.
func TestAgreementOnPreferences(t *testing.T) {
	s := schemasOf(t)
	var c abi.Context
	for _, r := range preferenceRulings() {
		valid := isValid(t, &c, r.document)
		assert.Equal(t, r.valid, valid, "engine, %s", r.document)
		err := s.validate("read-preference.json", []byte(r.document))
		assert.Equal(t, r.valid, err == nil, "schema, %s: %v", r.document, err)
	}
}

// isValid asks validate about a $readPreference document.
func isValid(t testing.TB, c *abi.Context, preference string) bool {
	t.Helper()
	answer, ok := c.Answer("validate", []byte(`{"readPreference":`+preference+`}`))
	require.True(t, ok, "%s", answer)
	var v struct{ Valid bool }
	require.NoError(t, json.Unmarshal(answer, &v))
	return v.Valid
}

// TestBeyondSchemas lists what the engine refuses and a schema cannot. A line
// that a schema can say after all fails here.
func TestBeyondSchemas(t *testing.T) {
	s := schemasOf(t)
	var c abi.Context
	for _, b := range []struct{ document, code, path, why string }{
		{inRequest(`"heartbeatFrequencyMS":10000.0`), "wrongType", "heartbeatFrequencyMS", "10000.0 is an integer to a schema"},
		{inRequest(`"heartbeatFrequencyMS":1e4`), "wrongType", "heartbeatFrequencyMS", "so is 1e4"},
		{inPreference(`{"mode":"nearest","maxStalenessSeconds":120.0}`), "wrongType", "readPreference.maxStalenessSeconds", "and 120.0"},
		{inPreference(`{"mode":"primary","maxStalenessSeconds":-1.0}`), "wrongType", "readPreference.maxStalenessSeconds", "and -1.0"},
		{inRequest(`"wireVersions":{"min":9,"max":8}`), "outOfRange", "wireVersions.max", "a schema does not compare two values"},
		{inRequest(`"seed":"18446744073709551616"`), "outOfRange", "seed", "nor the size of a number in a string"},
		{inRequest(`"heartbeatFrequencyMS":{"$numberLong":"9223372036854775808"}`), "outOfRange", "heartbeatFrequencyMS.$numberLong", ""},
		{inRequest(`"heartbeatFrequencyMS":{"$numberInt":"2147483648"}`), "outOfRange", "heartbeatFrequencyMS.$numberInt", ""},
		{inRequest(`"localThresholdMS":{"$numberDouble":"9223372036855"}`), "outOfRange", "localThresholdMS.$numberDouble", ""},
		{inServer(`"lastWriteDate":{"$date":"2026-02-29T00:00:00Z"}`), "outOfRange", "topology.servers[0].lastWriteDate.$date", "leap years"},
		{`{"topology":{"servers":[{"address":"a","type":"Mongos"},{"address":"A:27017","type":"Mongos"}]}}`, "duplicateAddress", "topology.servers[1].address", "addresses are compared by their normal form"},
		{`{"topology":{"servers":[]},"pick":"random","pick":"random"}`, "duplicateKey", "pick", "JSON readers keep one of two keys"},
	} {
		got := ask(t, &c, "select", b.document)
		assert.Equal(t, b.code, got.Code, b.document)
		assert.Equal(t, b.path, got.Path, b.document)
		if b.code != "duplicateKey" { // the schema's own JSON reader may refuse it
			assert.NoError(t, s.validate("select-request.json", []byte(b.document)), "%s: a schema can say it; move it to the rulings", b.document)
		}
	}
}

// corpus returns the requests of the page and of our vectors that are JSON, each
// with its method, and in each list those that are meant to be asked one after
// the other.
func corpus(t *testing.T) [][]ruling {
	t.Helper()
	var page, alone []ruling
	add := func(list []ruling, method, document string) []ruling {
		if _, ok := methodOf(t, method); ok && json.Valid([]byte(document)) {
			list = append(list, ruling{method: method, document: document})
		}
		return list
	}
	for _, e := range readPage(t) {
		page = add(page, e.method, e.request)
	}
	var sequences [][]ruling
	files, err := filepath.Glob(filepath.Join(root, "conformance", "vectors", "*", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		type vector struct {
			Method string          `json:"method"`
			In     json.RawMessage `json:"in"`
			InText string          `json:"in_text"`
		}
		type sequence struct {
			vector
			Steps []vector `json:"steps"`
		}
		var f struct {
			sequence
			Cases []sequence `json:"cases"`
		}
		require.NoError(t, json.Unmarshal(text, &f), file)
		for _, v := range append(f.Cases, f.sequence) {
			if v.Method == "" {
				v.Method = f.Method
			}
			alone = add(alone, v.Method, v.InText+string(v.In))
			var steps []ruling
			for _, step := range v.Steps {
				steps = add(steps, step.Method, step.InText+string(step.In))
			}
			if steps != nil {
				sequences = append(sequences, steps)
			}
		}
	}
	require.NotEmpty(t, sequences)
	return append(sequences, page, alone)
}

// TestAgreementOnVectors asks engine and schemas about the requests of our
// conformance vectors, and the schemas about the answers to them.
func TestAgreementOnVectors(t *testing.T) {
	s := schemasOf(t)
	var asking abi.Context // apart from the handles of a sequence
	accepted, refused := 0, 0
	for _, sequence := range corpus(t) {
		var c abi.Context
		for _, r := range sequence {
			m, _ := methodOf(t, r.method)
			if answer, ok := c.Answer(r.method, []byte(r.document)); ok {
				assert.NoError(t, s.validate(m.Answer, answer), "%s %s", r.method, r.document)
			} else {
				assert.NoError(t, s.validate("error.json", answer), "%s %s", r.method, r.document)
			}
			if agree(t, s, &asking, r.method, r.document) {
				accepted++
			} else {
				refused++
			}
		}
	}
	assert.Greater(t, accepted, 300)
	assert.Greater(t, refused, 50)
}

// agree reports whether the engine accepts a document, and fails the test where
// the schema does not agree.
func agree(t *testing.T, s *schemas, c *abi.Context, method, document string) bool {
	t.Helper()
	m, _ := methodOf(t, method)
	got := ask(t, c, method, document)
	accepted := got == refusal{}
	if got.beyondSchema(document) {
		return false
	}
	err := s.validate(m.Request, []byte(document))
	assert.Equal(t, accepted, err == nil, "%s %s\nengine: %+v\nschema: %v", method, document, got, err)
	return accepted
}

// TestAgreementOnMutations changes each value of the page's requests into each
// of a list of others, takes each key away and adds one, and asks both.
func TestAgreementOnMutations(t *testing.T) {
	s := schemasOf(t)
	var c abi.Context
	values := []any{nil, true, json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("1.5"), "", "x", "0", "secondary",
		[]any{}, map[string]any{}, []any{nil}, []any{"a"}, []any{map[string]any{}}, map[string]any{"x": json.Number("1")},
		map[string]any{"$numberLong": "5"}, map[string]any{"$numberInt": "-1"}, map[string]any{"$numberDouble": "1.5"},
		map[string]any{"$date": json.Number("5")}, map[string]any{"$oid": "0123456789abcdefABCDEF01"}, map[string]any{"enabled": true}}
	seen := map[string]bool{}
	accepted, refused := 0, 0
	both := func(method string, document any) {
		text, err := json.Marshal(document)
		require.NoError(t, err)
		if key := method + string(text); seen[key] {
			return
		} else {
			seen[key] = true
		}
		if agree(t, s, &c, method, string(text)) {
			accepted++
		} else {
			refused++
		}
	}
	for _, e := range readPage(t) {
		if _, ok := methodOf(t, e.method); !ok || !json.Valid([]byte(e.request)) || e.method == "explain" {
			continue
		}
		var document any
		d := json.NewDecoder(strings.NewReader(e.request))
		d.UseNumber()
		require.NoError(t, d.Decode(&document))
		mutate(document, values, func() { both(e.method, document) }, func(v any) { document = v })
		if t.Failed() {
			return
		}
	}
	t.Log(accepted, "accepted,", refused, "refused")
	assert.Greater(t, accepted, 1000)
	assert.Greater(t, refused, 5000)
}

// mutate calls visit for every change to v, which it puts in place by set and
// takes back afterwards.
func mutate(v any, values []any, visit func(), set func(any)) {
	for _, other := range values {
		set(other)
		visit()
	}
	set(v)
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			below := v[key]
			mutate(below, values, visit, func(other any) { v[key] = other })
			delete(v, key)
			visit()
			v[key] = below
		}
		v["$unknown key"] = "x"
		visit()
		delete(v, "$unknown key")
	case []any:
		for i := range v {
			mutate(v[i], values, visit, func(other any) { v[i] = other })
		}
	}
}

// TestMutateTakesBack holds mutate to its promise.
func TestMutateTakesBack(t *testing.T) {
	var document any = map[string]any{"a": []any{"b", map[string]any{"c": nil}}}
	before := fmt.Sprint(document)
	count := 0
	mutate(document, []any{"x", "y"}, func() { count++ }, func(v any) { document = v })
	assert.Equal(t, before, fmt.Sprint(document))
	assert.Equal(t, 2*5+2+2, count, "five values, two keys to take away, two objects to add one to")
}

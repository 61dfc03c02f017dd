package wire

import (
	"strings"
	"testing"

	"github.com/readpref/readpref/core/status"
)

// oneServer puts fields into the second server of a request.
func oneServer(fields string) string {
	return `{"topology":{"servers":[{"address":"a","type":"RSPrimary"},{"address":"b",` + fields + `}]}}`
}

func preferenceRequest(fields string) string { return request(`"readPreference":{` + fields + `}`) }

// refusals are requests of select: each with the code and the place it is
// refused for.
var refusals = []refusal{
	{"no object", `[]`, status.WrongType, ""},
	{"no object", `7`, status.WrongType, ""},
	{"no object", `null`, status.WrongType, ""},
	{"empty", `{}`, status.MissingKey, "topology"},
	{"topology null", `{"topology":null}`, status.MissingKey, "topology"},
	{"both null", `{"topology":null,"shards":null}`, status.MissingKey, "topology"},
	{"both", `{"topology":{"servers":[]},"shards":{}}`, status.UnknownKey, "shards"},
	{"unknown key", request(`"readPref":{}`), status.UnknownKey, "readPref"},
	{"unknown odd key", request(`"read pref":{}`), status.UnknownKey, `["read pref"]`},
	{"unknown empty key", request(`"":1`), status.UnknownKey, `[""]`},
	{"unknown key, escaped", request(`"\u0078\"y":1`), status.UnknownKey, `["x\"y"]`},
	{"unknown key, escaped plain", request(`"\u0078":1`), status.UnknownKey, "x"},
	{"unknown key with a point", request(`"a.b":1`), status.UnknownKey, `["a.b"]`},
	{"unknown key, not ASCII", request(`"é":1`), status.UnknownKey, `["é"]`},
	{"unknown key, control", request(`"\u0000\n":1`), status.UnknownKey, `["\u0000\n"]`},
	{"unknown key, all plain characters", request(`"a-Z_0$":1`), status.UnknownKey, "a-Z_0$"},

	{"topology type", `{"topology":[]}`, status.WrongType, "topology"},
	{"no servers", `{"topology":{}}`, status.MissingKey, "topology.servers"},
	{"servers null", `{"topology":{"servers":null}}`, status.MissingKey, "topology.servers"},
	{"servers no list", `{"topology":{"servers":{}}}`, status.WrongType, "topology.servers"},
	{"server no object", `{"topology":{"servers":[null]}}`, status.WrongType, "topology.servers[0]"},
	{"server in a list", `{"topology":{"servers":[[]]}}`, status.WrongType, "topology.servers[0]"},
	{"topology type unknown", `{"topology":{"type":"ReplicaSet","servers":[]}}`, status.UnknownValue, "topology.type"},
	{"topology type no string", `{"topology":{"type":1,"servers":[]}}`, status.WrongType, "topology.type"},
	{"topology key unknown", `{"topology":{"server":[]}}`, status.UnknownKey, "topology.server"},
	{"setName", `{"topology":{"setName":1,"servers":[]}}`, status.WrongType, "topology.setName"},
	{"maxElectionId", `{"topology":{"servers":[],"maxElectionId":"x"}}`, status.WrongType, "topology.maxElectionId"},
	{"maxSetVersion", `{"topology":{"servers":[],"maxSetVersion":"1"}}`, status.WrongType, "topology.maxSetVersion"},
	{"logicalSessionTimeoutMinutes", `{"topology":{"servers":[],"logicalSessionTimeoutMinutes":-1}}`, status.OutOfRange, "topology.logicalSessionTimeoutMinutes"},

	{"no address", `{"topology":{"servers":[{"type":"Mongos"}]}}`, status.MissingKey, "topology.servers[0].address"},
	{"address null", `{"topology":{"servers":[{"address":null,"type":"Mongos"}]}}`, status.MissingKey, "topology.servers[0].address"},
	{"address empty", `{"topology":{"servers":[{"address":"","type":"Mongos"}]}}`, status.OutOfRange, "topology.servers[0].address"},
	{"address no string", `{"topology":{"servers":[{"address":1,"type":"Mongos"}]}}`, status.WrongType, "topology.servers[0].address"},
	{"no type", oneServer(`"me":"x"`), status.MissingKey, "topology.servers[1].type"},
	{"type null", oneServer(`"type":null`), status.MissingKey, "topology.servers[1].type"},
	{"type unknown", oneServer(`"type":"Primary"`), status.UnknownValue, "topology.servers[1].type"},
	{"key unknown", oneServer(`"type":"Mongos","rtt":1`), status.UnknownKey, "topology.servers[1].rtt"},
	{"nowMS without hello", oneServer(`"type":"Mongos","nowMS":1`), status.UnknownKey, "topology.servers[1].nowMS"},
	{"type beside hello", oneServer(`"hello":{},"type":"Mongos"`), status.UnknownKey, "topology.servers[1].type"},
	{"tags beside hello", oneServer(`"tags":{},"hello":{}`), status.UnknownKey, "topology.servers[1].tags"},
	{"RTT negative", oneServer(`"type":"Mongos","roundTripTimeMS":-0.1`), status.OutOfRange, "topology.servers[1].roundTripTimeMS"},
	{"RTT string", oneServer(`"type":"Mongos","roundTripTimeMS":"1"`), status.WrongType, "topology.servers[1].roundTripTimeMS"},
	{"RTT huge", oneServer(`"type":"Mongos","minRoundTripTimeMS":1e13`), status.OutOfRange, "topology.servers[1].minRoundTripTimeMS"},
	{"RTT of a wrong form", oneServer(`"type":"Mongos","roundTripTimeMS":{"$number":"1"}`), status.WrongType, "topology.servers[1].roundTripTimeMS"},
	{"RTT text", oneServer(`"type":"Mongos","roundTripTimeMS":{"$numberDouble":"NaN"}`), status.WrongType, "topology.servers[1].roundTripTimeMS.$numberDouble"},
	{"RTT negative text", oneServer(`"type":"Mongos","roundTripTimeMS":{"$numberDouble":"-1.5"}`), status.OutOfRange, "topology.servers[1].roundTripTimeMS.$numberDouble"},
	{"tags no object", oneServer(`"type":"Mongos","tags":["a"]`), status.WrongType, "topology.servers[1].tags"},
	{"tag no string", oneServer(`"type":"Mongos","tags":{"a":"b","c d":1}`), status.WrongType, `topology.servers[1].tags["c d"]`},
	{"tag null", oneServer(`"type":"Mongos","tags":{"a":null}`), status.WrongType, "topology.servers[1].tags.a"},
	{"host no string", oneServer(`"type":"Mongos","hosts":["a","b",{"c":1}]`), status.WrongType, "topology.servers[1].hosts[2]"},
	{"host null", oneServer(`"type":"Mongos","passives":[null]`), status.WrongType, "topology.servers[1].passives[0]"},
	{"hosts no list", oneServer(`"type":"Mongos","arbiters":"a"`), status.WrongType, "topology.servers[1].arbiters"},
	{"wire version", oneServer(`"type":"Mongos","minWireVersion":-1`), status.OutOfRange, "topology.servers[1].minWireVersion"},
	{"wire version", oneServer(`"type":"Mongos","maxWireVersion":2147483648`), status.OutOfRange, "topology.servers[1].maxWireVersion"},
	{"operationCount", oneServer(`"type":"Mongos","operationCount":-1`), status.OutOfRange, "topology.servers[1].operationCount"},
	{"operationCount 1.0", oneServer(`"type":"Mongos","operationCount":1.0`), status.WrongType, "topology.servers[1].operationCount"},
	{"$oid short", oneServer(`"type":"Mongos","electionId":{"$oid":"00"}`), status.OutOfRange, "topology.servers[1].electionId.$oid"},
	{"$oid not hex", oneServer(`"type":"Mongos","electionId":{"$oid":"00000000000000000000000g"}`), status.OutOfRange, "topology.servers[1].electionId.$oid"},
	{"$oid missing", oneServer(`"type":"Mongos","serviceId":{}`), status.MissingKey, "topology.servers[1].serviceId.$oid"},
	{"$oid null", oneServer(`"type":"Mongos","serviceId":{"$oid":null}`), status.MissingKey, "topology.servers[1].serviceId.$oid"},
	{"$oid with more", oneServer(`"type":"Mongos","serviceId":{"$oid":"000000000000000000000000","x":1}`), status.UnknownKey, "topology.servers[1].serviceId.x"},
	{"topologyVersion, no processId", oneServer(`"type":"Mongos","topologyVersion":{"counter":1}`), status.MissingKey, "topology.servers[1].topologyVersion.processId"},
	{"topologyVersion, no counter", oneServer(`"type":"Mongos","topologyVersion":{"processId":{"$oid":"000000000000000000000000"}}`), status.MissingKey, "topology.servers[1].topologyVersion.counter"},
	{"iscryptd", oneServer(`"type":"Mongos","iscryptd":1`), status.WrongType, "topology.servers[1].iscryptd"},
	{"lastWriteDate", oneServer(`"type":"Mongos","lastWriteDate":"2026-10-26T01:46:40Z"`), status.WrongType, "topology.servers[1].lastWriteDate"},
	{"lastWriteDate, day", oneServer(`"type":"Mongos","lastWriteDate":{"$date":"2026-02-29T00:00:00Z"}`), status.OutOfRange, "topology.servers[1].lastWriteDate.$date"},
	{"lastWriteDate, more", oneServer(`"type":"Mongos","lastWriteDate":{"$date":1,"x":2}`), status.UnknownKey, "topology.servers[1].lastWriteDate.x"},
	{"lastWriteDate, inner text", oneServer(`"type":"Mongos","lastWriteDate":{"$date":{"$numberLong":"x"}}`), status.WrongType, "topology.servers[1].lastWriteDate.$date.$numberLong"},
	{"same address", oneServer(`"type":"Mongos"},{"address":"A:27017","type":"Mongos"`), status.DuplicateAddress, "topology.servers[2].address"},
	{"hello no object", oneServer(`"hello":[]`), status.WrongType, "topology.servers[1].hello"},
	{"hello key", oneServer(`"hello":{"setName":1}`), status.WrongType, "topology.servers[1].hello.setName"},
	{"hello host", oneServer(`"hello":{"hosts":["a",1]}`), status.WrongType, "topology.servers[1].hello.hosts[1]"},
	{"hello date", oneServer(`"hello":{"lastWrite":{"opTime":{},"lastWriteDate":{"$date":"x"}}}`), status.OutOfRange, "topology.servers[1].hello.lastWrite.lastWriteDate.$date"},

	{"shards no object", `{"shards":[]}`, status.WrongType, "shards"},
	{"shard no object", `{"shards":{"a":7}}`, status.WrongType, "shards.a"},
	{"shard null", `{"shards":{"a":null}}`, status.WrongType, "shards.a"},
	{"shard's server", `{"shards":{"a":{"servers":[]},"rs 1":{"servers":[{"address":"a","type":"X"}]}}}`, status.UnknownValue, `shards["rs 1"].servers[0].type`},
	{"shard's same address", `{"shards":{"":{"servers":[{"address":"b","type":"Mongos"},{"address":"B","type":"Mongos"}]}}}`, status.DuplicateAddress, `shards[""].servers[1].address`},

	{"mode", preferenceRequest(`"mode":"secondry"`), status.UnknownMode, "readPreference.mode"},
	{"mode's case", preferenceRequest(`"mode":"Secondary"`), status.UnknownMode, "readPreference.mode"},
	{"mode no string", preferenceRequest(`"mode":2`), status.WrongType, "readPreference.mode"},
	{"preference a string", request(`"readPreference":"secondary"`), status.WrongType, "readPreference"},
	{"preference key", preferenceRequest(`"tagSets":[]`), status.UnknownKey, "readPreference.tagSets"},
	{"tags no list", preferenceRequest(`"mode":"nearest","tags":{"dc":"ny"}`), status.WrongType, "readPreference.tags"},
	{"tag set no object", preferenceRequest(`"mode":"nearest","tags":[{},"dc:ny"]`), status.WrongType, "readPreference.tags[1]"},
	{"tag no string", preferenceRequest(`"mode":"nearest","tags":[{},{"dc":"ny","rack":1}]`), status.WrongType, "readPreference.tags[1].rack"},
	{"maxStalenessSeconds 120.0", preferenceRequest(`"mode":"nearest","maxStalenessSeconds":120.0`), status.WrongType, "readPreference.maxStalenessSeconds"},
	{"maxStalenessSeconds 1.2e2", preferenceRequest(`"mode":"nearest","maxStalenessSeconds":1.2e2`), status.WrongType, "readPreference.maxStalenessSeconds"},
	{"maxStalenessSeconds in quotes", preferenceRequest(`"mode":"nearest","maxStalenessSeconds":"120"`), status.WrongType, "readPreference.maxStalenessSeconds"},
	{"maxStalenessSeconds -2", preferenceRequest(`"mode":"nearest","maxStalenessSeconds":-2`), status.InvalidMaxStaleness, "readPreference.maxStalenessSeconds"},
	{"maxStalenessSeconds with primary", preferenceRequest(`"maxStalenessSeconds":120`), status.MaxStalenessWithPrimary, "readPreference.maxStalenessSeconds"},
	{"tags with primary", preferenceRequest(`"mode":"primary","tags":[{"a":"b"}]`), status.TagsWithPrimary, "readPreference.tags"},
	{"hedge with primary", preferenceRequest(`"hedge":{},"mode":"primary"`), status.HedgeWithPrimary, "readPreference.hedge"},
	{"hedge no object", preferenceRequest(`"mode":"nearest","hedge":true`), status.WrongType, "readPreference.hedge"},
	{"hedge key", preferenceRequest(`"mode":"nearest","hedge":{"enable":true}`), status.UnknownKey, "readPreference.hedge.enable"},
	{"hedge value", preferenceRequest(`"mode":"nearest","hedge":{"enabled":"true"}`), status.WrongType, "readPreference.hedge.enabled"},

	{"operation", request(`"operation":"aggregate"`), status.UnknownValue, "operation"},
	{"pick", request(`"pick":"roundrobin"`), status.UnknownValue, "pick"},
	{"deprioritized no list", request(`"deprioritized":"a"`), status.WrongType, "deprioritized"},
	{"deprioritized element", request(`"deprioritized":["a",2]`), status.WrongType, "deprioritized[1]"},
	{"customSelector empty", request(`"customSelector":{}`), status.MissingKey, "customSelector.keepOnly"},
	{"customSelector null", request(`"customSelector":{"keepOnly":null}`), status.MissingKey, "customSelector.keepOnly"},
	{"customSelector key", request(`"customSelector":{"keep":[]}`), status.UnknownKey, "customSelector.keep"},
	{"customSelector element", request(`"customSelector":{"keepOnly":[[]]}`), status.WrongType, "customSelector.keepOnly[0]"},
	{"localThresholdMS", request(`"localThresholdMS":-1`), status.OutOfRange, "localThresholdMS"},
	{"heartbeatFrequencyMS", request(`"heartbeatFrequencyMS":499`), status.OutOfRange, "heartbeatFrequencyMS"},
	{"heartbeatFrequencyMS", request(`"heartbeatFrequencyMS":500.5`), status.WrongType, "heartbeatFrequencyMS"},
	{"wireVersions min", request(`"wireVersions":{"max":5}`), status.MissingKey, "wireVersions.min"},
	{"wireVersions max null", request(`"wireVersions":{"min":5,"max":null}`), status.MissingKey, "wireVersions.max"},
	{"wireVersions min null", request(`"wireVersions":{"min":null,"max":9}`), status.MissingKey, "wireVersions.min"},
	{"wireVersions order", request(`"wireVersions":{"min":5,"max":4}`), status.OutOfRange, "wireVersions.max"},
	{"wireVersions range", request(`"wireVersions":{"min":-1,"max":4}`), status.OutOfRange, "wireVersions.min"},
	{"seed", request(`"seed":-1`), status.OutOfRange, "seed"},
	{"seed 2^53", request(`"seed":9007199254740992`), status.OutOfRange, "seed"},
	{"seed string", request(`"seed":"1x"`), status.OutOfRange, "seed"},
	{"seed boolean", request(`"seed":true`), status.WrongType, "seed"},
	{"seed $numberLong", request(`"seed":{"$numberLong":"-1"}`), status.OutOfRange, "seed.$numberLong"},
	{"seed of two keys", request(`"seed":{"$numberLong":"1","$numberLong":"1"}`), status.UnknownKey, "seed.$numberLong"},

	{"cut in a key", `{"topology":{"servers":[{"addr`, status.InvalidJSON, `topology.servers[0]["?"]`},
	{"cut in a value", `{"topology":{"servers":[{"address":"a`, status.InvalidJSON, "topology.servers[0].address"},
	{"cut after a value", `{"topology":{"servers":[{"address":"a"`, status.InvalidJSON, "topology.servers[0].address"},
	{"cut after a comma", `{"topology":{"servers":[{"address":"a",`, status.InvalidJSON, "topology.servers[0]"},
	{"cut between servers", `{"topology":{"servers":[{"address":"a","type":"Mongos"},`, status.InvalidJSON, "topology.servers[1]"},
	{"cut at the end", `{"topology":{"servers":[]}`, status.InvalidJSON, "topology"},
	{"text behind", request("") + " x", status.InvalidJSON, ""},
	{"comma before a bracket", `{"topology":{"servers":[],}}`, status.InvalidJSON, "topology"},
	{"comma before a bracket", request(`"deprioritized":["a",]`), status.InvalidJSON, "deprioritized[1]"},
	{"bad number", request(`"localThresholdMS":015`), status.InvalidJSON, "localThresholdMS"},
	{"bad escape", oneServer(`"type":"\q"`), status.InvalidJSON, "topology.servers[1].type"},
	{"lone surrogate", oneServer(`"type":"Mongos","tags":{"dc":"\ud800"}`), status.InvalidUTF8, "topology.servers[1].tags.dc"},
	{"lone surrogate in a key", oneServer(`"type":"Mongos","tags":{"\ud800":"x"}`), status.InvalidUTF8, `topology.servers[1].tags["?"]`},
}

func TestPaths(t *testing.T) {
	for _, c := range refusals {
		_, err := decodeRequest([]byte(c.in))
		checkRefusal(t, c, err)
		// White space moves every offset but no path.
		spaced := strings.NewReplacer(`,"`, " ,\n\t\"", `:{`, " : {\r\n", `[{`, "[\n {").Replace(c.in)
		if !strings.Contains(c.in, `["?`) && !strings.HasPrefix(c.name, "cut in") {
			_, err = decodeRequest([]byte(spaced))
			checkRefusal(t, refusal{c.name + " (spaced)", spaced, c.code, c.path}, err)
		}
	}
}

func TestPathsOfOtherMethods(t *testing.T) {
	for _, c := range []refusal{
		{"empty", `{}`, status.MissingKey, "address"},
		{"address null", `{"address":null,"hello":{}}`, status.MissingKey, "address"},
		{"hello null", `{"address":"a","hello":null}`, status.MissingKey, "hello"},
		{"address empty", `{"address":"","hello":{}}`, status.OutOfRange, "address"},
		{"unknown key", `{"address":"a","hello":{},"now":1}`, status.UnknownKey, "now"},
		{"RTT", `{"address":"a","hello":{},"roundTripTimeMS":-1}`, status.OutOfRange, "roundTripTimeMS"},
		{"nowMS", `{"address":"a","hello":{},"nowMS":1.5}`, status.WrongType, "nowMS"},
		{"hello ok", `{"address":"a","hello":{"ok":"1"}}`, status.WrongType, "hello.ok"},
		{"in what is skipped", `{"address":"a","hello":{"x y":[0,{"z":"\ud800"}]}}`, status.InvalidUTF8, `hello["x y"][1].z`},
	} {
		_, err := decodeHelloRequest([]byte(c.in))
		checkRefusal(t, c, err)
	}
	for _, c := range []refusal{
		{"empty", `{}`, status.MissingKey, "readPreference"},
		{"null", `{"readPreference":null}`, status.MissingKey, "readPreference"},
		{"two forms", `{"readPreference":{},"mongosh":["primary"]}`, status.UnknownKey, ""},
		{"unknown key", `{"uri":"x"}`, status.UnknownKey, "uri"},
		{"uriOptions", `{"uriOptions":{}}`, status.WrongType, "uriOptions"},
		{"syntax inside", `{"readPreference":{"mode":"x","tags":[{"a":tru}]}}`, status.InvalidJSON, "readPreference.tags[0].a"},
	} {
		_, err := decodeValidation([]byte(c.in))
		checkRefusal(t, c, err)
	}
	if _, err := decodeValidation([]byte(`{"readPreference":null,"uriOptions":"a=b"}`)); err != nil {
		t.Error(err)
	}
	if _, err := decodeRequest([]byte(`{"topology":null,"shards":{}}`)); err != nil {
		t.Error(err)
	}
	var d Decoder
	for _, c := range []refusal{
		{"a key", `{"x":1}`, status.UnknownKey, "x"}, {"no object", `[]`, status.WrongType, ""}, {"no JSON", `{`, status.InvalidJSON, ""},
	} {
		checkRefusal(t, c, d.Empty([]byte(c.in)))
	}
	for _, doc := range []string{"", "{}", " { } "} {
		if err := d.Empty([]byte(doc)); err != nil {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

// validate lists every problem with its own path, in the document's order where
// they are about single values.
func TestProblems(t *testing.T) {
	v, err := decodeValidation([]byte(`{"readPreference":{"mode":"secondry","x y":1,"tags":[{},{"dc":1,"rack":null},7],"maxStalenessSeconds":1.5,"hedge":{"on":1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []refusal{
		{"", "", status.UnknownMode, "readPreference.mode"},
		{"", "", status.UnknownKey, `readPreference["x y"]`},
		{"", "", status.WrongType, "readPreference.tags[1].dc"},
		{"", "", status.WrongType, "readPreference.tags[1].rack"},
		{"", "", status.WrongType, "readPreference.tags[2]"},
		{"", "", status.WrongType, "readPreference.maxStalenessSeconds"},
		{"", "", status.UnknownKey, "readPreference.hedge.on"},
	}
	for i, p := range v.Problems {
		if i < len(want) {
			checkRefusal(t, want[i], p)
		}
	}
	// The mode was not read, so it is primary, with which the rest does not go.
	if len(v.Problems) < len(want) {
		t.Errorf("%d problems", len(v.Problems))
	}
	for _, p := range v.Problems[len(want):] {
		if p.Code != status.TagsWithPrimary && p.Code != status.HedgeWithPrimary {
			t.Errorf("%v at %q", p.Code, p.Path)
		}
	}
	v, err = decodeValidation([]byte(`{"mongosh":["nearest",[{"a":1}],{"enabled":2},3,4]}`))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range v.Problems {
		paths = append(paths, p.Path)
	}
	if got := strings.Join(paths, " "); got != "mongosh[1][0].a mongosh[2].enabled mongosh[3] mongosh[4]" {
		t.Error(got)
	}
}

// However long and odd a caller's strings are, an error document stays under
// 4096 bytes of UTF-8.
func TestErrorDocumentsAreSmall(t *testing.T) {
	odd := []string{
		strings.Repeat("k", 100_000), strings.Repeat("é", 50_000), "x" + strings.Repeat("é", 50_000), "xx" + strings.Repeat("😀", 30_000),
		strings.Repeat(`\u0000`, 10_000), strings.Repeat(`\"`, 10_000), strings.Repeat(`\\`, 10_000), strings.Repeat("\x7f", 1000), strings.Repeat("\u2028", 1000),
		strings.Repeat("x", 63) + "é", strings.Repeat("x", 62) + "😀",
	}
	for _, k := range odd {
		for levels := range 60 {
			open := strings.Repeat(`{"`+k[:min(len(k), 600)]+`":`, levels)
			_, err := decodeHelloRequest([]byte(`{"address":"a","hello":` + open + `tru`))
			if err == nil {
				t.Fatal("accepted")
			}
			checkErrorDocument(t, err)
		}
		for _, doc := range []string{
			request(`"` + k + `":1`), preferenceRequest(`"` + k + `":1`), preferenceRequest(`"mode":"` + k + `"`),
			oneServer(`"type":"` + k + `"`), oneServer(`"type":"Mongos","electionId":{"$oid":"` + k + `"}`),
			oneServer(`"type":"Mongos","lastWriteDate":{"$date":"` + k + `"}`), oneServer(`"type":"Mongos","operationCount":{"$numberLong":"` + k + `"}`),
			oneServer(`"type":"Mongos","tags":{"` + k + `":1}`), request(`"seed":"` + k + `"`), `{"` + k + `":`, `{"` + k,
			`{"topology":{"servers":[{"address":"` + k + `","type":"Mongos"},{"address":"` + k + `","type":"Mongos"}]}}`,
			`{"shards":{"` + k + `":{"servers":[{}]}}}`, `{"shards":{"` + k + `":{"servers":[]},"` + k + `":{"servers":[]}}}`,
		} {
			_, err := decodeRequest([]byte(doc))
			if err == nil {
				t.Errorf("accepted: %.100q", doc)
				continue
			}
			checkErrorDocument(t, err)
		}
		v, err := decodeValidation([]byte(`{"uriOptions":"` + k + `&readPreference=` + k + `&readPreferenceTags=` + k + `&maxStalenessSeconds=` + k + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range v.Problems {
			checkErrorDocument(t, p)
		}
	}
	for _, number := range []string{strings.Repeat("9", 100_000), "-" + strings.Repeat("1", 1000), "1." + strings.Repeat("0", 1000)} {
		_, err := decodeRequest([]byte(oneServer(`"type":"Mongos","operationCount":` + number)))
		if err == nil {
			t.Fatal("accepted")
		}
		checkErrorDocument(t, err)
	}
	// A method's name comes from the caller as bytes.
	checkErrorDocument(t, &status.Error{Code: status.UnknownMethod, Message: Unknown("method", "\xff\xc3", []string{"select"})})
}

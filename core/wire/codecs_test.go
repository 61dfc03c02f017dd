package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// FuzzCodecs holds the codecs equal on every document.
//
// What the strict codec accepts, encoding/json calls valid, and the easyjson
// methods of the public types read to the same value and print to the same
// document; the one exception is a server given as a saved hello, which those
// refuse. What encoding/json calls invalid, the strict codec refuses; it calls
// nothing invalidJSON that is valid JSON.
//
// The easyjson side may accept more: a known key that comes twice, null in a
// list of strings, lone surrogates, duplicate addresses, combinations that
// Validate refuses, numbers outside a key's range, and more than the documented
// limits.
func FuzzCodecs(f *testing.F) {
	for _, doc := range seeds(f) {
		f.Add([]byte(doc))
	}
	f.Fuzz(checkDocument)
}

// checkDocument gives a document to every decoder.
func checkDocument(t *testing.T, doc []byte) {
	server, err := decodeServer(doc)
	checkVerdict(t, doc, err)
	if err == nil && !hasHello(doc) {
		checkServer(t, doc, &server)
	}
	description, err := decodeTopology(doc)
	checkVerdict(t, doc, err)
	if err == nil && !hasHello(doc) {
		checkTopology(t, doc, &description)
	}
	preference, err := decodePreference(doc)
	checkVerdict(t, doc, err)
	if err == nil {
		checkPreference(t, doc, &preference)
	}
	_, err = decodeRequest(doc)
	checkVerdict(t, doc, err)
	_, err = decodeHelloRequest(doc)
	checkVerdict(t, doc, err)
	v, err := decodeValidation(doc)
	checkVerdict(t, doc, err)
	if answer := AppendValidation(nil, v); err == nil && !json.Valid(answer) {
		t.Errorf("the answer of validate is not JSON: %s", answer)
	}
}

// What FuzzCodecs checks, on documents with a few tokens changed: bytes changed
// at random seldom keep the structure that reaches the decoders' inner parts.
func TestChangedDocuments(t *testing.T) {
	documents := seeds(t)
	token := regexp.MustCompile(`"(\\.|[^"\\])*"|[-+.0-9a-zA-Z]+|\s+|.`)
	others := []string{
		"null", "true", "0", "-0", "1", "-1", "1.5", "01", "1e2", "9223372036854775808", `""`, `"a"`, `"\u0061"`, `"\ud800"`, "\"\xff\"", "[]", "{}", "[null]",
		`{"$numberInt":"5"}`, `{"$numberLong":"5"}`, `{"$numberDouble":"5"}`, `{"$numberLong":"05"}`, `{"$date":1}`, `{"$date":"2026-10-26T01:46:40.5+0530"}`, `{"$date":{"$numberLong":"7"}}`,
		`{"$oid":"0123456789abcdef01234567"}`, "{", "}", "[", "]", ",", ":", " ", "", `"tags"`, `"mode"`, `"secondary"`, `"lastWriteDate"`, `"operationCount"`, `"type"`, `"hello"`, `"address"`,
		`"lastUpdateTimeMS":{"$numberLong":"-3"},`, `"x":1,`, `"hedge":{},`, `"nowMS":null,`,
	}
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		tokens := token.FindAllString(rapid.SampledFrom(documents).Draw(rt, "document"), -1)
		for range rapid.IntRange(0, 3).Draw(rt, "changes") {
			if len(tokens) == 0 {
				break
			}
			i := rapid.IntRange(0, len(tokens)-1).Draw(rt, "at")
			with := rapid.SampledFrom(others)
			if rapid.Bool().Draw(rt, "its own") {
				with = rapid.SampledFrom(tokens)
			}
			switch text := with.Draw(rt, "token"); rapid.IntRange(0, 2).Draw(rt, "how") {
			case 0:
				tokens[i] = text
			case 1:
				tokens[i] = text + tokens[i]
			case 2:
				tokens = append(tokens[:i], tokens[i+1:]...)
			}
		}
		doc := []byte(strings.Join(tokens, ""))
		if checkDocument(t, doc); t.Failed() {
			rt.Fatalf("%s", doc)
		}
		if _, err := decodeServer(doc); err == nil {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("no changed document was accepted, so the codecs were not compared")
	}
}

// seeds are the examples of docs/json.md, each object inside them, and hostile
// documents.
func seeds(t testing.TB) []string {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(page, -1) {
		list = append(list, string(m[1]))
		list = append(list, members(m[1])...)
	}
	if len(list) < 10 {
		t.Fatalf("docs/json.md has %d examples; is its form another?", len(list))
	}
	list = append(list, strictDocuments...)
	list = append(list, inDocument...)
	for _, c := range refusals {
		list = append(list, c.in)
	}
	return append(list, acceptedServers...)
}

// members returns the objects inside a document, at any depth.
func members(doc []byte) (list []string) {
	var object map[string]json.RawMessage
	var array []json.RawMessage
	if json.Unmarshal(doc, &object) == nil {
		for _, v := range object {
			array = append(array, v)
		}
	} else if json.Unmarshal(doc, &array) != nil {
		return nil
	}
	for _, v := range array {
		if v[0] == '{' {
			list = append(list, string(v))
		}
		if v[0] == '{' || v[0] == '[' {
			list = append(list, members(v)...)
		}
	}
	return list
}

// checkVerdict compares what the strict codec says of a document with
// encoding/json.
func checkVerdict(t *testing.T, doc []byte, err *status.Error) {
	t.Helper()
	valid := json.Valid(doc)
	switch {
	case err == nil && !valid:
		t.Errorf("accepted, but encoding/json calls it invalid: %q", doc)
	case err == nil && !utf8.Valid(doc):
		t.Errorf("accepted, but not UTF-8: %q", doc)
	case err != nil && err.Code == status.InvalidJSON && valid:
		t.Errorf("refused as invalidJSON (%v), but encoding/json calls it valid: %q", err, doc)
	case err != nil:
		checkErrorDocument(t, err)
	}
}

// hasHello reports whether a document that was accepted holds a saved reply.
func hasHello(doc []byte) bool {
	type server struct{ Hello *json.RawMessage }
	var d struct {
		server
		Servers []server
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return false
	}
	found := d.Hello != nil
	for _, s := range d.Servers {
		found = found || s.Hello != nil
	}
	return found
}

func checkServer(t *testing.T, doc []byte, want *topology.Server) {
	t.Helper()
	var got topology.Server
	if err := got.UnmarshalJSON(doc); err != nil {
		t.Fatalf("core/wire accepts what easyjson refuses (%v): %q", err, doc)
	}
	if a, b := normalServer(got), normalServer(*want); !reflect.DeepEqual(a, b) {
		t.Errorf("easyjson reads\n%+v, core/wire\n%+v from %q", a, b, doc)
	}
	checkEncoding(t, want, AppendServer(nil, want))
	again, err := decodeServer(AppendServer(nil, want))
	if a, b := normalServer(again), normalServer(*want); err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v: printed and read again\n%+v, not\n%+v", err, a, b)
	}
}

func checkTopology(t *testing.T, doc []byte, want *topology.Description) {
	t.Helper()
	var got topology.Description
	if err := got.UnmarshalJSON(doc); err != nil {
		t.Fatalf("core/wire accepts what easyjson refuses (%v): %q", err, doc)
	}
	if a, b := normalTopology(got), normalTopology(*want); !reflect.DeepEqual(a, b) {
		t.Errorf("easyjson reads\n%+v, core/wire\n%+v from %q", a, b, doc)
	}
	checkEncoding(t, want, AppendTopology(nil, want))
	again, err := decodeTopology(AppendTopology(nil, want))
	if a, b := normalTopology(again), normalTopology(*want); err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v: printed and read again\n%+v, not\n%+v", err, a, b)
	}
}

func checkPreference(t *testing.T, doc []byte, want *readpref.Preference) {
	t.Helper()
	var got readpref.Preference
	if err := got.UnmarshalJSON(doc); err != nil {
		t.Fatalf("core/wire accepts what easyjson refuses (%v): %q", err, doc)
	}
	if a, b := normalPreference(got), normalPreference(*want); !reflect.DeepEqual(a, b) {
		t.Errorf("easyjson reads\n%+v, core/wire\n%+v from %q", a, b, doc)
	}
	checkEncoding(t, want, AppendPreference(nil, want))
	again, err := decodePreference(AppendPreference(nil, want))
	sent := normalPreference(*want)
	if sent.Mode == readpref.Primary {
		sent.TagSets = nil // a lone {} is never printed
	}
	if a := normalPreference(again); err != nil || !reflect.DeepEqual(a, sent) {
		t.Errorf("%v: printed and read again\n%+v, not\n%+v", err, a, sent)
	}
}

// checkEncoding compares what core/wire printed with what easyjson prints of
// the same value: the same bytes, but for the characters that easyjson escapes
// in its own way, where the same JSON.
func checkEncoding(t *testing.T, v json.Marshaler, want []byte) {
	t.Helper()
	got, err := v.MarshalJSON()
	if err != nil {
		t.Errorf("%v: %+v", err, v)
		return
	}
	if !bytes.Equal(got, want) && (!strings.ContainsAny(string(want), "\u2028\u2029") && !bytes.Contains(want, []byte(`\b`)) &&
		!bytes.Contains(want, []byte(`\f`)) || !sameJSON(t, got, want)) {
		t.Errorf("easyjson prints\n%s, core/wire\n%s", got, want)
	}
	standard, err := json.Marshal(v)
	if err != nil || !sameJSON(t, standard, want) {
		t.Errorf("json.Marshal (%v) prints\n%s, core/wire\n%s", err, standard, want)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	read := func(doc []byte) (v any) {
		d := json.NewDecoder(bytes.NewReader(doc))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Errorf("%v: %q", err, doc)
		}
		return v
	}
	return reflect.DeepEqual(read(a), read(b))
}

// The normal forms below have no empty list beside an absent one: the strict
// codec reuses memory and does not tell them apart.

func normalServer(s topology.Server) topology.Server {
	s.Tags = normalSet(s.Tags)
	s.Hosts, s.Passives, s.Arbiters = normalList(s.Hosts), normalList(s.Passives), normalList(s.Arbiters)
	return s
}

func normalTopology(d topology.Description) topology.Description {
	servers := make([]topology.Server, len(d.Servers))
	for i := range servers {
		servers[i] = normalServer(d.Servers[i])
	}
	d.Servers = servers
	return d
}

func normalPreference(p readpref.Preference) readpref.Preference {
	var sets []tag.Set
	for _, s := range p.TagSets {
		sets = append(sets, normalSet(s))
	}
	p.TagSets = sets
	return p
}

func normalSet(s tag.Set) tag.Set {
	if len(s) == 0 {
		return nil
	}
	return s
}

func normalList(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// acceptedServers are descriptions that use every key and every form.
var acceptedServers = []string{
	`{"address":"a","type":"Unknown"}`,
	` { "address" : "a" , "type" : "RSPrimary" } ` + "\n\t\r",
	`{"type":"Mongos","address":"\u0041\ud83d\ude00\/\b\f\n\r\t\"\\"}`,
	`{"address":"a","type":"RSSecondary","roundTripTimeMS":2.4,"minRoundTripTimeMS":0,"tags":{"dc":"ny","":""},"lastWriteDate":1793000000000,` +
		`"lastUpdateTimeMS":1793000000950,"minWireVersion":0,"maxWireVersion":25,"operationCount":3,"setName":"rs0","setVersion":4,` +
		`"electionId":{"$oid":"7fffffff0000000000000001"},"primary":"p:1","me":"m:1","hosts":["a","b"],"passives":["c"],"arbiters":["d"],` +
		`"topologyVersion":{"processId":{"$oid":"0123456789abcdefABCDEF00"},"counter":6},"logicalSessionTimeoutMinutes":30,"iscryptd":true,` +
		`"serviceId":{"$oid":"000000000000000000000000"},"error":"<&>"}`,
	`{"address":"a","type":"RSArbiter","roundTripTimeMS":null,"minRoundTripTimeMS":null,"tags":null,"lastWriteDate":null,"lastUpdateTimeMS":null,` +
		`"minWireVersion":null,"maxWireVersion":null,"operationCount":null,"setName":null,"setVersion":null,"electionId":null,"primary":null,` +
		`"me":null,"hosts":null,"passives":null,"arbiters":null,"topologyVersion":null,"logicalSessionTimeoutMinutes":null,"iscryptd":null,` +
		`"serviceId":null,"error":null,"hello":null,"nowMS":null}`,
	`{"address":"a","type":"RSOther","tags":{},"hosts":[],"passives":[],"arbiters":[],"iscryptd":false,"error":"","operationCount":0}`,
	`{"address":"a","type":"RSGhost","roundTripTimeMS":{"$numberDouble":"2.5"},"minRoundTripTimeMS":{"$numberInt":"2"},` +
		`"lastWriteDate":{"$date":{"$numberLong":"-1"}},"lastUpdateTimeMS":{"$numberLong":"9223372036854775807"},"minWireVersion":{"$numberInt":"6"},` +
		`"operationCount":{"$numberInt":"7"},"setVersion":{"$numberLong":"-9223372036854775808"},` +
		`"topologyVersion":{"counter":{"$numberLong":"-5"},"processId":{"$oid":"0123456789abcdef01234567"}}}`,
	`{"address":"a","type":"Standalone","lastWriteDate":{"$date":"2026-10-26T01:46:40.123456789+05:30"}}`,
	`{"address":"a","type":"Standalone","lastWriteDate":{"$date":"1600-02-29T23:59:59.9-0530"}}`,
	`{"address":"a","type":"Standalone","lastWriteDate":{"$date":1}}`,
	`{"address":"a","type":"Standalone","lastWriteDate":{"$date":{"$numberInt":"5"}}}`,
	`{"address":"a","type":"Standalone","lastWriteDate":{"\u0024date":"1970-01-01T00:00:00Z"}}`,
	`{"address":"a","type":"LoadBalancer","roundTripTimeMS":1e-3}`,
	`{"address":"a","type":"LoadBalancer","roundTripTimeMS":-0.0E+5}`,
	`{"address":"a","type":"PossiblePrimary","roundTripTimeMS":9223372036854.775807}`,
}

func TestCodecsAgreeOnServers(t *testing.T) {
	for _, doc := range acceptedServers {
		s, err := decodeServer([]byte(doc))
		if err != nil {
			t.Errorf("%v: %s", err, doc)
			continue
		}
		checkServer(t, []byte(doc), &s)
	}
}

func TestCodecsAgreeOnTopologies(t *testing.T) {
	all := `{"servers":[` + strings.ReplaceAll(strings.Join(acceptedServers, ","), `"address":"a"`, `"address":"@"`) + `]}`
	for i := 0; strings.Contains(all, "@"); i++ { // distinct addresses
		all = strings.Replace(all, "@", "h"+strings.Repeat("x", i), 1)
	}
	for _, doc := range []string{
		`{"servers":[]}`,
		`{"type":"Sharded","servers":[]}`,
		`{"type":null,"servers":[{"address":"a","type":"RSPrimary"}]}`,
		`{"servers":[{"address":"a","type":"RSArbiter"}],"type":"Single"}`,
		`{"type":"ReplicaSetNoPrimary","setName":"rs0","servers":[],"maxElectionId":{"$oid":"7fffffff0000000000000001"},"maxSetVersion":{"$numberInt":"3"},"logicalSessionTimeoutMinutes":0}`,
		all,
	} {
		d, err := decodeTopology([]byte(doc))
		if err != nil {
			t.Errorf("%v: %s", err, doc)
			continue
		}
		checkTopology(t, []byte(doc), &d)
	}
}

func TestCodecsAgreeOnPreferences(t *testing.T) {
	for _, doc := range []string{
		`{}`,
		`{"mode":null,"tags":null,"maxStalenessSeconds":null,"hedge":null}`,
		`{"mode":"primary","tags":[],"maxStalenessSeconds":-1}`,
		`{"tags":[{}]}`,
		`{"mode":"secondary","tags":[]}`,
		`{"mode":"secondary","tags":[{"dc":"ny","rack":"1"},{"dc":"<&>\u2028\b\f"},{}],"maxStalenessSeconds":120,"hedge":{"enabled":true}}`,
		`{"mode":"nearest","hedge":{}}`,
		`{"mode":"nearest","hedge":{"enabled":null}}`,
		`{"mode":"nearest","hedge":{"enabled":false}}`,
		`{"mode":"primaryPreferred","maxStalenessSeconds":{"$numberLong":"9223372036854775807"}}`,
		`{"mode":"secondaryPreferred","maxStalenessSeconds":{"$numberInt":"-1"}}`,
		`{"mode":"secondaryPreferred","maxStalenessSeconds":0}`,
	} {
		p, err := decodePreference([]byte(doc))
		if err != nil {
			t.Errorf("%v: %s", err, doc)
			continue
		}
		checkPreference(t, []byte(doc), &p)
	}
}

// What the easyjson side refuses, so that its documentation stays true.
func TestEasyJSONRefuses(t *testing.T) {
	for _, doc := range []string{
		``, `[]`, `{`, `{"address":"a","type":"Mongos"} x`, `{"address":"a"}`, `{"type":"Mongos"}`,
		`{"address":"","type":"Mongos"}`, `{"address":"a","type":"mongos"}`, `{"address":"a","type":7}`,
		`{"address":"a","type":"Mongos","adress":"b"}`, `{"address":"a","type":"Mongos","hello":{}}`,
		`{"address":"a","type":"Mongos","nowMS":5}`, `{"address":"a","type":"Mongos","tags":{"a":"1","\u0061":"2"}}`,
		`{"address":"a","type":"Mongos","tags":{"a":1}}`, `{"address":"a","type":"Mongos","roundTripTimeMS":-1}`,
		`{"address":"a","type":"Mongos","roundTripTimeMS":01}`, `{"address":"a","type":"Mongos","roundTripTimeMS":"1"}`,
		`{"address":"a","type":"Mongos","operationCount":1.0}`, `{"address":"a","type":"Mongos","operationCount":1e2}`,
		`{"address":"a","type":"Mongos","operationCount":"1"}`, `{"address":"a","type":"Mongos","operationCount":{"$numberLong":1}}`,
		`{"address":"a","type":"Mongos","operationCount":{"$numberLong":"1","x":1}}`,
		`{"address":"a","type":"Mongos","operationCount":{}}`, `{"address":"a","type":"Mongos","operationCount":9223372036854775808}`,
		`{"address":"a","type":"Mongos","setVersion":{"$numberInt":"2147483648"}}`,
		`{"address":"a","type":"Mongos","lastWriteDate":{"$date":"2026-02-30T00:00:00Z"}}`,
		`{"address":"a","type":"Mongos","lastWriteDate":{"$date":"2026-02-03T00:00:00,5Z"}}`,
		`{"address":"a","type":"Mongos","lastWriteDate":{"$date":1,"$date":1}}`,
		`{"address":"a","type":"Mongos","electionId":{"$oid":"1"}}`, `{"address":"a","type":"Mongos","electionId":{}}`,
		`{"address":"a","type":"Mongos","electionId":{"oid":"000000000000000000000000"}}`,
		`{"address":"a","type":"Mongos","topologyVersion":{"counter":1}}`,
		`{"address":"a","type":"Mongos","topologyVersion":{"processId":{"$oid":"000000000000000000000000"}}}`,
		`{"address":"a","type":"Mongos","topologyVersion":{"processId":{"$oid":"000000000000000000000000"},"counter":1,"x":1}}`,
		"{\"address\":\"\xff\",\"type\":\"Mongos\"}",
	} {
		var s topology.Server
		if err := s.UnmarshalJSON([]byte(doc)); err == nil {
			t.Errorf("accepted: %s", doc)
		}
		var d topology.Description
		if err := d.UnmarshalJSON([]byte(`{"servers":[` + doc + `]}`)); doc != "" && err == nil {
			t.Errorf("accepted in a description: %s", doc)
		}
	}
	for _, doc := range []string{`{"servers":[null]}`, `{}`, `{"type":"Single"}`, `{"servers":{}}`, `{"server":[]}`, `{"servers":[]}]`} {
		var d topology.Description
		if err := d.UnmarshalJSON([]byte(doc)); err == nil {
			t.Errorf("accepted: %s", doc)
		}
	}
	for _, doc := range []string{`{"mode":"Primary"}`, `{"mode":1}`, `{"tag_sets":[]}`, `{"tags":{}}`, `{"tags":[{"a":null}]}`, `{"hedge":{"enable":true}}`,
		`{"hedge":{"enabled":1}}`, `{"hedge":true}`, `{"maxStalenessSeconds":120.0}`, `{"maxStalenessSeconds":{"$numberDouble":"120"}}`, `{} {}`} {
		var p readpref.Preference
		if err := p.UnmarshalJSON([]byte(doc)); err == nil {
			t.Errorf("accepted: %s", doc)
		}
	}
}

// UnmarshalJSON replaces the whole value: nothing of an earlier document stays.
func TestEasyJSONReplaces(t *testing.T) {
	var s topology.Server
	var d topology.Description
	var p readpref.Preference
	for _, err := range []error{
		json.Unmarshal([]byte(acceptedServers[3]), &s), json.Unmarshal([]byte(acceptedServers[0]), &s),
		json.Unmarshal([]byte(`{"type":"Single","setName":"x","servers":[{"address":"a","type":"Mongos"}]}`), &d), json.Unmarshal([]byte(`{"servers":[]}`), &d),
		json.Unmarshal([]byte(`{"mode":"nearest","tags":[{"a":"b"}],"hedge":{}}`), &p), json.Unmarshal([]byte(`{}`), &p),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := (topology.Server{Address: "a"}); !reflect.DeepEqual(s, want) {
		t.Errorf("%+v", s)
	}
	if !reflect.DeepEqual(normalTopology(d), normalTopology(topology.Description{})) {
		t.Errorf("%+v", d)
	}
	if !reflect.DeepEqual(p, readpref.Preference{}) {
		t.Errorf("%+v", p)
	}
}

// Values that no document holds are errors, not documents that nobody reads.
func TestEasyJSONRefusesToPrint(t *testing.T) {
	for _, v := range []json.Marshaler{
		topology.Server{Address: "a", Type: 99}, topology.Description{Type: 99}, readpref.Preference{Mode: 99},
	} {
		if doc, err := v.MarshalJSON(); err == nil {
			t.Errorf("printed %s", doc)
		}
	}
}

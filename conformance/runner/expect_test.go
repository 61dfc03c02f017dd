package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func selection(address string) string {
	return `{"server":{"index":0,"address":"` + address + `","type":"Mongos"},"candidates":["a","b"],"fresh":["a","b"],"suitable":["a","b"],"inLatencyWindow":["a"]}`
}

func TestExpectations(t *testing.T) {
	good := reply{0, selection("a")}
	none := reply{0, `{"server":null,"candidates":[],"fresh":[],"suitable":[],"inLatencyWindow":[],"reason":{"code":"noCandidate","message":"no suitable server"}}`}
	small := reply{-21, `{"error":{"code":"maxStalenessTooSmall","status":-21,"message":"at least 90","path":"readPreference.maxStalenessSeconds","minimumSeconds":90}}`}
	explained := reply{0, selection("a")[:len(selection("a"))-1] + `,"servers":[{"address":"a","stage":"selected"},{"address":"b","stage":"latencyWindow"}],"notes":[{}],"text":"t"}`}
	valid := reply{0, `{"valid":true,"readPreference":{"mode":"primary"},"problems":[],"warnings":[{"code":"w"}]}`}
	invalid := reply{0, `{"valid":false,"readPreference":null,"problems":[{"code":"unknownMode","path":"p","message":"did you mean"}],"warnings":[]}`}
	shards := reply{0, `{"shards":{"x":` + selection("a") + `,"y":` + small.out + `}}`}
	parsed := reply{0, `{"server":{"address":"a","type":"Unknown","error":"e"}}`}
	for _, c := range []struct {
		got  reply
		want string
		says string // "" passes
	}{
		{good, `{"server":"a","suitable":["a","b"],"inLatencyWindow":["a"]}`, ""},
		{good, `{"server":"b"}`, `got "a", want "b"`},
		{good, `{"server":null}`, `want null`},
		{good, `{"suitable":["b","a"]}`, "suitable is [a b]"},
		{good, `{"candidates":[]}`, "candidates is"},
		{good, `{"fresh":["a"]}`, "fresh is"},
		{good, `{"inLatencyWindow":["a","b"]}`, "inLatencyWindow is"},
		{good, `{"reason":"noCandidate"}`, "the reason"},
		{good, `{"warnings":["hedgeDeprecated"]}`, "warnings are"},
		{good, `{"warnings":[]}`, ""},
		{good, `{"error":{"code":"unknownMode"}}`, "want error unknownMode"},
		{good, `{"effectiveReadPreference":{"mode":"primary"}}`, "effectiveReadPreference"},
		{reply{0, selection("b")}, `{"suitable":["a","b"]}`, "the chosen server is not in the window"},
		{none, `{"server":null,"reason":"noCandidate","reasonMentions":["suitable"]}`, ""},
		{none, `{"reason":"allStale"}`, "another than allStale"},
		{none, `{"reasonMentions":["weather"]}`, "does not mention"},
		{small, `{"error":{"code":"maxStalenessTooSmall","path":"readPreference.maxStalenessSeconds","minimumSeconds":90,"mentions":["90"]}}`, ""},
		{small, `{"error":{"code":"unknownMode"}}`, "error code"},
		{small, `{"error":{"code":"maxStalenessTooSmall","path":""}}`, "error path"},
		{small, `{"error":{"code":"maxStalenessTooSmall","minimumSeconds":91}}`, "minimumSeconds"},
		{small, `{"error":{"code":"maxStalenessTooSmall","mentions":["nearest"]}}`, "does not mention"},
		{small, `{"suitable":[]}`, "unexpected error"},
		{explained, `{"stages":{"a":"selected","b":"latencyWindow"},"notes":true}`, ""},
		{explained, `{"stages":{"a":"selected"}}`, "stages are"},
		{explained, `{"stages":{"a":"selected","b":"mode"}}`, "stages are"},
		{explained, `{"notes":false}`, "1 notes"},
		{valid, `{"valid":true,"readPreference":{"mode":"primary"},"problems":[],"warnings":["w"]}`, ""},
		{valid, `{"valid":false}`, "valid is not false"},
		{valid, `{"readPreference":{"mode":"nearest"}}`, "readPreference.mode"},
		{invalid, `{"valid":false,"readPreference":null,"problems":[{"code":"unknownMode","path":"p","mentions":["did"]}]}`, ""},
		{invalid, `{"problems":[]}`, "want 0 of them"},
		{invalid, `{"problems":[{"code":"unknownMode","path":"q"}]}`, "problems[0]: error path"},
		{shards, `{"shards":{"x":{"server":"a"},"y":{"error":{"code":"maxStalenessTooSmall"}}}}`, ""},
		{shards, `{"shards":{"x":{"server":"a"}}}`, "2 shards"},
		{shards, `{"shards":{"x":{"server":"b"},"y":{"error":{"code":"maxStalenessTooSmall"}}}}`, `shard "x"`},
		{shards, `{"shards":{"x":{"server":"a"},"z":{"server":"a"}}}`, `no answer for shard "z"`},
		{parsed, `{"serverKeys":["address","type","error"],"has":{"server":{"type":"Unknown"}}}`, ""},
		{parsed, `{"serverKeys":["type","address","error"]}`, "keys are"},
		{parsed, `{"has":{"server":{"type":"Mongos"}}}`, "has.server.type"},
		{parsed, `{"has":{"server":{"setName":"rs"}}}`, `"setName" is missing`},
		{parsed, `{"answer":{"server":{"type":"Unknown","error":"e","address":"a"}}}`, ""},
		{parsed, `{"answer":{"server":{"type":"Unknown","address":"a"}}}`, `unexpected "error"`},
		{parsed, `{"out":"{}"}`, "out differs"},
	} {
		var want expected
		require.NoError(t, decodeStrict([]byte(c.want), &want), c.want)
		require.NotZero(t, want.assertions(), c.want)
		err := want.check(c.got)
		if c.says == "" {
			assert.NoError(t, err, c.want)
		} else {
			assert.ErrorContains(t, err, c.says, c.want)
		}
	}
}

func TestVectorFaults(t *testing.T) {
	for text, says := range map[string]string{
		`{"description":"d","rule":"1","method":"select","in":{},"expected":{}}`:                           "expects nothing",
		`{"description":"d","rule":"1","method":"select","in":{}}`:                                         "expects nothing",
		`{"description":"d","method":"select","in":{},"expected":{"server":null}}`:                         "a rule",
		`{"description":"d","rule":"1","in":{},"expected":{"server":null}}`:                                "a method or a probe",
		`{"description":"d","rule":"1","method":"select","in":{},"in_text":"","expected":{"server":null}}`: "exactly one",
		`{"description":"d","rule":"1","method":"select","expected":{"server":null}}`:                      "exactly one",
		`{"description":"d","rule":"1","method":"select","in_b64":"?","expected":{"server":null}}`:         "illegal base64",
		`{"description":"d","rule":"1","method":"select","in":{},"expected":{"serve":null}}`:               "unknown key expected.serve",
		`{"cases":[]}`: "no cases",
		`{"description":"d","rule":"1","steps":[]}`: "either steps or",
		`{"description":"d","rule":"1","method":"close","steps":[{"method":"close","in":{},"expected":{"out":"{}"}}]}`:           "either steps or",
		`{"description":"d","rule":"1","expected":{"out":"{}"},"steps":[{"method":"close","in":{},"expected":{"out":"{}"}}]}`:    "either steps or",
		`{"description":"d","rule":"1","steps":[{"method":"close","in":{},"expected":{"out":"{}"}},{"method":"close","in":{}}]}`: "steps[1]: a vector that expects nothing",
		`{"description":"d","rule":"1","steps":[{"in":{},"expected":{"out":"{}"}}]}`:                                             "steps[0]: a vector has either a method or a probe",
		`{"description":"d","rule":"1","steps":[{"method":"close","expected":{"out":"{}"}}]}`:                                    "steps[0]: a vector has exactly one",
		`{"description":"d","steps":[{"method":"close","in":{},"expected":{"out":"{}"}}]}`:                                       "a rule",
		`{"description":"d","rule":"1","steps":[{"method":"close","in":{},"rule":"1","expected":{"out":"{}"}}]}`:                 "unknown key steps[0].rule",
		`{"description":"d","rule":"1","comment":"c","method":"close","in":{},"expected":{"out":"{}"}}`:                          "a comment stands in steps",
	} {
		cases := loadVectorFile("f", []byte(text))
		require.Len(t, cases, 1)
		assert.ErrorContains(t, cases[0].loadErr, says, text)
	}
}

func TestVectorInputs(t *testing.T) {
	for text, want := range map[string]string{
		`{"in":{ "rtt": 1.50 , "b":[ 1 ] }}`: `{"rtt":1.50,"b":[1]}`,
		`{"in_text":" {\n"}`:                 " {\n",
		`{"in_text":""}`:                     "",
		`{"in_b64":"/w=="}`:                  "\xff",
		`{"in_parts":[{"text":"["},{"text":"\"s%d\",","times":3},{"text":"]"}]}`: `["s0","s1","s2",]`,
	} {
		var v vector
		require.NoError(t, decodeStrict([]byte(text), &v))
		in, b64, err := v.input()
		require.NoError(t, err)
		assert.Equal(t, want, string(in))
		var r request
		s := &step{method: "select", in: in, base64: b64}
		require.NoError(t, json.Unmarshal(s.line(1, ""), &r))
		assert.Equal(t, want == "\xff", r.In == nil, "only bytes that are no UTF-8 go as base64")
	}
}

func TestFrequencies(t *testing.T) {
	c := loadInWindowCase("f", []byte(`{"description":"d","topology_description":{"type":"Sharded","servers":[{"address":"a","type":"Mongos"},{"address":"b","type":"Mongos"}]},
		"mocked_topology_state":[{"address":"b","operation_count":3}],"iterations":10,"outcome":{"tolerance":0.1,"expected_frequencies":{"a":0.5,"b":0.5}}}`))
	require.NoError(t, c.loadErr)
	require.Len(t, c.steps, 10)
	assert.Contains(t, string(c.steps[9].in), `"operationCount":3}`)
	assert.Contains(t, string(c.steps[9].in), `"seed":9}`)
	replies := func(a, b int) (r []reply) {
		for range a {
			r = append(r, reply{0, selection("a")})
		}
		for range b {
			r = append(r, reply{0, selection("b")})
		}
		return
	}
	assert.NoError(t, c.finish(replies(6, 4)))
	assert.ErrorContains(t, c.finish(replies(7, 3)), "frequency")
	assert.ErrorContains(t, c.finish(append(replies(5, 4), reply{0, selection("x")})), "does not name")

	exact := &inWindowCase{}
	exact.Outcome.Tolerance = 0.2
	exact.Outcome.Frequencies = map[string]float64{"a": 1, "b": 0}
	assert.NoError(t, exact.judge(replies(10, 0)))
	assert.Error(t, exact.judge(replies(9, 1)), "an expected 0 or 1 is exact, whatever the tolerance")
}

func TestFieldExpectations(t *testing.T) {
	small := reply{-21, `{"error":{"code":"maxStalenessTooSmall","status":-21,"message":"m","path":"p","minimumSeconds":130}}`}
	assert.NoError(t, (&fieldExpected{Error: "maxStalenessTooSmall", MinimumSeconds: "130"}).check(small))
	assert.Error(t, (&fieldExpected{Error: "maxStalenessTooSmall", MinimumSeconds: "90"}).check(small))
	assert.Error(t, (&fieldExpected{Error: "tagsWithPrimary"}).check(small))
	good := reply{0, selection("a")}
	assert.NoError(t, (&fieldExpected{Suitable: []string{"b", "a"}, InWindow: []string{"a"}}).check(good), "sets, in any order")
	assert.Error(t, (&fieldExpected{Suitable: []string{"a"}, InWindow: []string{"a"}}).check(good))
	assert.ErrorContains(t, checkNoted(good), "no note")

	effective := reply{0, selection("a")[:len(selection("a"))-1] + `,"effectiveReadPreference":{"mode":"secondary","tags":[{"dc":"ny"}]}}`}
	for text, ok := range map[string]bool{
		`"secondary"`: true, `"primary"`: false,
		`{"mode":"Secondary","tag_sets":[{"dc":"ny"}]}`: true, `{"mode":"secondary","tags":[{"dc":"ny"}]}`: true, `{"mode":"secondary"}`: false,
	} {
		err := (&fieldExpected{Suitable: []string{"a", "b"}, InWindow: []string{"a"}, Effective: []byte(text)}).check(effective)
		assert.Equal(t, ok, err == nil, "%s: %v", text, err)
	}
}

func TestStatusMustFitTheDocument(t *testing.T) {
	for _, bad := range []reply{
		{0, `{"error":{"code":"unknownMode","status":-20,"message":"m","path":""}}`},
		{-20, `{"valid":true}`},
		{-20, `{"error":{"code":"unknownMode","status":-21,"message":"m","path":""}}`},
		{-20, `{"error":{"code":"unknownMode","status":-20,"message":"m"}}`},
		{-20, `{"error":{"code":"unknownMode","status":-20,"message":"","path":""}}`},
		{0, ``}, {0, `{`},
	} {
		assert.Error(t, checkStatus(&step{}, bad), bad)
	}
	assert.NoError(t, checkStatus(&step{probe: "askLength"}, reply{0, "ok"}))
	assert.Error(t, checkStatus(&step{method: "select"}, reply{0, "ok"}))
}

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[2.50]}`, `{"b":[2.5],"a":1.0}`, true},
		{`9223372036854775807`, `9223372036854775806`, false}, // no float in between
		{`1`, `"1"`, false}, {`null`, `{}`, false}, {`[1,2]`, `[2,1]`, false}, {`{"a":1}`, `{}`, false}, {`{}`, `{"a":null}`, false},
		{`true`, `true`, true}, {`0.1`, `0.10000000000000001`, false},
	} {
		a, err := parseJSON(c.a)
		require.NoError(t, err)
		b, err := parseJSON(c.b)
		require.NoError(t, err)
		assert.Equal(t, c.same, difference(a, b, "") == "", "%s %s", c.a, c.b)
	}
}

// A typed API may read decimals as doubles; integers it may not.
func TestSameDouble(t *testing.T) {
	assert.True(t, sameDouble("9223372036854.775", "9223372036854.775807"), "one double stands for both")
	assert.True(t, sameDouble("2.50", "2.5"))
	assert.False(t, sameDouble("2.5", "2.500001"))
	assert.False(t, sameDouble("9223372036854775807", "9223372036854775806"), "one double stands for both, but they are integers")
	assert.False(t, sameDouble("1.5", "1"))
}

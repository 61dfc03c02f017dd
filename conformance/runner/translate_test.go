package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTranslateOfficialCase(t *testing.T) {
	s, err := selectionStep([]byte(`{
		"topology_description": {"type": "ReplicaSetWithPrimary", "servers": [
			{"address": "a:27017", "type": "RSPrimary", "avg_rtt_ms": 5.250001, "lastUpdateTime": 1, "maxWireVersion": 21,
			 "lastWrite": {"lastWriteDate": {"$numberLong": "125002"}}, "tags": {"free": "form"}},
			{"address": "b:27017", "type": "RSSecondary", "avg_rtt_ms": "NULL"}]},
		"heartbeatFrequencyMS": 25000,
		"read_preference": {"mode": "SecondaryPreferred", "maxStalenessSeconds": 150, "tag_sets": [{"dc": "ny"}, {}]},
		"deprioritized_servers": [{"address": "b:27017", "type": "RSSecondary", "avg_rtt_ms": 5}],
		"suitable_servers": [], "in_latency_window": []}`))
	require.NoError(t, err)
	assert.Equal(t, "select", s.method)
	assert.Equal(t, `{"topology":{"type":"ReplicaSetWithPrimary","servers":[`+
		`{"address":"a:27017","type":"RSPrimary","roundTripTimeMS":5.250001,"tags":{"free":"form"},"lastWriteDate":{"$numberLong":"125002"},"lastUpdateTimeMS":1,"maxWireVersion":21},`+
		`{"address":"b:27017","type":"RSSecondary"}]},`+
		`"readPreference":{"mode":"secondaryPreferred","tags":[{"dc":"ny"},{}],"maxStalenessSeconds":150},`+
		`"operation":"read","deprioritized":["b:27017"],"localThresholdMS":15,"heartbeatFrequencyMS":25000}`, string(s.in))
}

func TestNumbersKeepTheirText(t *testing.T) {
	for _, text := range []string{"0", "5.0", "20.000001", "1e2", "0.1000000000000000055511151231257827"} {
		var s caseServer
		require.NoError(t, decodeStrict([]byte(`{"address":"a","type":"Mongos","avg_rtt_ms":`+text+`}`), &s))
		e, err := s.translate()
		require.NoError(t, err)
		doc, err := encode(e)
		require.NoError(t, err)
		assert.Equal(t, `{"address":"a","type":"Mongos","roundTripTimeMS":`+text+`}`, string(doc))
	}
	var n numberText
	assert.Error(t, n.UnmarshalJSON([]byte(`"5"`)), "a string other than NULL is no number")
}

func TestTranslateSpellings(t *testing.T) {
	for from, to := range map[string]string{
		"Primary": "primary", "PrimaryPreferred": "primaryPreferred", "Secondary": "secondary", "SecondaryPreferred": "secondaryPreferred",
		"Nearest": "nearest", "nearest": "nearest", "": "", "Secondarypreferred": "Secondarypreferred", "NEAREST": "NEAREST",
	} {
		assert.Equal(t, to, translateMode(from))
	}
	var s caseServer
	require.NoError(t, decodeStrict([]byte(`{"address":"a","type":"RSSecondary","avgRttMS":3,"lastWriteDate":9,"operation_count":4}`), &s))
	e, err := s.translate()
	require.NoError(t, err)
	doc, _ := encode(e)
	assert.Equal(t, `{"address":"a","type":"RSSecondary","roundTripTimeMS":3,"lastWriteDate":9,"operationCount":4}`, string(doc))

	for _, both := range []string{
		`{"address":"a","type":"x","avg_rtt_ms":1,"avgRttMS":2}`,
		`{"address":"a","type":"x","lastWriteDate":1,"lastWrite":{"lastWriteDate":2}}`,
		`{"address":"a"}`, `{"type":"x"}`,
	} {
		var s caseServer
		require.NoError(t, decodeStrict([]byte(both), &s))
		_, err := s.translate()
		assert.Error(t, err, both)
	}
}

func TestUnknownKeysAreFound(t *testing.T) {
	// Every place of a case that has keys, each with one too many.
	for text, key := range map[string]string{
		`{"new":1}`: "unknown key new",
		`{"topology_description":{"type":"Single","servers":[],"new":1}}`:     "unknown key topology_description.new",
		`{"topology_description":{"servers":[{"address":"a","new":1}]}}`:      "unknown key topology_description.servers[0].new",
		`{"topology_description":{"servers":[{"lastWrite":{"new":1}}]}}`:      "unknown key topology_description.servers[0].lastWrite.new",
		`{"read_preference":{"new":1}}`:                                       "unknown key read_preference.new",
		`{"deprioritized_servers":[{"address":"a","new":1}]}`:                 "unknown key new",
		`{"suitable_servers":[{"address":"a","new":1}]}`:                      "unknown key new",
		`{"in_latency_window":[{"address":"a","new":1}]}`:                     "unknown key new",
		`{"Operation":"read"}`:                                                "unknown key Operation", // names match exactly
		`{"operation":"read","operation":"write"}`:                            "repeated key operation",
		`{"topology_description":{"servers":[{"tags":{"dc":"a","dc":"b"}}]}}`: "repeated key topology_description.servers[0].tags.dc",
		`{"operation":"read"} x`:                                              "text after the document",
	} {
		_, err := selectionStep([]byte(text))
		assert.ErrorContains(t, err, key, text)
	}
	var f fieldCase
	assert.ErrorContains(t, decodeStrict([]byte(`{"id":"x","severity":1}`), &f), "unknown key severity")
	for kind, says := range map[string]string{"select": "unknown key new", "novel": "unknown kind"} {
		for _, parts := range [][2]string{{`{"topology":{"servers":[]},"new":1}`, `{"error":"x"}`}, {`{"topology":{"servers":[]}}`, `{"error":"x","new":1}`}} {
			_, err := (&fieldCase{ID: "x", Kind: kind, Input: []byte(parts[0]), Expected: []byte(parts[1])}).load(new(testCase))
			assert.ErrorContains(t, err, says)
		}
	}
	c := loadInWindowCase("f", []byte(`{"outcome":{"new":1}}`))
	assert.ErrorContains(t, c.loadErr, "unknown key outcome.new")
}

func TestCasesMustExpectSomething(t *testing.T) {
	for _, text := range []string{
		`{"topology_description":{"type":"Single","servers":[]}}`,
		`{"topology_description":{"type":"Single","servers":[]},"suitable_servers":[]}`,
		`{"topology_description":{"type":"Single","servers":[]},"error":true,"suitable_servers":[],"in_latency_window":[]}`,
		`{"suitable_servers":[],"in_latency_window":[]}`,
	} {
		_, err := selectionStep([]byte(text))
		assert.Error(t, err, text)
	}
}

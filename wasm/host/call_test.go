package host_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

// a is the primary; b and c are 5 ms and 150 ms away. Among secondaries the
// window of 15 ms ends at 20 ms and holds b alone.
const topologyJSON = `{"type":"ReplicaSetWithPrimary","setName":"rs0","servers":[` +
	`{"address":"a.example:27017","type":"RSPrimary","roundTripTimeMS":2.4,"tags":{"dc":"ny"}},` +
	`{"address":"b.example:27017","type":"RSSecondary","roundTripTimeMS":5,"tags":{"dc":"ny"}},` +
	`{"address":"c.example:27017","type":"RSSecondary","roundTripTimeMS":150,"tags":{"dc":"sf"}}]}`

const secondaryRequest = `{"topology":` + topologyJSON + `,"readPreference":{"mode":"secondary"}}`

const secondaryAnswer = `{"server":{"index":1,"address":"b.example:27017","type":"RSSecondary"},` +
	`"candidates":["b.example:27017","c.example:27017"],"fresh":["b.example:27017","c.example:27017"],` +
	`"suitable":["b.example:27017","c.example:27017"],"inLatencyWindow":["b.example:27017"]}`

func TestSelect(t *testing.T) {
	answer, isError := call(t, "select", secondaryRequest)
	assert.False(t, isError)
	assert.Equal(t, secondaryAnswer, answer)
}

func TestExplain(t *testing.T) {
	answer, isError := call(t, "explain", secondaryRequest)
	assert.False(t, isError)
	assert.True(t, strings.HasPrefix(answer, strings.TrimSuffix(secondaryAnswer, "}")+`,"passes":[`), answer)
	for _, key := range []string{`"servers":[`, `"notes":[`, `"text":"`, `window ends at 20 ms`} {
		assert.Contains(t, answer, key)
	}
}

func TestValidate(t *testing.T) {
	answer, isError := call(t, "validate", `{"mongosh":["secondary",[{"dc":"ny"},{}]]}`)
	assert.False(t, isError)
	assert.Equal(t, `{"valid":true,"readPreference":{"mode":"secondary","tags":[{"dc":"ny"},{}]},"problems":[],"warnings":[]}`, answer)
}

func TestParseHello(t *testing.T) {
	answer, isError := call(t, "server.parse_hello", `{"address":"b.example:27017","roundTripTimeMS":5,"nowMS":1793000000950,"hello":{"ok":1,`+
		`"setName":"rs0","secondary":true,"maxWireVersion":25,"lastWrite":{"lastWriteDate":{"$date":"2026-10-26T01:46:40Z"}}}}`)
	assert.False(t, isError)
	assert.Contains(t, answer, `{"server":{"address":"b.example:27017","type":"RSSecondary","roundTripTimeMS":5`)
	assert.Contains(t, answer, `"lastWriteDate":1792979200000`)
}

func TestAbout(t *testing.T) {
	answer, isError := call(t, "build_info", "")
	assert.False(t, isError)
	assert.Contains(t, answer, fmt.Sprintf(`"abi":{"major":%d,"minor":%d}`, abi.Version>>16, abi.Version&0xffff))
	answer, isError = call(t, "methods", "{}")
	assert.False(t, isError)
	for _, name := range []string{"select", "explain", "validate", "server.parse_hello", "build_info", "methods"} {
		assert.Contains(t, answer, `{"name":"`+name+`"`)
	}
}

func TestABIVersion(t *testing.T) {
	version, err := instance(t).ABIVersion(t.Context())
	require.NoError(t, err)
	assert.Equal(t, abi.Version, version)
}

// Bad input is an error document with its code, and the instance lives on.
func TestErrors(t *testing.T) {
	const limit = 16 << 20
	tests := []struct{ name, method, document, code string }{
		{"not JSON", "select", "topology", "invalidJSON"},
		{"empty", "select", "", "invalidJSON"},
		{"truncated", "select", secondaryRequest[:len(secondaryRequest)-1], "invalidJSON"},
		{"text behind", "select", secondaryRequest + "x", "invalidJSON"},
		{"not UTF-8", "select", "{\"\xff\":1}", "invalidUTF8"},
		{"a duplicate key", "select", `{"seed":1,"seed":1}`, "duplicateKey"},
		{"deep", "select", strings.Repeat("[", 100_000), "nestingTooDeep"},
		{"white space up to the limit", "select", strings.Repeat(" ", limit), "invalidJSON"},
		{"over the limit", "select", strings.Repeat(" ", limit+1), "documentTooLarge"},
		{"far over the limit", "select", strings.Repeat(" ", 10*limit), "documentTooLarge"},
		{"an unknown key", "select", `{"topolgy":{}}`, "unknownKey"},
		{"a missing key", "select", `{}`, "missingKey"},
		{"a wrong type", "select", `{"topology":5}`, "wrongType"},
		{"an unknown mode", "validate", `{"readPreference":5,"x":1}`, "unknownKey"},
		{"an unknown method", "selct", `{}`, "unknownMethod"},
		{"no method", "", `{}`, "unknownMethod"},
		{"a method over the limit", strings.Repeat("s", 65), `{}`, "unknownMethod"},
		{"a method far over the limit", strings.Repeat("s", 10*limit), `{}`, "unknownMethod"},
		{"primary with tags", "select", `{"topology":` + topologyJSON + `,"readPreference":{"tags":[{"a":"b"}]}}`, "tagsWithPrimary"},
		{"a staleness of 89", "select", `{"topology":` + topologyJSON + `,"readPreference":{"mode":"nearest","maxStalenessSeconds":89}}`, "maxStalenessTooSmall"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, isError := call(t, tt.method, tt.document)
			assert.True(t, isError)
			assert.True(t, strings.HasPrefix(answer, `{"error":{"code":"`+tt.code+`","status":-`), answer)
			answer, _ = call(t, "select", secondaryRequest)
			assert.Equal(t, secondaryAnswer, answer)
		})
	}
}

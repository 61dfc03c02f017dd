package host_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/abi"
)

// The module answers the bytes of the same engine compiled for this machine.
func TestBytesEqualNative(t *testing.T) {
	var native abi.Context
	out := make([]byte, 8<<20)
	for _, method := range []string{"select", "explain", "validate", "server.parse_hello", "build_info", "methods", "nothing"} {
		for _, document := range documents() {
			answer, isError := call(t, method, document)
			n := native.Call(method, []byte(document), out)
			assert.Equal(t, n < 0, isError, "%s %.200s", method, document)
			assert.Equal(t, string(out[:max(n, -n)]), answer, "%s %.200s", method, document)
		}
	}
}

func documents() []string {
	list := []string{
		"", "{}", "[]", "null", "{", "nul", `{"seed":"18446744073709551616"}`,
		`{"topology":` + topologyJSON + `}`,
		`{"readPreference":{"mode":"primary","tags":[{"a":"b"}],"maxStalenessSeconds":5,"hedge":{}}}`,
		`{"readPreference":{"mode":"nearst"}}`,
		`{"uriOptions":"readPreference=secondary&readPreferenceTags=dc:ny,rack:%C3%A4&readPreferenceTags=&maxStalenessSeconds=-1&x=y"}`,
		`{"mongosh":["secondary",[{"region":"us-east"},{}],{"enabled":true}]}`,
		`{"address":"a","hello":{"ok":1,"isWritablePrimary":true,"msg":"isdbgrid","topologyVersion":{"processId":{"$oid":"0123456789abcdef01234567"},"counter":{"$numberLong":"9223372036854775807"}}},"roundTripTimeMS":0.0000005}`,
		`{"address":"a","hello":{}}`,
	}
	modes := []string{"primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"}
	picks := []string{"leastBusyOfTwo", "random", "roundRobin"}
	for i, mode := range modes {
		for j, pick := range picks {
			list = append(list, fmt.Sprintf(`{"topology":%s,"readPreference":{"mode":%q,"tags":[]},"pick":%q,"seed":%d,"localThresholdMS":%d.%d,"deprioritized":["A.example"]}`,
				topologyJSON, mode, pick, 7919*i+j, 100*j, i))
		}
	}
	list = append(list,
		`{"shards":{"s1":`+topologyJSON+`,"s0":{"servers":[]}},"pick":"random","seed":{"$numberLong":"9223372036854775807"},"localThresholdMS":1000}`,
		`{"topology":`+topologyJSON+`,"operation":"aggregateWithWriteStage","readPreference":{"mode":"secondary","maxStalenessSeconds":{"$numberInt":"120"}}}`,
		largeRequest(2000))
	return list
}

// largeRequest has n secondaries with lag, distance and load of all kinds.
func largeRequest(n int) string {
	var b strings.Builder
	b.WriteString(`{"topology":{"type":"ReplicaSetNoPrimary","servers":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"address":"member-%d.example:27017","type":"RSSecondary","roundTripTimeMS":%d.%d,"tags":{"dc":"d%d"},"lastWriteDate":%d,"operationCount":%d}`,
			i, i%40, i%7, i%3, 1793000000000-i*997%200000, i%5)
	}
	b.WriteString(`]},"readPreference":{"mode":"nearest","tags":[{"dc":"none"},{"dc":"d1"}],"maxStalenessSeconds":120},"seed":42}`)
	return b.String()
}

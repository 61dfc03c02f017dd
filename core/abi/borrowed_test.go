package abi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/abi"
)

// A host's buffer is its own again after a call: what stays open keeps nothing
// of it.
func TestNothingOpenKeepsItsRequest(t *testing.T) {
	opened := map[string]string{
		"a description":       `{"topology":{"type":"ReplicaSetNoPrimary","setName":"rs0","servers":[{"address":"a.example:27017","type":"RSSecondary","tags":{"dc":"ny"}}]}}`,
		"seeds":               `{"seeds":["a.example"],"replicaSet":"rs0"}`,
		"one seed":            `{"seeds":["a.example"],"replicaSet":"rs0","directConnection":true}`,
		"a connection string": `{"uri":"mongodb://A.example/?replicaSet=rs0"}`,
		"going on":            `{"seeds":["a.example"],"replicaSet":"rs0","topology":{"type":"ReplicaSetNoPrimary","setName":"rs0","servers":[{"address":"a.example:27017","type":"Unknown","error":"refused"}]}}`,
	}
	for name, request := range opened {
		t.Run(name, func(t *testing.T) {
			c := new(abi.Context)
			in := []byte(request)
			out, ok := c.Answer("topology.open", in)
			require.True(t, ok, "%s", out)
			handle := string(out)
			before := describe(t, c, handle)
			require.Contains(t, before, `"setName":"rs0"`)
			for i := range in {
				in[i] = 'x'
			}
			require.Equal(t, before, describe(t, c, handle))

			if !strings.Contains(request, "seeds") && !strings.Contains(request, "uri") {
				return
			}
			hello := []byte(strings.TrimSuffix(handle, "}") + `,"address":"a.example:27017","hello":{"ok":1,"secondary":true,"setName":"rs0","me":"a.example:27017",` +
				`"hosts":["a.example:27017","b.example:27017"],"tags":{"dc":"ny"}}}`)
			out, ok = c.Answer("topology.hello", hello)
			require.True(t, ok, "%s", out)
			before = describe(t, c, handle)
			require.Contains(t, before, `"tags":{"dc":"ny"}`)
			for i := range hello {
				hello[i] = 'x'
			}
			require.Equal(t, before, describe(t, c, handle))
		})
	}
}

func describe(t *testing.T, c *abi.Context, handle string) string {
	t.Helper()
	out, ok := c.Answer("topology.describe", []byte(handle))
	require.True(t, ok, "%s", out)
	return string(out)
}

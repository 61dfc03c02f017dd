package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(&out, args, 42))
	return out.String()
}

func TestDefault(t *testing.T) {
	assert.Equal(t, strings.Join([]string{
		"read from db2.example:27017: the only server in the latency window",
		"",
		"topology    ReplicaSetWithPrimary rs0, 4 servers",
		"operation   read",
		"preference  secondaryPreferred, tags [{dc: ny}, {}], maxStalenessSeconds 90",
		"server      db2.example:27017 (RSSecondary), the only one in the latency window",
		"window      5.1 ms to 20.1 ms",
		"",
		"address            type         RTT ms  stage         why",
		"db1.example:27017  RSPrimary    2.4     mode          mode secondaryPreferred uses the secondaries",
		"db2.example:27017  RSSecondary  5.1     selected      the only server in the latency window",
		"db3.example:27017  RSSecondary  71.25   maxStaleness  stale by 15 s over maxStalenessSeconds 90",
		"db4.example:27017  Unknown      -       type          not available: the server check failed",
		"",
	}, "\n"), output(t))
}

func TestOptions(t *testing.T) {
	got := output(t, "readPreference=nearest&readPreferenceTags=dc:sf&retryWrites=true&readPreferenceTags=x")
	assert.Contains(t, got, "warning: readPreferenceTags: \"x\" is no list of name:value; the option is ignored\n")
	assert.Contains(t, got, "read from db3.example:27017: the only server in the latency window\n")
	assert.Contains(t, output(t, "readPreference=nearest"), "picked by leastBusyOfTwo (operationCount 0)")
	assert.Contains(t, output(t, "readPreference=secondary&readPreferenceTags=dc:la"),
		"no server: no suitable server for a read with read preference secondary, tags [{dc: la}]: no tag set matches a candidate\n")
}

func TestErrors(t *testing.T) {
	for options, want := range map[string]string{
		"readPreferenceTags=dc:ny&x":                      "an option is not name=value\nreadPreferenceTags: tag sets cannot be combined with mode primary",
		"readPreference=secondary&maxStalenessSeconds=30": "readPreference.maxStalenessSeconds: maxStalenessSeconds 30 is too small: this topology allows 90 or more (90, and heartbeatFrequencyMS 10000 + 10 s); use 90",
	} {
		var out strings.Builder
		assert.EqualError(t, run(&out, []string{options}, 1), want)
	}
}

func TestFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reply.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"address": "M1", "hello": {"ok": 1, "msg": "isdbgrid", "maxWireVersion": 25}}`), 0o600))
	got := output(t, "", file)
	assert.Contains(t, got, "read from m1:27017: the only server in the latency window\n")
	assert.Contains(t, got, "topology    Sharded, 1 server\n")

	var out strings.Builder
	assert.Error(t, run(&out, []string{"", file + ".missing"}, 1))
	require.NoError(t, os.WriteFile(file, []byte(`{"address": "m1"}`), 0o600))
	assert.EqualError(t, run(&out, []string{"", file}, 1), `hello: the key "hello" is required`)
}

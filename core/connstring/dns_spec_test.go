package connstring_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/selection"
)

// zone is the DNS of the cases.
type zone struct {
	SRV map[string][][2]json.RawMessage
	TXT map[string][][]string
}

func readZone(t *testing.T) zone {
	t.Helper()
	var z zone
	for _, file := range specFiles(t, "initial-dns-seedlist-discovery") {
		if filepath.Base(file) == "zone.json" {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			decode(t, raw, &z)
		}
	}
	require.NotEmpty(t, z.SRV)
	// App. A9: the zone of the specification lacks this record.
	const custom = "_customname._tcp.test22.test.build.10gen.cc"
	if len(z.SRV[custom]) == 1 {
		z.SRV[custom] = append(z.SRV[custom], [2]json.RawMessage{z.SRV[custom][0][0], json.RawMessage("27018")})
	}
	return z
}

func (z zone) answers(t *testing.T, name string) []connstring.SRVRecord {
	var records []connstring.SRVRecord
	for _, pair := range z.SRV[name] {
		r := connstring.SRVRecord{TTLSeconds: 86400}
		require.NoError(t, json.Unmarshal(pair[0], &r.Target))
		require.NoError(t, json.Unmarshal(pair[1], &r.Port))
		r.Target += "."
		records = append(records, r)
	}
	return records
}

type dnsCase struct {
	URI           string
	Seeds         []string
	NumSeeds      *int
	Hosts         []string // needs servers
	NumHosts      *int     // needs servers
	Options       map[string]json.RawMessage
	ParsedOptions map[string]string `json:"parsed_options"`
	Error         bool
	Ping          *bool // needs servers
	Comment       string
}

func TestDNSSpec(t *testing.T) {
	z := readZone(t)
	for _, suite := range []string{"replica-set", "load-balanced", "sharded"} {
		for _, file := range specFiles(t, "initial-dns-seedlist-discovery/"+suite) {
			t.Run(suite+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
				raw, err := os.ReadFile(file)
				require.NoError(t, err)
				var c dnsCase
				decode(t, raw, &c)
				runDNS(t, z, &c)
			})
		}
	}
}

func runDNS(t *testing.T, z zone, c *dnsCase) {
	rng := selection.SplitMix64(1)
	got, err := connstring.Parse(c.URI)
	if err == nil {
		require.Empty(t, got.Seeds(), "before the answers")
		srv, txt := got.Lookup()
		got, err = got.Resolve(z.answers(t, srv), z.TXT[txt], rng.Next)
	}
	if c.Error {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	assert.Empty(t, got.Warnings)
	if c.NumSeeds != nil {
		assert.Len(t, got.Seeds(), *c.NumSeeds)
	}
	if c.Seeds != nil {
		assert.ElementsMatch(t, c.Seeds, got.Seeds())
	}
	checkOptions(t, got, c.Options)
	for name, want := range c.ParsedOptions {
		switch name {
		case "user":
			assert.Equal(t, want, got.Username)
		case "password":
			assert.Equal(t, want, got.Password)
		case "auth_database", "defaultDatabase", "db":
			assert.Equal(t, want, got.Database)
		default:
			t.Errorf("parsed option %s", name)
		}
	}
}

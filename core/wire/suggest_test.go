package wire

import (
	"strings"
	"testing"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// The names that people write for ours: misspelt, in another case, or those of
// drivers and of the specification's test files.
func TestDidYouMean(t *testing.T) {
	for _, c := range []struct {
		written string
		names   []string
		meant   string
	}{
		{"secondry", readpref.ModeNames[:], "secondary"}, {"Secondary", readpref.ModeNames[:], "secondary"}, {"PRIMARY", readpref.ModeNames[:], "primary"},
		{"primary_preferred", readpref.ModeNames[:], "primaryPreferred"}, {"secondaryPrefered", readpref.ModeNames[:], "secondaryPreferred"}, {"nearset", readpref.ModeNames[:], "nearest"},
		{"tag_sets", preferenceKeys, "tags"}, {"Tags", preferenceKeys, "tags"}, {"tag", preferenceKeys, "tags"}, {"maxStaleness", preferenceKeys, "maxStalenessSeconds"},
		{"max_staleness_seconds", preferenceKeys, "maxStalenessSeconds"}, {"mdoe", preferenceKeys, "mode"},
		{"readPreferences", requestKeys, "readPreference"}, {"read_preference", requestKeys, "readPreference"}, {"heartbeatFrequency", requestKeys, "heartbeatFrequencyMS"},
		{"localThreshold", requestKeys, "localThresholdMS"}, {"toplogy", requestKeys, "topology"}, {"shard", requestKeys, "shards"},
		{"adress", serverKeys, "address"}, {"roundTripTimeMs", serverKeys, "roundTripTimeMS"}, {"lastUpdateTime", serverKeys, "lastUpdateTimeMS"},
		{"RSPrimry", topology.ServerTypeNames[:], "RSPrimary"}, {"mongos", topology.ServerTypeNames[:], "Mongos"}, {"RsSecondary", topology.ServerTypeNames[:], "RSSecondary"},
		{"Shardet", topology.TypeNames[:], "Sharded"}, {"aggregate_with_write_stage", selection.OperationNames[:], "aggregateWithWriteStage"}, {"round_robin", selection.PickNames[:], "roundRobin"},
	} {
		if got, want := didYouMean(c.written, c.names), `; did you mean "`+c.meant+`"?`; got != want {
			t.Errorf("%s: %q, want %q", c.written, got, want)
		}
	}
	for _, written := range []string{"", "x", "zzzzzzzz", strings.Repeat("secondary", 5), "é"} {
		if got := didYouMean(written, readpref.ModeNames[:]); got != "" {
			t.Errorf("%q: %q, want nothing", written, got)
		}
	}
	// Where none is close, a value's message lists them all.
	if got, want := Unknown("mode", "zzz", readpref.ModeNames[:]), `unknown mode "zzz"; it is one of primary, primaryPreferred, secondary, secondaryPreferred, nearest`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestMessages(t *testing.T) {
	for doc, want := range map[string]string{
		preferenceRequest(`"mode":"secondry"`): `unknown read preference mode "secondry"; did you mean "secondary"?`,
		preferenceRequest(`"tagSets":[]`):      `unknown key "tagSets"; did you mean "tags"?`,
		request(`"\u0000":1`):                  `unknown key "\u0000"`,
		"":                                     "the document is empty",
		"\ufffd":                               "expected a value, found \"\ufffd\"",
		`{"topology":`:                         "the document ends where a value is expected",
		request(`"seed":` + strings.Repeat("9", 100)):         "expected an integer from 0 to 9007199254740991, found " + strings.Repeat("9", 64) + "...",
		oneServer(`"type":"` + strings.Repeat("é", 40) + `"`): `unknown server type "` + strings.Repeat("é", 32) + `..."; it is one of ` + strings.Join(topology.ServerTypeNames[:], ", "),
	} {
		_, err := decodeRequest([]byte(doc))
		if err == nil || err.Message != want {
			t.Errorf("%.80q: %s\nwant %s", doc, describe(err), want)
		}
	}
}

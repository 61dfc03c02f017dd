package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Every value that can be printed is read again as it was, by both codecs.
func TestRoundTrip(t *testing.T) {
	t.Run("topology", rapid.MakeCheck(func(rt *rapid.T) {
		want := descriptions.Draw(rt, "description")
		doc := AppendTopology(nil, &want)
		got, err := decodeTopology(doc)
		if err != nil {
			rt.Fatalf("%v: %s", err, doc)
		}
		if a, b := normalTopology(got), normalTopology(want); !reflect.DeepEqual(a, b) {
			rt.Fatalf("printed as %s\nread as %+v\nwant %+v", doc, a, b)
		}
		checkTopology(t, doc, &want)
		if t.Failed() {
			rt.FailNow()
		}
	}))
	t.Run("preference", rapid.MakeCheck(func(rt *rapid.T) {
		want := preferences.Draw(rt, "preference")
		doc := AppendPreference(nil, &want)
		got, err := decodePreference(doc)
		if err != nil {
			rt.Fatalf("%v: %s", err, doc)
		}
		if a, b := normalPreference(got), normalPreference(want); !reflect.DeepEqual(a, b) || !got.Equal(&want) {
			rt.Fatalf("printed as %s\nread as %+v\nwant %+v", doc, a, b)
		}
		checkPreference(t, doc, &want)
		if t.Failed() {
			rt.FailNow()
		}
	}))
	t.Run("string", rapid.MakeCheck(func(rt *rapid.T) {
		want := rapid.String().Draw(rt, "string")
		doc := AppendString(nil, want)
		var standard string
		if err := json.Unmarshal(doc, &standard); err != nil || standard != want {
			rt.Fatalf("%q is printed as %s and read as %q (%v)", want, doc, standard, err)
		}
	}))
}

var (
	words  = rapid.OneOf(rapid.StringMatching(`[a-z]{1,8}`), rapid.String())
	int64s = rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, -1, 1 << 53, math.MaxInt64, math.MinInt64}))
	counts = rapid.OneOf(rapid.Int64Range(0, math.MaxInt64), rapid.SampledFrom([]int64{0, 1, math.MaxInt64}))
	small  = optional(topology.NewInt, rapid.Int64Range(0, math.MaxInt32))
	ints   = optional(topology.NewInt, int64s)
	rtts   = optional(topology.NewRTT, rapid.OneOf(counts, rapid.Map(rapid.Int64Range(0, 1e6), func(us int64) int64 { return us * 1000 })))
	dates  = optional(topology.NewDate, int64s)
	ids    = rapid.Custom(func(t *rapid.T) topology.ObjectID {
		if rapid.Bool().Draw(t, "absent") {
			return topology.ObjectID{}
		}
		return topology.NewObjectID([12]byte(rapid.SliceOfN(rapid.Byte(), 12, 12).Draw(t, "id")))
	})
	lists = rapid.SliceOfN(words, 0, 4)
	sets  = rapid.Custom(func(t *rapid.T) tag.Set {
		var set tag.Set
		for _, name := range rapid.SliceOfNDistinct(words, 0, 5, rapid.ID[string]).Draw(t, "names") {
			set = append(set, tag.Tag{Name: name, Value: words.Draw(t, "value")})
		}
		return set
	})
)

// optional draws values that may be absent, which is their zero value.
func optional[V any](make func(int64) V, of *rapid.Generator[int64]) *rapid.Generator[V] {
	return rapid.Custom(func(t *rapid.T) (v V) {
		if rapid.Bool().Draw(t, "there") {
			v = make(of.Draw(t, "value"))
		}
		return v
	})
}

var servers = rapid.Custom(func(t *rapid.T) topology.Server {
	s := topology.Server{
		Type:                         topology.ServerType(rapid.IntRange(0, len(topology.ServerTypeNames)-1).Draw(t, "type")),
		RoundTripTime:                rtts.Draw(t, "RTT"),
		MinRoundTripTime:             rtts.Draw(t, "minimum RTT"),
		Tags:                         sets.Draw(t, "tags"),
		LastWriteDate:                dates.Draw(t, "last write"),
		LastUpdateTimeMS:             int64s.Draw(t, "last update"),
		MinWireVersion:               small.Draw(t, "min wire"),
		MaxWireVersion:               small.Draw(t, "max wire"),
		OperationCount:               counts.Draw(t, "operations"),
		SetName:                      rapid.String().Draw(t, "set name"),
		SetVersion:                   ints.Draw(t, "set version"),
		ElectionID:                   ids.Draw(t, "election"),
		Primary:                      rapid.String().Draw(t, "primary"),
		Me:                           rapid.String().Draw(t, "me"),
		Hosts:                        lists.Draw(t, "hosts"),
		Passives:                     lists.Draw(t, "passives"),
		Arbiters:                     lists.Draw(t, "arbiters"),
		LogicalSessionTimeoutMinutes: small.Draw(t, "session timeout"),
		IsCryptd:                     rapid.Bool().Draw(t, "cryptd"),
		ServiceID:                    ids.Draw(t, "service"),
		Error:                        rapid.String().Draw(t, "error"),
	}
	if s.TopologyVersion.ProcessID = ids.Draw(t, "process"); s.TopologyVersion.IsDefined() {
		s.TopologyVersion.Counter = int64s.Draw(t, "counter")
	}
	return s
})

var descriptions = rapid.Custom(func(t *rapid.T) topology.Description {
	d := topology.Description{
		Type:                         topology.Type(rapid.IntRange(0, len(topology.TypeNames)-1).Draw(t, "type")),
		SetName:                      rapid.String().Draw(t, "set name"),
		Servers:                      rapid.SliceOfN(servers, 0, 6).Draw(t, "servers"),
		MaxElectionID:                ids.Draw(t, "max election"),
		MaxSetVersion:                ints.Draw(t, "max set version"),
		LogicalSessionTimeoutMinutes: small.Draw(t, "session timeout"),
	}
	for i := range d.Servers { // distinct, since the port is
		d.Servers[i].Address = fmt.Sprintf("%s:%d", words.Draw(t, "host"), i+1)
	}
	return d
})

// preferences are valid and in normal form: what AppendPreference can print.
var preferences = rapid.Custom(func(t *rapid.T) readpref.Preference {
	p := readpref.Preference{Mode: readpref.Mode(rapid.IntRange(0, len(readpref.ModeNames)-1).Draw(t, "mode"))}
	if p.Mode == readpref.Primary {
		return p
	}
	p.TagSets = rapid.SliceOfN(sets, 0, 4).Draw(t, "tag sets")
	p.MaxStaleness = readpref.MaxStalenessSeconds(rapid.OneOf(rapid.Int64Range(-1, math.MaxInt64), rapid.SampledFrom([]int64{-1, 0, 90, math.MaxInt64})).Draw(t, "max staleness"))
	p.Hedge = readpref.Hedge(rapid.IntRange(0, int(readpref.HedgeDisabled)).Draw(t, "hedge"))
	return p
})

package abi_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/readpref/readpref/core/abi"
	"github.com/readpref/readpref/core/internal/generate"
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
)

// object is an ordered JSON object, as encoding/json's maps are not.
type object []struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		k, err := json.Marshal(f.key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, k...), ':'), v...)
	}
	return append(b, '}'), nil
}

func (o *object) add(key string, value any) {
	*o = append(*o, struct {
		key   string
		value any
	}{key, value})
}

// milliseconds writes nanoseconds with all their decimals.
func milliseconds(ns int64) json.Number {
	return json.Number(new(big.Rat).SetFrac64(ns, 1_000_000).FloatString(6))
}

func tagsObject(s tag.Set) object {
	o := object{}
	for _, x := range s {
		o.add(x.Name, x.Value)
	}
	return o
}

// preferenceObject writes a preference as a $readPreference document.
func preferenceObject(p *readpref.Preference) (pref object) {
	pref.add("mode", p.Mode.String())
	if p.TagSets != nil {
		sets := []any{}
		for _, s := range p.TagSets {
			sets = append(sets, tagsObject(s))
		}
		pref.add("tags", sets)
	}
	if seconds, ok := p.MaxStaleness.Seconds(); ok {
		pref.add("maxStalenessSeconds", seconds)
	}
	switch p.Hedge {
	case readpref.HedgeEmpty:
		pref.add("hedge", object{})
	case readpref.HedgeEnabled, readpref.HedgeDisabled:
		pref.add("hedge", object{{"enabled", p.Hedge == readpref.HedgeEnabled}})
	}
	return pref
}

// document writes a request of the oracle as one of select, with nothing of the
// engine's own codec.
func document(r *oracle.Request) object {
	servers := []any{}
	for _, s := range r.Topology.Servers {
		var o object
		o.add("address", s.Address)
		o.add("type", s.Type.String())
		if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
			o.add("roundTripTimeMS", milliseconds(ns))
		}
		o.add("tags", tagsObject(s.Tags))
		if ms, ok := s.LastWriteDate.UnixMS(); ok {
			o.add("lastWriteDate", ms)
		} else {
			o.add("lastWriteDate", nil)
		}
		o.add("lastUpdateTimeMS", s.LastUpdateTimeMS)
		if v, ok := s.MinWireVersion.Get(); ok {
			o.add("minWireVersion", v)
		}
		if v, ok := s.MaxWireVersion.Get(); ok {
			o.add("maxWireVersion", v)
		}
		o.add("operationCount", s.OperationCount)
		servers = append(servers, o)
	}
	var topo, doc object
	topo.add("type", r.Topology.Type.String())
	topo.add("servers", servers)
	doc.add("topology", topo)
	doc.add("readPreference", preferenceObject(&r.Preference))
	doc.add("operation", r.Operation)
	doc.add("deprioritized", r.Deprioritized)
	if r.KeepOnly != nil {
		doc.add("customSelector", object{{"keepOnly", r.KeepOnly}})
	}
	doc.add("localThresholdMS", milliseconds(r.LocalThresholdNS))
	doc.add("heartbeatFrequencyMS", r.HeartbeatFrequencyMS)
	doc.add("wireVersions", object{{"min", r.MinWire}, {"max", r.MaxWire}})
	return doc
}

// Sections 1 and 3 of the rules through documents: what select answers is what
// the oracle says.
func TestSelectAgreesWithTheOracle(t *testing.T) {
	var c abi.Context
	rapid.Check(t, func(t *rapid.T) {
		r := generate.Request(t, 6)
		if rapid.Bool().Draw(t, "valid") {
			r = generate.Plain(t, 6)
		}
		in, err := json.Marshal(document(r))
		require.NoError(t, err)
		want := oracle.Select(r)
		answer, ok := c.Answer("select", in)
		if len(want.Errors) > 0 {
			require.False(t, ok, "%s", in)
			var got struct {
				Error struct {
					Code           string
					MinimumSeconds json.Number
				}
			}
			require.NoError(t, json.Unmarshal(answer, &got))
			if got.Error.Code == "outOfRange" {
				// The document is read before its preference is looked at as a whole.
				require.True(t, r.LocalThresholdNS < 0 || r.HeartbeatFrequencyMS < 500, "%s", answer)
				return
			}
			require.Contains(t, want.Errors, got.Error.Code, "%s", answer)
			if want.MinimumSeconds != nil {
				require.Equal(t, want.MinimumSeconds.String(), got.Error.MinimumSeconds.String())
			}
			return
		}
		require.True(t, ok, "%s\n%s", answer, in)
		type view []string
		var got struct {
			Server *struct {
				Index         int
				Address, Type string
			}
			Candidates, Fresh, Suitable, InLatencyWindow view
			Reason                                       *struct{ Code, Message string }
		}
		require.NoError(t, json.Unmarshal(answer, &got))
		addresses := func(list []int) view {
			v := view{}
			for _, i := range list {
				v = append(v, r.Topology.Servers[i].Address)
			}
			return v
		}
		require.Equal(t, addresses(want.Candidates), got.Candidates)
		require.Equal(t, addresses(want.Fresh), got.Fresh)
		require.Equal(t, addresses(want.Suitable), got.Suitable)
		require.Equal(t, addresses(want.Window), got.InLatencyWindow)
		require.Equal(t, len(want.Window) == 0, got.Server == nil)
		require.Equal(t, got.Server == nil, got.Reason != nil)
		if got.Server != nil {
			require.Contains(t, want.Window, got.Server.Index)
			s := r.Topology.Servers[got.Server.Index]
			require.Equal(t, fmt.Sprint(s.Address, s.Type), got.Server.Address+got.Server.Type)
		}
		explained, ok := c.Answer("explain", in)
		require.True(t, ok)
		var first, more map[string]any
		again, _ := (&abi.Context{}).Answer("select", in)
		require.NoError(t, json.Unmarshal(again, &first))
		require.NoError(t, json.Unmarshal(explained, &more))
		requirePart(t, first, more)
	})
}

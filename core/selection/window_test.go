package selection_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

func TestLatencyWindow(t *testing.T) {
	for _, c := range []struct {
		rule      string
		threshold int64
		rtts      []int64 // -1: not measured
		want      string
	}{
		{"3.31 the far edge is inside", 15 * ms, []int64{5 * ms, 20 * ms, 20*ms + 1}, "a b"},
		{"3.31 a nanosecond beyond is outside", 15 * ms, []int64{5*ms - 1, 20 * ms}, "a"},
		{"3.31 the classic edge: 135 ms and 150 ms", 15 * ms, []int64{135 * ms, 150 * ms}, "a b"},
		{"3.31 0 keeps only ties with the fastest", 0, []int64{5 * ms, 5*ms + 1, 5 * ms}, "a c"},
		{"3.31 the order of the servers does not matter", 15 * ms, []int64{20*ms + 1, 20 * ms, 5 * ms}, "b c"},
		{"3.31 no rounding to milliseconds", 1 * ms, []int64{999_999, 1_999_999, 2_000_000}, "a b"},
		{"5.7 0 is a round-trip time", 15 * ms, []int64{0, 15 * ms, 15*ms + 1}, "a b"},
		{"3.32 a sole server is kept", 0, []int64{math.MaxInt64}, "a"},
		{"3.32 one that is not measured is outside", 15 * ms, []int64{-1, 5 * ms}, "b"},
		{"3.32 unless none is", 15 * ms, []int64{-1, -1}, "a b"},
		{"3.31 the end saturates", math.MaxInt64, []int64{1, math.MaxInt64}, "a b"},
		{"3.31 at the end of int64", 1, []int64{math.MaxInt64 - 2, math.MaxInt64 - 1, math.MaxInt64}, "a b"},
		{"no servers", 15 * ms, nil, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			d := with(topology.Sharded)
			for i, ns := range c.rtts {
				d.Servers = append(d.Servers, server(string(rune('a'+i)), topology.Mongos, rtt(ns)))
			}
			r := request(d, mode(readpref.Primary))
			r.Options.LocalThresholdNS = c.threshold
			assert.Equal(t, c.want, names(d, selected(t, r).InLatencyWindow))
		})
	}
}

// 3.5: a fast server that is not suitable does not narrow the window.
func TestWindowIsThatOfTheSuitable(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p", rtt(0)), server("o", topology.RSOther, rtt(0)),
		secondary("old", rtt(0), written(80001)), secondary("sf", rtt(0)), secondary("a", rtt(50*ms), tags("dc", "ny")), secondary("b", rtt(65*ms), tags("dc", "ny")))
	res := selected(t, request(d, stale(readpref.Secondary, 90, set("dc", "ny"))))
	assert.Equal(t, "a b", names(d, res.InLatencyWindow))
	assert.Equal(t, selection.Window{FastestNS: 50 * ms, EndNS: 65 * ms, Known: true}, res.Window)
}

// 0.1: the default is 15 ms.
func TestDefaultOptions(t *testing.T) {
	assert.Equal(t, selection.Options{LocalThresholdNS: 15 * ms, HeartbeatFrequencyMS: 10000,
		WireVersions: topology.WireVersions{Min: 8, Max: 29}}, selection.DefaultOptions(), "0.1, 0.3, 0.7")
}

func TestWindowContains(t *testing.T) {
	w := selection.Window{FastestNS: 5, EndNS: 20, Known: true}
	assert.True(t, w.Contains(topology.NewRTT(20)))
	assert.False(t, w.Contains(topology.NewRTT(21)))
	assert.False(t, w.Contains(topology.RTT{}))
	assert.True(t, selection.Window{}.Contains(topology.RTT{}))
}

// 3.2: incompatibility comes before everything but an invalid preference.
func TestIncompatible(t *testing.T) {
	d := with(topology.ReplicaSetWithPrimary, primary("p"), secondary("s", wire(0, 7)))
	var s selection.Selector
	_, err := s.Select(request(d, stale(readpref.Secondary, 1)))
	assert.EqualError(t, err, "topology.servers[1].maxWireVersion: Server at s reports wire version 7, but this version of readpref requires at least 8")
	r := request(d, mode(readpref.Primary))
	r.Options.WireVersions.Min = 7
	assert.Equal(t, "p", names(d, selected(t, r).Suitable), "0.7: the client's range is the caller's")
	d.Servers[1].Type = topology.ServerUnknown
	assert.Equal(t, "p", names(d, selected(t, request(d, mode(readpref.Primary))).Suitable), "6.8: an Unknown server is compatible")
}

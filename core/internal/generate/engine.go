package generate

import (
	"github.com/readpref/readpref/core/internal/oracle"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// ForEngine turns a request of the oracle into one of the engine.
func ForEngine(r *oracle.Request) *selection.Request {
	q := &selection.Request{
		Topology:      r.Topology,
		Preference:    r.Preference,
		Deprioritized: r.Deprioritized,
		Options: selection.Options{
			LocalThresholdNS:     r.LocalThresholdNS,
			HeartbeatFrequencyMS: r.HeartbeatFrequencyMS,
			WireVersions:         topology.WireVersions{Min: r.MinWire, Max: r.MaxWire},
		},
	}
	switch r.Operation {
	case oracle.Write:
		q.Operation = selection.Write
	case oracle.AggregateWithWriteStage:
		q.Operation = selection.AggregateWithWriteStage
	}
	if r.KeepOnly != nil {
		k := &selection.KeepOnly{}
		k.Reset(r.KeepOnly)
		q.CustomSelector = k
	}
	return q
}

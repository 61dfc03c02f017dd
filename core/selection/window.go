package selection

import (
	"math"

	"github.com/readpref/readpref/core/topology"
)

// Window is the span of round-trip times that are close enough: both ends
// included, in nanoseconds. Known is false when no server has a round-trip
// time, and every server is inside.
type Window struct {
	FastestNS, EndNS int64
	Known            bool
}

// NewWindow returns the window of the suitable servers in view: from the
// smallest round-trip time to that plus localThresholdMS.
//
// Server Selection specification, "Filtering suitable servers based on the
// latency window".
func NewWindow(t *topology.Description, localThresholdNS int64, view []int32) Window {
	var w Window
	for _, i := range view {
		if ns, ok := t.Servers[i].RoundTripTime.Nanoseconds(); ok && (!w.Known || ns < w.FastestNS) {
			w.FastestNS, w.Known = ns, true
		}
	}
	w.EndNS = w.FastestNS + localThresholdNS
	if w.EndNS < w.FastestNS {
		w.EndNS = math.MaxInt64
	}
	return w
}

// Contains reports whether a round-trip time is inside. One that was not
// measured is inside only where none was.
func (w Window) Contains(rtt topology.RTT) bool {
	ns, ok := rtt.Nanoseconds()
	return !w.Known || ok && ns <= w.EndNS
}

// LatencyWindow appends to dst the servers of view inside the window.
func LatencyWindow(t *topology.Description, w Window, view, dst []int32) []int32 {
	for _, i := range view {
		if w.Contains(t.Servers[i].RoundTripTime) {
			dst = append(dst, i)
		}
	}
	return dst
}

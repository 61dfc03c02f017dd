// Package explain says why each server was or was not chosen: the stage that
// dropped it, the figures that decided, and the whole as text.
//
// It reads a finished selection and chooses nothing itself.
package explain

import (
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// Stage is how far a server came.
type Stage uint8

// The stages, in the order of the selection.
const (
	Type            Stage = iota // this type of server serves nothing in this topology
	Deprioritized                // left out, since others were suitable
	Mode                         // the mode, or the operation, wants another role
	MaxStaleness                 // too stale, or of unknown staleness
	TagSets                      // no tag set matched it, or an earlier one matched others
	CustomSelector               // the application's selector dropped it
	LatencyWindow                // suitable, but too far away
	InLatencyWindow              // close enough, but another was picked
	Selected                     // the answer
)

// StageNames lists the names of the stages, in the order of their values.
var StageNames = [...]string{"type", "deprioritized", "mode", "maxStaleness", "tagSets", "customSelector", "latencyWindow", "inLatencyWindow", "selected"}

// String returns the documents' name of the stage.
func (s Stage) String() string {
	if int(s) < len(StageNames) {
		return StageNames[s]
	}
	return "invalid"
}

// Explanation is a selection and what became of each server. It borrows the
// request and the result.
type Explanation struct {
	Request   *selection.Request
	Result    *selection.Result
	Pick      selection.Pick
	Chosen    int32 // index, -1 for none
	Reference selection.StalenessReference
	Stages    []Stage // one for each server
}

// Explain fills e, whose memory it reuses.
func (e *Explanation) Explain(r *selection.Request, res *selection.Result, pick selection.Pick, chosen int32) {
	*e = Explanation{Request: r, Result: res, Pick: pick, Chosen: chosen, Stages: e.Stages[:0]}
	e.Reference = selection.NewStalenessReference(r.Topology)
	last := &res.Passes[len(res.Passes)-1]
	left := Mode
	if last.Deprioritized {
		left = Deprioritized
	}
	for range r.Topology.Servers {
		e.Stages = append(e.Stages, left)
	}
	for _, i := range last.View {
		e.Stages[i] = Mode
		if !serves(r.Topology.Type, r.Topology.Servers[i].Type) {
			e.Stages[i] = Type
		}
	}
	for i := range res.Passes {
		p := &res.Passes[i]
		e.mark(p.Candidates, MaxStaleness)
		e.mark(p.Fresh, TagSets)
		e.mark(p.Tagged, CustomSelector)
	}
	e.mark(res.Suitable, LatencyWindow)
	e.mark(res.InLatencyWindow, InLatencyWindow)
	if chosen >= 0 {
		e.Stages[chosen] = Selected
	}
}

func (e *Explanation) mark(servers []int32, s Stage) {
	for _, i := range servers {
		e.Stages[i] = s
	}
}

// serves reports whether a server of this type can serve anything at all in a
// topology of this type.
func serves(t topology.Type, s topology.ServerType) bool {
	switch t {
	case topology.Single:
		return s.IsAvailable()
	case topology.LoadBalanced:
		return true
	case topology.Sharded:
		return s == topology.Mongos
	case topology.ReplicaSetNoPrimary, topology.ReplicaSetWithPrimary:
		return s == topology.RSPrimary || s == topology.RSSecondary
	}
	return false
}

package abi

import (
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

// applyURI completes the settings of topology.open by what its connection string
// says; the keys beside it win.
func (c *Context) applyURI(s *discovery.Settings) *status.Error {
	r := &c.open
	// The connection string is kept, for scans: it must not be the caller's memory.
	u, err := connstring.Parse(str.Clone(r.URI))
	if err != nil {
		return inURI(err)
	}
	beside := func(key uint64) bool { return r.Given&key != 0 }
	switch {
	case !u.SRV && beside(wire.OpenSRV):
		return status.New(status.Argument, "srv", "only mongodb+srv:// asks DNS")
	case !u.SRV && beside(wire.OpenTXT):
		return status.New(status.Argument, "txt", "only mongodb+srv:// asks DNS")
	case u.SRV && !beside(wire.OpenSRV):
		return status.New(status.MissingKey, "srv", `a mongodb+srv:// connection string needs "srv", the answer of DNS`)
	}
	rng := selection.SplitMix64(r.Seed)
	resolved, err := u.Resolve(r.SRV, r.TXT, rng.Next)
	if err != nil {
		return inURI(err)
	}
	of := discovery.FromURI(resolved, r.SRV)
	if of.SRV != nil {
		s.SRV, s.ScanAfterMS = u, of.ScanAfterMS
	}
	s.Seeds = of.Seeds
	if !beside(wire.OpenReplicaSet) {
		s.SetName = of.SetName
	}
	if !beside(wire.OpenDirectConnection) {
		s.DirectConnection = of.DirectConnection
	}
	if !beside(wire.OpenLoadBalanced) {
		s.LoadBalanced = of.LoadBalanced
	}
	if !beside(wire.OpenRetargeting) {
		s.EnableOverloadRetargeting = of.EnableOverloadRetargeting
	}
	if !beside(wire.OpenThreshold) {
		s.Selection.Options.LocalThresholdNS = of.Selection.Options.LocalThresholdNS
	}
	if !beside(wire.OpenHeartbeat) {
		s.Selection.Options.HeartbeatFrequencyMS = of.Selection.Options.HeartbeatFrequencyMS
	}
	return nil
}

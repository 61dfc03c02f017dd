package selection

import (
	"math"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// HasReadableServer reports whether a read with this preference finds a server
// in the topology, whatever its wire versions. The error is that of Select for
// an invalid preference, or a maxStalenessSeconds that a replica set refuses.
//
// SDAM Logging and Monitoring specification, "Determining If A Topology Has
// Readable/Writable Servers".
func (s *Selector) HasReadableServer(t *topology.Description, p readpref.Preference, heartbeatFrequencyMS int64) (bool, error) {
	o := DefaultOptions()
	o.HeartbeatFrequencyMS = heartbeatFrequencyMS
	o.WireVersions = topology.WireVersions{Max: math.MaxInt64}
	res, err := s.Select(&Request{Topology: t, Preference: p, Options: o})
	if err != nil {
		return false, err
	}
	switch t.Type {
	case topology.Sharded:
		return hasAvailable(t), nil
	case topology.LoadBalanced:
		return true, nil
	}
	return len(res.Suitable) > 0, nil
}

// HasWritableServer reports whether a write finds a server in the topology.
//
// SDAM Logging and Monitoring specification, "Determining If A Topology Has
// Readable/Writable Servers".
func HasWritableServer(t *topology.Description) bool {
	switch t.Type {
	case topology.Single, topology.Sharded:
		return hasAvailable(t)
	case topology.ReplicaSetWithPrimary:
		return t.Primary() >= 0
	}
	return t.Type == topology.LoadBalanced
}

func hasAvailable(t *topology.Description) bool {
	for i := range t.Servers {
		if t.Servers[i].Type.IsAvailable() {
			return true
		}
	}
	return false
}

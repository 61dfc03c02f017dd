package sdam

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Reply is the outcome of one check of a server, or of the handshake of an
// application connection.
type Reply struct {
	Address string
	Hello   *Hello // nil or not OK: the check failed
	// RTTNS is the sample of this check in nanoseconds; negative for none, as
	// with streamed replies.
	RTTNS int64
	NowMS int64  // the client's clock
	Error string // why the check failed, where it did
	// Timeout and Network say how a check failed.
	Timeout, Network bool
}

// Hello takes a reply. Replies of servers that are not in the topology, and of
// topologyVersions that are older than what is known, change nothing; accepted says which.
// The error is a *status.Error; nothing changed then either.
//
// SDAM specification, "Parsing a hello or legacy hello response",
// "topologyVersion Comparison"; Server Monitoring specification, "Network or
// command error during server check".
func (m *Machine) Hello(r *Reply, out *Changes) (accepted bool, err error) {
	i := m.index(topology.NormalizeAddress(r.Address))
	if m.closed || i < 0 || m.settings.LoadBalanced {
		return false, nil
	}
	hello := r.Hello
	if hello == nil {
		hello = &Hello{}
	}
	old := &m.current.Servers[i]
	if hello.OK && older(hello.TopologyVersion, old.TopologyVersion) {
		return false, nil
	}
	state := m.servers[old.Address]
	rtt := state.rtt
	if hello.OK {
		rtt.Add(r.RTTNS)
	} else {
		rtt.Reset()
	}
	Describe(&m.described, &Check{Address: old.Address, RoundTripTime: rtt.Average(), MinRoundTripTime: rtt.Minimum(),
		NowMS: r.NowMS, Error: r.Error}, hello)
	s := m.described
	m.own(&s, old)
	before := state.rtt
	state.rtt = rtt
	if err = m.replace(s, out); err != nil {
		state.rtt = before
		return false, err
	}
	if !hello.OK {
		m.clearPool(old.Address, topology.ObjectID{}, r.Timeout, out)
		if old.Type.IsAvailable() && r.Network {
			out.effect(Effect{Kind: RequestCheck, Address: old.Address})
		}
		return true, nil
	}
	if i = m.index(old.Address); i >= 0 {
		t := m.current.Servers[i].Type
		if t.IsDataBearing() || t.IsAvailable() && m.current.Type == topology.Single {
			m.poolReady(old.Address, out)
		}
	}
	return true, nil
}

// RoundTrip takes a sample of a dedicated probe: a server's averages change, and
// nothing else. A server that has not answered a check takes none.
//
// Server Monitoring specification, "Measuring RTT".
func (m *Machine) RoundTrip(address string, ns int64) (accepted bool) {
	i := m.index(topology.NormalizeAddress(address))
	if i < 0 || ns < 0 || m.settings.LoadBalanced || !m.current.Servers[i].Type.IsAvailable() {
		return false
	}
	m.begin()
	s := &m.description.Servers[i]
	rtt := &m.servers[s.Address].rtt
	rtt.Add(ns)
	s.RoundTripTime, s.MinRoundTripTime = rtt.Average(), rtt.Minimum()
	m.publishAsIs()
	return true
}

// Rescan takes what a scan of SRV records changes: servers to add, Unknown, and
// servers to remove. All others stay as they are.
//
// Polling SRV Records specification, "Implementation".
func (m *Machine) Rescan(added, removed []string, out *Changes) error {
	if m.closed {
		return nil
	}
	before := m.current
	m.begin()
	for _, address := range removed {
		m.remove(topology.NormalizeAddress(address))
	}
	for _, address := range added {
		if address = topology.NormalizeAddress(address); m.index(address) < 0 {
			m.add(str.Clone(address))
		}
	}
	if len(m.description.Servers) > MaxServers {
		m.abandon()
		return refusal(status.LimitExceeded, "srv", "the topology would have more than 65536 servers")
	}
	m.publish(before, nil, nil, out)
	return nil
}

// older reports whether v is strictly older than current. Versions of different
// processes, and absent ones, do not compare.
func older(v, current topology.Version) bool {
	return v.IsDefined() && current.IsDefined() && v.ProcessID == current.ProcessID && v.Counter < current.Counter
}

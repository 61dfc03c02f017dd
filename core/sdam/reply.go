package sdam

import "github.com/readpref/readpref/core/topology"

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
//
// SDAM specification, "Parsing a hello or legacy hello response",
// "topologyVersion Comparison"; Server Monitoring specification, "Network or
// command error during server check".
func (m *Machine) Hello(r *Reply, out *Changes) (accepted bool) {
	address := topology.NormalizeAddress(r.Address)
	i := m.index(address)
	if m.closed || i < 0 || m.settings.LoadBalanced {
		return false
	}
	hello := r.Hello
	if hello == nil {
		hello = &Hello{}
	}
	current := &m.description.Servers[i]
	if hello.OK && older(hello.TopologyVersion, current.TopologyVersion) {
		return false
	}
	known := current.Type.IsAvailable()
	state := m.servers[address]
	if hello.OK {
		state.rtt.Add(r.RTTNS)
	} else {
		state.rtt.Reset()
	}
	var described topology.Server
	Describe(&described, &Check{Address: address, RoundTripTime: state.rtt.Average(), MinRoundTripTime: state.rtt.Minimum(),
		NowMS: r.NowMS, OperationCount: current.OperationCount, Error: r.Error}, hello)
	m.replace(described, out)

	if !hello.OK {
		m.clearPool(address, topology.ObjectID{}, r.Timeout, out)
		if known && r.Network {
			out.effect(Effect{Kind: RequestCheck, Address: address})
		}
		return true
	}
	if i = m.index(address); i >= 0 {
		t := m.description.Servers[i].Type
		if t.IsDataBearing() || t.IsAvailable() && m.description.Type == topology.Single {
			out.effect(Effect{Kind: PoolReady, Address: address})
		}
	}
	return true
}

// older reports whether v is strictly older than current. Versions of different
// processes, and absent ones, do not compare.
func older(v, current topology.Version) bool {
	return v.IsDefined() && current.IsDefined() && v.ProcessID == current.ProcessID && v.Counter < current.Counter
}

// clearPool adds one to the generation of a pool. The server may be gone.
func (m *Machine) clearPool(address string, service topology.ObjectID, interrupt bool, out *Changes) {
	s := m.servers[address]
	if s == nil {
		return
	}
	e := Effect{Kind: PoolClear, Address: address, Service: service, InterruptInUse: interrupt}
	if service.IsDefined() {
		if s.services == nil {
			s.services = map[topology.ObjectID]int64{}
		}
		s.services[service]++
		e.Generation = s.services[service]
	} else {
		s.generation++
		e.Generation = s.generation
	}
	out.effect(e)
}

package sdam

import (
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// replace puts a new description in the place of an old one, does what the
// table of the specification says for it, and publishes what changed. It refuses
// what would make a topology of more than MaxServers.
//
// SDAM specification, "TopologyType table", "Updating the TopologyDescription".
func (m *Machine) replace(s topology.Server, out *Changes) error {
	before := m.current
	m.begin()
	i := m.index(s.Address)
	old := &before.Servers[i]
	if m.description.Type == topology.Single && m.description.SetName != "" && s.Type.IsAvailable() && s.SetName != m.description.SetName {
		s = unknown(&s, "the server's setName is not the one that was configured")
	}
	m.description.Servers[i] = s
	effects := len(out.Effects)
	m.act(&s, out)
	if len(m.description.Servers) > MaxServers {
		m.abandon()
		out.Effects = out.Effects[:effects]
		return refusal(status.LimitExceeded, "hello", "the topology would have more than 65536 servers")
	}
	m.publish(before, old, &s, out)
	return nil
}

// unknown is the default description of a server, with a reason.
//
//go:noinline
func unknown(s *topology.Server, reason string) topology.Server {
	return topology.Server{Address: s.Address, Error: reason, LastUpdateTimeMS: s.LastUpdateTimeMS}
}

// act changes the topology as the new description s wants.
func (m *Machine) act(s *topology.Server, out *Changes) {
	d := &m.description
	switch d.Type {
	case topology.Unknown:
		switch s.Type {
		case topology.Standalone:
			if m.seeds == 1 && len(d.Servers) == 1 { // SRV polling may have added others
				d.Type = topology.Single
			} else {
				m.remove(s.Address)
			}
		case topology.Mongos:
			d.Type = topology.Sharded
		case topology.RSPrimary:
			d.Type = topology.ReplicaSetNoPrimary
			m.fromPrimary(s, out)
		case topology.RSSecondary, topology.RSArbiter, topology.RSOther:
			d.Type = topology.ReplicaSetNoPrimary
			m.withoutPrimary(s)
		}
	case topology.Sharded:
		if s.Type != topology.Mongos && s.Type.IsAvailable() {
			m.remove(s.Address)
		}
	case topology.ReplicaSetNoPrimary:
		switch s.Type {
		case topology.Standalone, topology.Mongos:
			m.remove(s.Address)
		case topology.RSPrimary:
			m.fromPrimary(s, out)
		case topology.RSSecondary, topology.RSArbiter, topology.RSOther:
			m.withoutPrimary(s)
		}
	case topology.ReplicaSetWithPrimary:
		switch s.Type {
		case topology.Standalone, topology.Mongos:
			m.remove(s.Address)
			m.checkIfHasPrimary()
		case topology.RSPrimary:
			m.fromPrimary(s, out)
		case topology.RSSecondary, topology.RSArbiter, topology.RSOther:
			m.withPrimary(s)
		default:
			m.checkIfHasPrimary()
		}
	}
}

// withoutPrimary is updateRSWithoutPrimary. The order matters: a member with a
// wrong "me" still tells of others before it goes.
func (m *Machine) withoutPrimary(s *topology.Server) {
	if !m.sameSet(s) {
		m.remove(s.Address)
		return
	}
	m.addMembers(s)
	m.hint(s)
	if mismatch(s) {
		m.remove(s.Address)
	}
}

// withPrimary is updateRSWithPrimaryFromMember: the primary's list of members
// is the one that counts.
func (m *Machine) withPrimary(s *topology.Server) {
	if !m.sameSet(s) || mismatch(s) {
		m.remove(s.Address)
		m.checkIfHasPrimary()
		return
	}
	if m.checkIfHasPrimary(); m.description.Type == topology.ReplicaSetNoPrimary {
		m.hint(s)
	}
}

// fromPrimary is updateRSFromPrimary.
func (m *Machine) fromPrimary(s *topology.Server, out *Changes) {
	d := &m.description
	if !m.sameSet(s) {
		m.remove(s.Address)
		m.checkIfHasPrimary()
		return
	}
	if m.stale(s) {
		d.Servers[m.index(s.Address)] = unknown(s, staleMessage(s, d))
		m.checkIfHasPrimary()
		return
	}
	for i := range d.Servers {
		other := &d.Servers[i]
		if other.Type == topology.RSPrimary && other.Address != s.Address {
			*other = unknown(other, "primary marked stale due to discovery of newer primary")
			out.effect(Effect{Kind: RequestCheck, Address: other.Address})
		}
	}
	m.addMembers(s)
	m.keepListed(s)
	m.checkIfHasPrimary()
}

// keepListed removes the servers that the primary does not list.
func (m *Machine) keepListed(s *topology.Server) {
	d := &m.description
	listed := make([]bool, len(d.Servers))
	for _, list := range [...][]string{s.Hosts, s.Passives, s.Arbiters} {
		for _, address := range list {
			listed[m.index(address)] = true
		}
	}
	kept := d.Servers[:0]
	for i := range d.Servers {
		state := m.servers[d.Servers[i].Address]
		if !listed[i] {
			state.index = -1
			continue
		}
		state.index = len(kept)
		kept = append(kept, d.Servers[i])
	}
	d.Servers = kept
}

// sameSet learns the set's name from the first member, and reports whether s
// belongs to the set.
//
//go:noinline
func (m *Machine) sameSet(s *topology.Server) bool {
	if m.description.SetName == "" {
		m.description.SetName = s.SetName
	}
	return m.description.SetName == s.SetName
}

// mismatch reports whether a member calls itself something else. One that does
// not say has not.
func mismatch(s *topology.Server) bool { return s.Me != "" && s.Me != s.Address }

// hint marks the server that s takes for the primary.
//
//go:noinline
func (m *Machine) hint(s *topology.Server) {
	if i := m.index(s.Primary); i >= 0 && m.description.Servers[i].Type == topology.ServerUnknown {
		m.description.Servers[i].Type = topology.PossiblePrimary
	}
}

//go:noinline
func (m *Machine) addMembers(s *topology.Server) {
	for _, list := range [...][]string{s.Hosts, s.Passives, s.Arbiters} {
		for _, address := range list {
			if m.index(address) < 0 {
				m.add(address)
			}
		}
	}
}

// checkIfHasPrimary sets the type of a replica set by its members.
//
//go:noinline
func (m *Machine) checkIfHasPrimary() {
	d := &m.description
	d.Type = topology.ReplicaSetNoPrimary
	for i := range d.Servers {
		if d.Servers[i].Type == topology.RSPrimary {
			d.Type = topology.ReplicaSetWithPrimary
			return
		}
	}
}

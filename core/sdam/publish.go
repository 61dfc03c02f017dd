package sdam

import (
	"slices"

	"github.com/readpref/readpref/core/topology"
)

// publish settles what follows from the servers, starts and stops monitors, and
// tells what changed, in the specification's order. old and s are the
// descriptions of the server whose reply it was.
//
// SDAM logging and monitoring specification, "Events API".
func (m *Machine) publish(before *topology.Description, old, s *topology.Server, out *Changes) {
	m.description.LogicalSessionTimeoutMinutes = sessionTimeout(m.description.Servers)
	after := m.snapshot()
	if i := m.index(s.Address); i >= 0 {
		s = &after.Servers[i]
	}
	if !EqualServers(old, s) {
		out.event(Event{Kind: ServerDescriptionChanged, Address: s.Address, OldServer: old, NewServer: s})
	}
	for i := range after.Servers {
		address := after.Servers[i].Address
		if !has(before, address) {
			m.servers[address] = &server{}
			out.event(Event{Kind: ServerOpening, Address: address})
			out.effect(Effect{Kind: StartMonitor, Address: address})
		}
	}
	for i := range before.Servers {
		address := before.Servers[i].Address
		if !has(after, address) {
			delete(m.servers, address)
			out.event(Event{Kind: ServerClosed, Address: address})
			out.effect(Effect{Kind: StopMonitor, Address: address})
		}
	}
	if !EqualTopologies(before, after) {
		out.event(Event{Kind: TopologyDescriptionChanged, OldTopology: before, NewTopology: after})
	}
}

func has(d *topology.Description, address string) bool {
	return slices.ContainsFunc(d.Servers, func(s topology.Server) bool { return s.Address == address })
}

// sessionTimeout is the least of the data-bearing servers', absent when one of
// them has none, or there is none.
//
// SDAM specification, "Logical Session Timeout".
func sessionTimeout(servers []topology.Server) topology.Int {
	var least topology.Int
	for i := range servers {
		s := &servers[i]
		if !s.Type.IsDataBearing() {
			continue
		}
		v, ok := s.LogicalSessionTimeoutMinutes.Get()
		if !ok {
			return topology.Int{}
		}
		if l, known := least.Get(); !known || v < l {
			least = topology.NewInt(v)
		}
	}
	return least
}

// EqualServers reports whether two descriptions are equal in what the
// specification compares: not round-trip times, dates or operation counts.
//
// SDAM specification, "Server Description Equality".
func EqualServers(a, b *topology.Server) bool {
	return a.Address == b.Address && a.Error == b.Error && a.Type == b.Type &&
		a.MinWireVersion == b.MinWireVersion && a.MaxWireVersion == b.MaxWireVersion && a.Me == b.Me &&
		slices.Equal(a.Hosts, b.Hosts) && slices.Equal(a.Passives, b.Passives) && slices.Equal(a.Arbiters, b.Arbiters) &&
		a.Tags.Equal(b.Tags) && a.SetName == b.SetName && a.ElectionID == b.ElectionID && a.SetVersion == b.SetVersion &&
		a.Primary == b.Primary && a.LogicalSessionTimeoutMinutes == b.LogicalSessionTimeoutMinutes &&
		a.TopologyVersion == b.TopologyVersion && a.IsCryptd == b.IsCryptd && a.ServiceID == b.ServiceID
}

// EqualTopologies reports whether two topology descriptions are equal in what
// the specification compares.
func EqualTopologies(a, b *topology.Description) bool {
	return a.Type == b.Type && a.SetName == b.SetName && a.MaxElectionID == b.MaxElectionID && a.MaxSetVersion == b.MaxSetVersion &&
		a.LogicalSessionTimeoutMinutes == b.LogicalSessionTimeoutMinutes &&
		slices.EqualFunc(a.Servers, b.Servers, func(x, y topology.Server) bool { return EqualServers(&x, &y) })
}

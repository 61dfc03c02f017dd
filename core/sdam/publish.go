package sdam

import (
	"slices"

	"github.com/readpref/readpref/core/topology"
)

// publish makes what a step did the current description, starts and stops
// monitors, and tells what changed, in the specification's order. old and s are
// the descriptions of the server whose reply it was, nil where it was none.
//
// SDAM logging and monitoring specification, "Events API".
func (m *Machine) publish(before *topology.Description, old, s *topology.Server, out *Changes) {
	m.description.LogicalSessionTimeoutMinutes = sessionTimeout(m.description.Servers)
	after := m.publishAsIs()
	if s != nil {
		if i := m.index(s.Address); i >= 0 {
			s = &after.Servers[i]
		}
		if !EqualServers(old, s) {
			told := *s // the reply's, where the server is gone
			out.event(Event{Kind: ServerDescriptionChanged, Address: s.Address, OldServer: old, NewServer: &told})
		}
	}
	for i := range after.Servers {
		address := after.Servers[i].Address
		state := m.servers[address]
		if !after.Servers[i].Type.IsAvailable() {
			state.rtt.Reset() // Server Selection specification, "Calculation of Average Round Trip Times"
		}
		if !state.opened {
			state.opened = true
			out.event(Event{Kind: ServerOpening, Address: address})
			m.monitor(StartMonitor, address, out)
		}
	}
	for i := range before.Servers {
		if address := before.Servers[i].Address; m.servers[address].index < 0 {
			delete(m.servers, address)
			out.event(Event{Kind: ServerClosed, Address: address})
			m.monitor(StopMonitor, address, out)
		}
	}
	if !EqualTopologies(before, after) {
		out.event(Event{Kind: TopologyDescriptionChanged, OldTopology: before, NewTopology: after})
	}
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
//
//go:noinline
func EqualServers(a, b *topology.Server) bool {
	return a.Address == b.Address && a.Error == b.Error && a.Type == b.Type &&
		a.MinWireVersion == b.MinWireVersion && a.MaxWireVersion == b.MaxWireVersion && a.Me == b.Me &&
		equalLists(a.Hosts, b.Hosts) && equalLists(a.Passives, b.Passives) && equalLists(a.Arbiters, b.Arbiters) &&
		a.Tags.Equal(b.Tags) && a.SetName == b.SetName && a.ElectionID == b.ElectionID && a.SetVersion == b.SetVersion &&
		a.Primary == b.Primary && a.LogicalSessionTimeoutMinutes == b.LogicalSessionTimeoutMinutes &&
		a.TopologyVersion == b.TopologyVersion && a.IsCryptd == b.IsCryptd && a.ServiceID == b.ServiceID
}

// equalLists looks no further where both are the same memory, as those of
// servers that did not change are.
func equalLists(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// EqualTopologies reports whether two topology descriptions are equal in what
// the specification compares.
func EqualTopologies(a, b *topology.Description) bool {
	return a.Type == b.Type && a.SetName == b.SetName && a.MaxElectionID == b.MaxElectionID && a.MaxSetVersion == b.MaxSetVersion &&
		a.LogicalSessionTimeoutMinutes == b.LogicalSessionTimeoutMinutes &&
		slices.EqualFunc(a.Servers, b.Servers, func(x, y topology.Server) bool { return EqualServers(&x, &y) })
}

package sdam

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Resume is NewMachine for a client that knew the deployment already: discovery
// goes on from the description and the pools that its last Machine had. The
// description's type, setName and types of servers must be possible for the
// settings. Operation counts are not the machine's, and dropped. The error is a
// *status.Error with paths such as topology.type and pools[0].address.
func Resume(s Settings, d *topology.Description, pools []Pool, out *Changes) (*Machine, error) {
	m, err := newMachine(s)
	if err != nil {
		return nil, err
	}
	if len(d.Servers) > MaxServers {
		return nil, &status.Error{Code: status.LimitExceeded, Message: "more than 65536 servers", Path: "topology.servers"}
	}
	if err := m.possible(d); err != nil {
		return nil, err
	}
	m.description = topology.Description{Type: d.Type, SetName: str.Clone(d.SetName), MaxElectionID: d.MaxElectionID, MaxSetVersion: d.MaxSetVersion}
	m.current = &m.description // of which own looks for addresses
	for i := range d.Servers {
		m.add(str.Clone(topology.NormalizeAddress(d.Servers[i].Address)))
	}
	for i := range d.Servers {
		m.resumeServer(i, &d.Servers[i])
	}
	m.description.LogicalSessionTimeoutMinutes = sessionTimeout(m.description.Servers)
	if m.description.Type.IsReplicaSet() {
		m.checkIfHasPrimary()
	}
	for i := range pools {
		p := &pools[i]
		state := m.servers[topology.NormalizeAddress(p.Address)]
		switch {
		case state == nil:
			return nil, &status.Error{Code: status.OutOfRange, Message: "the topology has no server of this address", Path: "pools[" + decimal.String(int64(i)) + "].address"}
		case !p.Service.IsDefined():
			state.generation = p.Generation
			continue
		case state.services == nil:
			state.services = map[topology.ObjectID]int64{}
		}
		if state.services[p.Service] = p.Generation; len(state.services) > MaxServices {
			return nil, &status.Error{Code: status.LimitExceeded, Message: "more than 65536 services", Path: "pools"}
		}
	}
	m.open(out)
	if s.LoadBalanced {
		m.poolReady(m.current.Servers[0].Address, out)
	}
	return m, nil
}

// possible checks a description against the settings.
//
// SDAM specification, "Initial TopologyType", "TopologyType table".
func (m *Machine) possible(d *topology.Description) *status.Error {
	s := &m.settings
	types := [...]bool{topology.Unknown: true, topology.Single: true, topology.Sharded: true,
		topology.ReplicaSetNoPrimary: true, topology.ReplicaSetWithPrimary: true, topology.LoadBalanced: false}
	switch {
	case s.LoadBalanced:
		types = [len(types)]bool{topology.LoadBalanced: true}
	case s.DirectConnection:
		types = [len(types)]bool{topology.Single: true}
	case s.SetName != "":
		types = [len(types)]bool{topology.ReplicaSetNoPrimary: true, topology.ReplicaSetWithPrimary: true}
	}
	single := d.Type == topology.Single || d.Type == topology.LoadBalanced
	switch {
	case !types[d.Type]:
		return &status.Error{Code: status.OutOfRange, Message: "a topology of these settings cannot be of type " + d.Type.String(), Path: "topology.type"}
	case s.SetName != "" && d.SetName != s.SetName:
		return &status.Error{Code: status.OutOfRange, Message: "not the name that replicaSet gives", Path: "topology.setName"}
	case single && len(d.Servers) != 1:
		return &status.Error{Code: status.OutOfRange, Message: "a topology of type " + d.Type.String() + " has one server", Path: "topology.servers"}
	}
	for i := range d.Servers {
		if t := d.Servers[i].Type; t.IsAvailable() && !m.fits(d.Type, t) {
			return &status.Error{Code: status.OutOfRange, Message: "a discovered topology of type " + d.Type.String() + " has no server of type " + t.String(),
				Path: "topology.servers[" + decimal.String(int64(i)) + "].type"}
		}
	}
	return nil
}

// fits reports whether the table keeps a server of a type, available, in a
// topology of a type.
func (m *Machine) fits(t topology.Type, s topology.ServerType) bool {
	switch t {
	case topology.LoadBalanced:
		return s == topology.LoadBalancer
	case topology.Single:
		return s != topology.LoadBalancer
	case topology.Sharded:
		return s == topology.Mongos
	case topology.Unknown:
		return s == topology.RSGhost
	}
	return s != topology.LoadBalancer && s != topology.Mongos && s != topology.Standalone
}

func (m *Machine) resumeServer(i int, given *topology.Server) {
	s := *given
	s.OperationCount = 0
	s.Me, s.Primary = normalizeIfAny(s.Me), normalizeIfAny(s.Primary)
	s.Hosts, s.Passives, s.Arbiters = appendNormal(nil, s.Hosts), appendNormal(nil, s.Passives), appendNormal(nil, s.Arbiters)
	s.Tags = append(tag.Set(nil), s.Tags...)
	m.own(&s, &topology.Server{Address: m.description.Servers[i].Address})
	m.description.Servers[i] = s
	m.servers[s.Address].rtt.resume(s.RoundTripTime, s.MinRoundTripTime)
}

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
		return nil, refusal(status.LimitExceeded, "topology.servers", "more than 65536 servers")
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
			return nil, refusal(status.OutOfRange, "pools["+decimal.String(int64(i))+"].address", "the topology has no server of this address")
		case !p.Service.IsDefined():
			state.generation = p.Generation
			continue
		case state.services == nil:
			state.services = map[topology.ObjectID]int64{}
		}
		if state.services[p.Service] = p.Generation; len(state.services) > MaxServices {
			return nil, refusal(status.LimitExceeded, "pools", "more than 65536 services")
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
		return refusal(status.OutOfRange, "topology.type", "a topology of these settings cannot be of type "+d.Type.String())
	case s.SetName != "" && d.SetName != s.SetName:
		return refusal(status.OutOfRange, "topology.setName", "not the name that replicaSet gives")
	case single && len(d.Servers) != 1:
		return refusal(status.OutOfRange, "topology.servers", "a topology of type "+d.Type.String()+" has one server")
	}
	for i := range d.Servers {
		if t := d.Servers[i].Type; t.IsAvailable() && !m.fits(d.Type, t) {
			return refusal(status.OutOfRange, "topology.servers["+decimal.String(int64(i))+"].type",
				"a discovered topology of type "+d.Type.String()+" has no server of type "+t.String())
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

package sdam

import (
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Settings are what a client is configured with.
//
// SDAM specification, "Initial Servers", "Initial TopologyType".
type Settings struct {
	// Seeds are host names with or without ports; duplicates after
	// normalisation collapse.
	Seeds            []string
	SetName          string // replicaSet
	DirectConnection bool
	LoadBalanced     bool
	WireVersions     topology.WireVersions
}

// Machine holds what a client knows of a deployment and changes it by what
// servers and errors say. It does no I/O: what is to be done in the world comes
// out as Effects, what happened as Events, and the clock is an argument.
//
// It is for one goroutine at a time, since a topology changes one step after
// the other. Descriptions it hands out are never changed afterwards.
type Machine struct {
	settings    Settings
	description topology.Description
	servers     map[string]*server // by normalised address
	seeds       int                // configured seeds, not servers left
	closed      bool
}

// server is what the machine keeps of a server besides its description.
type server struct {
	rtt        RTTAverage
	generation int64
	services   map[topology.ObjectID]int64 // generations behind a load balancer
}

// NewMachine makes the initial topology, and the events and effects of opening
// it. It fails for combinations that the specification does not allow.
//
// SDAM specification, "Allowed configuration combinations"; Load Balancer
// specification, "Monitoring".
func NewMachine(s Settings, out *Changes) (*Machine, error) {
	m := &Machine{settings: s, servers: map[string]*server{}}
	for _, seed := range s.Seeds {
		address := topology.NormalizeAddress(seed)
		if m.servers[address] == nil {
			m.servers[address] = &server{}
			m.description.Servers = append(m.description.Servers, topology.Server{Address: address})
			m.seeds++
		}
	}
	switch {
	case s.DirectConnection && m.seeds > 1:
		return nil, &status.Error{Code: status.OutOfRange, Message: "a direct connection has one seed", Path: "seeds"}
	case s.LoadBalanced && (m.seeds > 1 || s.SetName != "" || s.DirectConnection):
		return nil, &status.Error{Code: status.OutOfRange, Message: "a load balancer is one seed, without replicaSet or directConnection", Path: "seeds"}
	case s.LoadBalanced:
		m.description.Type = topology.LoadBalanced
	case s.DirectConnection:
		m.description.Type, m.description.SetName = topology.Single, s.SetName
	case s.SetName != "":
		m.description.Type, m.description.SetName = topology.ReplicaSetNoPrimary, s.SetName
	}
	opened := m.snapshot()
	out.event(Event{Kind: TopologyOpening})
	out.event(Event{Kind: TopologyDescriptionChanged, NewTopology: opened})
	for i := range opened.Servers {
		out.event(Event{Kind: ServerOpening, Address: opened.Servers[i].Address})
		if !s.LoadBalanced {
			out.effect(Effect{Kind: StartMonitor, Address: opened.Servers[i].Address})
		}
	}
	if s.LoadBalanced && len(opened.Servers) > 0 {
		before := opened.Servers[0]
		m.description.Servers[0].Type = topology.LoadBalancer
		m.publish(opened, &before, &m.description.Servers[0], out)
		out.effect(Effect{Kind: PoolReady, Address: before.Address})
	}
	return m, nil
}

// Description returns the current topology description. It must not be changed.
func (m *Machine) Description() *topology.Description { return m.snapshot() }

// snapshot copies the description as far as the machine changes it in place.
func (m *Machine) snapshot() *topology.Description {
	d := m.description
	d.Servers = append([]topology.Server(nil), m.description.Servers...)
	return &d
}

// CheckCompatible tells whether the client can talk to all servers.
func (m *Machine) CheckCompatible() error {
	return m.description.CheckCompatible(m.settings.WireVersions)
}

// PoolGeneration returns the generation of a server's connection pool: how
// often it was cleared. With a service id it is that of one service behind a
// load balancer.
func (m *Machine) PoolGeneration(address string, service topology.ObjectID) int64 {
	s := m.servers[topology.NormalizeAddress(address)]
	switch {
	case s == nil:
		return 0
	case service.IsDefined():
		return s.services[service]
	}
	return s.generation
}

func (m *Machine) index(address string) int {
	for i := range m.description.Servers {
		if m.description.Servers[i].Address == address {
			return i
		}
	}
	return -1
}

// Close ends the machine: nothing is accepted any more.
//
// SDAM logging and monitoring specification, "Closing".
func (m *Machine) Close(out *Changes) {
	if m.closed {
		return
	}
	m.closed = true
	before := m.snapshot()
	for i := range before.Servers {
		out.effect(Effect{Kind: StopMonitor, Address: before.Servers[i].Address})
		out.event(Event{Kind: ServerClosed, Address: before.Servers[i].Address})
	}
	m.description = topology.Description{}
	m.servers = map[string]*server{}
	out.event(Event{Kind: TopologyDescriptionChanged, OldTopology: before, NewTopology: m.snapshot()})
	out.event(Event{Kind: TopologyClosed})
}

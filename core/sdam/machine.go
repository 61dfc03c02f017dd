package sdam

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// The limits of a Machine. What would exceed them is refused, and changes
// nothing.
const (
	MaxServers  = 65536 // in the topology at a time
	MaxServices = 65536 // behind a load balancer, in the life of a Machine
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
// the other. Descriptions it hands out are never changed afterwards, and of what
// it is given it keeps nothing: texts are copied. A reply takes time in
// proportion to the servers that there are and that it names.
type Machine struct {
	settings Settings
	current  *topology.Description // the last one that was published
	// description is what the running step makes of it; see begin.
	description topology.Description
	servers     map[string]*server // by normalised address
	seeds       int                // configured seeds, not servers left
	closed      bool

	described topology.Server // memory for replies
	lists     [3][]string     // the last hosts, passives and arbiters that were kept
}

// server is what the machine keeps of a server besides its description.
type server struct {
	index      int  // in description.Servers, -1 once it was removed
	opened     bool // its event was published
	ready      bool // its pool
	rtt        RTTAverage
	generation int64
	services   map[topology.ObjectID]int64 // generations behind a load balancer
}

// NewMachine makes the initial topology, and the events and effects of opening
// it. It fails for combinations that the specification does not allow; the error
// is a *status.Error.
//
// SDAM specification, "Allowed configuration combinations"; Load Balancer
// specification, "Monitoring".
func NewMachine(s Settings, out *Changes) (*Machine, error) {
	m, err := newMachine(s)
	if err != nil {
		return nil, err
	}
	for _, seed := range m.settings.Seeds {
		m.add(seed)
	}
	switch {
	case s.LoadBalanced:
		m.description.Type = topology.LoadBalanced
	case s.DirectConnection:
		m.description.Type, m.description.SetName = topology.Single, m.settings.SetName
	case s.SetName != "":
		m.description.Type, m.description.SetName = topology.ReplicaSetNoPrimary, m.settings.SetName
	}
	m.open(out)
	if s.LoadBalanced {
		before := m.current
		m.begin()
		m.description.Servers[0].Type = topology.LoadBalancer
		m.publish(before, &before.Servers[0], &m.description.Servers[0], out)
		m.poolReady(before.Servers[0].Address, out)
	}
	return m, nil
}

// newMachine makes a machine without servers.
func newMachine(s Settings) (*Machine, error) {
	m := &Machine{settings: s, servers: map[string]*server{}}
	m.settings.SetName = str.Clone(s.SetName)
	m.settings.Seeds = nil
	known := make(map[string]bool, len(s.Seeds))
	for _, seed := range s.Seeds {
		if address := topology.NormalizeAddress(seed); !known[address] {
			address = str.Clone(address)
			known[address] = true
			m.settings.Seeds = append(m.settings.Seeds, address)
		}
	}
	m.seeds = len(m.settings.Seeds)
	var err *status.Error
	switch {
	case m.seeds == 0:
		err = refusal(status.OutOfRange, "seeds", "at least one seed is needed")
	case m.seeds > MaxServers:
		err = refusal(status.LimitExceeded, "seeds", "more than 65536 seeds")
	case s.LoadBalanced && s.SetName != "":
		err = refusal(status.LoadBalancedWithReplicaSet, "loadBalanced", "loadBalanced cannot be combined with replicaSet")
	case s.LoadBalanced && s.DirectConnection:
		err = refusal(status.LoadBalancedWithDirectConnection, "loadBalanced", "loadBalanced cannot be combined with directConnection")
	case s.LoadBalanced && m.seeds > 1:
		err = refusal(status.LoadBalancedWithMultipleHosts, "loadBalanced", "loadBalanced takes one seed")
	case s.DirectConnection && m.seeds > 1:
		err = refusal(status.DirectConnectionWithMultipleHosts, "directConnection", "directConnection takes one seed")
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// open publishes the first description.
//
// SDAM logging and monitoring specification, "Initial Topology Description".
func (m *Machine) open(out *Changes) {
	opened := m.publishAsIs()
	out.event(Event{Kind: TopologyOpening})
	out.event(Event{Kind: TopologyDescriptionChanged, NewTopology: opened})
	for i := range opened.Servers {
		address := opened.Servers[i].Address
		m.servers[address].opened = true
		out.event(Event{Kind: ServerOpening, Address: address})
		m.monitor(StartMonitor, address, out)
	}
}

// monitor starts or stops a monitor; a load balancer has none.
//
//go:noinline
func (m *Machine) monitor(kind EffectKind, address string, out *Changes) {
	if !m.settings.LoadBalanced {
		out.effect(Effect{Kind: kind, Address: address})
	}
}

// Settings returns the settings of the machine, with its seeds normalised and
// each once.
func (m *Machine) Settings() Settings { return m.settings }

// Description returns the current topology description. It must not be changed.
func (m *Machine) Description() *topology.Description { return m.current }

// begin copies the servers, for a step to change them.
//
//go:noinline
func (m *Machine) begin() {
	m.description = *m.current
	m.description.Servers = append([]topology.Server(nil), m.current.Servers...)
}

// publishAsIs makes what a step did the current description.
//
//go:noinline
func (m *Machine) publishAsIs() *topology.Description {
	after := new(topology.Description)
	*after = m.description
	m.current = after
	return after
}

// refusal makes an error.
//
//go:noinline
func refusal(code status.Code, path, message string) *status.Error {
	return status.New(code, path, message)
}

// abandon ends a step that is refused: all is as it was.
//
//go:noinline
func (m *Machine) abandon() {
	for i := range m.description.Servers {
		if address := m.description.Servers[i].Address; !m.servers[address].opened {
			delete(m.servers, address)
		}
	}
	for i := range m.current.Servers {
		m.servers[m.current.Servers[i].Address].index = i
	}
	m.description = *m.current
}

// add puts a new server, Unknown, at the end.
//
//go:noinline
func (m *Machine) add(address string) {
	m.servers[address] = &server{index: len(m.description.Servers)}
	m.description.Servers = append(m.description.Servers, topology.Server{Address: address})
}

// remove takes a server out, if it is there.
//
//go:noinline
func (m *Machine) remove(address string) {
	i := m.index(address)
	if i < 0 {
		return
	}
	d := &m.description
	m.servers[address].index = -1
	d.Servers = append(d.Servers[:i], d.Servers[i+1:]...)
	for ; i < len(d.Servers); i++ {
		m.servers[d.Servers[i].Address].index = i
	}
}

// index returns a server's place in the description, or -1.
//
//go:noinline
func (m *Machine) index(address string) int {
	if s := m.servers[address]; s != nil {
		return s.index
	}
	return -1
}

// Index returns the place of a server in the description, or -1.
func (m *Machine) Index(address string) int { return m.index(topology.NormalizeAddress(address)) }

// CheckCompatible tells whether the client can talk to all servers.
func (m *Machine) CheckCompatible() error {
	return m.current.CheckCompatible(m.settings.WireVersions)
}

// Close ends the machine: nothing is accepted any more.
//
// SDAM logging and monitoring specification, "Closing".
func (m *Machine) Close(out *Changes) {
	if m.closed {
		return
	}
	m.closed = true
	before := m.current
	for i := range before.Servers {
		m.monitor(StopMonitor, before.Servers[i].Address, out)
		out.event(Event{Kind: ServerClosed, Address: before.Servers[i].Address})
	}
	m.description = topology.Description{}
	m.current = new(topology.Description)
	m.servers = map[string]*server{}
	out.event(Event{Kind: TopologyDescriptionChanged, OldTopology: before, NewTopology: m.current})
	out.event(Event{Kind: TopologyClosed})
}

// Closed reports whether Close was called.
func (m *Machine) Closed() bool { return m.closed }

package discovery

import (
	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/atomics"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Settings are what a client is configured with. DefaultSettings and FromURI
// return some to start from.
type Settings struct {
	Seeds            []string
	SetName          string // replicaSet
	DirectConnection bool
	LoadBalanced     bool
	// EnableOverloadRetargeting lets retries avoid servers that are overloaded.
	EnableOverloadRetargeting bool
	// Selection holds for all selections; its wire versions are the client's.
	Selection cluster.Settings
	// SRV is the connection string whose SRV records are scanned again, nil for
	// none, and ScanAfterMS when first.
	SRV         *connstring.ConnString
	ScanAfterMS int64
}

// DefaultSettings returns the specifications' defaults, for seeds.
func DefaultSettings(seeds ...string) Settings {
	return Settings{Seeds: seeds, Selection: cluster.DefaultSettings()}
}

// FromURI returns the settings of a connection string. One of mongodb+srv:// must
// be resolved, and srv are the records that it was resolved with.
func FromURI(c *connstring.ConnString, srv []connstring.SRVRecord) Settings {
	s := DefaultSettings(c.Seeds()...)
	s.SetName = c.ReplicaSet.Value
	s.DirectConnection = c.DirectConnection.Value
	s.LoadBalanced = c.LoadBalanced.Value
	s.EnableOverloadRetargeting = c.EnableOverloadRetargeting.Value
	if c.LocalThresholdMS.Set {
		s.Selection.Options.LocalThresholdNS = c.LocalThresholdMS.Value * 1_000_000
	}
	if c.HeartbeatFrequencyMS.Set {
		s.Selection.Options.HeartbeatFrequencyMS = c.HeartbeatFrequencyMS.Value
	}
	if c.SRV {
		s.SRV, s.ScanAfterMS = c, connstring.RescanMS(srv)
	}
	return s
}

// Deployment is what a client knows of a deployment.
type Deployment struct {
	settings Settings
	topology *cluster.Topology // replaced by whoever holds mu; selections need no lock

	mu      atomics.Mutex // of what follows
	machine *sdam.Machine
	queue   queue
	changes sdam.Changes // memory of one step
	random  selection.SplitMix64
}

// Open makes a Deployment of seeds that nothing is known of. The opening events
// and effects wait. The error is a *status.Error.
func Open(s Settings) (*Deployment, error) {
	d := &Deployment{settings: s}
	var err error
	if d.machine, err = sdam.NewMachine(s.machine(), &d.changes); err != nil {
		return nil, err
	}
	return d.begin(d.machine.Description())
}

// Resume makes a Deployment that goes on from what another one knew: its
// description, with operation counts, and its pools. See sdam.Resume for what is
// refused.
func Resume(s Settings, known *topology.Description, pools []sdam.Pool) (*Deployment, error) {
	d := &Deployment{settings: s}
	var err error
	if d.machine, err = sdam.Resume(s.machine(), known, pools, &d.changes); err != nil {
		return nil, err
	}
	counted := *d.machine.Description()
	counted.Servers = append([]topology.Server(nil), counted.Servers...)
	for i := range counted.Servers {
		counted.Servers[i].OperationCount = known.Servers[i].OperationCount
	}
	return d.begin(&counted)
}

func (s *Settings) machine() sdam.Settings {
	return sdam.Settings{Seeds: s.Seeds, SetName: s.SetName, DirectConnection: s.DirectConnection,
		LoadBalanced: s.LoadBalanced, WireVersions: s.Selection.Options.WireVersions}
}

// begin opens the topology to select from with a first description, whose
// operation counts are where those begin.
func (d *Deployment) begin(first *topology.Description) (*Deployment, error) {
	var err error
	if d.topology, err = cluster.Open(first, d.settings.Selection); err != nil {
		return nil, err
	}
	m := d.machine.Settings() // copies
	d.settings.Seeds, d.settings.SetName = m.Seeds, m.SetName
	d.random = selection.SplitMix64(d.settings.Selection.Seed)
	d.queue.push(&d.changes)
	d.scanSRV(d.settings.ScanAfterMS)
	return d, nil
}

// Topology returns the topology to select servers from. Only the Deployment
// updates it.
func (d *Deployment) Topology() *cluster.Topology { return d.topology }

// Settings returns what the Deployment was opened with: its seeds normalised and
// each once, its random state that of the beginning.
func (d *Deployment) Settings() Settings { return d.settings }

// Outcome is what became of a reply or an error.
type Outcome struct {
	Generation uint32 // of the topology, after it
	Accepted   bool   // it counted
	// Server is the description now of the server it came from, nil where the
	// topology has no such server. It must not be changed.
	Server *topology.Server
	// NotLoadBalanced says that a hello of a load balancer had no serviceId: the
	// connection must not be used, for the reason sdam.NotLoadBalanced.
	NotLoadBalanced bool
	// Deprioritize says that a retry of the operation should avoid the server.
	Deprioritize bool
}

// Hello takes the outcome of a check of a server. The error is a *status.Error; nothing
// changed then.
func (d *Deployment) Hello(r *sdam.Reply) (Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Hello != nil && r.Hello.OK {
		if err := d.room(r.Hello); err != nil {
			return Outcome{}, err
		}
	}
	accepted, err := d.machine.Hello(r, &d.changes)
	if err != nil {
		return Outcome{}, err
	}
	o, err := d.end(r.Address, accepted)
	o.NotLoadBalanced = d.settings.LoadBalanced && o.Server != nil && r.Hello != nil && r.Hello.OK && !r.Hello.ServiceID.IsDefined()
	return o, err
}

// RoundTrip takes a sample of a dedicated probe of the round-trip time, in
// nanoseconds.
func (d *Deployment) RoundTrip(address string, ns int64) (Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.end(address, d.machine.RoundTrip(address, ns))
}

// Error takes an error that an operation met. The error returned is a
// *status.Error; nothing changed then.
func (d *Deployment) Error(e *sdam.ApplicationError) (Outcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	avoid := sdam.Deprioritize(d.machine.Description().Type, e, d.settings.EnableOverloadRetargeting)
	accepted, err := d.machine.ApplicationError(e, &d.changes)
	if err != nil {
		return Outcome{}, err
	}
	o, err := d.end(e.Address, accepted)
	o.Deprioritize = avoid
	return o, err
}

// Shutdown ends discovery: the closing events wait, further replies are not
// accepted, and no server is found any more. A second one does nothing.
func (d *Deployment) Shutdown() (generation uint32, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.machine.Closed() {
		d.machine.Close(&d.changes)
		d.queue.forget(sdam.ScanSRV, "")
		if _, err := d.end("", true); err != nil {
			return 0, err
		}
	}
	return d.topology.Generation(), nil
}

// end makes what a step did visible.
func (d *Deployment) end(address string, accepted bool) (Outcome, error) {
	known := d.machine.Description()
	if accepted {
		if err := d.topology.Replace(known); err != nil {
			return Outcome{}, err
		}
	}
	d.queue.push(&d.changes)
	o := Outcome{Generation: d.topology.Generation(), Accepted: accepted}
	if i := d.machine.Index(address); i >= 0 {
		o.Server = &known.Servers[i]
	}
	return o, nil
}

// room makes sure that the topology can take the addresses that a reply names.
func (d *Deployment) room(h *sdam.Hello) error {
	lists := [...][]string{h.Hosts, h.Passives, h.Arbiters}
	room := d.topology.Room() - len(lists[0]) - len(lists[1]) - len(lists[2])
	if room >= 0 {
		return nil
	}
	for _, list := range lists {
		for _, address := range list {
			if _, known := d.topology.ID(address); known {
				room++
			}
		}
	}
	if room < 0 {
		return status.New(status.LimitExceeded, "hello", "more than 1048576 addresses in the life of a topology")
	}
	return nil
}

// Describe returns the current description with live operation counts, settings
// whose seed is the present state, and the pools: what Resume takes.
func (d *Deployment) Describe() (topology.Description, Settings, []sdam.Pool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.settings
	var known topology.Description
	known, s.Selection = d.topology.Describe()
	return known, s, d.machine.Pools()
}

// Reseed mixes entropy into the random states, in the child of a fork.
func (d *Deployment) Reseed(entropy uint64) {
	d.topology.Reseed(entropy)
	d.mu.Lock()
	d.random += selection.SplitMix64(entropy)
	d.mu.Unlock()
}

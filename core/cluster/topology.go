package cluster

import (
	"github.com/readpref/readpref/core/internal/atomics"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// MaxServers is how many different addresses one Topology can have seen: ids
// are never reused.
const MaxServers = 1 << 20

// Settings are fixed for the life of a Topology.
type Settings struct {
	Options selection.Options
	Pick    selection.Pick
	Seed    uint64 // of the random draws; for RoundRobin the first turn
}

// DefaultSettings returns the specification's defaults, with seed 0: give
// entropy in production, so that clients do not move in step.
func DefaultSettings() Settings { return Settings{Options: selection.DefaultOptions()} }

// Topology is a deployment's current description, with the operation counts of
// its servers.
type Topology struct {
	settings Settings
	state    atomics.Uint64 // SplitMix64's state, or the turn of RoundRobin
	current  atomics.Pointer[snapshot]
	members  atomics.Pointer[[]*member] // by id; only ever longer

	mu  atomics.Mutex    // of what follows, and of who may store the pointers
	ids map[string]int32 // by normalised address
}

// member is one address that the Topology has seen.
type member struct {
	id         int32
	address    string // normalised
	operations atomics.Int64
}

// snapshot is one accepted description and what was computed from it. Only its
// plans change, and those only by growing.
type snapshot struct {
	generation  uint32
	description topology.Description
	members     []*member // by index of the server
	plans       atomics.Pointer[plans]
}

// Open makes a Topology of a first description, which it copies. Its generation is 1.
func Open(d *topology.Description, s Settings) (*Topology, error) {
	t := &Topology{settings: s, ids: map[string]int32{}}
	t.state.Store(s.Seed)
	t.members.Store(new([]*member))
	if err := t.Update(d, nil); err != nil {
		return nil, err
	}
	return t, nil
}

// Update replaces the description, which it copies. The operation counts of
// servers are kept, also of those that are gone and may return; keepCount(i)
// says whether server i keeps its own or takes the description's
// OperationCount; nil takes all from the description.
//
// It fails, and changes nothing, when the Topology would have seen more than
// MaxServers addresses.
func (t *Topology) Update(d *topology.Description, keepCount func(i int) bool) error {
	next := &snapshot{description: cloneDescription(d)}
	t.mu.Lock()
	defer t.mu.Unlock()
	known := *t.members.Load()
	fresh := 0
	for i := range next.description.Servers {
		if _, ok := t.ids[topology.NormalizeAddress(next.description.Servers[i].Address)]; !ok {
			fresh++
		}
	}
	if len(known)+fresh > MaxServers {
		return &status.Error{Code: status.LimitExceeded, Message: "more than 1048576 addresses in the life of a topology", Path: "topology.servers"}
	}
	members := known
	if fresh > 0 {
		// Readers hold the old slice: what they can see of it must not change.
		members = append(make([]*member, 0, len(known)+fresh), known...)
	}
	next.members = make([]*member, len(next.description.Servers))
	for i := range next.description.Servers {
		address := topology.NormalizeAddress(next.description.Servers[i].Address)
		id, ok := t.ids[address]
		if !ok {
			id = int32(len(members))
			address = str.Clone(address)
			t.ids[address] = id
			members = append(members, &member{id: id, address: address})
		}
		m := members[id]
		if !ok || keepCount == nil || !keepCount(i) {
			m.operations.Store(next.description.Servers[i].OperationCount)
		}
		next.members[i] = m
	}
	if last := t.current.Load(); last != nil {
		next.generation = last.generation
	}
	if next.generation++; next.generation == 0 {
		next.generation = 1 // 0 means a bad handle
	}
	t.members.Store(&members)
	t.current.Store(next)
	return nil
}

// Reseed mixes entropy into the random state. Draws that are under way may see
// the old one.
func (t *Topology) Reseed(entropy uint64) { t.state.Add(entropy) }

// Generation changes with every Update; compare it for inequality. It is never 0.
func (t *Topology) Generation() uint32 { return t.current.Load().generation }

// Describe returns a copy of the current description with the live operation
// counts, and settings whose seed is the present state: opened with both, a new Topology goes on as
// this one would.
func (t *Topology) Describe() (topology.Description, Settings) {
	s := t.current.Load()
	d := cloneDescription(&s.description)
	for i := range d.Servers {
		d.Servers[i].OperationCount = s.members[i].operations.Load()
	}
	settings := t.settings
	settings.Seed = t.state.Load()
	return d, settings
}

// Address returns the normalised address of a server by its id; ok is false for an id that
// no Select of this Topology returned.
func (t *Topology) Address(id int32) (address string, ok bool) {
	m := t.member(id)
	if m == nil {
		return "", false
	}
	return m.address, true
}

// Release takes one from a server's operation count, never below 0; ok is false
// for an unknown id. It is what follows a Select with checkout when the
// operation ended, in whatever way.
func (t *Topology) Release(id int32) (ok bool) {
	m := t.member(id)
	if m == nil {
		return false
	}
	for {
		n := m.operations.Load()
		if n <= 0 || m.operations.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

// OperationCount returns the operations in progress on a server.
func (t *Topology) OperationCount(id int32) (n int64, ok bool) {
	m := t.member(id)
	if m == nil {
		return 0, false
	}
	return m.operations.Load(), true
}

func (t *Topology) member(id int32) *member {
	members := *t.members.Load()
	if id < 0 || int(id) >= len(members) {
		return nil
	}
	return members[id]
}

func cloneDescription(d *topology.Description) topology.Description {
	c := *d
	c.SetName = str.Clone(d.SetName)
	c.Servers = make([]topology.Server, len(d.Servers))
	for i := range d.Servers {
		s := d.Servers[i]
		for _, text := range []*string{&s.Address, &s.SetName, &s.Primary, &s.Me, &s.Error} {
			*text = str.Clone(*text)
		}
		s.Tags = cloneTags(s.Tags)
		s.Hosts, s.Passives, s.Arbiters = cloneStrings(s.Hosts), cloneStrings(s.Passives), cloneStrings(s.Arbiters)
		c.Servers[i] = s
	}
	return c
}

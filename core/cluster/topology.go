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
	return t.accept(next, keepCount)
}

// Replace is Update for a description that is never changed again, nor what its
// lists and texts stand in: it is kept as it is. All servers keep their counts.
func (t *Topology) Replace(d *topology.Description) error {
	return t.accept(&snapshot{description: *d}, func(int) bool { return true })
}

func (t *Topology) accept(next *snapshot, keepCount func(i int) bool) error {
	servers := next.description.Servers
	t.mu.Lock()
	defer t.mu.Unlock()
	next.members = make([]*member, len(servers))
	last := t.current.Load()
	fresh := 0
	for i := range servers {
		if last != nil && i < len(last.members) && last.members[i].address == servers[i].Address {
			next.members[i] = last.members[i] // most descriptions have the servers of the last one
		} else if id, ok := t.ids[topology.NormalizeAddress(servers[i].Address)]; ok {
			next.members[i] = (*t.members.Load())[id]
		} else {
			fresh++
		}
	}
	members := *t.members.Load()
	if len(members)+fresh > MaxServers {
		return status.New(status.LimitExceeded, "topology.servers", "more than 1048576 addresses in the life of a topology")
	}
	if fresh > 0 {
		// Readers hold the old slice: what they can see of it must not change.
		members = append(make([]*member, 0, len(members)+fresh), members...)
	}
	for i := range servers {
		m := next.members[i]
		known := m != nil
		if !known {
			address := topology.NormalizeAddress(servers[i].Address)
			id, twice := t.ids[address]
			if !twice {
				id = int32(len(members))
				m = &member{id: id, address: str.Clone(address)}
				t.ids[m.address] = id
				members = append(members, m)
			}
			m = members[id]
			next.members[i] = m
		}
		if !known || keepCount == nil || !keepCount(i) {
			m.operations.Store(servers[i].OperationCount)
		}
	}
	if last != nil {
		next.generation = last.generation
	}
	if next.generation++; next.generation == 0 {
		next.generation = 1 // 0 means a bad handle
	}
	t.members.Store(&members)
	t.current.Store(next)
	return nil
}

// ID returns the id of an address, if the Topology has seen it.
func (t *Topology) ID(address string) (id int32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok = t.ids[topology.NormalizeAddress(address)]
	return id, ok
}

// Room returns how many addresses the Topology can still see.
func (t *Topology) Room() int { return MaxServers - len(*t.members.Load()) }

// Reseed mixes entropy into the random state. Draws that are under way may see
// the old one.
func (t *Topology) Reseed(entropy uint64) { t.state.Add(entropy) }

// Generation changes with every Update; compare it for inequality. It is never 0.
func (t *Topology) Generation() uint32 { return t.current.Load().generation }

// Describe returns the current description with the live operation counts, whose
// lists must not be changed, and settings whose seed is the present state: opened with both, a new
// Topology goes on as this one would.
func (t *Topology) Describe() (topology.Description, Settings) {
	s := t.current.Load()
	d := s.description
	d.Servers = append(make([]topology.Server, 0, len(d.Servers)), d.Servers...)
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

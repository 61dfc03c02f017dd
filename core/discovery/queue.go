package discovery

import (
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// What waits to be acknowledged is bounded. Events beyond go, oldest first, and
// are counted; effects coalesce and stay.
const (
	MaxEvents = 10_000
	// MaxEventServers bounds the server descriptions that the topology
	// descriptions of all events hold, which is what large topologies take.
	MaxEventServers = 131_072
	// MaxEventBytes bounds the texts of the servers whose changes wait, as far as
	// the last one did not have the same: what a server says may be long.
	MaxEventBytes = 64 << 20
)

// Change is something that waits to be acknowledged: an event or an effect, the
// other is nil. Neither must be changed.
type Change struct {
	// Sequence counts from 1; behind 2^32-1 comes 1 again.
	Sequence uint32
	Event    *sdam.Event
	Effect   *sdam.Effect
}

// queue holds changes in the order of their sequence numbers, events and effects
// apart.
type queue struct {
	last uint64 // given
	told uint64 // the last that was delivered; it may be acted upon already

	events   []queuedEvent
	head     int   // the events before are gone
	servers  int   // that topology descriptions of events hold
	bytes    int   // of texts
	lost     int64 // events that went before they were delivered, since the last acknowledgement
	lostTold int64 // of these, how many a delivered answer counted

	lists [3][]string // the last hosts, passives and arbiters that counted

	effects []queuedEffect
	gone    int               // of effects: their sequence is 0
	at      map[effectKey]int // where effects wait
}

type queuedEvent struct {
	sequence uint64
	event    sdam.Event
	bytes    int
}

type queuedEffect struct {
	sequence uint64
	effect   sdam.Effect
}

type effectKey struct {
	kind    sdam.EffectKind
	address string
	service topology.ObjectID
}

// sequence gives a number, whose low half is never 0.
func (q *queue) sequence() uint64 {
	if q.last++; uint32(q.last) == 0 {
		q.last++
	}
	return q.last
}

// push takes the changes of a step, and empties them: first what happened, then
// what to do.
func (q *queue) push(c *sdam.Changes) {
	for i := range c.Events {
		q.event(&c.Events[i])
	}
	for i := range c.Effects {
		q.effect(&c.Effects[i])
	}
	clear(c.Events)
	c.Events, c.Effects = c.Events[:0], c.Effects[:0]
}

func weight(e *sdam.Event) int {
	if e.NewTopology == nil {
		return 0
	}
	return len(e.NewTopology.Servers)
}

func (q *queue) event(e *sdam.Event) {
	n := q.texts(e)
	q.events = append(q.events, queuedEvent{q.sequence(), *e, n})
	q.servers += weight(e)
	q.bytes += n
	for len(q.events)-q.head > MaxEvents || q.servers > MaxEventServers || q.bytes > MaxEventBytes {
		if q.events[q.head].sequence > q.told {
			q.lost++
		}
		q.dropFirst()
	}
}

// texts returns how many bytes of text came with an event. Lists that the server,
// or the last one, had before are shared and do not count.
func (q *queue) texts(e *sdam.Event) int {
	s := e.NewServer
	if s == nil {
		return 0
	}
	n := len(s.Error) + len(s.SetName) + len(s.Me) + len(s.Primary)
	for _, t := range s.Tags {
		n += len(t.Name) + len(t.Value)
	}
	for kind, list := range [...][2][]string{{s.Hosts, e.OldServer.Hosts}, {s.Passives, e.OldServer.Passives}, {s.Arbiters, e.OldServer.Arbiters}} {
		if now := list[0]; !same(now, list[1]) && !same(now, q.lists[kind]) {
			for _, address := range now {
				n += len(address) + 16 // its place in the list
			}
			q.lists[kind] = now
		}
	}
	return n
}

// same reports whether two lists are the same memory, or empty.
func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (q *queue) dropFirst() {
	q.servers -= weight(&q.events[q.head].event)
	q.bytes -= q.events[q.head].bytes
	q.events[q.head] = queuedEvent{}
	if q.head++; q.head > 64 && 2*q.head > len(q.events) {
		n := copy(q.events, q.events[q.head:])
		clear(q.events[n:])
		q.events, q.head = q.events[:n], 0
	}
}

// effect adds an effect in place of what it makes pointless. The newest of a
// kind counts, behind what came before it; a monitor that is stopped needs
// nothing that waited for its server, and where its start was not delivered yet,
// no stop.
func (q *queue) effect(e *sdam.Effect) {
	next := *e
	switch e.Kind {
	case sdam.StopMonitor:
		started, waits := q.forget(sdam.StartMonitor, e.Address)
		for kind := sdam.RequestCheck; kind <= sdam.PoolClear; kind++ {
			q.forget(kind, e.Address)
		}
		if waits && started > q.told {
			return
		}
	case sdam.PoolClear:
		if i, ok := q.at[keyOf(e)]; ok && q.effects[i].effect.InterruptInUse {
			next.InterruptInUse = true
		}
	}
	q.remove(keyOf(e))
	if q.at == nil {
		q.at = map[effectKey]int{}
	}
	q.at[keyOf(e)] = len(q.effects)
	q.effects = append(q.effects, queuedEffect{q.sequence(), next})
}

func keyOf(e *sdam.Effect) effectKey { return effectKey{e.Kind, e.Address, e.Service} }

// forget takes an effect out, and returns its sequence number.
func (q *queue) forget(kind sdam.EffectKind, address string) (sequence uint64, ok bool) {
	return q.remove(effectKey{kind: kind, address: address})
}

func (q *queue) remove(key effectKey) (sequence uint64, ok bool) {
	i, ok := q.at[key]
	if !ok {
		return 0, false
	}
	sequence = q.effects[i].sequence
	q.effects[i] = queuedEffect{}
	delete(q.at, key)
	if q.gone++; q.gone > 32 && 2*q.gone > len(q.effects) {
		q.compact(0)
	}
	return sequence, true
}

// compact takes out the effects that are gone, or no newer than a number.
func (q *queue) compact(upto uint64) {
	kept := q.effects[:0]
	for i := range q.effects {
		e := &q.effects[i]
		switch {
		case e.sequence > upto:
			q.at[keyOf(&e.effect)] = len(kept)
			kept = append(kept, *e)
		case e.sequence > 0:
			delete(q.at, keyOf(&e.effect))
		}
	}
	clear(q.effects[len(kept):])
	q.effects, q.gone = kept, 0
}

// visit calls f for each change in order, until it returns false.
func (q *queue) visit(f func(Change) bool) {
	events, effects := q.events[q.head:], q.effects
	for {
		for len(effects) > 0 && effects[0].sequence == 0 {
			effects = effects[1:]
		}
		switch {
		case len(events) > 0 && (len(effects) == 0 || events[0].sequence < effects[0].sequence):
			if !f(Change{Sequence: uint32(events[0].sequence), Event: &events[0].event}) {
				return
			}
			events = events[1:]
		case len(effects) > 0:
			if !f(Change{Sequence: uint32(effects[0].sequence), Effect: &effects[0].effect}) {
				return
			}
			effects = effects[1:]
		default:
			return
		}
	}
}

// full returns the whole of a sequence number: the last that was given with this
// low half. ok is false where none was.
func (q *queue) full(sequence uint32) (n uint64, ok bool) {
	n = q.last - uint64(uint32(q.last)-sequence)
	return n, n <= q.last
}

// delivered notes that a host has the changes up to a number, and that it was
// told of this many that were lost.
func (q *queue) delivered(sequence uint32, lost int64) {
	if n, ok := q.full(sequence); ok && sequence != 0 {
		q.told = max(q.told, n)
	}
	q.lostTold = lost
}

// acknowledge forgets what is no newer than a number; false where no such number
// was given.
func (q *queue) acknowledge(sequence uint32) bool {
	upto, ok := q.full(sequence)
	if !ok {
		return false
	}
	for q.head < len(q.events) && q.events[q.head].sequence <= upto {
		q.dropFirst()
	}
	q.compact(upto)
	q.lost, q.lostTold = q.lost-q.lostTold, 0
	return true
}

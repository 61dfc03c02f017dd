package sdam

import "github.com/readpref/readpref/core/topology"

// EventKind is what an Event tells.
//
// SDAM logging and monitoring specification, "Events API".
type EventKind uint8

// The kinds of events.
const (
	TopologyOpening EventKind = iota
	TopologyDescriptionChanged
	TopologyClosed
	ServerOpening
	ServerDescriptionChanged
	ServerClosed
)

// EventNames lists the names of the kinds, in the order of their values.
var EventNames = [...]string{"topologyOpening", "topologyDescriptionChanged", "topologyClosed", "serverOpening", "serverDescriptionChanged", "serverClosed"}

// String returns the documents' name of the kind.
func (k EventKind) String() string { return EventNames[k] }

// Event is something that happened to the topology.
type Event struct {
	Kind    EventKind
	Address string // of server events

	// The descriptions before and after; those of a topology that is being
	// opened or that is closed are zero. They must not be changed.
	OldServer, NewServer     *topology.Server
	OldTopology, NewTopology *topology.Description
}

// EffectKind is what an Effect asks for.
type EffectKind uint8

// The kinds of effects.
const (
	StartMonitor EffectKind = iota
	StopMonitor
	RequestCheck // check this server at once, but no sooner than 500 ms after its last check
	CancelCheck  // end the check that is under way
	PoolReady
	PoolClear
	ScanSRV // ask DNS for the SRV records; a Machine has none, its owner asks for it
)

// EffectNames lists the names of the kinds, in the order of their values.
var EffectNames = [...]string{"startMonitor", "stopMonitor", "requestCheck", "cancelCheck", "poolReady", "poolClear", "scanSRV"}

// String returns the documents' name of the kind.
func (k EffectKind) String() string { return EffectNames[k] }

// Effect is something that the host has to do.
type Effect struct {
	Kind    EffectKind
	Address string
	// Service limits a PoolClear behind a load balancer to one service.
	Service topology.ObjectID
	// InterruptInUse is set for a PoolClear after a timeout of the monitor: connections that
	// are in use are to be closed as well.
	InterruptInUse bool
	// Generation is the pool's after a PoolClear.
	Generation int64
	// AfterMS is how long to wait with a ScanSRV.
	AfterMS int64
}

// Changes gathers what came of one or more steps, in order.
type Changes struct {
	Events  []Event
	Effects []Effect
}

// event and effect, like other small functions here, are not inlined: the
// WebAssembly module pays for every copy.
//
//go:noinline
func (c *Changes) event(e Event) { c.Events = append(c.Events, e) }

//go:noinline
func (c *Changes) effect(e Effect) { c.Effects = append(c.Effects, e) }

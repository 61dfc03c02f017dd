package selection

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Operation is what the server is wanted for. The zero value is Read.
type Operation uint8

// The operations.
const (
	Read Operation = iota
	Write
	// AggregateWithWriteStage is an aggregate with $out or $merge, which may
	// run on a secondary only where every server is MongoDB 5.0 or newer.
	AggregateWithWriteStage
)

// OperationNames lists the names of the operations, in the order of their
// values. Do not modify it.
var OperationNames = [...]string{"read", "write", "aggregateWithWriteStage"}

// String returns the documents' name of the operation.
func (o Operation) String() string { return nameOf(OperationNames[:], int(o)) }

// Defaults of the client-level options.
//
// Server Selection specification, "localThresholdMS"; SDAM specification,
// "heartbeatFrequencyMS".
const (
	DefaultLocalThresholdNS       = 15_000_000
	DefaultHeartbeatFrequencyMS   = 10_000
	SmallestHeartbeatFrequencyMS  = 500
	minWireVersionForSecondaryOut = 13 // CRUD specification: $out and $merge on secondaries, MongoDB 5.0
	millisecondsPerSecond         = 1000
	sortAddressesFrom             = 64
)

// Options are the settings of a client that bear on selection.
type Options struct {
	LocalThresholdNS     int64 // width of the latency window in nanoseconds, ≥ 0
	HeartbeatFrequencyMS int64 // ≥ 500
	WireVersions         topology.WireVersions
}

// DefaultOptions returns the specification's defaults.
func DefaultOptions() Options {
	return Options{
		LocalThresholdNS:     DefaultLocalThresholdNS,
		HeartbeatFrequencyMS: DefaultHeartbeatFrequencyMS,
		WireVersions:         topology.DefaultWireVersions,
	}
}

// Request is one selection. It borrows all it points to for the call and for as
// long as its Result is used.
type Request struct {
	Topology   *topology.Description
	Preference readpref.Preference
	Operation  Operation
	// Deprioritized are addresses that are chosen only when nothing else is
	// suitable. Addresses that the topology does not have are ignored.
	Deprioritized []string
	// DeprioritizedSet is Deprioritized made ready, for who selects with the same
	// addresses on many topologies. It counts in place of Deprioritized where it is
	// not nil.
	DeprioritizedSet *AddressSet
	// CustomSelector filters the suitable servers before the latency window;
	// nil keeps them all.
	CustomSelector CustomSelector
	// Options are the client's; begin with DefaultOptions, since a heartbeat of 0 is an error.
	Options Options
}

// CustomSelector is the application's own filter ("serverSelector" in the
// specification). It is called only when there are suitable servers.
type CustomSelector interface {
	// SelectServers appends to dst the indices to keep, of those in suitable,
	// and returns it. Other indices are ignored. It must not keep either slice.
	SelectServers(t *topology.Description, suitable, dst []int32) []int32
}

// CustomSelectorFunc makes a function a CustomSelector.
type CustomSelectorFunc func(t *topology.Description, suitable, dst []int32) []int32

// SelectServers calls f.
func (f CustomSelectorFunc) SelectServers(t *topology.Description, suitable, dst []int32) []int32 {
	return f(t, suitable, dst)
}

// check validates what no later step could make sense of.
func (r *Request) check() error {
	if r.Topology == nil {
		return status.New(status.MissingKey, "topology", "a selection needs a topology")
	}
	if err := r.Preference.Validate(); err != nil {
		e := err.(*status.Error)
		return status.New(e.Code, "readPreference."+e.Path, e.Message)
	}
	if r.Options.LocalThresholdNS < 0 {
		return status.New(status.OutOfRange, "localThresholdMS", "localThresholdMS must not be negative")
	}
	if r.Options.HeartbeatFrequencyMS < SmallestHeartbeatFrequencyMS {
		return status.New(status.OutOfRange, "heartbeatFrequencyMS", "heartbeatFrequencyMS must be at least 500")
	}
	if r.Operation > AggregateWithWriteStage {
		return status.New(status.UnknownValue, "operation", "the operation is none of read, write, aggregateWithWriteStage")
	}
	return nil
}

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}

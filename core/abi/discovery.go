package abi

import (
	"unsafe"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/discovery"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/wire"
)

// What is behind a handle of a discovered topology: core/discovery, whose
// topology the selecting functions use as they use any other.

// maxChangesBytes is after how much topology.events leaves the rest for the next
// answer.
const maxChangesBytes = 4 << 20

// deployment returns what a handle of a discovered topology stands for.
func (c *Context) deployment(handle uint32) (*discovery.Deployment, *status.Error) {
	e := c.find(handle)
	switch {
	case e == nil || e.topology == nil:
		return nil, badHandle("topology")
	case e.deployment == nil:
		return nil, status.New(status.Argument, "topology", "this topology's description is given by topology.update: it discovers nothing")
	}
	return e.deployment, nil
}

// discover opens a discovered topology from the request in c.open.
func (c *Context) discover() (*discovery.Deployment, *status.Error) {
	r := &c.open
	s := discovery.Settings{Seeds: r.Seeds, SetName: r.ReplicaSet, DirectConnection: r.DirectConnection, LoadBalanced: r.LoadBalanced,
		EnableOverloadRetargeting: r.Retargeting, Selection: cluster.Settings{Options: r.Options, Pick: r.Pick, Seed: r.Seed}}
	var d *discovery.Deployment
	var err error
	switch r.Form {
	case wire.OpenAgain:
		d, err = discovery.Resume(s, &r.Topology, r.Pools)
	case wire.OpenURI:
		if err := c.applyURI(&s); err != nil {
			return nil, err
		}
		d, err = discovery.Open(s)
	default:
		d, err = discovery.Open(s)
	}
	return d, asStatus(err)
}

// asStatus is for errors of core/discovery, which are all of this type.
//
//go:noinline
func asStatus(err error) *status.Error {
	if err == nil {
		return nil
	}
	return err.(*status.Error)
}

// observe is the engine of rp_topology_hello and topology.hello, on the request
// in c.observation.
func (c *Context) observe(d *discovery.Deployment) (discovery.Outcome, *status.Error) {
	o := &c.observation
	var result discovery.Outcome
	var err error
	if o.Probe {
		result, err = d.RoundTrip(o.Reply.Address, o.Reply.RTTNS)
	} else {
		result, err = d.Hello(&o.Reply)
	}
	return result, asStatus(err)
}

// The answers to what is applied always fit: they have no more than MinBuffer
// bytes, whatever the buffer, so that they are the same in every runtime.

func runTopologyHello(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.Observation(&c.observation, in, true); err != nil {
		return dst, err
	}
	d, err := c.deployment(c.observation.Topology)
	if err != nil {
		return dst, err
	}
	o, err := c.observe(d)
	if err != nil {
		return dst, err
	}
	dst = str.Append(appendOutcome(dst, &o), `,"server":`)
	short := len(dst)
	if o.Server != nil {
		dst = wire.AppendServer(dst, o.Server)
	}
	const more = 200 // for the rest
	if o.Server == nil || len(dst)+more > MinBuffer {
		dst = str.Append(dst[:short], "null")
	}
	if o.NotLoadBalanced {
		dst = wire.AppendString(str.Append(dst, `,"connectionError":`), sdam.NotLoadBalanced)
	}
	return append(dst, '}'), nil
}

func appendOutcome(dst []byte, o *discovery.Outcome) []byte {
	dst = decimal.AppendUint(str.Append(dst, `{"generation":`), uint64(o.Generation))
	return str.AppendBool(str.Append(dst, `,"accepted":`), o.Accepted)
}

// fail is the engine of rp_topology_error and topology.error, on the request in
// c.failure.
func (c *Context) fail(d *discovery.Deployment) (discovery.Outcome, *status.Error) {
	o, err := d.Error(&c.failure.Error)
	return o, asStatus(err)
}

func runTopologyError(c *Context, dst, in []byte) ([]byte, *status.Error) {
	if err := c.decoder.Failure(&c.failure, in, true); err != nil {
		return dst, err
	}
	d, err := c.deployment(c.failure.Topology)
	if err != nil {
		return dst, err
	}
	o, err := c.fail(d)
	if err != nil {
		return dst, err
	}
	dst = str.Append(appendOutcome(dst, &o), `,"deprioritize":`)
	return append(str.AppendBool(dst, o.Deprioritize), '}'), nil
}

func runTopologySRV(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.scan
	if err := c.decoder.Scan(r, in, true); err != nil {
		return dst, err
	}
	d, err := c.deployment(r.Topology)
	if err != nil {
		return dst, err
	}
	scan, failed := d.SRV(r.SRV)
	if failed != nil {
		return dst, asStatus(failed)
	}
	dst = wire.AppendScan(dst, &scan.Rescan, scan.Generation, scan.Polled, true)
	if len(dst) > MinBuffer {
		dst = wire.AppendScan(dst[:0], &scan.Rescan, scan.Generation, scan.Polled, false)
	}
	return dst, nil
}

func (c *Context) shutdown(handle uint32) (generation uint32, err *status.Error) {
	d, err := c.deployment(handle)
	if err != nil {
		return 0, err
	}
	generation, failed := d.Shutdown()
	return generation, asStatus(failed)
}

func runTopologyShutdown(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology, 0); err != nil {
		return dst, err
	}
	generation, err := c.shutdown(r.Topology)
	if err != nil {
		return dst, err
	}
	return appendNumber(dst, "generation", int64(generation)), nil
}

// appendChanges is the engine of rp_topology_events and topology.events.
func (c *Context) appendChanges(dst []byte, d *discovery.Deployment) []byte {
	client := d.Settings().Selection.Options.WireVersions
	dst = str.Append(dst, `{"events":[`)
	start, last, more := len(dst), uint32(0), false
	d.Deliver(func(change discovery.Change) bool {
		mark := len(dst)
		if last != 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendChange(dst, change.Sequence, change.Event, change.Effect, client)
		if more = last != 0 && len(dst)-start > maxChangesBytes; more {
			dst = dst[:mark]
			return false
		}
		last = change.Sequence
		return true
	}, func(dropped int64) (uint32, bool) {
		dst = decimal.AppendUint(str.Append(dst, `],"last":`), uint64(last))
		dst = decimal.Append(str.Append(dst, `,"dropped":`), dropped)
		dst = append(str.AppendBool(str.Append(dst, `,"more":`), more), '}')
		return last, len(dst) <= c.room // otherwise nobody reads it
	})
	return dst
}

func runTopologyEvents(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology, 0); err != nil {
		return dst, err
	}
	d, err := c.deployment(r.Topology)
	if err != nil {
		return dst, err
	}
	return c.appendChanges(dst, d), nil
}

func runTopologyEventsAck(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyUpTo, 0); err != nil {
		return dst, err
	}
	d, err := c.deployment(r.Topology)
	if err != nil {
		return dst, err
	}
	if err := asStatus(d.Acknowledge(r.UpTo)); err != nil {
		return dst, err
	}
	return str.Append(dst, "{}"), nil
}

// describeDiscovered answers topology.describe for a discovered topology.
func describeDiscovered(dst []byte, d *discovery.Deployment) []byte {
	var known topology.Description
	var s discovery.Settings
	w := wire.Discovered{}
	known, s, w.Pools = d.Describe()
	w.Topology, w.Options, w.Pick, w.Seed = &known, &s.Selection.Options, s.Selection.Pick, s.Selection.Seed
	w.Seeds, w.ReplicaSet = s.Seeds, s.SetName
	w.DirectConnection, w.LoadBalanced, w.Retargeting = s.DirectConnection, s.LoadBalanced, s.EnableOverloadRetargeting
	return wire.AppendDiscoveredState(dst, &w)
}

// TopologyHelloPointers is rp_topology_hello: 0, or minus the length of an error
// document.
func (c *Context) TopologyHelloPointers(topology uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.step(topology, in, inLen, out, outCap, func(d *discovery.Deployment, document []byte) *status.Error {
		if err := c.decoder.Observation(&c.observation, document, false); err != nil {
			return err
		}
		_, err := c.observe(d)
		return err
	})
}

// TopologyErrorPointers is rp_topology_error.
func (c *Context) TopologyErrorPointers(topology uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.step(topology, in, inLen, out, outCap, func(d *discovery.Deployment, document []byte) *status.Error {
		if err := c.decoder.Failure(&c.failure, document, false); err != nil {
			return err
		}
		_, err := c.fail(d)
		return err
	})
}

// TopologySRVPointers is rp_topology_srv.
func (c *Context) TopologySRVPointers(topology uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.step(topology, in, inLen, out, outCap, func(d *discovery.Deployment, document []byte) *status.Error {
		if err := c.decoder.Scan(&c.scan, document, false); err != nil {
			return err
		}
		_, err := d.SRV(c.scan.SRV)
		return asStatus(err)
	})
}

// TopologyShutdownPointers is rp_topology_shutdown. The document may be empty.
func (c *Context) TopologyShutdownPointers(topology uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.step(topology, in, inLen, out, outCap, func(d *discovery.Deployment, document []byte) *status.Error {
		if err := c.decoder.Empty(document); err != nil {
			return err
		}
		_, err := d.Shutdown()
		return asStatus(err)
	})
}

// step runs a function that changes a discovered topology. The handle is looked
// up before the document is read.
func (c *Context) step(topology uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64, do func(*discovery.Deployment, []byte) *status.Error) int32 {
	return c.apply(in, inLen, out, outCap, func(document []byte) (uint32, *status.Error) {
		d, err := c.deployment(topology)
		if err != nil {
			return 0, err
		}
		return 0, do(d, document)
	})
}

// TopologyEventsPointers is rp_topology_events.
func (c *Context) TopologyEventsPointers(topology uint32, out unsafe.Pointer, outCap uint64) int32 {
	return c.tell(nil, 0, out, outCap, func(dst, _ []byte) ([]byte, *status.Error) {
		d, err := c.deployment(topology)
		if err != nil {
			return dst, err
		}
		return c.appendChanges(dst, d), nil
	})
}

// EventsAck is rp_topology_events_ack: 0, or a negative status.
func (t *Table) EventsAck(topology, upto uint32) (result int32) {
	defer recovered(&result)
	switch e := t.find(topology); {
	case e == nil || e.topology == nil:
		return int32(status.Handle)
	case e.deployment == nil:
		return int32(status.Argument)
	case e.deployment.Acknowledge(upto) != nil:
		return int32(status.OutOfRange)
	}
	return 0
}

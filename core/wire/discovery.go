package wire

import (
	"math"

	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// errorKinds are the names of errors a check or an operation meets, in the order
// of sdam.ErrorKind.
var errorKinds = []string{"command", "network", "networkTimeout"}

func (d *Decoder) errorKind() sdam.ErrorKind {
	i, _ := d.name(errorKinds, status.UnknownValue, "kind of error")
	return sdam.ErrorKind(i)
}

// Observation is a decoded request of topology.hello: what a check of a server
// gave. It keeps its memory.
type Observation struct {
	Topology uint32 // the handle
	Reply    sdam.Reply
	// Probe says that it is but a sample of a round-trip time.
	Probe bool

	hello sdam.Hello
}

var observationKeys = []string{"topology", "address", "hello", "roundTripTimeMS", "nowMS", "error", "errorKind"}

const (
	obsTopology = iota
	obsAddress
	obsHello
	obsRoundTripTime
	obsNow
	obsError
	obsErrorKind
)

// Observation decodes {"address", "hello", "roundTripTimeMS", "nowMS", "error",
// "errorKind"}; byHandle, also "topology".
func (d *Decoder) Observation(o *Observation, in []byte, byHandle bool) *status.Error {
	d.start(in)
	o.Topology, o.Probe = 0, false
	o.Reply = sdam.Reply{RTTNS: -1}
	o.hello.Reset()
	var f fields
	var keyAt [obsErrorKind + 1]int
	kind, some := sdam.NetworkError, false
	if !d.failed && d.object(&f, observationKeys) {
		if !byHandle {
			f.hidden = 1 << obsTopology
		}
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			keyAt[i] = d.key
			switch i {
			case obsTopology:
				h, _ := d.integer(0, math.MaxInt32)
				o.Topology = uint32(h)
			case obsAddress:
				d.address(&o.Reply.Address)
			case obsHello:
				some = d.hello(&o.hello)
				o.Reply.Hello = &o.hello
			case obsRoundTripTime:
				if ns, ok := d.decimalMS(); ok {
					o.Reply.RTTNS = ns
				}
			case obsNow:
				o.Reply.NowMS, _ = d.integer(math.MinInt64, math.MaxInt64)
			case obsError:
				o.Reply.Error, _ = d.text()
			case obsErrorKind:
				kind = d.errorKind()
			}
		}
		d.observed(o, &f, &keyAt)
	}
	if some && keyAt[obsErrorKind] == 0 {
		kind = sdam.CommandError // there was a reply
	}
	o.Reply.Network, o.Reply.Timeout = kind != sdam.CommandError, kind == sdam.NetworkTimeout
	return d.end()
}

// observed checks that the keys go together.
func (d *Decoder) observed(o *Observation, f *fields, keyAt *[obsErrorKind + 1]int) {
	d.require(f, 1<<obsTopology|1<<obsAddress)
	const outcome = 1<<obsHello | 1<<obsError
	if d.failed {
		return
	}
	if f.given&outcome == 0 {
		if o.Probe = f.given>>obsRoundTripTime&1 != 0; !o.Probe || f.given>>obsErrorKind&1 != 0 {
			d.missing(f, "hello")
		}
		return
	}
	if o.hello.OK {
		for i := obsError; i <= obsErrorKind; i++ {
			if f.given>>i&1 != 0 {
				d.report(status.UnknownKey, keyAt[i], "", quote(observationKeys[i])+" goes with a check that failed")
			}
		}
	}
}

// Failure is a decoded request of topology.error: an error that an operation
// met. It keeps its memory.
type Failure struct {
	Topology uint32 // the handle
	Error    sdam.ApplicationError
}

var failureKeys = []string{"topology", "address", "stage", "kind", "labels", "generation", "serviceId", "reply", "error", "nowMS"}

const (
	failTopology = iota
	failAddress
	failStage
	failKind
	failLabels
	failGeneration
	failServiceID
	failReply
	failError
	failNow
)

// stages are in the order of sdam.Stage.
var stages = []string{"afterHandshake", "connectAndHello", "authentication"}

// Failure decodes {"address", "stage", "kind", "labels", "generation",
// "serviceId", "reply", "error", "nowMS"}; byHandle, also "topology".
func (d *Decoder) Failure(r *Failure, in []byte, byHandle bool) *status.Error {
	d.start(in)
	e := &r.Error
	*r = Failure{Error: sdam.ApplicationError{Labels: e.Labels[:0]}}
	var f fields
	replyAt := 0
	if !d.failed && d.object(&f, failureKeys) {
		if !byHandle {
			f.hidden = 1 << failTopology
		}
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case failTopology:
				h, _ := d.integer(0, math.MaxInt32)
				r.Topology = uint32(h)
			case failAddress:
				d.address(&e.Address)
			case failStage:
				stage, _ := d.name(stages, status.UnknownValue, "stage")
				e.Stage = sdam.Stage(stage)
			case failKind:
				e.Kind = d.errorKind()
			case failLabels:
				e.Labels = d.texts(e.Labels)
			case failGeneration:
				d.optionalInt(&e.Generation, 0, math.MaxInt64)
			case failServiceID:
				d.objectID(&e.Service)
			case failReply:
				replyAt = d.key
				d.errorReply(e)
			case failError:
				e.Message, _ = d.text()
			case failNow:
				e.NowMS, _ = d.integer(math.MinInt64, math.MaxInt64)
			}
		}
		d.require(&f, 1<<failTopology|1<<failAddress|1<<failKind)
		if replyAt != 0 && e.Kind != sdam.CommandError {
			d.report(status.UnknownKey, replyAt, "", `"reply" goes with kind "command"`)
		}
	}
	return d.end()
}

var errorReplyKeys = []string{"ok", "code", "errmsg", "writeConcernError", "errorLabels", "topologyVersion"}

// errorReply reads a server's reply as it came. A reply of ok: 1 tells of an error
// only in its writeConcernError.
//
// SDAM specification, "Application errors".
func (d *Decoder) errorReply(e *sdam.ApplicationError) {
	var f fields
	var own, inWriteConcern sdam.ErrorReply
	ok := false
	if !d.object(&f, errorReplyKeys) {
		return
	}
	f.loose = true
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case 0:
			ok = d.okField()
		case 1:
			d.optionalInt(&own.Code, math.MinInt64, math.MaxInt64)
		case 2:
			own.Message, _ = d.text()
		case 3:
			d.writeConcernError(&inWriteConcern)
		case 4:
			e.Labels = d.texts(e.Labels)
		case 5:
			d.topologyVersion(&e.Reply.TopologyVersion, true)
		}
	}
	version := e.Reply.TopologyVersion
	if e.Reply = own; ok {
		e.Reply = inWriteConcern
	}
	e.Reply.TopologyVersion = version
}

var writeConcernErrorKeys = []string{"code", "errmsg"}

func (d *Decoder) writeConcernError(r *sdam.ErrorReply) {
	var f fields
	if !d.object(&f, writeConcernErrorKeys) {
		return
	}
	f.loose, r.WriteConcern = true, true
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if i == 0 {
			d.optionalInt(&r.Code, math.MinInt64, math.MaxInt64)
		} else {
			r.Message, _ = d.text()
		}
	}
}

// Scan is a decoded request of topology.srv.
type Scan struct {
	Topology uint32 // the handle
	SRV      []connstring.SRVRecord
}

var scanKeys = []string{"topology", "srv"}

// Scan decodes {"srv"}; byHandle, also "topology".
func (d *Decoder) Scan(r *Scan, in []byte, byHandle bool) *status.Error {
	d.start(in)
	*r = Scan{}
	var f fields
	if !d.failed && d.object(&f, scanKeys) {
		if !byHandle {
			f.hidden = 1
		}
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if i == 0 {
				h, _ := d.integer(0, math.MaxInt32)
				r.Topology = uint32(h)
			} else {
				r.SRV = d.srvRecords()
			}
		}
		d.require(&f, 1<<0|1<<1)
	}
	return d.end()
}

// maxEventBytes is how long an event may become. The descriptions of a longer one
// are null.
const maxEventBytes = 16 << 20

// AppendChange appends an event or an effect, the other being nil, as
// topology.events prints it.
//
// SDAM logging and monitoring specification, "Events API".
func AppendChange(dst []byte, sequence uint32, e *sdam.Event, f *sdam.Effect, client topology.WireVersions) []byte {
	dst = appendCounted(dst, `{"sequence":`, int64(sequence))
	if e == nil {
		return str.AppendByte(appendEffect(dst, f), '}')
	}
	dst = appendNamed(dst, `,"event":`, e.Kind.String())
	if e.Address != "" {
		dst = appendNamed(dst, `,"address":`, e.Address)
	}
	switch e.Kind {
	case sdam.ServerDescriptionChanged:
		dst = AppendServer(str.Append(dst, `,"previousDescription":`), e.OldServer)
		dst = AppendServer(str.Append(dst, `,"newDescription":`), e.NewServer)
	case sdam.TopologyDescriptionChanged:
		start := len(dst)
		if texts(e.OldTopology)+texts(e.NewTopology) > maxEventBytes {
			return str.Append(dst, `,"previousDescription":null,"newDescription":null}`)
		}
		dst = appendEventTopology(str.Append(dst, `,"previousDescription":`), e.OldTopology, client)
		dst = appendEventTopology(str.Append(dst, `,"newDescription":`), e.NewTopology, client)
		if len(dst)-start > maxEventBytes {
			dst = str.Append(dst[:start], `,"previousDescription":null,"newDescription":null`)
		}
	}
	return str.AppendByte(dst, '}')
}

// texts returns what the texts of a description take in JSON at least. A set of n
// members lists n² addresses: what is too long for an event must not be printed
// to find that out. Members share their lists, which so are counted once each.
func texts(t *topology.Description) (n int) {
	if t == nil {
		return 0
	}
	var last [3][]string
	var sizes [3]int
	for i := range t.Servers {
		s := &t.Servers[i]
		n += len(s.Address) + len(s.Error) + len(s.SetName) + len(s.Me) + len(s.Primary)
		for _, one := range s.Tags {
			n += len(one.Name) + len(one.Value)
		}
		for kind, list := range [...][]string{s.Hosts, s.Passives, s.Arbiters} {
			if len(list) == 0 {
				continue
			}
			if l := last[kind]; len(l) != len(list) || &l[0] != &list[0] {
				last[kind], sizes[kind] = list, 0
				for _, address := range list {
					sizes[kind] += len(address) + len(`"",`)
				}
			}
			n += sizes[kind] - 1 // a comma less than addresses
		}
	}
	return n
}

// appendEventTopology appends a description, of which one that is not there yet or
// no more is of type Unknown and has no servers.
func appendEventTopology(dst []byte, t *topology.Description, client topology.WireVersions) []byte {
	if t == nil {
		t = &topology.Description{}
	}
	return AppendDiscovered(dst, t, client)
}

func appendEffect(dst []byte, f *sdam.Effect) []byte {
	dst = appendNamed(dst, `,"effect":`, f.Kind.String())
	if f.Kind == sdam.ScanSRV {
		return appendCounted(dst, `,"afterMS":`, f.AfterMS)
	}
	dst = appendNamed(dst, `,"address":`, f.Address)
	if f.Kind == sdam.PoolClear {
		dst = appendOptionalID(dst, `,"serviceId":`, f.Service)
		dst = str.AppendBool(str.Append(dst, `,"interruptInUse":`), f.InterruptInUse)
		dst = appendCounted(dst, `,"generation":`, f.Generation)
	}
	return dst
}

// AppendScan appends the answer of topology.srv; without its lists, null in their
// place, where it must be short.
func AppendScan(dst []byte, r *connstring.Rescan, generation uint32, polled, lists bool) []byte {
	dst = appendCounted(dst, `{"generation":`, int64(generation))
	if lists {
		dst = appendStrings(str.Append(dst, `,"added":`), r.Added)
		dst = appendStrings(str.Append(dst, `,"removed":`), r.Removed)
	} else {
		dst = str.Append(dst, `,"added":null,"removed":null`)
	}
	dst = str.Append(dst, `,"nextMS":`)
	if polled {
		dst = appendInt(dst, r.NextMS)
	} else {
		dst = str.Append(dst, "null")
	}
	if lists && len(r.Warnings) > 0 {
		dst = appendWarningList(dst, r.Warnings)
	}
	return str.AppendByte(dst, '}')
}

// Discovered is what rp_topology_describe prints of a discovered topology.
type Discovered struct {
	Topology *topology.Description
	Options  *selection.Options
	Pick     selection.Pick
	Seed     uint64 // the random state

	Seeds                                       []string
	ReplicaSet                                  string
	DirectConnection, LoadBalanced, Retargeting bool
	Pools                                       []sdam.Pool
}

// AppendDiscoveredState appends what rp_topology_describe answers for a discovered
// topology, as rp_topology_open takes it.
func AppendDiscoveredState(dst []byte, s *Discovered) []byte {
	dst = AppendDiscovered(str.Append(dst, `{"topology":`), s.Topology, s.Options.WireVersions)
	dst = appendState(dst, s.Options, s.Pick, s.Seed)
	dst = appendStrings(str.Append(dst, `,"seeds":`), s.Seeds)
	dst = appendOptionalString(dst, `,"replicaSet":`, s.ReplicaSet)
	if s.DirectConnection {
		dst = str.Append(dst, `,"directConnection":true`)
	}
	if s.LoadBalanced {
		dst = str.Append(dst, `,"loadBalanced":true`)
	}
	if s.Retargeting {
		dst = str.Append(dst, `,"enableOverloadRetargeting":true`)
	}
	dst = str.Append(dst, `,"pools":[`)
	for i := range s.Pools {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		p := &s.Pools[i]
		dst = appendNamed(dst, `{"address":`, p.Address)
		dst = appendCounted(dst, `,"generation":`, p.Generation)
		dst = appendOptionalID(dst, `,"serviceId":`, p.Service)
		dst = str.AppendByte(dst, '}')
	}
	return str.Append(dst, `]}`)
}

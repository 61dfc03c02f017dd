package wire

import (
	"math"

	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/connstring"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// TopologyRequest is a decoded request of topology.open and topology.update. It
// keeps its memory.
type TopologyRequest struct {
	Handle uint32 // of topology.update
	// Form says which of the four documents of topology.open it is.
	Form     OpenForm
	Topology topology.Description
	// Counted says for each server whether the document has its operationCount.
	Counted []bool
	Options selection.Options
	Pick    selection.Pick
	Seed    uint64

	// What a discovered topology is opened with. Given has the bits of the keys
	// that were there: those beside a URI go before what it says.
	Given                                       uint64
	Seeds                                       []string
	ReplicaSet                                  string
	DirectConnection, LoadBalanced, Retargeting bool
	Pools                                       []sdam.Pool
	URI                                         string
	SRV                                         []connstring.SRVRecord
	TXT                                         [][]string

	scratch Request
}

// OpenForm is what topology.open is to open.
type OpenForm uint8

// The forms of topology.open.
const (
	OpenDescription OpenForm = iota // whose owner updates it
	OpenSeeds
	OpenAgain // seeds, and the description to go on from
	OpenURI
)

var openKeys = []string{"topology", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick", "seed",
	"seeds", "replicaSet", "directConnection", "loadBalanced", "enableOverloadRetargeting", "pools",
	"uri", "srv", "txt"}

// The keys of topology.open behind those of a selection's request, as bits of Given.
const (
	openTopology  = 1 << 0
	OpenThreshold = 1 << 1
	OpenHeartbeat = 1 << 2

	openSeeds = 1 << (iota + 3)
	OpenReplicaSet
	OpenDirectConnection
	OpenLoadBalanced
	OpenRetargeting
	openPools
	openURI
	OpenSRV
	OpenTXT
)

// openToRequest maps openKeys to the keys of a selection's request.
var openToRequest = [...]int{reqTopology, reqLocalThreshold, reqHeartbeatFrequency, reqWireVersions, reqPick, reqSeed}

// OpenRequest decodes what rp_topology_open takes and rp_topology_describe gives:
// {"topology", "pick", "seed", …}, or seeds or a connection string to discover a
// topology from.
func (d *Decoder) OpenRequest(r *TopologyRequest, in []byte) *status.Error {
	d.start(in)
	r.scratch.reset()
	r.ReplicaSet, r.DirectConnection, r.LoadBalanced, r.Retargeting = "", false, false, false
	r.Seeds, r.Pools = r.Seeds[:0], r.Pools[:0]
	r.URI, r.SRV, r.TXT = "", nil, nil
	var f fields
	var keyAt [16]int
	if !d.failed && d.object(&f, openKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if keyAt[i] = d.key; i < len(openToRequest) {
				d.requestKey(&r.scratch, openToRequest[i])
				continue
			}
			switch 1 << i {
			case openSeeds:
				d.seeds(r)
			case OpenReplicaSet:
				d.peek()
				off := d.pos
				if r.ReplicaSet, _ = d.text(); r.ReplicaSet == "" {
					d.report(status.OutOfRange, off, "", "a replica set's name must not be empty")
				}
			case OpenDirectConnection:
				r.DirectConnection, _ = d.boolean()
			case OpenLoadBalanced:
				r.LoadBalanced, _ = d.boolean()
			case OpenRetargeting:
				r.Retargeting, _ = d.boolean()
			case openPools:
				d.pools(r)
			case openURI:
				r.URI, _ = d.text()
			case OpenSRV:
				r.SRV = d.srvRecords()
			case OpenTXT:
				r.TXT = d.txtRecords()
			}
		}
		d.openForm(r, &f, &keyAt)
	}
	r.Given = f.given
	r.take(d)
	return d.end()
}

// openForm finds out which form it is, and refuses keys that this form does not
// have.
func (d *Decoder) openForm(r *TopologyRequest, f *fields, keyAt *[16]int) {
	if d.failed {
		return
	}
	forbidden, why := uint64(0), ""
	const other = OpenReplicaSet | OpenDirectConnection | OpenLoadBalanced | OpenRetargeting
	const dns = OpenSRV | OpenTXT
	switch given := f.given & (openTopology | openSeeds | openURI); {
	case given&openURI != 0:
		r.Form, forbidden, why = OpenURI, openTopology|openSeeds|openPools, ` cannot stand beside "uri"`
	case given == openTopology|openSeeds:
		r.Form, forbidden, why = OpenAgain, dns, ` goes with "uri"`
	case given == openSeeds:
		r.Form, forbidden, why = OpenSeeds, openPools|dns, ` goes with "seeds" and "topology", or "uri"`
	case given == openTopology:
		r.Form, forbidden, why = OpenDescription, other|openPools|dns, ` goes with "seeds" or "uri"`
	default:
		d.report(status.MissingKey, f.at, "topology", `one of "topology", "seeds" and "uri" is required`)
	}
	for i, at := range keyAt {
		if at != 0 && forbidden>>i&1 != 0 {
			d.report(status.UnknownKey, at, "", quote(openKeys[i])+why)
		}
	}
}

func (d *Decoder) seeds(r *TopologyRequest) {
	d.peek()
	off := d.pos
	if r.Seeds = d.addresses(r.Seeds); !d.failed && len(r.Seeds) == 0 {
		d.report(status.OutOfRange, off, "", "at least one seed is needed")
	}
}

var poolKeys = []string{"address", "generation", "serviceId"}

// pools reads [{"address", "generation", "serviceId"}].
func (d *Decoder) pools(r *TopologyRequest) {
	if !d.list("pools") {
		return
	}
	for d.more(']') {
		var p sdam.Pool
		var f fields
		d.peek()
		if !d.object(&f, poolKeys) {
			return
		}
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case 0:
				d.address(&p.Address)
			case 1:
				p.Generation, _ = d.integer(0, math.MaxInt64)
			case 2:
				d.objectID(&p.Service)
			}
		}
		d.require(&f, 1<<0|1<<1)
		r.Pools = append(r.Pools, p)
	}
}

var updateKeys = []string{"topology", "handle"}

// UpdateRequest decodes {"topology"}, the input of rp_topology_update; with
// byHandle it must have "handle", too, as topology.update takes it.
func (d *Decoder) UpdateRequest(r *TopologyRequest, in []byte, byHandle bool) *status.Error {
	d.start(in)
	r.scratch.reset()
	r.Handle = 0
	keys := updateKeys
	if !byHandle {
		keys = keys[:1]
	}
	var f fields
	if !d.failed && d.object(&f, keys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if i == 0 {
				d.requestKey(&r.scratch, reqTopology)
				continue
			}
			h, _ := d.integer(0, math.MaxInt32)
			r.Handle = uint32(h)
		}
		d.require(&f, 1<<len(keys)-1)
	}
	r.take(d)
	return d.end()
}

func (r *TopologyRequest) take(d *Decoder) {
	s := &r.scratch
	r.Topology, r.Options, r.Pick, r.Seed, r.Counted = s.Topology, s.Options, s.Pick, s.Seed, d.counted
}

// Extras are what rp_select_ex takes besides handles.
type Extras struct {
	Deprioritized []string
	KeepOnly      []string
	HasKeepOnly   bool

	scratch Request
}

var extrasKeys = []string{"deprioritized", "customSelector"}

// Extras decodes {"deprioritized", "customSelector"}; an empty input has none.
func (d *Decoder) Extras(e *Extras, in []byte) *status.Error {
	s := &e.scratch
	s.HasKeepOnly = false
	s.Deprioritized, s.KeepOnly = s.Deprioritized[:0], s.KeepOnly[:0]
	var err *status.Error
	if len(in) > 0 {
		d.start(in)
		var f fields
		if !d.failed && d.object(&f, extrasKeys) {
			for i := d.next(&f); i >= 0; i = d.next(&f) {
				d.requestKey(s, [2]int{reqDeprioritized, reqCustomSelector}[i])
			}
		}
		err = d.end()
	}
	e.Deprioritized, e.KeepOnly, e.HasKeepOnly = s.Deprioritized, s.KeepOnly, s.HasKeepOnly
	return err
}

// HandleRequest is a decoded request of a method that names handles.
type HandleRequest struct {
	Topology, ReadPreference, Handle uint32
	ID                               int64
	Count                            int64
	Operation                        selection.Operation
	Checkout                         bool
	UpTo                             uint32
	Opcode                           command.Opcode

	Extras Extras
}

var handleKeys = []string{"topology", "readPreference", "handle", "id", "count", "operation", "checkout", "deprioritized", "customSelector", "upto", "opcode"}

// The keys of a HandleRequest, as bits for Handles.
const (
	KeyTopology = 1 << iota
	KeyReadPreference
	KeyHandle
	KeyID
	KeyCount
	KeyOperation
	KeyCheckout
	KeyDeprioritized
	KeyCustomSelector
	KeyUpTo
	KeyOpcode
)

// MaxBatch is the most servers one rp_select_batch picks.
const MaxBatch = 1 << 20

// Handles decodes a request that names handles. required and allowed are bits
// of the keys it must and may have.
func (d *Decoder) Handles(r *HandleRequest, in []byte, required, allowed uint64) *status.Error {
	d.start(in)
	s := &r.Extras.scratch
	*r = HandleRequest{Extras: r.Extras}
	s.HasKeepOnly = false
	s.Deprioritized, s.KeepOnly = s.Deprioritized[:0], s.KeepOnly[:0]
	var f fields
	if !d.failed && d.object(&f, handleKeys) {
		f.hidden = ^(required | allowed)
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			d.handleKey(r, i)
		}
		d.require(&f, required)
	}
	r.Extras.Deprioritized, r.Extras.KeepOnly, r.Extras.HasKeepOnly = s.Deprioritized, s.KeepOnly, s.HasKeepOnly
	return d.end()
}

func (d *Decoder) handleKey(r *HandleRequest, key int) {
	handle := func() uint32 {
		v, _ := d.integer(0, math.MaxInt32)
		return uint32(v)
	}
	switch 1 << key {
	case KeyTopology:
		r.Topology = handle()
	case KeyReadPreference:
		r.ReadPreference = handle()
	case KeyHandle:
		r.Handle = handle()
	case KeyID:
		r.ID, _ = d.integer(0, math.MaxInt32)
	case KeyCount:
		r.Count, _ = d.integer(1, MaxBatch)
	case KeyOperation:
		if i, ok := d.name(selection.OperationNames[:], status.UnknownValue, "operation"); ok {
			r.Operation = selection.Operation(i)
		}
	case KeyCheckout:
		r.Checkout, _ = d.boolean()
	case KeyOpcode:
		r.Opcode = d.opcode()
	case KeyUpTo:
		v, _ := d.integer(0, math.MaxUint32)
		r.UpTo = uint32(v)
	case KeyDeprioritized:
		d.requestKey(&r.Extras.scratch, reqDeprioritized)
	case KeyCustomSelector:
		d.requestKey(&r.Extras.scratch, reqCustomSelector)
	}
}

var handlesOfKeys = []string{"topology", "readPreference", "handle"}

// HandlesOf returns the handles that a request names, 0 for none. All else of it
// is passed over, and so is what it has in place of a handle.
func (d *Decoder) HandlesOf(in []byte) (topology, preference, handle uint32) {
	d.start(in)
	var f fields
	if d.failed || !d.object(&f, handlesOfKeys) {
		return 0, 0, 0
	}
	f.loose = true
	var found [3]uint32
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if c := d.peek(); c == '{' {
			// Extended JSON, or a topology description or read preference.
			at := *d
			v, ok := d.extendedInteger(0, math.MaxInt32)
			if found[i] = uint32(v); !ok {
				*d = at
				d.skip()
			}
		} else if c-'0' <= 9 {
			v, _ := d.integer(0, math.MaxInt32)
			found[i] = uint32(v)
		} else {
			d.skip()
		}
	}
	if d.failed {
		return 0, 0, 0
	}
	return found[0], found[1], found[2]
}

// AppendState appends what rp_topology_describe answers: a description and its
// settings, as rp_topology_open takes them.
func AppendState(dst []byte, t *topology.Description, o *selection.Options, p selection.Pick, seed uint64) []byte {
	return str.AppendByte(appendState(AppendTopology(str.Append(dst, `{"topology":`), t), o, p, seed), '}')
}

// appendState appends the settings.
func appendState(dst []byte, o *selection.Options, p selection.Pick, seed uint64) []byte {
	dst = topology.AppendMS(str.Append(dst, `,"localThresholdMS":`), o.LocalThresholdNS)
	dst = appendCounted(dst, `,"heartbeatFrequencyMS":`, o.HeartbeatFrequencyMS)
	dst = appendCounted(dst, `,"wireVersions":{"min":`, o.WireVersions.Min)
	dst = appendCounted(dst, `,"max":`, o.WireVersions.Max)
	dst = appendNamed(dst, `},"pick":`, p.String())
	dst = str.Append(dst, `,"seed":"`)
	dst = appendUint(dst, seed)
	return str.AppendByte(dst, '"')
}

func appendUint(dst []byte, v uint64) []byte { return decimal.AppendUint(dst, v) }

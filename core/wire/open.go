package wire

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// TopologyRequest is a decoded request of topology.open and topology.update. It
// keeps its memory.
type TopologyRequest struct {
	Handle   uint32 // of topology.update
	Topology topology.Description
	// Counted says for each server whether the document has its operationCount.
	Counted []bool
	Options selection.Options
	Pick    selection.Pick
	Seed    uint64

	scratch Request
}

var openKeys = []string{"topology", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick", "seed"}

// openToRequest maps openKeys to the keys of a selection's request.
var openToRequest = [...]int{reqTopology, reqLocalThreshold, reqHeartbeatFrequency, reqWireVersions, reqPick, reqSeed}

// OpenRequest decodes {"topology", "pick", "seed", …}: what rp_topology_open
// takes and rp_topology_describe gives.
func (d *Decoder) OpenRequest(r *TopologyRequest, in []byte) *status.Error {
	d.start(in)
	r.scratch.reset()
	var f fields
	if !d.failed && d.object(&f, openKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			d.requestKey(&r.scratch, openToRequest[i])
		}
		if !d.failed && f.given&1 == 0 {
			d.missing(&f, openKeys[0])
		}
	}
	r.take(d)
	return d.end()
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
		for i, name := range keys {
			if !d.failed && f.given>>i&1 == 0 {
				d.missing(&f, name)
			}
		}
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

	Extras Extras
}

var handleKeys = []string{"topology", "readPreference", "handle", "id", "count", "operation", "checkout", "deprioritized", "customSelector"}

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

	AllKeys = 1<<iota - 1
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
		for i, name := range handleKeys {
			if !d.failed && required>>i&1 != 0 && f.given>>i&1 == 0 {
				d.missing(&f, name)
			}
		}
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
	case KeyDeprioritized:
		d.requestKey(&r.Extras.scratch, reqDeprioritized)
	case KeyCustomSelector:
		d.requestKey(&r.Extras.scratch, reqCustomSelector)
	}
}

// AppendState appends what rp_topology_describe answers: a description and its
// settings, as rp_topology_open takes them.
func AppendState(dst []byte, t *topology.Description, o *selection.Options, p selection.Pick, seed uint64) []byte {
	dst = AppendTopology(append(dst, `{"topology":`...), t)
	dst = topology.AppendMS(append(dst, `,"localThresholdMS":`...), o.LocalThresholdNS)
	dst = appendInt(append(dst, `,"heartbeatFrequencyMS":`...), o.HeartbeatFrequencyMS)
	dst = appendInt(append(dst, `,"wireVersions":{"min":`...), o.WireVersions.Min)
	dst = appendInt(append(dst, `,"max":`...), o.WireVersions.Max)
	dst = AppendString(append(dst, `},"pick":`...), p.String())
	dst = append(dst, `,"seed":"`...)
	dst = appendUint(dst, seed)
	return append(dst, `"}`...)
}

func appendUint(dst []byte, v uint64) []byte { return decimal.AppendUint(dst, v) }

package wire

import (
	"math"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Request is a decoded request of select and explain. It keeps its memory from
// one Decoder.Request to the next.
type Request struct {
	Topology      topology.Description
	Shards        []Shard
	Sharded       bool // "shards" was given in place of "topology"
	Preference    readpref.Preference
	Operation     selection.Operation
	Deprioritized []string
	KeepOnly      []string
	HasKeepOnly   bool
	Options       selection.Options
	Pick          selection.Pick
	Seed          uint64

	hello sdam.Hello
	order []addressOrder
}

// Shard is one of the topologies of a request with "shards".
type Shard struct {
	Name     string
	Topology topology.Description
}

var requestKeys = []string{
	"topology", "shards", "readPreference", "operation", "deprioritized", "customSelector",
	"localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick", "seed",
}

const (
	reqTopology = iota
	reqShards
	reqReadPreference
	reqOperation
	reqDeprioritized
	reqCustomSelector
	reqLocalThreshold
	reqHeartbeatFrequency
	reqWireVersions
	reqPick
	reqSeed
)

// reset makes r the empty request, with the defaults, keeping its memory.
//
//go:noinline
func (r *Request) reset() {
	r.Topology.Reset()
	r.Shards = r.Shards[:0]
	r.Sharded, r.HasKeepOnly = false, false
	resetPreference(&r.Preference)
	r.Operation, r.Pick, r.Seed = 0, 0, 0
	r.Deprioritized, r.KeepOnly = r.Deprioritized[:0], r.KeepOnly[:0]
	r.Options = selection.DefaultOptions()
}

// Request decodes the request of select and explain.
func (d *Decoder) Request(r *Request, in []byte) *status.Error {
	d.start(in)
	r.reset()
	var f fields
	if !d.failed && d.object(&f, requestKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			d.requestKey(r, i)
		}
		const one, other = 1 << reqTopology, 1 << reqShards
		switch both := f.given & (one | other); {
		case d.failed:
		case both == one|other:
			d.report(status.UnknownKey, f.at, "shards", `"topology" and "shards" exclude each other`)
		case both == 0:
			d.missing(&f, "topology")
		}
	}
	return d.end()
}

func (d *Decoder) requestKey(r *Request, key int) {
	switch key {
	case reqTopology:
		d.topology(&r.Topology, &r.hello, &r.order)
	case reqShards:
		d.shards(r)
	case reqReadPreference:
		d.preference(&r.Preference)
	case reqOperation:
		if i, ok := d.name(selection.OperationNames[:], status.UnknownValue, "operation"); ok {
			r.Operation = selection.Operation(i)
		}
	case reqDeprioritized:
		r.Deprioritized = d.texts(r.Deprioritized)
	case reqCustomSelector:
		d.customSelector(r)
	case reqLocalThreshold:
		if ns, ok := d.decimalMS(); ok {
			r.Options.LocalThresholdNS = ns
		}
	case reqHeartbeatFrequency:
		if ms, ok := d.integer(selection.SmallestHeartbeatFrequencyMS, math.MaxInt64); ok {
			r.Options.HeartbeatFrequencyMS = ms
		}
	case reqWireVersions:
		d.wireVersions(&r.Options.WireVersions)
	case reqPick:
		if i, ok := d.name(selection.PickNames[:], status.UnknownValue, "pick"); ok {
			r.Pick = selection.Pick(i)
		}
	case reqSeed:
		r.Seed = d.seed()
	}
}

func (d *Decoder) shards(r *Request) {
	if d.peek() != '{' {
		d.wrongType("an object of topologies")
		return
	}
	r.Sharded = true
	d.open()
	mark := len(d.keys)
	for {
		name, ok := d.nextKey()
		if !ok {
			break
		}
		n := len(r.Shards)
		if n == MaxShards {
			d.fail(status.LimitExceeded, d.key, "more than 4096 shards")
			return
		}
		d.keys = append(d.keys, seenKey{name, d.key})
		if n < cap(r.Shards) {
			r.Shards = r.Shards[:n+1]
		} else {
			r.Shards = append(r.Shards, Shard{})
		}
		r.Shards[n].Name = name
		d.topology(&r.Shards[n].Topology, &r.hello, &r.order)
	}
	d.checkDuplicates(d.keys[mark:])
	d.keys = d.keys[:mark]
}

var customSelectorKeys = []string{"keepOnly"}

func (d *Decoder) customSelector(r *Request) {
	var f fields
	if !d.object(&f, customSelectorKeys) {
		return
	}
	for d.next(&f) >= 0 {
		r.KeepOnly, r.HasKeepOnly = d.texts(r.KeepOnly), true
	}
	if !d.failed && !r.HasKeepOnly {
		d.missing(&f, "keepOnly")
	}
}

var wireVersionsKeys = []string{"min", "max"}

func (d *Decoder) wireVersions(w *topology.WireVersions) {
	var f fields
	if !d.object(&f, wireVersionsKeys) {
		return
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if v, ok := d.integer(0, math.MaxInt32); ok && i == 0 {
			w.Min = v
		} else if ok {
			w.Max = v
		}
	}
	d.require(&f, 1<<0|1<<1)
	if !d.failed && w.Min > w.Max {
		d.report(status.OutOfRange, f.at, "max", "the greatest wire version is less than the smallest")
	}
}

// seed reads an integer from 0 to 2^53-1, or a decimal string up to 2^64-1, or
// $numberLong. Greater plain integers are refused: a JavaScript host would have
// rounded them.
func (d *Decoder) seed() uint64 {
	switch d.peek() {
	case '"':
		off := d.pos
		s := d.scanString()
		if d.failed {
			return 0
		}
		v, ok := parseUint64(s)
		if !ok {
			d.report(status.OutOfRange, off, "", "expected a decimal string from 0 to 18446744073709551615, found "+quote(s))
		}
		return v
	case '{':
		v, _ := d.integer(0, math.MaxInt64)
		return uint64(v)
	}
	v, _ := d.integer(0, 1<<53-1)
	return uint64(v)
}

func parseUint64(s string) (v uint64, ok bool) {
	if !integerText(s) || s[0] == '-' {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		digit := uint64(s[i] - '0')
		if v > (math.MaxUint64-digit)/10 {
			return 0, false
		}
		v = v*10 + digit
	}
	return v, true
}

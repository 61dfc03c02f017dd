package wire

import (
	"math"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

var helloKeys = []string{
	"ok", "errmsg", "msg", "isWritablePrimary", "ismaster", "secondary", "arbiterOnly", "hidden", "isreplicaset",
	"setName", "me", "primary", "hosts", "passives", "arbiters", "setVersion", "electionId", "tags", "lastWrite",
	"minWireVersion", "maxWireVersion", "logicalSessionTimeoutMinutes", "topologyVersion", "iscryptd", "serviceId",
}

const (
	heOK = iota
	heErrMsg
	heMsg
	heIsWritablePrimary
	heIsMaster
	heSecondary
	heArbiterOnly
	heHidden
	heIsReplicaSet
	heSetName
	heMe
	hePrimary
	heHosts
	hePassives
	heArbiters
	heSetVersion
	heElectionID
	heTags
	heLastWrite
	heMinWire
	heMaxWire
	heSessionTimeout
	heTopologyVersion
	heIsCryptd
	heServiceID
)

// hello reads a server's reply as EJSON.stringify(db.hello()) prints it. Keys
// that SDAM does not read are ignored, since servers add them. some is false for a
// reply without any that it reads: none came.
func (d *Decoder) hello(h *sdam.Hello) (some bool) {
	h.Reset()
	var f fields
	if !d.object(&f, helloKeys) {
		return false
	}
	f.loose = true
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case heOK:
			h.OK = d.okField()
		case heErrMsg:
			h.ErrMsg, _ = d.text()
		case heMsg:
			h.Message, _ = d.text()
		case heIsWritablePrimary:
			h.IsWritablePrimary, h.HasIsWritablePrimary = d.boolean()
		case heIsMaster:
			h.IsMaster, _ = d.boolean()
		case heSecondary:
			h.Secondary, _ = d.boolean()
		case heArbiterOnly:
			h.ArbiterOnly, _ = d.boolean()
		case heHidden:
			h.Hidden, _ = d.boolean()
		case heIsReplicaSet:
			h.IsReplicaSet, _ = d.boolean()
		case heSetName:
			h.SetName, _ = d.text()
		case heMe:
			h.Me, _ = d.text()
		case hePrimary:
			h.Primary, _ = d.text()
		case heHosts:
			h.Hosts = d.addresses(h.Hosts)
		case hePassives:
			h.Passives = d.addresses(h.Passives)
		case heArbiters:
			h.Arbiters = d.addresses(h.Arbiters)
		case heSetVersion:
			d.optionalInt(&h.SetVersion, math.MinInt64, math.MaxInt64)
		case heElectionID:
			d.objectID(&h.ElectionID)
		case heTags:
			h.Tags = d.tags(h.Tags, "an object of strings")
		case heLastWrite:
			d.lastWrite(&h.LastWriteDate)
		case heMinWire:
			d.optionalInt(&h.MinWireVersion, 0, math.MaxInt32)
		case heMaxWire:
			d.optionalInt(&h.MaxWireVersion, 0, math.MaxInt32)
		case heSessionTimeout:
			d.optionalInt(&h.LogicalSessionTimeoutMin, 0, math.MaxInt32)
		case heTopologyVersion:
			d.topologyVersion(&h.TopologyVersion, true)
		case heIsCryptd:
			h.IsCryptd, _ = d.boolean()
		case heServiceID:
			d.objectID(&h.ServiceID)
		}
	}
	return f.seen != 0
}

// okField reads ok, which servers write as 1, 1.0 or true.
func (d *Decoder) okField() bool {
	switch d.peek() {
	case 't', 'f':
		v, _ := d.boolean()
		return v
	}
	text, _, ok := d.numberText()
	return ok && isOne(text)
}

// isOne reports whether a JSON number is 1, in any spelling.
func isOne(text []byte) bool {
	if ns, ok := topology.ParseMS(text); !ok || ns != 1e6 {
		return false
	}
	ones := 0 // of all digits one is not 0, and that is 1
	for _, c := range text {
		switch {
		case c == 'e' || c == 'E':
			return ones == 1
		case c == '1':
			ones++
		case c != '0' && c != '.':
			return false
		}
	}
	return ones == 1
}

var lastWriteKeys = []string{"lastWriteDate"}

// lastWrite reads {"opTime", "lastWriteDate", …}, of which only the date counts.
func (d *Decoder) lastWrite(date *topology.Date) {
	var f fields
	if !d.object(&f, lastWriteKeys) {
		return
	}
	f.loose = true
	for d.next(&f) >= 0 {
		if ms, ok := d.date(); ok {
			*date = topology.NewDate(ms)
		}
	}
}

// HelloRequest is a decoded request of server.parse_hello.
type HelloRequest struct {
	Hello sdam.Hello
	Check sdam.Check
}

var helloRequestKeys = []string{"address", "hello", "roundTripTimeMS", "minRoundTripTimeMS", "nowMS", "operationCount", "error"}

// HelloRequest decodes {"address", "hello", "roundTripTimeMS",
// "minRoundTripTimeMS", "nowMS", "operationCount", "error"}: what stands beside
// a saved reply in a topology, too.
func (d *Decoder) HelloRequest(r *HelloRequest, in []byte) *status.Error {
	d.start(in)
	d.helloRequest(r)
	return d.end()
}

func (d *Decoder) helloRequest(r *HelloRequest) {
	r.Check = sdam.Check{}
	r.Hello.Reset()
	var f fields
	if !d.failed && d.object(&f, helloRequestKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case 0:
				d.address(&r.Check.Address)
			case 1:
				d.hello(&r.Hello)
			case 2:
				d.rtt(&r.Check.RoundTripTime)
			case 3:
				d.rtt(&r.Check.MinRoundTripTime)
			case 4:
				r.Check.NowMS, _ = d.integer(math.MinInt64, math.MaxInt64)
			case 5:
				r.Check.OperationCount, _ = d.integer(0, math.MaxInt64)
			case 6:
				r.Check.Error, _ = d.text()
			}
		}
		d.require(&f, 1<<0|1<<1)
	}
}

package wire

import (
	"math"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

var serverKeys = []string{
	"address", "type", "roundTripTimeMS", "minRoundTripTimeMS", "tags", "lastWriteDate", "lastUpdateTimeMS",
	"minWireVersion", "maxWireVersion", "operationCount", "setName", "setVersion", "electionId", "primary", "me",
	"hosts", "passives", "arbiters", "topologyVersion", "logicalSessionTimeoutMinutes", "iscryptd", "serviceId",
	"error", "hello", "nowMS",
}

const (
	srvAddress = iota
	srvType
	srvRTT
	srvMinRTT
	srvTags
	srvLastWriteDate
	srvLastUpdateTime
	srvMinWire
	srvMaxWire
	srvOperationCount
	srvSetName
	srvSetVersion
	srvElectionID
	srvPrimary
	srvMe
	srvHosts
	srvPassives
	srvArbiters
	srvTopologyVersion
	srvSessionTimeout
	srvIsCryptd
	srvServiceID
	srvError
	srvHello
	srvNow
	srvCount
)

// helloFormKeys are the keys that a saved reply may have beside it.
const helloFormKeys = 1<<srvAddress | 1<<srvRTT | 1<<srvMinRTT | 1<<srvOperationCount | 1<<srvError | 1<<srvHello | 1<<srvNow

// server reads a server description, or a saved hello reply in its place.
func (d *Decoder) server(s *topology.Server, hello *sdam.Hello) {
	s.Reset()
	var f fields
	var keyAt [srvCount]int
	if !d.object(&f, serverKeys) {
		return
	}
	var now int64
	described := false
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		keyAt[i] = d.key
		switch i {
		case srvAddress:
			d.address(&s.Address)
		case srvType:
			if t, ok := d.name(topology.ServerTypeNames[:], status.UnknownValue, "server type"); ok {
				s.Type = topology.ServerType(t)
			}
			described = true
		case srvRTT:
			d.rtt(&s.RoundTripTime)
		case srvMinRTT:
			d.rtt(&s.MinRoundTripTime)
		case srvTags:
			s.Tags = d.tags(s.Tags, "an object of strings")
		case srvLastWriteDate:
			if ms, ok := d.date(); ok {
				s.LastWriteDate = topology.NewDate(ms)
			}
		case srvLastUpdateTime:
			s.LastUpdateTimeMS, _ = d.integer(math.MinInt64, math.MaxInt64)
		case srvMinWire:
			d.optionalInt(&s.MinWireVersion, 0, math.MaxInt32)
		case srvMaxWire:
			d.optionalInt(&s.MaxWireVersion, 0, math.MaxInt32)
		case srvOperationCount:
			s.OperationCount, _ = d.integer(0, math.MaxInt64)
			if n := len(d.counted); n > 0 {
				d.counted[n-1] = true
			}
		case srvSetName:
			s.SetName, _ = d.text()
		case srvSetVersion:
			d.optionalInt(&s.SetVersion, math.MinInt64, math.MaxInt64)
		case srvElectionID:
			d.objectID(&s.ElectionID)
		case srvPrimary:
			s.Primary, _ = d.text()
		case srvMe:
			s.Me, _ = d.text()
		case srvHosts:
			s.Hosts = d.texts(s.Hosts)
		case srvPassives:
			s.Passives = d.texts(s.Passives)
		case srvArbiters:
			s.Arbiters = d.texts(s.Arbiters)
		case srvTopologyVersion:
			d.topologyVersion(&s.TopologyVersion, false)
		case srvSessionTimeout:
			d.optionalInt(&s.LogicalSessionTimeoutMinutes, 0, math.MaxInt32)
		case srvIsCryptd:
			s.IsCryptd, _ = d.boolean()
		case srvServiceID:
			d.objectID(&s.ServiceID)
		case srvError:
			s.Error, _ = d.text()
		case srvHello:
			d.hello(hello)
			described = true
		case srvNow:
			now, _ = d.integer(math.MinInt64, math.MaxInt64)
		}
	}
	isHello := keyAt[srvHello] != 0
	switch {
	case d.failed:
		return
	case s.Address == "" && keyAt[srvAddress] == 0:
		d.missing(&f, "address")
	case !described:
		d.missing(&f, "type")
	case !isHello && keyAt[srvNow] != 0:
		d.report(status.UnknownKey, keyAt[srvNow], "", `"nowMS" goes with "hello"; a description has "lastUpdateTimeMS"`)
	}
	if !isHello || d.failed {
		return
	}
	for i, at := range keyAt {
		if at != 0 && helloFormKeys>>i&1 == 0 {
			d.report(status.UnknownKey, at, "", quote(serverKeys[i])+` cannot stand beside "hello", which says it`)
			return
		}
	}
	check := sdam.Check{Address: s.Address, RoundTripTime: s.RoundTripTime, MinRoundTripTime: s.MinRoundTripTime,
		NowMS: now, OperationCount: s.OperationCount, Error: s.Error}
	sdam.Describe(s, &check, hello)
}

func (d *Decoder) address(s *string) {
	d.look()
	off := d.pos
	a, ok := d.text()
	if ok && a == "" {
		d.report(status.OutOfRange, off, "", "an address must not be empty")
	}
	*s = a
}

// addresses reads a list of addresses.
func (d *Decoder) addresses(dst []string) []string {
	if !d.list("addresses") {
		return dst
	}
	for d.more(']') {
		dst = append(dst, "")
		d.address(&dst[len(dst)-1])
	}
	return dst
}

func (d *Decoder) rtt(r *topology.RTT) {
	if ns, ok := d.decimalMS(); ok {
		*r = topology.NewRTT(ns)
	}
}

func (d *Decoder) optionalInt(n *topology.Int, least, most int64) {
	if v, ok := d.integer(least, most); ok {
		*n = topology.NewInt(v)
	}
}

var oidKeys = []string{"$oid"}

// objectID reads {"$oid": "24 hex digits"}.
func (d *Decoder) objectID(id *topology.ObjectID) {
	var f fields
	if d.look() != '{' {
		d.wrongType(`an ObjectId: {"$oid": "24 hex digits"}`)
		return
	}
	d.object(&f, oidKeys)
	found := false
	for d.next(&f) >= 0 {
		d.look()
		off := d.pos
		s, ok := d.text()
		found = true
		if !ok {
			continue
		}
		if *id, ok = topology.ParseObjectID(s); !ok {
			d.report(status.OutOfRange, off, "", "expected 24 hex digits, found "+quote(s))
		}
	}
	if !found && !d.failed {
		d.missing(&f, "$oid")
	}
}

var topologyVersionKeys = []string{"processId", "counter"}

func (d *Decoder) topologyVersion(v *topology.Version, loose bool) {
	var f fields
	if !d.object(&f, topologyVersionKeys) {
		return
	}
	f.loose = loose
	counted := false
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if i == 0 {
			d.objectID(&v.ProcessID)
		} else {
			v.Counter, counted = d.integer(math.MinInt64, math.MaxInt64)
		}
	}
	if !d.failed && !v.ProcessID.IsDefined() {
		d.missing(&f, "processId")
	} else if !d.failed && !counted {
		d.missing(&f, "counter")
	}
}

// AppendServer appends a server description; absent values are omitted.
func AppendServer(dst []byte, s *topology.Server) []byte {
	dst = str.Append(dst, `{"address":`)
	dst = AppendString(dst, s.Address)
	dst = str.Append(dst, `,"type":`)
	dst = AppendString(dst, s.Type.String())
	if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
		dst = topology.AppendMS(str.Append(dst, `,"roundTripTimeMS":`), ns)
	}
	if ns, ok := s.MinRoundTripTime.Nanoseconds(); ok {
		dst = topology.AppendMS(str.Append(dst, `,"minRoundTripTimeMS":`), ns)
	}
	if len(s.Tags) > 0 {
		dst = appendTags(str.Append(dst, `,"tags":`), s.Tags)
	}
	if ms, ok := s.LastWriteDate.UnixMS(); ok {
		dst = appendCounted(dst, `,"lastWriteDate":`, ms)
	}
	if s.LastUpdateTimeMS != 0 {
		dst = appendCounted(dst, `,"lastUpdateTimeMS":`, s.LastUpdateTimeMS)
	}
	dst = appendOptionalInt(dst, `,"minWireVersion":`, s.MinWireVersion)
	dst = appendOptionalInt(dst, `,"maxWireVersion":`, s.MaxWireVersion)
	if s.OperationCount != 0 {
		dst = appendCounted(dst, `,"operationCount":`, s.OperationCount)
	}
	dst = appendOptionalString(dst, `,"setName":`, s.SetName)
	dst = appendOptionalInt(dst, `,"setVersion":`, s.SetVersion)
	dst = appendOptionalID(dst, `,"electionId":`, s.ElectionID)
	dst = appendOptionalString(dst, `,"primary":`, s.Primary)
	dst = appendOptionalString(dst, `,"me":`, s.Me)
	dst = appendOptionalStrings(dst, `,"hosts":`, s.Hosts)
	dst = appendOptionalStrings(dst, `,"passives":`, s.Passives)
	dst = appendOptionalStrings(dst, `,"arbiters":`, s.Arbiters)
	if s.TopologyVersion.IsDefined() {
		dst = appendOptionalID(dst, `,"topologyVersion":{"processId":`, s.TopologyVersion.ProcessID)
		dst = appendCounted(dst, `,"counter":`, s.TopologyVersion.Counter)
		dst = str.AppendByte(dst, '}')
	}
	dst = appendOptionalInt(dst, `,"logicalSessionTimeoutMinutes":`, s.LogicalSessionTimeoutMinutes)
	if s.IsCryptd {
		dst = str.Append(dst, `,"iscryptd":true`)
	}
	dst = appendOptionalID(dst, `,"serviceId":`, s.ServiceID)
	dst = appendOptionalString(dst, `,"error":`, s.Error)
	return str.AppendByte(dst, '}')
}

//go:noinline
func appendOptionalInt(dst []byte, key string, n topology.Int) []byte {
	if v, ok := n.Get(); ok {
		return appendInt(append(dst, key...), v)
	}
	return dst
}

//go:noinline
func appendOptionalString(dst []byte, key, s string) []byte {
	if s != "" {
		return AppendString(append(dst, key...), s)
	}
	return dst
}

//go:noinline
func appendOptionalStrings(dst []byte, key string, list []string) []byte {
	if len(list) > 0 {
		return appendStrings(append(dst, key...), list)
	}
	return dst
}

//go:noinline
func appendOptionalID(dst []byte, key string, id topology.ObjectID) []byte {
	if !id.IsDefined() {
		return dst
	}
	dst = str.Append(append(dst, key...), `{"$oid":"`)
	return str.Append(id.AppendHex(dst), `"}`)
}

var topologyKeys = []string{"type", "setName", "servers", "maxElectionId", "maxSetVersion", "logicalSessionTimeoutMinutes",
	"compatible", "compatibilityError"}

const (
	topType = iota
	topSetName
	topServers
	topMaxElectionID
	topMaxSetVersion
	topSessionTimeout
	topCompatible
	topCompatibilityError
)

// topology reads a topology description.
func (d *Decoder) topology(t *topology.Description, hello *sdam.Hello, order *[]addressOrder) {
	t.Reset()
	var f fields
	if !d.object(&f, topologyKeys) {
		return
	}
	typed, listed, serversAt := false, false, 0
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case topType:
			v, _ := d.name(topology.TypeNames[:], status.UnknownValue, "topology type")
			t.Type, typed = topology.Type(v), true
		case topSetName:
			t.SetName, _ = d.text()
		case topServers:
			listed = true
			d.look()
			serversAt = d.pos
			d.servers(t, hello)
		case topMaxElectionID:
			d.objectID(&t.MaxElectionID)
		case topMaxSetVersion:
			d.optionalInt(&t.MaxSetVersion, math.MinInt64, math.MaxInt64)
		case topSessionTimeout:
			d.optionalInt(&t.LogicalSessionTimeoutMinutes, 0, math.MaxInt32)
		case topCompatible: // both follow from the servers
			_, _ = d.boolean()
		case topCompatibilityError:
			_, _ = d.text()
		}
	}
	if d.failed {
		return
	}
	if !listed {
		d.missing(&f, "servers")
		return
	}
	if !typed {
		t.Derive()
	}
	again, memory := duplicateAddress(t.Servers, *order)
	*order = memory
	if again >= 0 {
		d.report(status.DuplicateAddress, serversAt, "["+decimal.String(int64(again))+"].address",
			"another server has the address "+quote(t.Servers[again].Address)+" already")
	}
}

func (d *Decoder) servers(t *topology.Description, hello *sdam.Hello) {
	if !d.list("server descriptions") {
		return
	}
	for d.more(']') {
		if d.look(); len(t.Servers) == MaxServers {
			d.fail(status.LimitExceeded, d.pos, "more than 65536 servers")
			return
		}
		d.counted = append(d.counted, false)
		d.server(t.Grow(), hello)
	}
}

// AppendTopology appends a topology description; absent values are omitted.
func AppendTopology(dst []byte, t *topology.Description) []byte {
	return str.AppendByte(appendTopology(dst, t), '}')
}

// AppendDiscovered appends the description of a discovered topology, which says
// whether the client can talk to its servers.
//
// SDAM specification, "Checking wire protocol compatibility".
func AppendDiscovered(dst []byte, t *topology.Description, client topology.WireVersions) []byte {
	dst = appendTopology(dst, t)
	err := t.CheckCompatible(client)
	dst = str.AppendBool(str.Append(dst, `,"compatible":`), err == nil)
	if err != nil {
		dst = appendNamed(dst, `,"compatibilityError":`, err.(*status.Error).Message)
	}
	return str.AppendByte(dst, '}')
}

func appendTopology(dst []byte, t *topology.Description) []byte {
	dst = str.Append(dst, `{"type":`)
	dst = AppendString(dst, t.Type.String())
	dst = appendOptionalString(dst, `,"setName":`, t.SetName)
	dst = str.Append(dst, `,"servers":[`)
	for i := range t.Servers {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		if dst = AppendServer(dst, &t.Servers[i]); len(dst) > MaxAnswerBytes {
			return dst // too long to be an answer; whoever asked refuses it
		}
	}
	dst = str.AppendByte(dst, ']')
	dst = appendOptionalID(dst, `,"maxElectionId":`, t.MaxElectionID)
	dst = appendOptionalInt(dst, `,"maxSetVersion":`, t.MaxSetVersion)
	return appendOptionalInt(dst, `,"logicalSessionTimeoutMinutes":`, t.LogicalSessionTimeoutMinutes)
}

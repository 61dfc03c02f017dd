package wire

import (
	"math"

	"github.com/readpref/readpref/core/importer"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

var importKeys = []string{"documents"}

// ImportRequest decodes {"documents"}.
func (d *Decoder) ImportRequest(r *importer.Request, in []byte) *status.Error {
	d.start(in)
	*r = importer.Request{Node: nodeDescription}
	var f fields
	if !d.failed && d.object(&f, importKeys) {
		for d.next(&f) >= 0 {
			d.documents(r)
		}
		d.require(&f, 1)
	}
	return d.end()
}

func (d *Decoder) documents(r *importer.Request) {
	off := d.pos
	if !d.list("documents") {
		return
	}
	for d.more(']') {
		if !d.room(len(r.Documents), importer.MaxDocuments, "more than 4096 documents") {
			return
		}
		r.Documents = append(r.Documents, importer.Document{})
		d.document(&r.Documents[len(r.Documents)-1])
	}
	if len(r.Documents) == 0 {
		d.report(status.OutOfRange, off, "", "there is no document")
	}
}

// documentKeys are those that tell what a document is, and what is read of it.
// Servers and Atlas add others, which are ignored.
var documentKeys = []string{"ok", "errmsg", "set", "_id", "date", "members", "config", "shards", "map", "replicationSpecs", "name",
	"newDescription", "topologyDescription", "hello", "isWritablePrimary", "ismaster", "isreplicaset", "msg", "localTime"}

const (
	docOK = iota
	docErrMsg
	docSet
	docID
	docDate
	docMembers
	docConfig
	docShards
	docMap
	docReplicationSpecs
	docName
	docNewDescription
	docTopologyDescription
	docHello
	docIsWritablePrimary
	docIsMaster
	docIsReplicaSet
	docMsg
	docLocalTime
)

const unknownDocument = "neither rs.status(), rs.conf(), a reply to hello, listShards or getShardMap, a driver's log, nor an Atlas cluster"

// document reads one document, whatever it is.
func (d *Decoder) document(doc *importer.Document) {
	if d.peek() == '"' {
		doc.Kind = importer.DriverLog
		doc.LogText, _ = d.text()
		return
	}
	start := d.pos
	var f fields
	if !d.object(&f, documentKeys) {
		return
	}
	f.loose = true
	failed, message, okAt := false, "", 0
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case docOK:
			okAt = d.key
			failed = !d.okField()
		case docErrMsg:
			message, _ = d.text()
		case docSet:
			doc.SetName, _ = d.text()
		case docID, docName:
			if d.peek() != '"' { // an ObjectId, of something else
				d.skip()
			} else if s, _ := d.text(); doc.SetName == "" {
				doc.SetName = s
			}
		case docDate:
			d.dateOf(&doc.Date)
		case docMembers:
			d.members(doc)
		case docConfig: // {"config": …}, as the command replSetGetConfig answers
			d.document(doc)
		case docShards:
			d.listedShards(doc)
		case docMap:
			d.shardMap(doc)
		case docReplicationSpecs:
			d.zones(doc)
		case docNewDescription, docTopologyDescription:
			if s, _ := d.text(); i == docNewDescription || doc.LogText == "" {
				doc.LogText = s
			}
		case docLocalTime:
			d.dateOf(&doc.LocalTime)
		default:
			d.skip()
		}
	}
	given := func(key int) bool { return f.given>>key&1 != 0 }
	const hello = 1<<docIsWritablePrimary | 1<<docIsMaster | 1<<docIsReplicaSet | 1<<docMsg
	switch {
	case d.failed:
	case given(docHello):
		doc.Kind = importer.HelloReply
		d.again(start, func() {
			var r HelloRequest
			d.helloRequest(&r)
			doc.Check, doc.Hello = r.Check, r.Hello
		})
	case f.given&hello != 0:
		doc.Kind = importer.HelloReply
		d.again(start, func() { d.hello(&doc.Hello) })
	case failed:
		d.report(status.OutOfRange, okAt, "", "the command failed: "+quote(message))
	case given(docMembers) && given(docSet):
		doc.Kind = importer.ReplicaSetStatus
	case given(docMembers), given(docConfig):
		doc.Kind = importer.ReplicaSetConfig
	case given(docShards), given(docMap):
		doc.Kind = importer.ShardMap
	case given(docReplicationSpecs):
		doc.Kind = importer.AtlasCluster
	case given(docNewDescription), given(docTopologyDescription):
		doc.Kind = importer.DriverLog
	default:
		d.report(status.UnknownValue, f.at, "", unknownDocument)
	}
}

// again reads the value that begins at a position once more.
func (d *Decoder) again(start int, read func()) {
	end := d.pos
	d.pos = start
	if read(); !d.failed {
		d.pos = end
	}
}

func (d *Decoder) dateOf(date *topology.Date) {
	if ms, ok := d.date(); ok {
		*date = topology.NewDate(ms)
	}
}

// nonNegative reads a number that is not negative, in millionths. Servers write
// some whole numbers as doubles. ok is false for one that is negative.
func (d *Decoder) nonNegative() (v int64, ok bool) {
	text, off, ok := d.numberText()
	if !ok {
		return 0, false
	}
	if v, ok = topology.ParseMS(text); !ok && text[0] != '-' {
		d.report(status.OutOfRange, off, "", "expected a number from 0 to 9223372036854, found "+quoteNumber(text))
	}
	return v, ok
}

var memberKeys = []string{"name", "host", "state", "stateStr", "health", "self", "pingMs", "optimeDate", "lastHeartbeatMessage",
	"tags", "hidden", "arbiterOnly", "priority", "secondaryDelaySecs", "slaveDelay"}

const (
	memName = iota
	memHost
	memState
	memStateStr
	memHealth
	memSelf
	memPing
	memOptimeDate
	memMessage
	memTags
	memHidden
	memArbiterOnly
	memPriority
	memDelay
	memSlaveDelay
)

func (d *Decoder) members(doc *importer.Document) {
	off := d.pos
	if !d.list("members") {
		return
	}
	for d.more(']') {
		if !d.room(len(doc.Members), importer.MaxMembers, "more than 1024 members") {
			return
		}
		doc.Members = append(doc.Members, importer.Member{})
		d.member(&doc.Members[len(doc.Members)-1])
	}
	if len(doc.Members) == 0 {
		d.report(status.OutOfRange, off, "", "there is no member")
	}
}

func (d *Decoder) member(m *importer.Member) {
	var f fields
	if !d.object(&f, memberKeys) {
		return
	}
	f.loose = true
	m.State = -1
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case memName, memHost:
			d.address(&m.Name)
		case memState:
			off := d.pos
			v, ok := d.nonNegative()
			if m.State = v / 1e6; !ok || m.State >= int64(len(importer.StateNames)) || importer.StateNames[m.State] == "" {
				d.report(status.UnknownValue, off, "", "no state of a member has this number")
			}
		case memStateStr:
			off := d.pos
			s, ok := d.text()
			if m.State >= 0 || !ok { // the number tells, and the text may say more
				continue
			}
			for n, name := range importer.StateNames {
				if s == name {
					m.State = int64(n)
				}
			}
			if m.State < 0 && str.IndexByte(s, '(') < 0 { // "(not reachable/healthy)"
				d.report(status.UnknownValue, off, "", Unknown("state", s, importer.StateNames[:]))
			}
		case memHealth:
			v, ok := d.nonNegative()
			m.Down = ok && v == 0
		case memSelf:
			m.Self, _ = d.boolean()
		case memPing:
			if ns, ok := d.nonNegative(); ok {
				m.Ping = topology.NewRTT(ns)
			}
		case memOptimeDate:
			d.dateOf(&m.OptimeDate)
		case memMessage:
			m.LastHeartbeatFail, _ = d.text()
		case memTags:
			m.Tags = d.tags(nil, "an object of strings")
		case memHidden:
			m.Hidden, _ = d.boolean()
		case memArbiterOnly:
			m.ArbiterOnly, _ = d.boolean()
		case memPriority:
			m.Priority, _ = d.nonNegative()
		case memDelay, memSlaveDelay:
			v, _ := d.nonNegative()
			m.DelaySeconds = v / 1e6
		}
	}
	switch given := f.given; {
	case given>>memHost&1 != 0:
	case given>>memName&1 == 0:
		d.missing(&f, "name")
	case m.State < 0 && !m.Down:
		d.missing(&f, "state")
	}
	m.State = max(m.State, 0)
	if m.Down && f.given>>memState&1 == 0 {
		m.State = 8
	}
}

var shardKeys = []string{"_id", "host"}

// listedShards reads the shards of listShards: [{"_id", "host"}].
func (d *Decoder) listedShards(doc *importer.Document) {
	if !d.list("shards") {
		return
	}
	for d.more(']') {
		var f fields
		if !d.object(&f, shardKeys) {
			continue
		}
		f.loose = true
		name, host, off := "", "", 0
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if i == 0 {
				name, _ = d.text()
			} else {
				d.peek()
				off = d.pos
				host, _ = d.text()
			}
		}
		d.require(&f, 1<<0|1<<1)
		d.shard(doc, name, host, off)
	}
}

// shardMap reads the map of getShardMap: {shard: "set/host,host"}.
func (d *Decoder) shardMap(doc *importer.Document) {
	if d.peek() != '{' {
		d.wrongType("an object of shards")
		return
	}
	d.open()
	mark := len(d.keys)
	for {
		name, ok := d.nextKey()
		if !ok {
			break
		}
		d.keys = append(d.keys, seenKey{name, d.key})
		d.peek()
		off := d.pos
		if host, _ := d.text(); name != "config" { // where the catalogue is
			d.shard(doc, name, host, off)
		}
	}
	d.checkDuplicates(d.keys[mark:])
	d.keys = d.keys[:mark]
}

func (d *Decoder) shard(doc *importer.Document, name, host string, off int) {
	if d.failed {
		return
	}
	s, ok := importer.ParseShard(name, host)
	switch {
	case !ok:
		d.report(status.OutOfRange, off, "", `expected a replica set and its members, "set/host:port,host:port", found `+quote(host))
	case len(doc.Shards) == MaxShards:
		d.fail(status.LimitExceeded, off, "more than 4096 shards")
	default:
		doc.Shards = append(doc.Shards, s)
	}
}

var zoneKeys = []string{"numShards", "regionConfigs"}

func (d *Decoder) zones(doc *importer.Document) {
	if !d.list("replicationSpecs") {
		return
	}
	for d.more(']') {
		var f fields
		if !d.object(&f, zoneKeys) {
			continue
		}
		f.loose = true
		z := importer.Zone{Shards: 1}
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if i == 0 {
				z.Shards, _ = d.integer(1, MaxShards)
				continue
			}
			d.regions(&z)
		}
		d.require(&f, 1<<1)
		doc.Zones = append(doc.Zones, z)
	}
}

var regionKeys = []string{"providerName", "regionName", "priority", "electableSpecs", "readOnlySpecs", "analyticsSpecs"}

func (d *Decoder) regions(z *importer.Zone) {
	if !d.list("regionConfigs") {
		return
	}
	for d.more(']') {
		var f fields
		if !d.object(&f, regionKeys) {
			continue
		}
		f.loose = true
		var r importer.Region
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case 0:
				r.Provider, _ = d.text()
			case 1:
				r.Name, _ = d.text()
			case 2:
				r.Priority, _ = d.integer(0, math.MaxInt32)
			default:
				r.Nodes[i-3] = d.nodeCount()
			}
		}
		d.require(&f, 1<<0|1<<1)
		z.Regions = append(z.Regions, r)
	}
}

var nodesKeys = []string{"nodeCount"}

func (d *Decoder) nodeCount() (n int64) {
	var f fields
	if d.object(&f, nodesKeys) {
		f.loose = true
		for d.next(&f) >= 0 {
			n, _ = d.integer(0, 50)
		}
	}
	return n
}

var nodeNames = []string{"type", "setName", "servers"}

// nodeDescription reads what the Node.js driver shows of its TopologyDescription,
// as far as it goes: values behind so many characters are left out.
func nodeDescription(text string, t *topology.Description) {
	// It has names like ours but for two. What we do not have, and values for what
	// is not known, are passed over.
	d := &Decoder{in: rename(text), collect: true}
	var f fields
	if !d.object(&f, nodeNames) {
		return
	}
	f.loose = true
	name := ""
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case 0:
			name, _ = d.text()
		case 1:
			t.SetName, _ = d.text()
		case 2:
			d.nodeServers(t)
		}
	}
	typed := false
	if t.Type, typed = topology.ParseType(name); !typed {
		t.Derive()
	}
}

// rename puts MS behind the names that lack it, wherever they are.
func rename(text string) (renamed []byte) {
	from := 0
	for i := range len(text) {
		if text[i] == ':' && (str.HasSuffix(text[from:i], `"roundTripTime"`) || str.HasSuffix(text[from:i], `"lastUpdateTime"`)) {
			renamed = str.Append(str.Append(renamed, text[from:i-1]), `MS"`)
			from = i
		}
	}
	return str.Append(renamed, text[from:])
}

func (d *Decoder) nodeServers(t *topology.Description) {
	if d.peek() != '{' {
		d.skip()
		return
	}
	d.open()
	var hello sdam.Hello
	for {
		address, ok := d.nextKey()
		if !ok || !d.room(len(t.Servers), importer.MaxServers+1, "") {
			return
		}
		s := t.Grow()
		d.server(s, &hello)
		if s.Address == "" {
			s.Address = address
		}
		if ms, _ := s.LastWriteDate.UnixMS(); ms <= 0 {
			s.LastWriteDate = topology.Date{}
		}
		if !s.Type.IsAvailable() {
			*s = topology.Server{Address: s.Address, Type: s.Type, Error: s.Error}
		}
	}
}

// AppendImport appends the answer of import.
func AppendImport(dst []byte, res *importer.Result) []byte {
	dst = str.Append(dst, `{"sources":[`)
	n := 0
	for i := range res.Sources {
		if res.Sources[i] {
			dst = AppendString(appendComma(dst, n), importer.KindNames[i])
			n++
		}
	}
	if res.Several() {
		dst = str.Append(dst, `],"shards":{`)
		for i := range res.Topologies {
			t := &res.Topologies[i]
			dst = str.AppendByte(AppendString(appendComma(dst, i), t.Name), ':')
			if dst = AppendTopology(dst, &t.Description); len(dst) > MaxAnswerBytes {
				return dst // too long to be an answer; whoever asked refuses it
			}
		}
		dst = str.AppendByte(dst, '}')
	} else {
		dst = AppendTopology(str.Append(dst, `],"topology":`), &res.Topologies[0].Description)
	}
	for list := range importer.ListNames {
		dst = appendNamed(dst, ",", importer.ListNames[list])
		dst = str.Append(appendNotes(str.Append(dst, ":["), res, importer.List(list)), "]")
	}
	return str.AppendByte(dst, '}')
}

func appendNotes(dst []byte, res *importer.Result, list importer.List) []byte {
	n := 0
	for i := range res.Notes {
		note := &res.Notes[i]
		if note.List != list {
			continue
		}
		path := "topology"
		if res.Several() {
			path = ShardPath(res.Topologies[note.Topology].Name)
		}
		if note.Path != "" {
			path += "." + note.Path
		}
		dst = appendNamed(appendComma(dst, n), `{"code":`, note.Code)
		dst = appendNamed(dst, `,"path":`, path)
		dst = str.AppendByte(appendNamed(dst, `,"message":`, note.Message), '}')
		n++
	}
	return dst
}

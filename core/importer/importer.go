// Package importer makes topology descriptions of what operators can save:
// rs.status() and rs.conf(), hello replies, lists of shards, drivers' logs, the
// description of an Atlas cluster. It says what it guessed, and what such a
// source cannot tell.
package importer

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// Limits of a request.
const (
	MaxDocuments = 4096
	MaxServers   = 4096 // of all topologies together
	MaxMembers   = 1024 // in one document; a replica set has 50 at most

	maxCompared = 20_000_000
)

// Kind is what a document is.
type Kind uint8

// The kinds of documents.
const (
	ReplicaSetStatus Kind = iota // of rs.status()
	ReplicaSetConfig             // of rs.conf()
	HelloReply
	ShardMap     // of listShards or getShardMap
	DriverLog    // topology descriptions as drivers log them
	AtlasCluster // of Atlas's Admin API
	kinds
)

// KindNames lists the documents' names of the kinds, in the order of their values.
var KindNames = [...]string{"rsStatus", "rsConf", "hello", "shardMap", "driverLog", "atlasCluster"}

// Document is what was read of one document. Its Kind says which fields count.
type Document struct {
	Kind Kind

	SetName string        // ReplicaSetStatus, ReplicaSetConfig; of AtlasCluster the name
	Date    topology.Date // ReplicaSetStatus
	Members []Member      // ReplicaSetStatus, ReplicaSetConfig

	Check     sdam.Check // HelloReply; without an address where the reply came alone
	Hello     sdam.Hello
	LocalTime topology.Date // the reply's own

	Shards  []Shard // ShardMap
	Zones   []Zone  // AtlasCluster
	LogText string  // DriverLog
}

// Request is what is imported.
type Request struct {
	Documents []Document
	// Node reads a topology description that the Node.js driver wrote, as far as it goes.
	Node func(text string, t *topology.Description)
}

// Result is what was found. Strings are the request's.
type Result struct {
	Sources    [kinds]bool
	Topologies []Topology
	Notes      []Note
}

// Topology is one that was found.
type Topology struct {
	Name string // of its shard or replica set
	topology.Description
}

// List is what a note is.
type List uint8

// The lists of notes.
const (
	Guessed    List = iota // by the importer
	Unknown                // the sources cannot tell it
	Noteworthy             // what people should know
	lists
)

// ListNames lists the documents' names of the lists, in the order of their values.
var ListNames = [lists]string{"guessed", "unknown", "notes"}

// Note is about a topology, or a part of it.
type Note struct {
	List     List
	Topology int
	Path     string // in the topology; "" is all of it
	Code     string
	Message  string
}

// Several reports whether the topologies are told by their names: those of shards.
func (res *Result) Several() bool { return res.Sources[ShardMap] || len(res.Topologies) > 1 }

// group is what is known of one replica set, or of what is none.
type group struct {
	name           string // of the set
	shard          string
	status, config *Document
	replies        []*Document
	planned        []string // addresses that a list of shards has
}

type importer struct {
	r      *Request
	res    *Result
	groups []group
	t      *Topology // that is being made

	compared int // addresses with others
}

// Run imports. The error is a *status.Error.
func Run(r *Request) (*Result, error) {
	m := &importer{r: r, res: &Result{}}
	for i := range r.Documents {
		m.res.Sources[r.Documents[i].Kind] = true
	}
	if err := m.sort(); err != nil {
		return nil, err
	}
	for i := range m.groups {
		m.build(&m.groups[i])
	}
	for i := range r.Documents {
		if r.Documents[i].Kind == AtlasCluster {
			if err := m.atlas(&r.Documents[i]); err != nil {
				return nil, err
			}
		}
	}
	if m.res.Sources[DriverLog] {
		if err := m.log(); err != nil {
			return nil, err
		}
	}
	servers := 0
	for i := range m.res.Topologies {
		servers += len(m.res.Topologies[i].Servers)
		for k := range i {
			if m.res.Topologies[i].Name == m.res.Topologies[k].Name {
				return nil, refuse(status.OutOfRange, -1, "two topologies of one name: documents of different kinds, or of different times, do not go together")
			}
		}
	}
	if servers > MaxServers {
		return nil, refuse(status.LimitExceeded, -1, "more than 4096 servers")
	}
	return m.res, m.twice()
}

// twice refuses a topology that has an address twice.
func (m *importer) twice() error {
	for i := range m.res.Topologies {
		m.t = &m.res.Topologies[i]
		for k := range m.t.Servers {
			if address := m.t.Servers[k].Address; m.position(address) < k {
				return refuse(status.DuplicateAddress, -1, about(address, " is there twice"))
			}
		}
	}
	if m.compared > maxCompared {
		return refuse(status.LimitExceeded, -1, "more than 20000000 comparisons of addresses")
	}
	return nil
}

// refuse makes an error about the i-th document, -1 for all.
//
//go:noinline
func refuse(code status.Code, i int, message string) error {
	path := "documents"
	if i >= 0 {
		path += "[" + decimal.String(int64(i)) + "]"
	}
	return status.New(code, path, message)
}

// group returns the group of a replica set.
//
//go:noinline
func (m *importer) group(name string) *group {
	for i := range m.groups {
		if m.groups[i].name == name {
			return &m.groups[i]
		}
	}
	m.groups = append(m.groups, group{name: name})
	return &m.groups[len(m.groups)-1]
}

// sort puts documents that are about one replica set together.
func (m *importer) sort() error {
	for i := range m.r.Documents {
		d := &m.r.Documents[i]
		if d.Kind == ShardMap {
			for k := range d.Shards {
				if g := m.group(d.Shards[k].SetName); g.shard == "" {
					g.shard, g.planned = d.Shards[k].Name, d.Shards[k].Hosts
				}
			}
		}
		if d.Kind == ReplicaSetStatus && !set(&m.group(d.SetName).status, d) {
			return refuse(status.OutOfRange, i, twice)
		}
		if d.Kind == HelloReply && !d.homeless() {
			m.group(d.Hello.SetName).reply(d)
		}
	}
	for i := range m.r.Documents {
		d := &m.r.Documents[i]
		if d.Kind == HelloReply && d.homeless() {
			m.home(d.Check.Address).reply(d)
		}
		if d.Kind != ReplicaSetConfig {
			continue
		}
		if m.res.Sources[ReplicaSetStatus] && m.find(d.SetName) < 0 {
			return refuse(status.OutOfRange, i, "rs.conf() is of another replica set than rs.status()")
		}
		if !set(&m.group(d.SetName).config, d) {
			return refuse(status.OutOfRange, i, twice)
		}
	}
	for i := range m.groups {
		if g := &m.groups[i]; len(g.replies) > 0 && (g.status != nil || g.config != nil) {
			return refuse(status.OutOfRange, -1, "replies to hello do not go together with rs.status() and rs.conf() of the same replica set")
		}
	}
	return nil
}

const twice = "two documents of one kind about one replica set"

// set puts a document where there is none yet.
//
//go:noinline
func set(place **Document, d *Document) bool {
	free := *place == nil
	*place = d
	return free
}

// homeless reports whether a reply does not say what it belongs to.
//
//go:noinline
func (d *Document) homeless() bool {
	of := d.Hello.ServerType()
	return d.Hello.SetName == "" && of != topology.Mongos && of != topology.Standalone
}

//go:noinline
func (g *group) reply(d *Document) { g.replies = append(g.replies, d) }

//go:noinline
func (m *importer) find(name string) int {
	for i := range m.groups {
		if m.groups[i].name == name {
			return i
		}
	}
	return -1
}

// home returns the group of a server that did not say what it is: one that
// lists it, else the first that has replies.
func (m *importer) home(address string) *group {
	first := -1
	for i := range m.groups {
		g := &m.groups[i]
		if m.has(g.planned, address) {
			return g
		}
		for _, d := range g.replies {
			if m.has(d.Hello.Hosts, address) || m.has(d.Hello.Passives, address) || m.has(d.Hello.Arbiters, address) {
				return g
			}
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		return &m.groups[first]
	}
	return m.group("")
}

//go:noinline
func (m *importer) has(list []string, address string) bool {
	for _, a := range list {
		if m.compared++; m.compared > maxCompared {
			return false // refused at the end
		}
		if topology.SameAddress(a, address) {
			return true
		}
	}
	return false
}

// begin begins a topology.
//
//go:noinline
func (m *importer) begin(name string) {
	m.res.Topologies = append(m.res.Topologies, Topology{Name: name})
	m.t = &m.res.Topologies[len(m.res.Topologies)-1]
}

func (m *importer) build(g *group) {
	name := g.shard
	if name == "" {
		name = g.name
	}
	m.begin(name)
	m.t.SetName = g.name
	switch {
	case g.status != nil:
		m.members(g)
	case g.config != nil:
		m.configured(g.config)
	case len(g.replies) > 0:
		m.hellos(g)
	default:
		m.shard(g)
	}
	m.t.Derive()
}

// add appends a server and returns it.
//
//go:noinline
func (m *importer) add(address string, of topology.ServerType) *topology.Server {
	s := m.t.Grow()
	s.Address, s.Type = address, of
	return s
}

// position returns the index of a server that the topology has, -1 for none.
//
//go:noinline
func (m *importer) position(address string) int {
	for i := range m.t.Servers {
		m.compared++
		if topology.SameAddress(m.t.Servers[i].Address, address) {
			return i
		}
	}
	return -1
}

// Functions that are called in many places are not inlined there: they are many
// bytes of WebAssembly.

//go:noinline
func (m *importer) say(list List, path, code, message string) {
	m.res.Notes = append(m.res.Notes, Note{list, len(m.res.Topologies) - 1, path, code, message})
}

func (m *importer) guessed(path, code, message string) { m.say(Guessed, path, code, message) }

func (m *importer) unknown(path, code, message string) { m.say(Unknown, path, code, message) }

func (m *importer) noted(path, code, message string) { m.say(Noteworthy, path, code, message) }

// last is the path of a part of the server that was added last.
func (m *importer) last(part string) string { return serverPath(len(m.t.Servers)-1, part) }

//go:noinline
func serverPath(i int, part string) string {
	path := "servers[" + decimal.String(int64(i)) + "]"
	if part != "" {
		path += "." + part
	}
	return path
}

// about begins a message with a name that came from outside.
//
//go:noinline
func about(name, rest string) string {
	return string(str.Append(plain.Append(nil, name), rest))
}

// guessPrimary takes the i-th server as the primary, all that have no type yet as secondaries.
func (m *importer) guessPrimary(i int, since string) {
	if i < 0 {
		return
	}
	m.t.Servers[i].Type = topology.RSPrimary
	m.guessed(serverPath(i, "type"), "typeGuessed", "nothing says which member is the primary: this one is taken for it, "+since)
	m.guessed("servers", "typeGuessed", "nothing says in which state members are: all others that hold data are taken for secondaries that answer")
}

const unknownRTT = "round-trip times are not in such a source: where all are unknown, the latency window holds all servers"

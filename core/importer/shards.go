package importer

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Shard is a shard as a list of shards has it.
type Shard struct {
	Name    string
	SetName string
	Hosts   []string
}

// ParseShard reads the host of a shard, "set/host,host". ok is false where it is none.
func ParseShard(name, host string) (s Shard, ok bool) {
	set, hosts, ok := str.Cut(host, "/")
	if !ok || set == "" || hosts == "" {
		return Shard{}, false
	}
	s = Shard{Name: name, SetName: set}
	for ok {
		var address string
		if address, hosts, ok = str.Cut(hosts, ","); address == "" {
			return Shard{}, false
		}
		s.Hosts = append(s.Hosts, address)
	}
	return s, true
}

// shard makes a topology of addresses alone.
func (m *importer) shard(g *group) {
	for _, address := range g.planned {
		if m.position(address) < 0 && len(m.t.Servers) <= MaxServers {
			m.add(address, topology.RSSecondary)
		}
	}
	m.guessPrimary(0, "since it is the first of its shard")
	m.unknown("servers", "tagsUnknown", "tags are not in a list of shards: a preference with tag sets finds none")
	m.unknown("servers", "roundTripTimeUnknown", unknownRTT)
	m.unknown("servers", "notInSource", "arbiters, hidden members, lastWriteDate, wire versions and operationCount are not in a list of shards")
}

// Zone is one of the replicationSpecs of an Atlas cluster.
type Zone struct {
	Shards  int64 // how many shards are alike, at least 1
	Regions []Region
}

// Region is what an Atlas cluster has in one region.
type Region struct {
	Provider, Name string
	Priority       int64
	Nodes          [3]int64 // electable, read-only, for analytics
}

var nodeTypes = [...]string{"ELECTABLE", "READ_ONLY", "ANALYTICS"}

// node adds a member of an Atlas cluster.
func (m *importer) node(cluster string, r *Region, of int) {
	t := m.add(cluster+"-"+decimal.String(int64(len(m.t.Servers)))+":27017", topology.RSSecondary)
	t.Tags = tag.Set{{Name: "nodeType", Value: nodeTypes[of]}, {Name: "provider", Value: r.Provider}, {Name: "region", Value: r.Name},
		{Name: "workloadType", Value: "OPERATIONAL"}}
	if of == len(nodeTypes)-1 {
		t.Tags = t.Tags[:len(t.Tags)-1]
	}
}

// atlas makes topologies of an Atlas cluster: one, or one for each shard.
//
// Atlas documentation, "Query using Pre-Defined Replica Set Tags".
func (m *importer) atlas(d *Document) error {
	shards, servers := int64(0), int64(0)
	for i := range d.Zones {
		shards += d.Zones[i].Shards
		for _, r := range d.Zones[i].Regions {
			servers += d.Zones[i].Shards * (r.Nodes[0] + r.Nodes[1] + r.Nodes[2])
		}
		if servers > MaxServers || shards > MaxServers {
			return refuse(status.LimitExceeded, -1, "more than 4096 servers")
		}
	}
	n := int64(0)
	for i := range d.Zones {
		for range d.Zones[i].Shards {
			name := d.SetName
			if shards > 1 {
				name += "-shard-" + decimal.String(n)
			}
			n++
			m.zone(name, d.Zones[i].Regions)
		}
	}
	return nil
}

func (m *importer) zone(name string, regions []Region) {
	m.begin(name)
	first, highest := -1, int64(-1)
	for i := range regions {
		r := &regions[i]
		if r.Nodes[0] > 0 && r.Priority > highest {
			first, highest = len(m.t.Servers), r.Priority
		}
		for k, nodes := range r.Nodes {
			for range nodes {
				m.node(name, r, k)
			}
		}
	}
	m.guessed("servers", "addressGuessed", "the description of a cluster has no addresses of its members: these are made up")
	m.guessed("servers", "tagsGuessed", "tags are those that Atlas gives such members; availabilityZone and diskState are not known")
	m.guessPrimary(first, "since its region has the highest priority")
	m.unknown("servers", "roundTripTimeUnknown", unknownRTT)
	m.unknown("servers", "notInSource", "which members answer, lastWriteDate, wire versions and operationCount are not in the description of a cluster")
	m.t.Derive()
}

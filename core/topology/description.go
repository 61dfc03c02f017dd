// Package topology describes a MongoDB deployment as a client sees it: server
// descriptions, the topology description that holds them, and what follows from
// them without any choice: availability, data-bearing, wire compatibility.
//
// A description is a plain value. Nothing here does I/O or reads a clock.
//
// Specification: Server Discovery And Monitoring (SDAM), "Data structures".
package topology

import "github.com/readpref/readpref/core/tag"

// Description is a snapshot of a deployment.
//
// SDAM specification, "TopologyDescription".
type Description struct {
	Type                         Type     `json:"type"`
	SetName                      string   `json:"setName,omitempty"`
	Servers                      []Server `json:"servers"`
	MaxElectionID                ObjectID `json:"maxElectionId,omitempty"`
	MaxSetVersion                Int      `json:"maxSetVersion,omitempty"`
	LogicalSessionTimeoutMinutes Int      `json:"logicalSessionTimeoutMinutes,omitempty"`
}

// Server is what the last reply of one server said.
//
// SDAM specification, "ServerDescription".
type Server struct {
	Address          string     `json:"address"` // host:port, as the caller wrote it
	Type             ServerType `json:"type"`
	RoundTripTime    RTT        `json:"roundTripTimeMS,omitempty"` // average
	MinRoundTripTime RTT        `json:"minRoundTripTimeMS,omitempty"`
	Tags             tag.Set    `json:"tags,omitempty"`
	LastWriteDate    Date       `json:"lastWriteDate,omitempty"` // the server's clock
	// LastUpdateTimeMS is the client's clock when the reply came. It meets
	// LastWriteDate only inside differences between servers.
	LastUpdateTimeMS int64 `json:"lastUpdateTimeMS,omitempty"`
	MinWireVersion   Int   `json:"minWireVersion,omitempty"`
	MaxWireVersion   Int   `json:"maxWireVersion,omitempty"`
	OperationCount   int64 `json:"operationCount,omitempty"` // operations in progress on this server

	SetName                      string   `json:"setName,omitempty"`
	SetVersion                   Int      `json:"setVersion,omitempty"`
	ElectionID                   ObjectID `json:"electionId,omitempty"`
	Primary                      string   `json:"primary,omitempty"`
	Me                           string   `json:"me,omitempty"`
	Hosts                        []string `json:"hosts,omitempty"`
	Passives                     []string `json:"passives,omitempty"`
	Arbiters                     []string `json:"arbiters,omitempty"`
	TopologyVersion              Version  `json:"topologyVersion,omitempty"`
	LogicalSessionTimeoutMinutes Int      `json:"logicalSessionTimeoutMinutes,omitempty"`
	IsCryptd                     bool     `json:"iscryptd,omitempty"`
	ServiceID                    ObjectID `json:"serviceId,omitempty"`
	Error                        string   `json:"error,omitempty"`
}

// Reset makes s the zero Server, keeping the memory of its lists for reuse.
func (s *Server) Reset() {
	tags, hosts, passives, arbiters := s.Tags[:0], s.Hosts[:0], s.Passives[:0], s.Arbiters[:0]
	*s = Server{}
	s.Tags, s.Hosts, s.Passives, s.Arbiters = tags, hosts, passives, arbiters
}

// Reset makes d the zero Description, keeping the memory of its servers.
func (d *Description) Reset() { *d = Description{Servers: d.Servers[:0]} }

// Grow appends a zero Server, reusing the memory of one that Reset put away,
// and returns it. The pointer is valid until the next Grow.
func (d *Description) Grow() *Server {
	n := len(d.Servers)
	if n < cap(d.Servers) {
		d.Servers = d.Servers[:n+1]
	} else {
		d.Servers = append(d.Servers, Server{})
	}
	s := &d.Servers[n]
	s.Reset()
	return s
}

// Primary returns the index of the first RSPrimary of a ReplicaSetWithPrimary
// topology, or -1.
func (d *Description) Primary() int {
	if d.Type != ReplicaSetWithPrimary {
		return -1
	}
	for i := range d.Servers {
		if d.Servers[i].Type == RSPrimary {
			return i
		}
	}
	return -1
}

// TypeOf returns the type of the server with an address, in any spelling;
// ServerUnknown where the topology does not have it.
func (d *Description) TypeOf(address string) ServerType {
	key := KeyOfAddress(address)
	for i := range d.Servers {
		if KeyOfAddress(d.Servers[i].Address).Compare(key) == 0 {
			return d.Servers[i].Type
		}
	}
	return ServerUnknown
}

// DeriveSetName returns the replica set name that all servers agree on which
// have one, or "".
func DeriveSetName(servers []Server) string {
	name := ""
	for i := range servers {
		switch s := servers[i].SetName; {
		case s == "" || s == name:
		case name == "":
			name = s
		default:
			return ""
		}
	}
	return name
}

// Derive fills in the type, and for a replica set the name, of a description
// assembled by hand from saved replies, which do not say what a client made of
// them.
func (d *Description) Derive() {
	d.Type = DeriveType(d.Servers)
	if d.SetName == "" && d.Type.IsReplicaSet() {
		d.SetName = DeriveSetName(d.Servers)
	}
}

// DeriveType returns what a topology made of just
// these servers, all of them believed, must be: the last line of the SDAM
// rules (checkIfHasPrimary) without their history, for descriptions assembled
// by hand from saved replies.
func DeriveType(servers []Server) Type {
	var primary, member, mongos, balancer bool
	for i := range servers {
		switch servers[i].Type {
		case RSPrimary:
			primary = true
		case RSSecondary, RSArbiter, RSOther:
			member = true
		case Mongos:
			mongos = true
		case LoadBalancer:
			balancer = true
		}
	}
	switch {
	case primary:
		return ReplicaSetWithPrimary
	case member:
		return ReplicaSetNoPrimary
	case mongos:
		return Sharded
	case len(servers) == 1 && servers[0].Type == Standalone:
		return Single
	case balancer:
		return LoadBalanced
	}
	return Unknown
}

// Package sdam turns what servers say into descriptions, as the MongoDB Server
// Discovery And Monitoring specification says. It does no I/O and reads no
// clock: replies and times are arguments.
package sdam

import (
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Hello is a server's reply to hello (or the older isMaster), with the fields
// that SDAM reads. Its zero value is an empty reply: a failed check.
type Hello struct {
	OK      bool   // ok is 1, 1.0 or true
	ErrMsg  string // of a reply with ok: 0
	Message string // msg: "isdbgrid" from a mongos

	// IsWritablePrimary decides where the reply has it, otherwise IsMaster.
	IsWritablePrimary, HasIsWritablePrimary bool
	IsMaster                                bool
	Secondary, ArbiterOnly, Hidden          bool
	IsReplicaSet                            bool // an uninitiated member: RSGhost

	SetName, Me, Primary     string
	Hosts, Passives          []string
	Arbiters                 []string
	SetVersion               topology.Int
	ElectionID               topology.ObjectID
	Tags                     tag.Set
	LastWriteDate            topology.Date
	MinWireVersion           topology.Int
	MaxWireVersion           topology.Int
	LogicalSessionTimeoutMin topology.Int
	TopologyVersion          topology.Version
	IsCryptd                 bool
	ServiceID                topology.ObjectID
}

// Reset makes h the zero Hello, keeping the memory of its lists.
func (h *Hello) Reset() {
	*h = Hello{Hosts: h.Hosts[:0], Passives: h.Passives[:0], Arbiters: h.Arbiters[:0], Tags: h.Tags[:0]}
}

// ServerType returns the type the reply gives its server.
//
// SDAM specification, "type".
func (h *Hello) ServerType() topology.ServerType {
	writable := h.IsMaster
	if h.HasIsWritablePrimary {
		writable = h.IsWritablePrimary
	}
	switch {
	case !h.OK:
		return topology.ServerUnknown
	case h.Message == "isdbgrid":
		return topology.Mongos
	case h.IsReplicaSet:
		return topology.RSGhost
	case h.SetName == "":
		return topology.Standalone
	case h.Hidden:
		return topology.RSOther
	case writable:
		return topology.RSPrimary
	case h.Secondary:
		return topology.RSSecondary
	case h.ArbiterOnly:
		return topology.RSArbiter
	}
	return topology.RSOther
}

// Check is one check of one server: what the monitor has besides the reply.
type Check struct {
	Address          string
	RoundTripTime    topology.RTT // average
	MinRoundTripTime topology.RTT
	NowMS            int64 // the client's clock when the reply came
	OperationCount   int64
	Error            string // why the check failed, where it did
}

// Describe fills s with the description that the reply h gives the server. Host
// names become lower case with a port. The lists of s are copied from h; s and h may be used
// again independently.
//
// SDAM specification, "Parsing a hello or legacy hello response".
func Describe(s *topology.Server, c *Check, h *Hello) {
	s.Reset()
	s.Address = topology.NormalizeAddress(c.Address)
	s.LastUpdateTimeMS = c.NowMS
	s.OperationCount = c.OperationCount
	s.Type = h.ServerType()
	if s.Type == topology.ServerUnknown {
		s.Error = failure(c, h)
		return
	}
	s.RoundTripTime, s.MinRoundTripTime = c.RoundTripTime, c.MinRoundTripTime
	s.MinWireVersion, s.MaxWireVersion = orZero(h.MinWireVersion), orZero(h.MaxWireVersion)
	s.LastWriteDate = h.LastWriteDate
	s.LogicalSessionTimeoutMinutes = h.LogicalSessionTimeoutMin
	s.TopologyVersion = h.TopologyVersion
	s.IsCryptd = h.IsCryptd
	s.ServiceID = h.ServiceID
	s.Tags = append(s.Tags, h.Tags...)
	s.Error = c.Error
	if s.Type == topology.RSGhost {
		return // its hosts and setName mean nothing: it has no configuration yet
	}
	s.SetName, s.SetVersion, s.ElectionID = h.SetName, h.SetVersion, h.ElectionID
	s.Me = normalizeIfAny(h.Me)
	s.Primary = normalizeIfAny(h.Primary)
	s.Hosts = appendNormal(s.Hosts, h.Hosts)
	s.Passives = appendNormal(s.Passives, h.Passives)
	s.Arbiters = appendNormal(s.Arbiters, h.Arbiters)
}

func failure(c *Check, h *Hello) string {
	switch {
	case c.Error != "":
		return c.Error
	case h.ErrMsg != "":
		return h.ErrMsg
	}
	return "the server check failed"
}

func orZero(v topology.Int) topology.Int {
	if !v.IsDefined() {
		return topology.NewInt(0)
	}
	return v
}

//go:noinline
func normalizeIfAny(address string) string {
	if address == "" {
		return ""
	}
	return topology.NormalizeAddress(address)
}

//go:noinline
func appendNormal(dst, addresses []string) []string {
	for _, a := range addresses {
		dst = append(dst, topology.NormalizeAddress(a))
	}
	return dst
}

package sdam_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// 6.27: what is compared of a server, and what is not.
func TestEqualServers(t *testing.T) {
	id, _ := topology.ParseObjectID("0123456789abcdef01234567")
	server := func(change func(s *topology.Server)) *topology.Server {
		s := &topology.Server{Address: "a:27017", Type: topology.RSSecondary, Hosts: []string{"a:27017", "b:27017"}, Tags: tag.Set{{Name: "dc", Value: "ny"}}, SetName: "rs"}
		change(s)
		return s
	}
	same := server(func(*topology.Server) {})
	assert.True(t, sdam.EqualServers(same, server(func(*topology.Server) {})))
	for what, change := range map[string]func(s *topology.Server){
		"address": func(s *topology.Server) { s.Address = "b:27017" }, "error": func(s *topology.Server) { s.Error = "x" },
		"type": func(s *topology.Server) { s.Type = topology.RSPrimary }, "minWireVersion": func(s *topology.Server) { s.MinWireVersion = topology.NewInt(1) },
		"maxWireVersion": func(s *topology.Server) { s.MaxWireVersion = topology.NewInt(1) }, "me": func(s *topology.Server) { s.Me = "a:27017" },
		"hosts": func(s *topology.Server) { s.Hosts = []string{"a:27017", "c:27017"} }, "fewer hosts": func(s *topology.Server) { s.Hosts = s.Hosts[:1] },
		"no hosts": func(s *topology.Server) { s.Hosts = nil }, "passives": func(s *topology.Server) { s.Passives = []string{"c:27017"} },
		"arbiters": func(s *topology.Server) { s.Arbiters = []string{"c:27017"} }, "tags": func(s *topology.Server) { s.Tags = nil },
		"setName": func(s *topology.Server) { s.SetName = "other" }, "electionId": func(s *topology.Server) { s.ElectionID = id },
		"setVersion": func(s *topology.Server) { s.SetVersion = topology.NewInt(1) }, "primary": func(s *topology.Server) { s.Primary = "b:27017" },
		"logicalSessionTimeoutMinutes": func(s *topology.Server) { s.LogicalSessionTimeoutMinutes = topology.NewInt(30) },
		"iscryptd":                     func(s *topology.Server) { s.IsCryptd = true }, "serviceId": func(s *topology.Server) { s.ServiceID = id },
	} {
		assert.False(t, sdam.EqualServers(same, server(change)), what)
		assert.False(t, sdam.EqualServers(server(change), same), what)
	}
	assert.True(t, sdam.EqualServers(same, server(func(s *topology.Server) {
		s.RoundTripTime, s.MinRoundTripTime, s.LastUpdateTimeMS, s.OperationCount = topology.NewRTT(5), topology.NewRTT(5), 7, 3
	})))
	a, b := server(func(*topology.Server) {}), server(func(*topology.Server) {})
	b.Hosts = a.Hosts[:1] // the same memory, and one less
	assert.False(t, sdam.EqualServers(a, b))
}

// 6.27, of the topology.
func TestEqualTopologies(t *testing.T) {
	id, _ := topology.ParseObjectID("0123456789abcdef01234567")
	of := func(change func(d *topology.Description)) *topology.Description {
		d := &topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "rs", Servers: []topology.Server{{Address: "a:27017"}}}
		change(d)
		return d
	}
	same := of(func(*topology.Description) {})
	assert.True(t, sdam.EqualTopologies(same, of(func(*topology.Description) {})))
	for what, change := range map[string]func(d *topology.Description){
		"type": func(d *topology.Description) { d.Type = topology.ReplicaSetWithPrimary }, "setName": func(d *topology.Description) { d.SetName = "x" },
		"maxElectionId": func(d *topology.Description) { d.MaxElectionID = id }, "maxSetVersion": func(d *topology.Description) { d.MaxSetVersion = topology.NewInt(1) },
		"logicalSessionTimeoutMinutes": func(d *topology.Description) { d.LogicalSessionTimeoutMinutes = topology.NewInt(1) },
		"servers":                      func(d *topology.Description) { d.Servers = nil }, "a server": func(d *topology.Description) { d.Servers[0].Address = "b:27017" },
	} {
		assert.False(t, sdam.EqualTopologies(same, of(change)), what)
	}
}

// 6.19: a stale primary's error names both tuples.
func TestStaleMessage(t *testing.T) {
	first, _ := topology.ParseObjectID("000000000000000000000002")
	older, _ := topology.ParseObjectID("000000000000000000000001")
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	hosts := []string{"a", "b"}
	reply(m, "a", member("rs", func(h *sdam.Hello) {
		primary(h)
		h.Hosts, h.ElectionID, h.SetVersion, h.MaxWireVersion = hosts, first, topology.NewInt(3), topology.NewInt(25)
	}))
	reply(m, "b", member("rs", func(h *sdam.Hello) {
		primary(h)
		h.Hosts, h.ElectionID, h.MaxWireVersion = hosts, older, topology.NewInt(25)
	}))
	assert.Equal(t, "primary marked stale due to electionId/setVersion mismatch: (000000000000000000000001, null) is stale compared to (000000000000000000000002, 3)",
		m.Description().Servers[m.Index("b")].Error)
}

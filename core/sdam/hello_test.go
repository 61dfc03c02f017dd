package sdam_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

func TestServerType(t *testing.T) {
	for _, c := range []struct {
		rule string
		h    sdam.Hello
		want topology.ServerType
	}{
		{"5.1 an empty reply", sdam.Hello{}, topology.ServerUnknown},
		{"5.1 ok is not 1, whatever else", sdam.Hello{Message: "isdbgrid", SetName: "rs", IsMaster: true}, topology.ServerUnknown},
		{"5.2 mongos", sdam.Hello{OK: true, Message: "isdbgrid"}, topology.Mongos},
		{"5.2 mongos comes first", sdam.Hello{OK: true, Message: "isdbgrid", IsReplicaSet: true, SetName: "rs", Secondary: true}, topology.Mongos},
		{"5.2 another msg", sdam.Hello{OK: true, Message: "isdbgrid2"}, topology.Standalone},
		{"5.2 a ghost", sdam.Hello{OK: true, IsReplicaSet: true}, topology.RSGhost},
		{"5.2 a ghost with a setName", sdam.Hello{OK: true, IsReplicaSet: true, SetName: "rs", IsMaster: true}, topology.RSGhost},
		{"5.2 no setName", sdam.Hello{OK: true, HasIsWritablePrimary: true, IsWritablePrimary: true}, topology.Standalone},
		{"5.2 nor with secondary", sdam.Hello{OK: true, Secondary: true}, topology.Standalone},
		{"5.2 primary", sdam.Hello{OK: true, SetName: "rs", HasIsWritablePrimary: true, IsWritablePrimary: true}, topology.RSPrimary},
		{"5.3 primary by ismaster", sdam.Hello{OK: true, SetName: "rs", IsMaster: true}, topology.RSPrimary},
		{"5.3 isWritablePrimary decides where it is there", sdam.Hello{OK: true, SetName: "rs", HasIsWritablePrimary: true, IsMaster: true, Secondary: true}, topology.RSSecondary},
		{"5.2 secondary", sdam.Hello{OK: true, SetName: "rs", Secondary: true}, topology.RSSecondary},
		{"5.2 writable comes before secondary", sdam.Hello{OK: true, SetName: "rs", IsMaster: true, Secondary: true}, topology.RSPrimary},
		{"5.2 hidden beats secondary", sdam.Hello{OK: true, SetName: "rs", Secondary: true, Hidden: true}, topology.RSOther},
		{"5.2 and writable", sdam.Hello{OK: true, SetName: "rs", IsMaster: true, Hidden: true}, topology.RSOther},
		{"5.2 arbiter", sdam.Hello{OK: true, SetName: "rs", ArbiterOnly: true}, topology.RSArbiter},
		{"5.2 secondary beats arbiterOnly", sdam.Hello{OK: true, SetName: "rs", ArbiterOnly: true, Secondary: true}, topology.RSSecondary},
		{"5.2 none of these", sdam.Hello{OK: true, SetName: "rs"}, topology.RSOther},
	} {
		t.Run(c.rule, func(t *testing.T) { assert.Equal(t, c.want, c.h.ServerType()) })
	}
}

func id(b byte) topology.ObjectID { return topology.NewObjectID([12]byte{b}) }

// full is a reply with every field, and a check with every field.
func full() (*sdam.Check, *sdam.Hello) {
	return &sdam.Check{Address: "DB1.Example", RoundTripTime: topology.NewRTT(0), MinRoundTripTime: topology.NewRTT(1), NowMS: 1793000000950, OperationCount: 4},
		&sdam.Hello{OK: true, SetName: "rs0", HasIsWritablePrimary: true, IsWritablePrimary: true, Me: "DB1.example", Primary: "DB1.EXAMPLE:27017",
			Hosts: []string{"DB1.example", "db2.example:27018"}, Passives: []string{"[::1]"}, Arbiters: []string{"FE80::1"},
			SetVersion: topology.NewInt(5), ElectionID: id(1), Tags: tag.Set{{Name: "dc", Value: "NY"}}, LastWriteDate: topology.NewDate(1793000000000),
			MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(25), LogicalSessionTimeoutMin: topology.NewInt(30),
			TopologyVersion: topology.Version{ProcessID: id(2), Counter: 1 << 62}, IsCryptd: true, ServiceID: id(3)}
}

func TestDescribe(t *testing.T) {
	check, hello := full()
	var s topology.Server
	sdam.Describe(&s, check, hello)
	assert.Equal(t, topology.Server{
		Address: "db1.example:27017", Type: topology.RSPrimary, RoundTripTime: topology.NewRTT(0), MinRoundTripTime: topology.NewRTT(1),
		Tags: tag.Set{{Name: "dc", Value: "NY"}}, LastWriteDate: topology.NewDate(1793000000000), LastUpdateTimeMS: 1793000000950,
		MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(25), OperationCount: 4, SetName: "rs0", SetVersion: topology.NewInt(5),
		ElectionID: id(1), Primary: "db1.example:27017", Me: "db1.example:27017", Hosts: []string{"db1.example:27017", "db2.example:27018"},
		Passives: []string{"[::1]:27017"}, Arbiters: []string{"[fe80::1]:27017"}, TopologyVersion: topology.Version{ProcessID: id(2), Counter: 1 << 62},
		LogicalSessionTimeoutMinutes: topology.NewInt(30), IsCryptd: true, ServiceID: id(3),
	}, s, "5.4, 5.5")
}

func TestDescribeLittle(t *testing.T) {
	for _, c := range []struct {
		rule  string
		check sdam.Check
		hello func(*sdam.Hello)
		want  topology.Server
	}{
		{"5.1 a failed check keeps nothing but its clock", sdam.Check{Address: "A", Error: "connection refused", NowMS: 7, RoundTripTime: topology.NewRTT(5), OperationCount: 2},
			func(h *sdam.Hello) { *h = sdam.Hello{} },
			topology.Server{Address: "a:27017", LastUpdateTimeMS: 7, OperationCount: 2, Error: "connection refused"}},
		{"5.1 ok: 0 keeps nothing either, topologyVersion too", sdam.Check{Address: "a:27017", RoundTripTime: topology.NewRTT(5)},
			func(h *sdam.Hello) { h.OK, h.ErrMsg = false, "not primary" },
			topology.Server{Address: "a:27017", Error: "not primary"}},
		{"5.1 the check's error says more than the reply's", sdam.Check{Address: "a:27017", Error: "timed out"},
			func(h *sdam.Hello) { h.OK, h.ErrMsg = false, "not primary" },
			topology.Server{Address: "a:27017", Error: "timed out"}},
		{"5.1 there is always an error", sdam.Check{Address: "a:27017"}, func(h *sdam.Hello) { *h = sdam.Hello{} },
			topology.Server{Address: "a:27017", Error: "the server check failed"}},
		{"5.5 wire versions default to 0", sdam.Check{Address: "a:27017"}, func(h *sdam.Hello) { *h = sdam.Hello{OK: true} },
			topology.Server{Address: "a:27017", Type: topology.Standalone, MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(0)}},
		{"5.5 no lastWriteDate, no session timeout, no me", sdam.Check{Address: "a:27017"}, func(h *sdam.Hello) { *h = sdam.Hello{OK: true, SetName: "rs", Secondary: true} },
			topology.Server{Address: "a:27017", Type: topology.RSSecondary, SetName: "rs", MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(0)}},
		{"5.5 of a ghost neither hosts nor setName", sdam.Check{Address: "a:27017"},
			func(h *sdam.Hello) {
				*h = sdam.Hello{OK: true, IsReplicaSet: true, SetName: "rs", Hosts: []string{"b"}, Passives: []string{"c"}, Arbiters: []string{"d"}, Primary: "b",
					Me: "a", SetVersion: topology.NewInt(1), ElectionID: id(1), MaxWireVersion: topology.NewInt(25)}
			},
			topology.Server{Address: "a:27017", Type: topology.RSGhost, MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(25)}},
		{"5.4 a socket keeps its case", sdam.Check{Address: "/run/A.sock"}, func(h *sdam.Hello) { *h = sdam.Hello{OK: true} },
			topology.Server{Address: "/run/A.sock", Type: topology.Standalone, MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(0)}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, hello := full()
			c.hello(hello)
			var s topology.Server
			sdam.Describe(&s, &c.check, hello)
			assert.Equal(t, c.want, s)
		})
	}
}

// A description that was used before holds nothing of its past, and shares no
// list with the reply.
func TestDescribeReusesAndCopies(t *testing.T) {
	check, hello := full()
	var s topology.Server
	sdam.Describe(&s, check, hello)
	sdam.Describe(&s, &sdam.Check{Address: "a:27017"}, &sdam.Hello{OK: true})
	assert.Equal(t, topology.Server{Address: "a:27017", Type: topology.Standalone, MinWireVersion: topology.NewInt(0), MaxWireVersion: topology.NewInt(0),
		Tags: tag.Set{}, Hosts: []string{}, Passives: []string{}, Arbiters: []string{}}, s)

	sdam.Describe(&s, check, hello)
	hello.Hosts[0], hello.Tags[0].Value = "changed", "changed"
	assert.Equal(t, "db1.example:27017", s.Hosts[0])
	assert.Equal(t, "NY", s.Tags[0].Value)

	hello.Reset()
	assert.Equal(t, sdam.Hello{Hosts: []string{}, Passives: []string{}, Arbiters: []string{}, Tags: tag.Set{}}, *hello)
	assert.Equal(t, topology.ServerUnknown, hello.ServerType())
}

// Replies whose addresses are normal already are described without allocating.
func TestDescribeAllocatesNothing(t *testing.T) {
	check, hello := full()
	check.Address, hello.Me, hello.Primary = "db1.example:27017", "db1.example:27017", "db1.example:27017"
	hello.Hosts, hello.Passives, hello.Arbiters = []string{"db1.example:27017", "db2.example:27018"}, []string{"[::1]:27017"}, []string{"[fe80::1]:27017"}
	var s topology.Server
	sdam.Describe(&s, check, hello)
	rng := rand.New(rand.NewSource(1))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		hello.Hosts = hello.Hosts[:rng.Intn(3)]
		check.NowMS++
		sdam.Describe(&s, check, hello)
	}))
}

package sdam_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// What no official case covers: RULES.md, App. B.

func open(t *testing.T, s sdam.Settings) *sdam.Machine {
	if s.WireVersions == (topology.WireVersions{}) {
		s.WireVersions = topology.DefaultWireVersions
	}
	var c sdam.Changes
	m, err := sdam.NewMachine(s, &c)
	require.NoError(t, err)
	return m
}

func member(setName string, change func(*sdam.Hello)) *sdam.Hello {
	h := &sdam.Hello{OK: true, SetName: setName, Hosts: []string{"a", "b"}, MaxWireVersion: topology.NewInt(25)}
	change(h)
	return h
}

func primary(h *sdam.Hello)   { h.IsWritablePrimary, h.HasIsWritablePrimary = true, true }
func secondary(h *sdam.Hello) { h.Secondary = true }

func reply(m *sdam.Machine, address string, h *sdam.Hello) sdam.Changes {
	var c sdam.Changes
	m.Hello(&sdam.Reply{Address: address, Hello: h, RTTNS: 1}, &c)
	return c
}

func types(m *sdam.Machine) map[string]topology.ServerType {
	all := map[string]topology.ServerType{}
	d := m.Description()
	for i := range d.Servers {
		all[d.Servers[i].Address] = d.Servers[i].Type
	}
	return all
}

func kinds(effects []sdam.Effect) (all []string) {
	for _, e := range effects {
		all = append(all, e.Kind.String()+" "+e.Address)
	}
	return all
}

// 6.11: it is configured seeds that count, not servers left.
func TestStandaloneAmongTwoSeeds(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}})
	standalone := &sdam.Hello{OK: true, MaxWireVersion: topology.NewInt(25)}
	reply(m, "a", standalone)
	reply(m, "b", standalone)
	assert.Empty(t, m.Description().Servers)
	assert.Equal(t, topology.Unknown, m.Description().Type)
	// Duplicate seeds are one.
	m = open(t, sdam.Settings{Seeds: []string{"A", "a:27017"}})
	reply(m, "a", standalone)
	assert.Equal(t, topology.Single, m.Description().Type)
}

// 6.13: a member's hint counts only once no primary is left, and a member that calls
// itself something else goes and contributes nothing.
func TestWithPrimaryFromMember(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "a", member("rs", primary))
	reply(m, "a", member("rs", func(h *sdam.Hello) { secondary(h); h.Primary = "b" }))
	assert.Equal(t, topology.ReplicaSetNoPrimary, m.Description().Type)
	assert.Equal(t, map[string]topology.ServerType{"a:27017": topology.RSSecondary, "b:27017": topology.PossiblePrimary}, types(m))

	m = open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "a", member("rs", primary))
	reply(m, "b", member("rs", func(h *sdam.Hello) { secondary(h); h.Me = "c:27017"; h.Hosts = []string{"d"} }))
	assert.Equal(t, map[string]topology.ServerType{"a:27017": topology.RSPrimary}, types(m))
}

// 5.4, 6.4: the address of a reply is normalised; one of an unknown server is ignored.
func TestSourceOfReply(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "A:27017", member("rs", primary))
	assert.Equal(t, topology.RSPrimary, types(m)["a:27017"])
	assert.Empty(t, reply(m, "z", member("rs", primary)).Events)
}

// 7.2 to 7.6: codes decide alone; messages without a code; write concern
// errors; the subset that clears the pool.
func TestStateChanges(t *testing.T) {
	for name, c := range map[string]struct {
		reply            sdam.ErrorReply
		changed, cleared bool
	}{
		"not master":               {sdam.ErrorReply{Message: "Not Master"}, true, false},
		"not master or secondary":  {sdam.ErrorReply{Message: "not master or secondary"}, true, false},
		"recovering":               {sdam.ErrorReply{Message: "node is recovering now"}, true, false},
		"another message":          {sdam.ErrorReply{Message: "something else"}, false, false},
		"a code decides alone":     {sdam.ErrorReply{Code: topology.NewInt(1), Message: "not master"}, false, false},
		"a write concern error":    {sdam.ErrorReply{Code: topology.NewInt(91), WriteConcern: true}, true, true},
		"interrupted at shutdown":  {sdam.ErrorReply{Code: topology.NewInt(11600)}, true, true},
		"legacy not primary":       {sdam.ErrorReply{Code: topology.NewInt(10058)}, true, false},
		"mongos: host unreachable": {sdam.ErrorReply{Code: topology.NewInt(6)}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs"})
			reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = []string{"a"} }))
			var out sdam.Changes
			changed, err := m.ApplicationError(&sdam.ApplicationError{Address: "a", Reply: c.reply}, &out)
			require.NoError(t, err)
			assert.Equal(t, c.changed, changed)
			assert.Equal(t, c.changed, types(m)["a:27017"] == topology.ServerUnknown)
			want := int64(0)
			if c.cleared {
				want = 1
			}
			assert.Equal(t, want, m.PoolGeneration("a", topology.ObjectID{}))
			if c.changed {
				assert.Contains(t, kinds(out.Effects), "requestCheck a:27017")
			}
		})
	}
}

// 7.7 to 7.9: labels, stages and kinds.
func TestErrorsByStage(t *testing.T) {
	overloaded := []string{sdam.LabelSystemOverloaded}
	for name, c := range map[string]struct {
		e         sdam.ApplicationError
		effective bool
	}{
		"network after":            {sdam.ApplicationError{Kind: sdam.NetworkError}, true},
		"timeout after":            {sdam.ApplicationError{Kind: sdam.NetworkTimeout}, false},
		"labelled network":         {sdam.ApplicationError{Stage: sdam.ConnectAndHello, Kind: sdam.NetworkError, Labels: overloaded}, false},
		"labelled timeout":         {sdam.ApplicationError{Stage: sdam.ConnectAndHello, Kind: sdam.NetworkTimeout, Labels: overloaded}, false},
		"certificate":              {sdam.ApplicationError{Stage: sdam.ConnectAndHello, Kind: sdam.NetworkError}, true},
		"authentication":           {sdam.ApplicationError{Stage: sdam.Authentication, Reply: sdam.ErrorReply{Code: topology.NewInt(18)}}, true},
		"network in auth":          {sdam.ApplicationError{Stage: sdam.Authentication, Kind: sdam.NetworkTimeout}, true},
		"command after":            {sdam.ApplicationError{Reply: sdam.ErrorReply{Code: topology.NewInt(462)}}, false},
		"an older generation":      {sdam.ApplicationError{Kind: sdam.NetworkError, Generation: topology.NewInt(-1)}, false},
		"a server that is unknown": {sdam.ApplicationError{Kind: sdam.NetworkError, Address: "z"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs"})
			reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = []string{"a"} }))
			if c.e.Address == "" {
				c.e.Address = "a"
			}
			var out sdam.Changes
			effective, err := m.ApplicationError(&c.e, &out)
			require.NoError(t, err)
			assert.Equal(t, c.effective, effective)
			if !c.effective {
				assert.Empty(t, out.Events)
				assert.Empty(t, out.Effects)
				return
			}
			assert.Equal(t, int64(1), m.PoolGeneration("a", topology.ObjectID{}))
			assert.Equal(t, []string{"poolClear a:27017", "cancelCheck a:27017"}, kinds(out.Effects))
		})
	}
}

// 7.11: behind a load balancer a service is cleared, nothing becomes Unknown, and
// nothing counts before the handshake.
func TestLoadBalancedErrors(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"lb"}, LoadBalanced: true})
	one, two := topology.NewObjectID([12]byte{1}), topology.NewObjectID([12]byte{2})
	var out sdam.Changes
	m.ApplicationError(&sdam.ApplicationError{Address: "lb", Kind: sdam.NetworkError, Service: one}, &out)
	m.ApplicationError(&sdam.ApplicationError{Address: "lb", Kind: sdam.NetworkError}, &out)
	m.ApplicationError(&sdam.ApplicationError{Address: "lb", Kind: sdam.NetworkError, Stage: sdam.ConnectAndHello, Service: one}, &out)
	m.ApplicationError(&sdam.ApplicationError{Address: "lb", Reply: sdam.ErrorReply{Code: topology.NewInt(91)}, Service: two}, &out)
	m.ApplicationError(&sdam.ApplicationError{Address: "lb", Reply: sdam.ErrorReply{Code: topology.NewInt(10107)}, Service: two}, &out)
	assert.Equal(t, int64(1), m.PoolGeneration("lb", one))
	assert.Equal(t, int64(1), m.PoolGeneration("lb", two))
	assert.Equal(t, int64(0), m.PoolGeneration("lb", topology.ObjectID{}))
	assert.Equal(t, topology.LoadBalancer, types(m)["lb:27017"])
	assert.Empty(t, out.Events)
}

// 6.22: a failed check clears the pool, resets the RTT, and is repeated at once where
// the network failed a server that was known.
func TestFailedCheck(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs"})
	reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = []string{"a"} }))
	var out sdam.Changes
	m.Hello(&sdam.Reply{Address: "a", Network: true, Timeout: true, Error: "timed out"}, &out)
	assert.Equal(t, []string{"poolClear a:27017", "requestCheck a:27017"}, kinds(out.Effects))
	assert.True(t, out.Effects[0].InterruptInUse)
	assert.False(t, m.Description().Servers[0].RoundTripTime.IsDefined())
	out = sdam.Changes{}
	m.Hello(&sdam.Reply{Address: "a", Network: true, Error: "timed out"}, &out)
	assert.Equal(t, []string{"poolClear a:27017"}, kinds(out.Effects))
}

// 6.28, 6.2.
func TestClose(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}})
	var out sdam.Changes
	m.Close(&out)
	var events []string
	for _, e := range out.Events {
		events = append(events, e.Kind.String()+" "+e.Address)
	}
	assert.Equal(t, []string{"serverClosed a:27017", "serverClosed b:27017", "topologyDescriptionChanged ", "topologyClosed "}, events)
	out = sdam.Changes{}
	m.Close(&out)
	assert.Empty(t, out.Events)
	assert.Empty(t, reply(m, "a", member("rs", primary)).Events)
	for _, s := range []sdam.Settings{
		{Seeds: []string{"a", "b"}, DirectConnection: true}, {Seeds: []string{"a", "b"}, LoadBalanced: true},
		{Seeds: []string{"a"}, LoadBalanced: true, SetName: "rs"},
	} {
		_, err := sdam.NewMachine(s, &out)
		assert.Error(t, err)
	}
}

// The settings may be the memory of a caller who uses it for something else
// afterwards, as those of topology.open are.
func TestSettingsAreCopied(t *testing.T) {
	for _, direct := range []bool{false, true} {
		memory := []byte("rs0|a:27017")
		text := unsafe.String(&memory[0], len(memory))
		m := open(t, sdam.Settings{Seeds: []string{text[4:]}, SetName: text[:3], DirectConnection: direct})
		for i := range memory {
			memory[i] = 'x'
		}
		d := m.Description()
		assert.Equal(t, "rs0", d.SetName)
		assert.Equal(t, "a:27017", d.Servers[0].Address)
	}
}

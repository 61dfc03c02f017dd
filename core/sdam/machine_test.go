package sdam_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
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

// 7.2: the topologyVersion gate is before all else, also for an error of
// authentication, which is no change of state. Behind it the version is forgotten (7.7).
func TestVersionOfAuthenticationError(t *testing.T) {
	version := func(counter int64) topology.Version {
		return topology.Version{ProcessID: topology.NewObjectID([12]byte{1}), Counter: counter}
	}
	for counter, want := range map[int64]bool{4: false, 5: false, 6: true} {
		m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs"})
		reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts, h.TopologyVersion = []string{"a"}, version(5) }))
		var out sdam.Changes
		effective, err := m.ApplicationError(&sdam.ApplicationError{Address: "a", Stage: sdam.Authentication,
			Reply: sdam.ErrorReply{Code: topology.NewInt(18), TopologyVersion: version(counter)}}, &out)
		require.NoError(t, err)
		assert.Equal(t, want, effective, counter)
		assert.Equal(t, !want, m.Description().Servers[0].Type == topology.RSPrimary, counter)
		assert.Equal(t, want, !m.Description().Servers[0].TopologyVersion.IsDefined(), counter)
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

	// A reply that says no is not a broken connection: the next check is not sooner for it.
	reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = []string{"a"} }))
	out = sdam.Changes{}
	m.Hello(&sdam.Reply{Address: "a", Error: "not authorized"}, &out)
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

// 3.30: several mongoses always, elsewhere overload errors where retargeting is on.
func TestDeprioritize(t *testing.T) {
	busy := &sdam.ApplicationError{Labels: []string{"x", sdam.LabelSystemOverloaded}}
	for _, c := range []struct {
		of   topology.Type
		e    *sdam.ApplicationError
		on   bool
		want bool
	}{
		{topology.Sharded, &sdam.ApplicationError{}, false, true},
		{topology.Sharded, busy, true, true},
		{topology.ReplicaSetWithPrimary, &sdam.ApplicationError{}, true, false},
		{topology.ReplicaSetWithPrimary, busy, false, false},
		{topology.ReplicaSetWithPrimary, busy, true, true},
		{topology.Single, busy, true, true},
	} {
		assert.Equal(t, c.want, sdam.Deprioritize(c.of, c.e, c.on), "%v %v %v", c.of, c.e.Labels, c.on)
	}
}

// 5.8, 5.10: a probe's samples change the averages of servers that have answered,
// and are no events; a stale setName in a direct connection forgets them.
func openWithReply(t *testing.T) *sdam.Machine {
	m := open(t, sdam.Settings{Seeds: []string{"a"}, DirectConnection: true})
	m.Hello(&sdam.Reply{Address: "a", Hello: member("rs", secondary), RTTNS: 10}, &sdam.Changes{})
	return m
}

func TestRoundTrip(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs", DirectConnection: true})
	assert.False(t, m.RoundTrip("a", 5), "not before a check")
	m.Hello(&sdam.Reply{Address: "a", Hello: member("rs", secondary), RTTNS: 10}, &sdam.Changes{})
	before := m.Description()
	assert.True(t, m.RoundTrip("A", 20))
	assert.False(t, m.RoundTrip("a", -1))
	assert.True(t, openWithReply(t).RoundTrip("a", 0), "0 is a measurement")
	assert.False(t, m.RoundTrip("b", 1))
	assert.Equal(t, topology.NewRTT(10), before.Servers[0].RoundTripTime, "what was handed out is never changed")
	assert.Equal(t, topology.NewRTT(12), m.Description().Servers[0].RoundTripTime) // (20 + 4·10)/5
	assert.Equal(t, topology.NewRTT(10), m.Description().Servers[0].MinRoundTripTime)

	m.Hello(&sdam.Reply{Address: "a", Hello: member("other", secondary), RTTNS: 10}, &sdam.Changes{})
	assert.Equal(t, topology.ServerUnknown, types(m)["a:27017"])
	m.Hello(&sdam.Reply{Address: "a", Hello: member("rs", secondary), RTTNS: 100}, &sdam.Changes{})
	assert.Equal(t, topology.NewRTT(100), m.Description().Servers[0].RoundTripTime, "the first sample again")
}

// 2.24: those that vanished go, new ones come as Unknown, the rest is untouched.
func TestRescan(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}})
	mongos := &sdam.Hello{OK: true, Message: "isdbgrid", MaxWireVersion: topology.NewInt(25)}
	reply(m, "a", mongos)
	reply(m, "b", mongos)
	var out sdam.Changes
	require.NoError(t, m.Rescan([]string{"C", "b"}, []string{"a", "z"}, &out))
	assert.Equal(t, map[string]topology.ServerType{"b:27017": topology.Mongos, "c:27017": topology.ServerUnknown}, types(m))
	assert.Equal(t, topology.Sharded, m.Description().Type)
	assert.Equal(t, []string{"startMonitor c:27017", "stopMonitor a:27017"}, kinds(out.Effects))
	var events []string
	for _, e := range out.Events {
		events = append(events, e.Kind.String()+" "+e.Address)
	}
	assert.Equal(t, []string{"serverOpening c:27017", "serverClosed a:27017", "topologyDescriptionChanged "}, events)

	// One configured seed, but others that polling brought: a standalone is no
	// topology of its own.
	m = open(t, sdam.Settings{Seeds: []string{"a"}})
	require.NoError(t, m.Rescan([]string{"b"}, nil, &out))
	reply(m, "a", &sdam.Hello{OK: true, MaxWireVersion: topology.NewInt(25)})
	assert.Equal(t, map[string]topology.ServerType{"b:27017": topology.ServerUnknown}, types(m))
}

// What would make more than 65,536 servers is refused, and all is as it was.
func TestMaxServers(t *testing.T) {
	hosts := func(prefix string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint(prefix, i)
		}
		return list
	}
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "a", member("rs", func(h *sdam.Hello) { secondary(h); h.Hosts = hosts("x", 40_000) }))
	require.Len(t, m.Description().Servers, 40_002)
	before := *m.Description()
	var out sdam.Changes
	accepted, err := m.Hello(&sdam.Reply{Address: "b", RTTNS: 7, Hello: member("rs", func(h *sdam.Hello) { secondary(h); h.Hosts = hosts("y", 40_000) })}, &out)
	assert.False(t, accepted)
	assert.ErrorIs(t, err, &status.Error{Code: status.LimitExceeded})
	assert.Empty(t, out.Events)
	assert.Empty(t, out.Effects)
	assert.Equal(t, before, *m.Description())

	// A primary's list takes the place of what was there.
	accepted, err = m.Hello(&sdam.Reply{Address: "b", RTTNS: 7, Hello: member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = append(hosts("y", 40_000), "b") })}, &out)
	require.NoError(t, err)
	assert.True(t, accepted)
	assert.Len(t, m.Description().Servers, 40_001)
	i := m.Index("b")
	assert.Equal(t, topology.NewRTT(7), m.Description().Servers[i].RoundTripTime, "the refused sample counts for nothing")
	assert.Error(t, m.Rescan(hosts("z", 30_000), nil, &out))
	assert.Len(t, m.Description().Servers, 40_001)

	// Nor is anything to be done for a reply that is refused: the old primary is not checked again.
	m = open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = []string{"a", "b"} }))
	out = sdam.Changes{}
	_, err = m.Hello(&sdam.Reply{Address: "b", RTTNS: 7, Hello: member("rs", func(h *sdam.Hello) { primary(h); h.Hosts = append(hosts("y", 65_536), "b") })}, &out)
	assert.ErrorIs(t, err, &status.Error{Code: status.LimitExceeded})
	assert.Empty(t, out.Effects)
	assert.Equal(t, topology.RSPrimary, types(m)["a:27017"])
}

// Texts of a reply are copied: its memory may be used again.
func TestRepliesAreNotKept(t *testing.T) {
	text := []byte("rs x:27017 y:27017 dc ny z:27017 q:27017")
	word := func(from, to int) string { return unsafe.String(&text[from], to-from) }
	m := open(t, sdam.Settings{Seeds: []string{"x"}})
	var out sdam.Changes
	hosts := []string{word(3, 10), word(11, 18)}
	_, err := m.Hello(&sdam.Reply{Address: word(3, 4), RTTNS: 1, Hello: &sdam.Hello{OK: true, SetName: word(0, 2), Secondary: true, Me: word(3, 10), Primary: word(11, 18),
		Hosts: hosts, Passives: []string{word(25, 32)}, Arbiters: []string{word(33, 40)}, Tags: tag.Set{{Name: word(19, 21), Value: word(22, 24)}}}}, &out)
	require.NoError(t, err)
	effective, err := m.ApplicationError(&sdam.ApplicationError{Address: word(11, 12), Kind: sdam.NetworkError, Message: word(19, 24)}, &out)
	require.NoError(t, err)
	require.True(t, effective)
	want := fmt.Sprintf("%+v %+v", m.Description(), out)
	for i := range text {
		text[i] = '#'
	}
	clear(hosts)
	assert.Equal(t, want, fmt.Sprintf("%+v %+v", m.Description(), out))
	for _, e := range out.Events {
		if e.NewServer != nil {
			assert.NotContains(t, fmt.Sprintf("%+v", *e.NewServer), "#")
		}
	}
	assert.NotContains(t, fmt.Sprintf("%+v", *m.Description()), "#")
}

// Each member keeps the list it gave, whatever the next one says.
func TestMembersKeepTheirLists(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs"})
	reply(m, "a", member("rs", func(h *sdam.Hello) { secondary(h); h.Hosts = []string{"a", "b"} }))
	reply(m, "b", member("rs", func(h *sdam.Hello) { secondary(h); h.Hosts = []string{"c", "d"} }))
	assert.Equal(t, []string{"a:27017", "b:27017"}, m.Description().Servers[m.Index("a")].Hosts)
	assert.Equal(t, []string{"c:27017", "d:27017"}, m.Description().Servers[m.Index("b")].Hosts)
}

// What one member of n lists is in memory once, not n times.
func TestMembersShareTheirLists(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a"}, SetName: "rs"})
	lists := func(h *sdam.Hello) {
		h.Hosts, h.Passives, h.Arbiters = strings.Fields("a:27017 b:27017 c:27017"), []string{"d:27017"}, []string{"e:27017"}
	}
	reply(m, "a", member("rs", func(h *sdam.Hello) { primary(h); lists(h) }))
	for _, address := range []string{"b", "c"} {
		reply(m, address, member("rs", func(h *sdam.Hello) { secondary(h); lists(h) }))
	}
	servers := m.Description().Servers
	for i := range servers[:3] {
		assert.Same(t, &servers[0].Hosts[0], &servers[i].Hosts[0])
		assert.Same(t, &servers[0].Passives[0], &servers[i].Passives[0])
		assert.Same(t, &servers[0].Arbiters[0], &servers[i].Arbiters[0])
	}
}

// A machine that goes on from what another one knew.
func TestResumeMachine(t *testing.T) {
	settings := sdam.Settings{Seeds: []string{"a", "b"}, SetName: "rs", WireVersions: topology.DefaultWireVersions}
	m := open(t, settings)
	for ns := range int64(12) {
		m.Hello(&sdam.Reply{Address: "a", RTTNS: 100 + ns, NowMS: ns, Hello: member("rs", primary)}, &sdam.Changes{})
	}
	reply(m, "b", member("rs", secondary))
	m.Hello(&sdam.Reply{Address: "b", Network: true, Error: "refused"}, &sdam.Changes{})
	var out sdam.Changes
	again, err := sdam.Resume(settings, m.Description(), m.Pools(), &out)
	require.NoError(t, err)
	assert.Equal(t, *m.Description(), *again.Description())
	assert.Equal(t, m.Pools(), again.Pools())
	assert.Equal(t, []sdam.Pool{{Address: "a:27017"}, {Address: "b:27017", Generation: 1}}, again.Pools())
	assert.Equal(t, []string{"startMonitor a:27017", "startMonitor b:27017"}, kinds(out.Effects))
	// The average goes on, and its minimum is not forgotten at once.
	before, _ := m.Description().Servers[0].RoundTripTime.Nanoseconds()
	again.RoundTrip("a", 1000)
	average, _ := again.Description().Servers[0].RoundTripTime.Nanoseconds()
	assert.InDelta(t, (1000+4*before)/5, average, 1)
	assert.Equal(t, topology.NewRTT(102), again.Description().Servers[0].MinRoundTripTime, "the least of the last ten, 102 to 111")

	for path, bad := range map[string]struct {
		s sdam.Settings
		d topology.Description
		p []sdam.Pool
	}{
		"topology.type":            {settings, topology.Description{Type: topology.Sharded, SetName: "rs"}, nil},
		"topology.setName":         {settings, topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "other"}, nil},
		"topology.servers":         {sdam.Settings{Seeds: []string{"a"}, DirectConnection: true}, topology.Description{Type: topology.Single}, nil},
		"topology.servers[0].type": {sdam.Settings{Seeds: []string{"a"}}, topology.Description{Type: topology.Sharded, Servers: []topology.Server{{Address: "a", Type: topology.RSPrimary}}}, nil},
		"topology.servers[1].type": {settings, topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "rs", Servers: []topology.Server{{Address: "a", Type: topology.RSSecondary}, {Address: "b", Type: topology.LoadBalancer}}}, nil},
		"topology.servers[2].type": {settings, topology.Description{Type: topology.ReplicaSetNoPrimary, SetName: "rs", Servers: []topology.Server{{Address: "a"}, {Address: "b"}, {Address: "c", Type: topology.Mongos}}}, nil},
		"pools[0].address":         {settings, *m.Description(), []sdam.Pool{{Address: "z"}}},
		"seeds":                    {sdam.Settings{}, topology.Description{}, nil},
	} {
		_, err := sdam.Resume(bad.s, &bad.d, bad.p, &out)
		var e *status.Error
		if assert.ErrorAs(t, err, &e, path) {
			assert.Equal(t, path, e.Path)
		}
	}
}

// Texts of the description that a machine goes on from are copied, too.
func TestResumedTextsAreNotKept(t *testing.T) {
	text := []byte("rs x:27017 error")
	word := func(from, to int) string { return unsafe.String(&text[from], to-from) }
	d := topology.Description{Type: topology.ReplicaSetNoPrimary, Servers: []topology.Server{
		{Address: "x:27017", Type: topology.RSSecondary, SetName: word(0, 2), Hosts: []string{word(3, 10)}, Error: word(11, 16)}}}
	m, err := sdam.Resume(sdam.Settings{Seeds: []string{"x"}}, &d, nil, &sdam.Changes{})
	require.NoError(t, err)
	for i := range text {
		text[i] = '#'
	}
	assert.NotContains(t, fmt.Sprintf("%+v", *m.Description()), "#")
}

// 7.11: the services of a load balancer keep their generations, in the order of
// their ids, and there is an end to them.
func TestServices(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"lb"}, LoadBalanced: true})
	id := func(n int) topology.ObjectID {
		return topology.NewObjectID([12]byte{byte(n >> 16), byte(n >> 8), byte(n)})
	}
	var out sdam.Changes
	fail := func(n int) error {
		_, err := m.ApplicationError(&sdam.ApplicationError{Address: "lb", Kind: sdam.NetworkError, Service: id(n)}, &out)
		return err
	}
	for _, n := range []int{3, 1, 2, 1} {
		require.NoError(t, fail(n))
	}
	assert.Equal(t, []sdam.Pool{{Address: "lb:27017"}, {"lb:27017", id(1), 2}, {"lb:27017", id(2), 1}, {"lb:27017", id(3), 1}}, m.Pools())
	again, err := sdam.Resume(m.Settings(), m.Description(), m.Pools(), &sdam.Changes{})
	require.NoError(t, err)
	assert.Equal(t, m.Pools(), again.Pools())
	for n := range sdam.MaxServices {
		require.NoError(t, fail(n+1))
	}
	assert.ErrorIs(t, fail(sdam.MaxServices+1), &status.Error{Code: status.LimitExceeded})
	assert.NoError(t, fail(1), "one that is known")
	var closing sdam.Changes
	m.Close(&closing)
	assert.Empty(t, closing.Effects, "a load balancer has no monitor to stop")
}

// A pool's generation that was resumed from nonsense stays one that Resume takes.
func TestGreatestGeneration(t *testing.T) {
	m := open(t, sdam.Settings{Seeds: []string{"a"}})
	var out sdam.Changes
	again, err := sdam.Resume(m.Settings(), m.Description(), []sdam.Pool{{Address: "a", Generation: math.MaxInt64 - 1}}, &out)
	require.NoError(t, err)
	for range 2 {
		_, err = again.ApplicationError(&sdam.ApplicationError{Address: "a", Kind: sdam.NetworkError}, &out)
		require.NoError(t, err)
		assert.Equal(t, int64(math.MaxInt64), again.PoolGeneration("a", topology.ObjectID{}))
	}
}

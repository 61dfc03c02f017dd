package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/whatif"
	"github.com/readpref/readpref/core/workload"
)

const (
	ms  = 1_000_000
	now = 1793000000000
)

func member(address string, of topology.ServerType, rtt int64, dc string) topology.Server {
	s := topology.Server{Address: address, Type: of, RoundTripTime: topology.NewRTT(rtt * ms), LastWriteDate: topology.NewDate(now), LastUpdateTimeMS: now}
	if dc != "" {
		s.Tags = zone(dc)
	}
	return s
}

func zone(dc string) tag.Set { return tag.Set{{Name: "dc", Value: dc}} }

func reads(mode readpref.Mode, sets ...tag.Set) workload.Workload {
	return workload.Workload{Preference: readpref.Preference{Mode: mode, TagSets: sets}, Weight: 1}
}

var writes = workload.Workload{Operation: selection.Write, Weight: 1}

// five is a primary and a secondary in ny, two in sf, and an arbiter elsewhere.
func five() *topology.Description {
	t := &topology.Description{Servers: []topology.Server{member("a", topology.RSPrimary, 2, "ny"), member("b", topology.RSSecondary, 5, "ny"),
		member("c", topology.RSSecondary, 30, "sf"), member("d", topology.RSSecondary, 31, "sf"), member("e", topology.RSArbiter, 9, "")}}
	t.Derive()
	return t
}

func request(t *topology.Description, list ...workload.Workload) *whatif.Request {
	return &whatif.Request{Question: workload.Question{Topology: t, Workloads: list, Options: selection.DefaultOptions()}}
}

// lines is what becomes of each workload, a line for each scenario:
// "event [phase primary]: outcome | outcome".
func lines(t require.TestingT, r *whatif.Request) []string {
	res, err := whatif.Run(r)
	require.NoError(t, err)
	var list []string
	for i := range res.Scenarios {
		s := &res.Scenarios[i]
		primary := "-"
		if s.Primary >= 0 {
			primary = s.Address(r, s.Primary)
		}
		var outcomes []string
		for k := range s.Outcomes {
			o := &s.Outcomes[k]
			words := []string{whatif.StatusNames[o.Status]}
			o.Reasons(func(name string) { words = append(words, name) })
			for _, i := range o.Window {
				words = append(words, s.Address(r, int(i)))
			}
			outcomes = append(outcomes, strings.Join(words, " "))
			assert.Equal(t, o.Status == whatif.Fails, o.Code != "")
		}
		list = append(list, fmt.Sprintf("%s [%s %s]: %s", s.AppendName(nil), whatif.PhaseNames[s.Phase], primary, strings.Join(outcomes, " | ")))
	}
	return list
}

// Of five votes three are a majority. The loss of the primary leaves four: then
// b, c or d is elected, never the arbiter.
func TestElections(t *testing.T) {
	r := request(five(), writes, reads(readpref.SecondaryPreferred))
	r.Events = []whatif.Event{{Kind: whatif.MemberDown, Address: "A:27017"}, {Kind: whatif.PrimarySteppedDown}, {Kind: whatif.MemberDown, Address: "e"}}
	assert.Equal(t, []string{
		"A:27017 down [noPrimary -]: fails | served b",
		"A:27017 down [elected b]: degraded slower b | degraded slower c d",
		"A:27017 down [elected c]: degraded slower c | served b",
		"A:27017 down [elected d]: degraded slower d | served b",
		"primary steps down [noPrimary -]: fails | served a b",
		"primary steps down [elected b]: degraded slower b | served a",
		"primary steps down [elected c]: degraded slower c | served a b",
		"primary steps down [elected d]: degraded slower d | served a b",
		"e down [asBefore a]: served a | served b",
	}, lines(t, r))
	// Members of priority 0 are never elected, however they are spelt.
	r.Topology.Servers[0].Passives = []string{"C:27017", "d"}
	r.Events = r.Events[:1]
	assert.Equal(t, []string{
		"A:27017 down [noPrimary -]: fails | served b",
		"A:27017 down [elected b]: degraded slower b | degraded slower c d",
	}, lines(t, r))
}

// Three of five lost: the primary, which is left, steps down, and is read as a secondary.
func TestLostMajority(t *testing.T) {
	r := request(five(), writes, reads(readpref.SecondaryPreferred), reads(readpref.Nearest, zone("sf")))
	r.Events = []whatif.Event{{Kind: whatif.ZoneDown, Tags: zone("sf")}, {Kind: whatif.MemberDown, Address: "e"}}
	r.AtOnce = 2
	assert.Equal(t, []string{
		"{dc: sf} down [asBefore a]: served a | served b | fails",
		"e down [asBefore a]: served a | served b | served c d",
		"{dc: sf} down and e down [noMajority -]: fails | served a b | fails",
	}, lines(t, r))
}

// Seen from ny two of five are left; with the arbiter there, three.
func TestNetworkSplit(t *testing.T) {
	r := request(five(), writes, reads(readpref.Nearest))
	r.Events = []whatif.Event{{Kind: whatif.NetworkSplit, Tags: zone("ny")}, {Kind: whatif.NetworkSplit, Tags: zone("sf")}}
	assert.Equal(t, []string{
		"network split, seen from {dc: ny} [noMajority -]: fails | served a b",
		"network split, seen from {dc: sf} [noMajority -]: fails | degraded slower c d",
	}, lines(t, r))
	r.Topology.Servers[4].Tags = zone("sf")
	assert.Equal(t, []string{
		"network split, seen from {dc: ny} [noMajority -]: fails | served a b",
		"network split, seen from {dc: sf} [noPrimary -]: fails | degraded slower c d",
		"network split, seen from {dc: sf} [elected c]: degraded slower c | degraded slower c d",
		"network split, seen from {dc: sf} [elected d]: degraded slower d | degraded slower c d",
	}, lines(t, r))
}

// In mode secondary with 120 s, b lags 111 s: with the heartbeat of 10 s it is a
// second too stale; 110 s are not. RTT 5 + 28 ms is 33, and the window from 30 ms ends at 45.
func TestOtherEvents(t *testing.T) {
	fresh := reads(readpref.Secondary, zone("ny"), tag.Set{})
	fresh.Preference.MaxStaleness = readpref.MaxStalenessSeconds(120)
	r := request(five(), fresh, reads(readpref.Secondary), reads(readpref.PrimaryPreferred))
	r.Events = []whatif.Event{
		{Kind: whatif.MemberLags, Address: "b", Seconds: 111},
		{Kind: whatif.MemberLags, Address: "b", Seconds: 110},
		{Kind: whatif.ZoneSlower, Tags: zone("ny"), AddNS: 28 * ms},
		{Kind: whatif.MemberAdded, Server: member("f", topology.RSSecondary, 1, "ny")},
		{Kind: whatif.TagsChanged, Address: "b", Tags: zone("sf")},
		{Kind: whatif.MemberDown, Address: "a"},
	}
	r.Topology.Servers[1].Passives = []string{"b", "c", "d"}
	assert.Equal(t, []string{
		"b lags 111 s [asBefore a]: degraded laterTagSet slower c d | served b | served a",
		"b lags 110 s [asBefore a]: served b | served b | served a",
		"{dc: ny} + 28 ms RTT [asBefore a]: degraded slower b | degraded slower b c d | degraded slower a",
		"f added [asBefore a]: served b f | served b f | served a",
		"b has {dc: sf} [asBefore a]: degraded laterTagSet b | served b | served a",
		"a down [noPrimary -]: served b | served b | degraded fallback slower b",
	}, lines(t, r))
}

// Five servers are five losses and ten pairs. Who is down already cannot be lost.
func TestEvery(t *testing.T) {
	r := request(five(), reads(readpref.Primary))
	r.EverySingle, r.EveryPair = true, true
	all := lines(t, r)
	// a: two scenarios and three elections less one; each pair with a leaves three: noPrimary and the electable.
	assert.Equal(t, []string{"a down [noPrimary -]: fails", "a down [elected b]: degraded slower b", "a down [elected c]: degraded slower c",
		"a down [elected d]: degraded slower d", "b down [asBefore a]: served a"}, all[:5])
	assert.Len(t, all, (4+4)+(3+3+3+4)+6)
	r.Topology.Servers[4] = topology.Server{Address: "e"}
	r.EverySingle = false
	for _, line := range lines(t, r) {
		assert.NotContains(t, line, "e down")
	}
}

// Topologies without elections, and one whose primary was lost before.
func TestOtherTopologies(t *testing.T) {
	sharded := &topology.Description{Type: topology.Sharded, Servers: []topology.Server{member("m1", topology.Mongos, 1, ""), member("m2", topology.Mongos, 2, "")}}
	r := request(sharded, writes)
	r.EverySingle, r.EveryPair = true, true
	assert.Equal(t, []string{"m1 down [asBefore -]: degraded fewerServers slower m2", "m2 down [asBefore -]: degraded fewerServers m1",
		"m1 down and m2 down [asBefore -]: fails"}, lines(t, r))
	balanced := &topology.Description{Type: topology.LoadBalanced, Servers: []topology.Server{{Address: "lb", Type: topology.LoadBalancer}}}
	r.Topology = balanced
	assert.Empty(t, lines(t, r))
	lost := five()
	lost.Servers[0].Type = topology.RSSecondary
	lost.Derive()
	r = request(lost, writes, reads(readpref.Secondary))
	r.Events = []whatif.Event{{Kind: whatif.MemberDown, Address: "b"}}
	assert.Equal(t, []string{"b down [asBefore -]: fails | degraded fewerServers a"}, lines(t, r))
}

func TestImpossible(t *testing.T) {
	for _, c := range []struct {
		message string
		at      int
		events  []whatif.Event
	}{
		{"the topology has no server of this address", 0, []whatif.Event{{Kind: whatif.MemberDown, Address: "x"}}},
		{"the topology has no server of this address", 1, []whatif.Event{{Kind: whatif.PrimarySteppedDown}, {Kind: whatif.TagsChanged, Address: "x"}}},
		{"no available server has these tags", 0, []whatif.Event{{Kind: whatif.ZoneDown, Tags: zone("la")}}},
		{"no available server has these tags", 0, []whatif.Event{{Kind: whatif.NetworkSplit, Tags: zone("la")}}},
		{"no available server has these tags", 0, []whatif.Event{{Kind: whatif.ZoneSlower, Tags: zone("la")}}},
		{"only a secondary lags", 0, []whatif.Event{{Kind: whatif.MemberLags, Address: "a", Seconds: 1}}},
		{"the topology has this server already", 0, []whatif.Event{{Kind: whatif.MemberAdded, Server: member("B:27017", topology.RSSecondary, 1, "")}}},
		{"a server of this type cannot join the topology", 0, []whatif.Event{{Kind: whatif.MemberAdded, Server: member("x", topology.RSPrimary, 1, "")}}},
		{"cannot happen together with the events before: the server is down already", 1,
			[]whatif.Event{{Kind: whatif.MemberDown, Address: "b"}, {Kind: whatif.MemberDown, Address: "B"}}},
		{"cannot happen together with the events before: the topology has no primary", 1,
			[]whatif.Event{{Kind: whatif.MemberDown, Address: "a"}, {Kind: whatif.PrimarySteppedDown}}},
		{"cannot happen together with the events before: only a secondary lags", 1,
			[]whatif.Event{{Kind: whatif.MemberDown, Address: "b"}, {Kind: whatif.MemberLags, Address: "b", Seconds: 5}}},
	} {
		r := request(five(), writes)
		r.Events, r.AtOnce = c.events, 2
		_, err := whatif.Run(r)
		require.Error(t, err, c.message)
		assert.Equal(t, &status.Error{Code: status.OutOfRange, Path: fmt.Sprintf("events[%d]", c.at), Message: c.message}, err)
	}
	undated := five()
	for i := range undated.Servers {
		undated.Servers[i].LastWriteDate = topology.Date{}
	}
	r := request(undated, writes)
	r.Events = []whatif.Event{{Kind: whatif.MemberLags, Address: "b", Seconds: 1}}
	_, err := whatif.Run(r)
	assert.ErrorContains(t, err, "no other member's lastWriteDate is known")
}

// 100 members and each two of them, with 3 workloads: too many.
func TestLimits(t *testing.T) {
	big := &topology.Description{Type: topology.ReplicaSetNoPrimary}
	for i := range 100 {
		big.Servers = append(big.Servers, member(fmt.Sprint("h", i), topology.RSSecondary, 1, ""))
	}
	r := request(big, writes, writes)
	r.EveryPair = true
	assert.Len(t, lines(t, r), 4950)
	r.Workloads = append(r.Workloads, writes)
	_, err := whatif.Run(r)
	assert.ErrorIs(t, err, &status.Error{Code: status.LimitExceeded})
	assert.Equal(t, "everyPair", err.(*status.Error).Path)
}

func TestText(t *testing.T) {
	r := request(five(), reads(readpref.Nearest), writes)
	r.Workloads[0].Name = "web|\n"
	r.Events = []whatif.Event{{Kind: whatif.TagsChanged, Address: "b", Tags: tag.Set{{Name: "x", Value: "\x1b"}}}, {Kind: whatif.ZoneDown, Tags: zone("ny")}}
	r.Format = table.Markdown
	res, err := whatif.Run(r)
	require.NoError(t, err)
	assert.Equal(t, strings.Join([]string{
		"- topology: ReplicaSetWithPrimary, 5 servers",
		`- web\|\\u000a: nearest`,
		"- workload 2: primary",
		"",
		`| event | primary | web\|\\u000a | workload 2 |`,
		"| --- | --- | --- | --- |",
		"| none | a | a, b | a |",
		`| b has {x: \\u001b} | a | a, b | a |`,
		"| {dc: ny} down | none until an election | degraded (slower): c, d | FAILS: noCandidate |",
		"| {dc: ny} down | c | degraded (slower): c, d | degraded (slower): c |",
		"| {dc: ny} down | d | degraded (slower): c, d | degraded (slower): d |",
		"",
	}, "\n"), string(res.AppendText(nil, r)))
}

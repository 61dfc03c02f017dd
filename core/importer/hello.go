package importer

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/topology"
)

// hellos makes a topology of replies.
func (m *importer) hellos(g *group) {
	bare, clock := false, false
	for _, d := range g.replies {
		check := d.Check
		if check.Address == "" {
			bare = true
			check.Address = d.Hello.Me
			if ms, ok := d.LocalTime.UnixMS(); ok {
				check.NowMS, clock = ms, true
			}
		}
		made := check.Address == ""
		if made {
			check.Address = "server" + decimal.String(int64(len(m.t.Servers)+1)) + ":27017"
		}
		t := m.add("", topology.ServerUnknown)
		sdam.Describe(t, &check, &d.Hello)
		if made {
			m.guessed(m.last("address"), "addressGuessed", `a reply without "me" does not tell its address: this one is made up`)
		}
	}
	if bare {
		m.unknown("servers", "roundTripTimeUnknown", unknownRTT)
	}
	if clock {
		m.guessed("servers", "clockAssumed",
			"lastUpdateTimeMS is the reply's localTime, by the server's clock: staleness is off by the difference of the servers' clocks")
	}
	m.unknown("servers", "notInSource", "operationCount is not in a reply to hello: taken as 0")
	m.missing(g.planned)
	for i := range g.replies {
		h := &g.replies[i].Hello
		m.missing(h.Hosts, h.Passives, h.Arbiters)
	}
}

// missing adds those of the members that are not there.
func (m *importer) missing(lists ...[]string) {
	for _, members := range lists {
		for _, address := range members {
			if len(m.t.Servers) > MaxServers || m.compared > maxCompared {
				return // refused at the end
			}
			if m.position(address) >= 0 {
				continue
			}
			m.add(topology.NormalizeAddress(address), topology.ServerUnknown).Error = "not in what was saved"
			m.unknown(m.last("type"), "memberMissing", about(address, " is listed by others and itself not in what was saved: taken as Unknown"))
		}
	}
}

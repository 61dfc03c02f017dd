package importer

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// Member is a member as rs.status() or rs.conf() has it.
type Member struct {
	Name string // of rs.status(), host of rs.conf()

	State             int64 // index of StateNames
	Down              bool  // health is 0
	Self              bool  // it answered
	Ping              topology.RTT
	OptimeDate        topology.Date
	LastHeartbeatFail string // the message

	Tags         tag.Set
	Hidden       bool
	ArbiterOnly  bool
	Priority     int64 // in nanos
	DelaySeconds int64
}

// StateNames lists the states of members by their numbers.
//
// MongoDB manual, "Replica Set Member States".
var StateNames = [...]string{"STARTUP", "PRIMARY", "SECONDARY", "RECOVERING", "", "STARTUP2", "UNKNOWN", "ARBITER", "DOWN", "ROLLBACK", "REMOVED"}

// typeOfState is the type that a driver gives a member in a state.
//
// SDAM specification, "type".
var typeOfState = [...]topology.ServerType{topology.RSGhost, topology.RSPrimary, topology.RSSecondary, topology.RSOther, topology.ServerUnknown,
	topology.RSOther, topology.ServerUnknown, topology.RSArbiter, topology.ServerUnknown, topology.RSOther, topology.RSGhost}

// members makes a topology of what one member says of all.
func (m *importer) members(g *group) {
	who, primary := "the member that answered", false
	var left []Member // of rs.conf(); those that were found have no name any more
	if g.config != nil {
		left = g.config.Members
	}
	for i := range g.status.Members {
		s := &g.status.Members[i]
		settings := &Member{}
		for k := range left {
			if left[k].Name != "" && topology.SameAddress(left[k].Name, s.Name) {
				settings = &left[k]
				break
			}
		}
		m.member(s, settings, g.status.Date)
		if g.config != nil && settings.Name == "" {
			m.unknown(m.last("tags"), "memberNotConfigured", about(s.Name, " is not in rs.conf(): its tags and whether it is hidden are unknown"))
		}
		settings.Name = ""
		if s.Self {
			who = about(s.Name, ", which answered")
		}
		primary = primary || m.t.Servers[i].Type == topology.RSPrimary
	}
	for i := range left {
		if left[i].Name != "" {
			m.add(left[i].Name, topology.ServerUnknown).Error = "not in rs.status()"
			m.unknown(m.last("type"), "memberNotInStatus", about(left[i].Name, " is in rs.conf() and not in rs.status(): taken as Unknown"))
		}
	}
	m.guessed("servers", "roundTripTimeFromMember", "roundTripTimeMS is pingMs, in whole milliseconds from "+who+", and not from your client; the member itself counts as 0 ms")
	m.guessed("servers", "lastWriteFromHeartbeats", "lastWriteDate is optimeDate, in seconds, as "+who+", knows it: that of others may be a heartbeat (2 s) old")
	if _, ok := g.status.Date.UnixMS(); !ok {
		m.unknown("servers", "dateUnknown", "rs.status() has no date: staleness is reckoned as if all were seen at one time")
	}
	if g.config == nil {
		m.unknown("servers", "configurationUnknown", "rs.conf() was not given: tags are unknown, and a hidden member looks like any secondary")
	}
	m.unknown("servers", "notInSource",
		"operationCount, wire versions and what your client can reach are not in rs.status(): taken as 0, compatible, and all that the member reaches")
	if !primary {
		m.noted("", "noPrimary", who+", sees no primary; another member may")
	}
}

func (m *importer) member(s, settings *Member, date topology.Date) {
	of := typeOfState[s.State]
	if s.Down {
		of = topology.ServerUnknown
	}
	t := m.add(s.Name, of)
	if of == topology.ServerUnknown {
		if t.Error = s.LastHeartbeatFail; t.Error == "" {
			t.Error = "not reachable from the answering member"
		}
		return
	}
	t.Tags, t.RoundTripTime = settings.Tags, s.Ping
	if s.Self {
		t.RoundTripTime = topology.NewRTT(0)
	}
	if of == topology.RSPrimary || of == topology.RSSecondary {
		if ms, ok := s.OptimeDate.UnixMS(); ok && ms > 0 { // 1970 stands for: it has told none
			t.LastWriteDate = s.OptimeDate
			t.LastUpdateTimeMS, _ = date.UnixMS()
		}
	}
	m.settings(t, settings)
}

// settings looks at what rs.conf() says of the server that was added last.
func (m *importer) settings(t *topology.Server, settings *Member) {
	if settings.Hidden && t.Type == topology.RSSecondary {
		t.Type = topology.RSOther
		m.noted(m.last("type"), "hidden", about(t.Address, " is hidden: drivers do not list it, and it serves no reads; taken as RSOther"))
	}
	if settings.DelaySeconds > 0 {
		m.noted(m.last("lastWriteDate"), "delayed", about(t.Address, " is delayed by "+decimal.String(settings.DelaySeconds)+" s on purpose"))
	}
}

// configured makes a topology of rs.conf() alone.
func (m *importer) configured(config *Document) {
	first, highest := -1, int64(0)
	for i := range config.Members {
		c := &config.Members[i]
		t := m.add(c.Name, topology.RSSecondary)
		t.Tags = c.Tags
		if c.ArbiterOnly {
			t.Type = topology.RSArbiter
		}
		m.settings(t, c)
		if t.Type == topology.RSSecondary && c.Priority > highest {
			first, highest = i, c.Priority
		}
	}
	m.guessPrimary(first, "since none has a higher priority")
	m.unknown("servers", "roundTripTimeUnknown", unknownRTT)
	m.unknown("servers", "lastWriteUnknown", "rs.conf() does not say how far members are behind: a preference with maxStalenessSeconds finds no secondary")
	m.unknown("servers", "notInSource", "which members answer, operationCount and wire versions are not in rs.conf(): taken as all, 0 and compatible")
}

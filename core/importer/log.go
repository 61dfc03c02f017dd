package importer

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// How much of a log is looked at: the newest descriptions, since those of a
// client that was closed are empty, and so much of each.
const (
	maxTried       = 100
	maxDescription = 1 << 20
)

// keysOfDescriptions are what drivers log descriptions under. previousDescription
// is older than what stands beside it.
//
// Server Discovery And Monitoring Logging and Monitoring specification, "Topology
// Description Changed Log Message"; Server Selection Logging specification.
var keysOfDescriptions = [...]string{"newDescription", "topologyDescription"}

// log makes a topology of the newest description in which a server has answered.
func (m *importer) log() error {
	m.begin("")
	last, tried, newest := -1, 0, (*topology.Description)(nil)
	for i := len(m.r.Documents) - 1; i >= 0 && tried < maxTried; i-- {
		d := &m.r.Documents[i]
		if d.Kind != DriverLog {
			continue
		}
		last = max(last, i)
		for end := len(d.LogText); end > 0 && tried < maxTried; tried++ {
			var text string
			if text, end = lastDescription(d.LogText, end); text == "" {
				break
			}
			t := new(topology.Description)
			if !m.describe(text, t) || t.Type == topology.Unknown && len(t.Servers) == 0 {
				continue
			}
			if newest == nil {
				newest = t
			}
			if answered(t) {
				return m.logged(t, tried)
			}
		}
	}
	if newest == nil {
		return refuse(status.UnknownValue, last, "no topology description of the Python, Node.js or Go driver is in this text")
	}
	return m.logged(newest, 0)
}

func answered(t *topology.Description) bool {
	for i := range t.Servers {
		if t.Servers[i].Type.IsAvailable() {
			return true
		}
	}
	return false
}

// logged takes a description that was logged.
func (m *importer) logged(t *topology.Description, newer int) error {
	if len(t.Servers) > MaxServers {
		return refuse(status.LimitExceeded, -1, "more than 4096 servers")
	}
	m.t.Description = *t
	if m.t.SetName == "" {
		m.t.SetName = topology.DeriveSetName(t.Servers)
	}
	if newer > 0 {
		m.guessed("", "descriptionChosen", "the newest description in which a server has answered; newer ones, in which none has: "+decimal.String(int64(newer)))
	}
	rtt, tags, written := false, false, false
	there := len(t.Servers)
	for i := range t.Servers {
		s := &t.Servers[i]
		rtt, tags, written = rtt || s.RoundTripTime.IsDefined(), tags || len(s.Tags) > 0, written || s.LastWriteDate.IsDefined()
		m.missing(s.Hosts, s.Passives, s.Arbiters)
	}
	if len(m.t.Servers) > there {
		m.unknown("servers", "cutOff", "the description was cut: the Node.js driver logs 1000 characters unless MONGODB_LOG_MAX_DOCUMENT_LENGTH says how many")
	}
	if !rtt {
		m.unknown("servers", "roundTripTimeUnknown", unknownRTT)
	}
	for i := range there {
		if s := &m.t.Servers[i]; rtt && s.Type.IsAvailable() && !s.RoundTripTime.IsDefined() {
			m.unknown(serverPath(i, "roundTripTimeMS"), "roundTripTimeUnknown", "not in this description: outside every latency window")
		}
	}
	if !tags {
		m.unknown("servers", "tagsUnknown", "no tags are in this description: PyMongo logs none, and a preference with tag sets finds none")
	}
	if !written {
		m.unknown("servers", "lastWriteUnknown", "no lastWriteDate is in this description: a preference with maxStalenessSeconds finds no secondary")
	}
	m.unknown("servers", "notInSource", "operationCount is not in a log: taken as 0; wire versions where they are missing as compatible")
	return nil
}

// lastDescription returns the last description that ends before a position, and
// where its key begins: there the one before ends. text is "" where there is none.
func lastDescription(s string, end int) (text string, at int) {
	for i := end - 1; i >= 0; i-- {
		for _, key := range keysOfDescriptions {
			if s[i] == key[0] && str.HasPrefix(s[i:end], key) {
				return valueOf(s[i+len(key) : min(len(s), i+maxDescription)]), i
			}
		}
	}
	// A description alone, as it is taken from a record.
	return s[:min(end, maxDescription)], 0
}

// valueOf returns the value of a key, which may be a string in either quotes:
// of JSON, or as Node.js shows it.
func valueOf(s string) string {
	i := 0
	for i < len(s) && (s[i] == '"' || s[i] == '\\' || s[i] == '\'' && i == 0) { // the key's own quote
		i++
	}
	for i < len(s) && (s[i] == ':' || s[i] == '=' || s[i] == ' ') {
		i++
	}
	if i == len(s) {
		return ""
	}
	quote := s[i]
	if quote != '"' && quote != '\'' && quote != '`' {
		if n := str.IndexByte(s[i:], '\n'); n >= 0 {
			return s[i : i+n]
		}
		return s[i:]
	}
	var b []byte
	for i++; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// describe reads a description by its form. ok is false where it has none that is known.
func (m *importer) describe(text string, t *topology.Description) bool {
	if i := str.Index(text, "<TopologyDescription "); i >= 0 {
		return python(text[i:], t)
	}
	if i := str.Index(text, "Type: "); i >= 0 && str.Contains(text[i:], ", Servers: [") {
		return golang(text[i:], t)
	}
	if i := str.Index(text, `{"type":`); i >= 0 {
		m.r.Node(text[i:], t)
		return true
	}
	return false
}

// between returns what stands behind a word up to the first of the ends, "" where
// the word is not there.
//
//go:noinline
func between(s, word string, ends ...string) string {
	_, s, _ = str.Cut(s, word)
	at := len(s)
	for _, end := range ends {
		if i := str.Index(s[:at], end); i >= 0 {
			at = i
		}
	}
	return s[:at]
}

func setType(t *topology.Description, name string) {
	of, ok := topology.ParseType(name)
	if t.Type = of; !ok {
		t.Derive()
	}
}

// each calls yield with a server of t for each part of a description behind a mark.
func each(s, mark string, t *topology.Description, yield func(one string, server *topology.Server)) {
	_, s, ok := str.Cut(s, mark)
	for ok && len(t.Servers) <= MaxServers {
		var one string
		one, s, ok = str.Cut(s, mark)
		yield(one, t.Grow())
	}
}

// python reads what PyMongo's TopologyDescription shows:
//
//	<TopologyDescription id: …, topology_type: X, servers: [<ServerDescription ('host', 1) server_type: Y, rtt: 0.1, error=…>, …]>
func python(s string, t *topology.Description) bool {
	each(s, "<ServerDescription (", t, func(one string, server *topology.Server) {
		host, port := between(one, "'", "'"), between(one, "', ", ")")
		if str.IndexByte(host, ':') >= 0 {
			host = "[" + host + "]"
		}
		if port != "None" {
			host += ":" + port
		}
		server.Address = host
		server.Type, _ = topology.ParseServerType(between(one, "server_type: ", ",", ">"))
		server.RoundTripTime = seconds(between(one, "rtt: ", ",", ">"))
		server.Error = between(one, ", error=", ">, ", ">]>")
	})
	setType(t, between(s, "topology_type: ", ","))
	return true
}

// seconds reads decimal seconds, as Python shows a float.
func seconds(s string) topology.RTT {
	mantissa, exponent, _ := str.Cut(s, "e")
	e, _ := decimal.Parse(exponent)
	if mantissa == "" || mantissa[0]-'0' > 9 {
		return topology.RTT{}
	}
	if ns, ok := topology.ParseMS([]byte(mantissa + "e" + decimal.String(min(max(e, -999), 999)+3))); ok {
		return topology.NewRTT(ns)
	}
	return topology.RTT{}
}

// golang reads what the Go driver's description.Topology shows:
//
//	Type: X, Servers: [{ Addr: host:1, Type: Y, Tag sets: a=b,c=d, Average RTT: 100, Last error: … }, ]
func golang(s string, t *topology.Description) bool {
	each(s, "{ Addr: ", t, func(one string, server *topology.Server) {
		server.Address, _, _ = str.Cut(one, ", Type: ")
		server.Type, _ = topology.ParseServerType(between(one, ", Type: ", ", ", " }"))
		server.Error = between(one, ", Last error: ", " }, ")
		if ns, ok := decimal.Parse(between(one, ", Average RTT: ", ", ", " }")); ok && ns >= 0 {
			server.RoundTripTime = topology.NewRTT(ns)
		}
		tags := between(one, ", Tag sets: ", ", Average RTT: ", ", Last error: ", " }")
		for _, pair := range str.SplitN(tags, ",", 100) {
			if name, value, ok := str.Cut(pair, "="); ok {
				server.Tags = append(server.Tags, tag.Tag{Name: name, Value: value})
			} else if n := len(server.Tags); n > 0 { // a comma in a value
				server.Tags[n-1].Value += "," + pair
			}
		}
	})
	setType(t, between(s, "Type: ", ","))
	return true
}

package main

import (
	"fmt"
	"math/rand/v2"
)

// generator draws cases that a client could meet (servers that nobody has heard
// from say nothing), pushed to the edges where implementations part: exactly on
// the end of the latency window and of maxStalenessSeconds, and one unit beside.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 0))} }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

// between draws from both ends inclusive.
func (g generator) between(least, most int64) int64 { return least + g.Int64N(most-least+1) }

func oneOf[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

// weighted draws an index by weight.
func (g generator) weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := g.IntN(sum)
	for i, w := range weights {
		if n < w {
			return i
		}
		n -= w
	}
	panic("weights")
}

var modes = []string{"primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"}

func (g generator) selectCase() *selectCase {
	c := &selectCase{
		LocalThresholdMS:     []int64{15, 0, 1, 5, 100, 1000}[g.weighted(10, 2, 1, 2, 2, 1)],
		HeartbeatFrequencyMS: []int64{10_000, 500, 60_000, 5_000, 79_999, 80_000, 80_001, 81_000, 110_000, 120_000}[g.weighted(8, 3, 4, 1, 1, 1, 1, 1, 1, 2)],
		Operation:            []string{"", "write", "aggregateWithWriteStage"}[g.weighted(82, 11, 7)],
	}
	c.ReadPreference = preferenceDoc{Mode: "primary"} // a write has none; drivers send it to a writable server
	if c.Operation != "write" {
		c.ReadPreference = g.preference(c.HeartbeatFrequencyMS)
	}
	c.Topology.Type = []string{"ReplicaSetWithPrimary", "ReplicaSetNoPrimary", "Sharded", "Single", "Unknown", "LoadBalanced"}[g.weighted(50, 28, 9, 7, 3, 3)]
	types := g.serverTypes(c.Topology.Type)
	if c.isReplicaSet() {
		c.Topology.SetName = "rs0"
	}
	rtts := g.roundTripTimes(len(types), c.LocalThresholdMS)
	c.Topology.Servers = []serverDoc{}
	for i, t := range types {
		s := serverDoc{Address: fmt.Sprintf("h%d.example:%d", i, 27017+i%3), Type: t}
		if s.known() && t != "LoadBalancer" {
			g.say(&s, rtts[i])
		}
		c.Topology.Servers = append(c.Topology.Servers, s)
	}
	if c.isReplicaSet() {
		g.dates(c)
	}
	if g.chance(1) {
		g.incompatible(c)
	}
	if g.chance(20) {
		g.deprioritize(c)
	}
	return c
}

// serverTypes draws the servers of a topology of that type.
func (g generator) serverTypes(topology string) []string {
	var types []string
	add := func(n int, weights []int, of ...string) {
		for range n {
			types = append(types, of[g.weighted(weights...)])
		}
	}
	switch topology {
	case "ReplicaSetWithPrimary", "ReplicaSetNoPrimary":
		n := []int{0, 1, 2, 3, 5, 7, 12, 50}[g.weighted(2, 5, 8, 40, 20, 15, 8, 2)]
		if topology == "ReplicaSetWithPrimary" {
			n = max(n, 1)
		}
		add(n, []int{70, 7, 7, 3, 11, 2}, "RSSecondary", "RSArbiter", "RSOther", "RSGhost", "Unknown", "PossiblePrimary")
		if g.chance(4) {
			for i := range types {
				types[i] = "Unknown"
			}
		}
		if topology == "ReplicaSetWithPrimary" {
			types[g.IntN(n)] = "RSPrimary"
		}
	case "Sharded":
		add(oneOf(g, 0, 1, 2, 3, 5, 10, 30), []int{85, 15}, "Mongos", "Unknown")
	case "Single":
		types = []string{oneOf(g, "Standalone", "RSPrimary", "RSSecondary", "RSArbiter", "RSOther", "RSGhost", "Mongos", "Unknown")}
	case "LoadBalanced":
		types = []string{"LoadBalancer"}
	default:
		add(g.IntN(4), []int{85, 15}, "Unknown", "RSGhost")
	}
	return types
}

// say gives a server that has answered what its hello said.
func (g generator) say(s *serverDoc, rtt nanoseconds) {
	s.RoundTripTime = &rtt
	s.MinWireVersion, s.MaxWireVersion = new(int), new(int)
	*s.MaxWireVersion = []int{25, 21, 9}[g.weighted(16, 8, 1)]
	update := base + g.between(0, 1000)
	s.LastUpdateTimeMS = &update
	switch s.Type {
	case "RSPrimary", "RSSecondary", "RSArbiter", "RSOther":
		s.Tags = g.serverTags()
	}
}

const base = 1_793_000_000_000

// roundTripTimes draws n times, most of them pushed against the end of the window.
func (g generator) roundTripTimes(n int, thresholdMS int64) []nanoseconds {
	const ms = 1_000_000
	list := make([]nanoseconds, n)
	if g.chance(25) { // anything
		unit := oneOf[int64](g, ms, 100_000, 1_000, 1)
		for i := range list {
			list[i] = nanoseconds(g.between(0, 120*ms/unit) * unit)
		}
		return list
	}
	end := thresholdMS * ms
	unit := oneOf[int64](g, ms, ms, 100_000, 100_000, 1_000, 1)
	fastest := g.between(0, oneOf[int64](g, 0, 3, 40, 300)*ms/unit) * unit
	steps := []int64{0, 0, end, end, end, end + unit, end - unit, end + 900_000, end + 100_000, end - 100_000, end * 2, end + 1}
	for i := range list {
		list[i] = nanoseconds(max(fastest+oneOf(g, steps...), fastest))
	}
	if n > 0 {
		list[g.IntN(n)] = nanoseconds(fastest)
	}
	return list
}

var places, racks, regions = []string{"east", "west", "EAST", "ny", ""}, []string{"1", "2", "3"}, []string{"us", "eu"}

func (g generator) serverTags() map[string]string {
	switch g.weighted(12, 10, 78) {
	case 0:
		return nil
	case 1:
		return map[string]string{}
	}
	tags := map[string]string{}
	if g.chance(85) {
		tags["dc"] = oneOf(g, places...)
	}
	if g.chance(50) {
		tags["rack"] = oneOf(g, racks...)
	}
	if g.chance(25) {
		tags["region"] = oneOf(g, regions...)
	}
	if g.chance(4) {
		tags["a.b"] = "x"
	}
	if g.chance(3) {
		tags["clé"] = "é☃"
	}
	return tags
}

// tagSet draws what a preference asks for; some ask for keys no server has.
func (g generator) tagSet() map[string]string {
	switch g.weighted(12, 43, 25, 10, 4, 3, 3) {
	case 0:
		return map[string]string{}
	case 1:
		return map[string]string{"dc": oneOf(g, append(places, "nowhere")...)}
	case 2:
		return map[string]string{"dc": oneOf(g, places...), "rack": oneOf(g, append(racks, "9")...)}
	case 3:
		return map[string]string{"region": oneOf(g, regions...), "dc": oneOf(g, places...)}
	case 4:
		return map[string]string{"a.b": "x"}
	case 5:
		return map[string]string{"clé": "é☃"}
	}
	return map[string]string{"missing": "key"}
}

func (g generator) preference(heartbeatMS int64) preferenceDoc {
	p := preferenceDoc{Mode: modes[g.weighted(12, 20, 30, 30, 30)]}
	primary := p.Mode == "primary"
	if !primary || g.chance(15) {
		switch g.weighted(35, 4, 8, 53) {
		case 1:
			p.Tags = &[]map[string]string{}
		case 2:
			p.Tags = &[]map[string]string{{}}
		case 3:
			tags := []map[string]string{}
			for range oneOf(g, 1, 1, 2, 2, 3, 4) {
				tags = append(tags, g.tagSet())
			}
			if g.chance(35) {
				tags = append(tags, map[string]string{})
			}
			p.Tags = &tags
		}
	}
	if !primary || g.chance(12) {
		smallest := (heartbeatMS + 10_000 + 999) / 1000
		var m int64
		switch g.weighted(50, 4, 2, 1, 3, 6, 9, 25) {
		case 0:
			return p
		case 1:
			m = -1
		case 2:
			m = 0
		case 3:
			m = oneOf[int64](g, -2, -90)
		case 4:
			m = oneOf[int64](g, 1, 60, 89)
		case 5:
			m = oneOf(g, smallest-1, smallest)
		case 6:
			m = 90
		default:
			m = oneOf(g, 91, 100, 120, 120, 150, 3600, max(smallest, 90), max(smallest, 90)+1)
		}
		p.MaxStalenessSeconds = &m
	}
	return p
}

// dates sets lastWriteDate and lastUpdateTimeMS so that some secondaries are
// exactly at the limit of staleness, and some a millisecond to either side.
func (g generator) dates(c *selectCase) {
	heartbeat := c.HeartbeatFrequencyMS
	spread := g.weighted(4, 4, 2)
	for i := range c.Topology.Servers {
		s := &c.Topology.Servers[i]
		if !s.known() {
			continue
		}
		var after int64
		switch spread {
		case 0:
			after = 500
		case 1:
			after = g.between(0, heartbeat)
		default:
			after = g.between(-3_000, 90_000)
		}
		update := base + after
		s.LastUpdateTimeMS = &update
	}
	newest := base + oneOf[int64](g, 0, 0, 50_000, -70_000) // the servers' clock against the client's
	limit := int64(120_000)
	if m := c.maxStaleness(); m > 0 {
		limit = m * 1000
	}
	primary := c.primary()
	var secondaries []*serverDoc
	for i := range c.Topology.Servers {
		s := &c.Topology.Servers[i]
		var write int64
		switch s.Type {
		case "RSPrimary":
			write = newest
		case "RSArbiter", "RSOther":
			if !g.chance(50) {
				continue
			}
			write = newest - g.between(0, 1_000_000)
		case "RSSecondary":
			secondaries = append(secondaries, s)
			write = newest - g.lag(s, primary, heartbeat, limit)
		default:
			continue
		}
		s.LastWriteDate = &write
	}
	if primary == nil && len(secondaries) > 0 && g.chance(80) {
		oneOf(g, secondaries...).LastWriteDate = &newest
	}
	if g.chance(1) {
		for i := range c.Topology.Servers {
			if g.chance(50) {
				c.Topology.Servers[i].LastWriteDate = nil
			}
		}
	}
}

// lag draws how far a secondary's last write is behind.
func (g generator) lag(s, primary *serverDoc, heartbeat, limit int64) int64 {
	beside := int64(0)
	switch g.weighted(35, 15, 12, 10, 13, 10, 5) {
	case 0:
		return g.between(0, 5_000)
	case 1:
	case 2:
		beside = 1
	case 3:
		beside = -1
	case 4:
		return g.between(60_000, 200_000)
	case 5:
		return g.between(100_000, 10_000_000)
	default:
		return -g.between(3, 20_000)
	}
	lag := limit - heartbeat + beside
	if primary != nil {
		lag -= *s.LastUpdateTimeMS - *primary.LastUpdateTimeMS
	}
	return lag
}

func (g generator) incompatible(c *selectCase) {
	var known []int
	for i, s := range c.Topology.Servers {
		if s.MaxWireVersion != nil {
			known = append(known, i)
		}
	}
	if len(known) == 0 {
		return
	}
	s := &c.Topology.Servers[oneOf(g, known...)]
	least, most := 0, 2
	if g.chance(50) {
		least, most = 99, 120
	}
	s.MinWireVersion, s.MaxWireVersion = &least, &most
}

func (g generator) deprioritize(c *selectCase) {
	percent := oneOf(g, 20, 50, 80, 100)
	for _, s := range c.Topology.Servers {
		if g.chance(percent) {
			c.Deprioritized = append(c.Deprioritized, s.Address)
		}
	}
	if g.chance(5) {
		c.Deprioritized = append(c.Deprioritized, "stranger.example:27017")
	}
}

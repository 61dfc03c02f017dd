package main

import "slices"

// tooSmall reports whether maxStalenessSeconds is less than a selection may have.
func (c *selectCase) tooSmall() bool {
	m := c.maxStaleness()
	return c.isReplicaSet() && c.Operation != "write" && m >= 0 && m*1000 < max(90_000, c.HeartbeatFrequencyMS+10_000)
}

// atWindowEnd are the suitable servers whose RTT is exactly the window's end.
func (c *selectCase) atWindowEnd(ours *answer) []string {
	fastest := nanoseconds(1 << 62)
	for _, a := range ours.suitable {
		if s := c.server(a); s.RoundTripTime != nil {
			fastest = min(fastest, *s.RoundTripTime)
		}
	}
	var list []string
	for _, a := range ours.suitable {
		if s := c.server(a); s.RoundTripTime != nil && *s.RoundTripTime-fastest == nanoseconds(c.LocalThresholdMS*1e6) {
			list = append(list, a)
		}
	}
	return list
}

// atStalenessLimit are the secondaries whose staleness is exactly
// maxStalenessSeconds.
func (c *selectCase) atStalenessLimit() []string {
	m := c.maxStaleness()
	if m <= 0 || !c.isReplicaSet() {
		return nil
	}
	newest, p := c.newestSecondary(), c.primary()
	var list []string
	for _, s := range c.Topology.Servers {
		if s.Type != "RSSecondary" || s.LastWriteDate == nil {
			continue
		}
		staleness := newest - *s.LastWriteDate
		if p != nil && p.LastWriteDate != nil {
			staleness = (*s.LastUpdateTimeMS - *s.LastWriteDate) - (*p.LastUpdateTimeMS - *p.LastWriteDate)
		}
		if staleness+c.HeartbeatFrequencyMS == m*1000 {
			list = append(list, s.Address)
		}
	}
	return list
}

// without is the case without some servers.
func (c *selectCase) without(addresses []string) *selectCase {
	n := c.clone()
	n.Topology.Servers = slices.DeleteFunc(n.Topology.Servers, func(s serverDoc) bool { return slices.Contains(addresses, s.Address) })
	if n.Topology.Type == "ReplicaSetWithPrimary" && n.primary() == nil {
		n.Topology.Type = "ReplicaSetNoPrimary"
	}
	return n
}

// edit is the case with a change to its servers.
func (c *selectCase) edit(change func(s *serverDoc)) *selectCase {
	n := c.clone()
	for i := range n.Topology.Servers {
		change(&n.Topology.Servers[i])
	}
	return n
}

// lacksDates reports whether maxStalenessSeconds counts and a member that it is
// about has not said when it last wrote.
func (c *selectCase) lacksDates() bool {
	return c.isReplicaSet() && c.maxStaleness() > 0 && slices.ContainsFunc(c.Topology.Servers, func(s serverDoc) bool {
		return (s.Type == "RSPrimary" || s.Type == "RSSecondary") && s.LastWriteDate == nil
	})
}

// subsets are the non-empty subsets of few addresses, of more than eight only
// the whole.
func subsets(addresses []string) [][]string {
	if len(addresses) > 8 {
		return [][]string{addresses}
	}
	var list [][]string
	for mask := 1; mask < 1<<len(addresses); mask++ {
		var some []string
		for i, a := range addresses {
			if mask>>i&1 == 1 {
				some = append(some, a)
			}
		}
		list = append(list, some)
	}
	return list
}

// newestSecondary is the greatest lastWriteDate of a secondary, 0 where none has one.
func (c *selectCase) newestSecondary() (newest int64) {
	for _, s := range c.Topology.Servers {
		if s.Type == "RSSecondary" && s.LastWriteDate != nil {
			newest = max(newest, *s.LastWriteDate)
		}
	}
	return newest
}

// olderThanFive reports whether an available server is older than MongoDB 5.0.
func (c *selectCase) olderThanFive() bool {
	return slices.ContainsFunc(c.Topology.Servers, func(s serverDoc) bool {
		return s.known() && s.MaxWireVersion != nil && *s.MaxWireVersion < 13
	})
}

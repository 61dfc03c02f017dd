package main

import "slices"

// smaller are the cases that are one step simpler than c, the boldest first.
func (c *selectCase) smaller() []*selectCase {
	var list []*selectCase
	add := func(change func(n *selectCase)) {
		n := c.clone()
		change(n)
		if n.document() != c.document() {
			list = append(list, n)
		}
	}
	for i := range c.Topology.Servers {
		add(func(n *selectCase) { n.Topology.Servers = slices.Delete(n.Topology.Servers, i, i+1) })
	}
	add(func(n *selectCase) { n.Operation = "" })
	add(func(n *selectCase) { n.ReadPreference.Tags = nil })
	add(func(n *selectCase) { n.ReadPreference.MaxStalenessSeconds = nil })
	add(func(n *selectCase) { n.HeartbeatFrequencyMS = 10_000 })
	add(func(n *selectCase) { n.LocalThresholdMS = 15 })
	if m := c.ReadPreference.MaxStalenessSeconds; m != nil && *m > 0 {
		for _, to := range []int64{120, 90, 1} {
			if to < *m || to == 120 && *m != 90 && *m != 1 {
				add(func(n *selectCase) { n.ReadPreference.MaxStalenessSeconds = &to })
			}
		}
	}
	add(func(n *selectCase) { n.Deprioritized = nil })
	for i := range c.Deprioritized {
		add(func(n *selectCase) { n.Deprioritized = slices.Delete(n.Deprioritized, i, i+1) })
	}
	if t := c.ReadPreference.Tags; t != nil {
		for i := range *t {
			add(func(n *selectCase) {
				tags := slices.Delete(slices.Clone(*t), i, i+1)
				n.ReadPreference.Tags = &tags
			})
			add(func(n *selectCase) { (*n.ReadPreference.Tags)[i] = map[string]string{} })
		}
	}
	for i, s := range c.Topology.Servers {
		edit := func(change func(s *serverDoc)) {
			add(func(n *selectCase) { change(&n.Topology.Servers[i]) })
		}
		edit(func(s *serverDoc) { s.Tags = nil })
		edit(func(s *serverDoc) { s.LastWriteDate = nil })
		edit(func(s *serverDoc) {
			s.MinWireVersion, s.MaxWireVersion = new(int), new(int)
			*s.MaxWireVersion = 25
		})
		if s.RoundTripTime != nil {
			for _, to := range []nanoseconds{0, 1e6, 10e6} {
				if to < *s.RoundTripTime {
					edit(func(s *serverDoc) { s.RoundTripTime = &to })
				}
			}
			for _, unit := range []nanoseconds{1e6, 1e5, 1e3} {
				if to := *s.RoundTripTime / unit * unit; to != *s.RoundTripTime {
					edit(func(s *serverDoc) { s.RoundTripTime = &to })
				}
			}
		}
		for _, date := range []func(s *serverDoc) **int64{func(s *serverDoc) **int64 { return &s.LastWriteDate }, func(s *serverDoc) **int64 { return &s.LastUpdateTimeMS }} {
			if d := *date(&s); d != nil {
				for _, to := range []int64{base, base + 500, *d / 1000 * 1000} {
					if to != *d && (*d%1000 != 0 || to == base) {
						edit(func(s *serverDoc) { *date(s) = &to })
					}
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(n *selectCase) bool { return !n.possible() })
}

// possible reports whether a client could hold such a topology.
func (c *selectCase) possible() bool {
	n := len(c.Topology.Servers)
	switch c.Topology.Type {
	case "ReplicaSetWithPrimary":
		return c.primary() != nil
	case "Single", "LoadBalanced":
		return n == 1
	}
	return true
}

// shrink makes a difference smaller as long as it is accounted for by the same
// kinds and by no fewer.
func shrink(p *peer, d *difference, kinds string) (*difference, error) {
	for tries := 0; tries < 2000; {
		next := (*difference)(nil)
		for _, c := range d.c.smaller() {
			tries++
			document := c.document()
			theirs, err := p.ask("select", document)
			if err != nil {
				return nil, err
			}
			ours, err := ourSelect(document)
			if err != nil {
				return nil, err
			}
			if theirs.same(ours) {
				continue
			}
			smaller := &difference{p.Name, c, ours, theirs}
			if idsOf(classify(smaller)) == kinds {
				next = smaller
				break
			}
		}
		if next == nil {
			break
		}
		d = next
	}
	return d, nil
}

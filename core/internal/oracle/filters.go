package oracle

import (
	"math/big"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// fresh reports whether maxStalenessSeconds allows a server.
func fresh(r *Request, pref readpref.Preference, i int) bool {
	if !limited(pref) || r.Topology.Servers[i].Type != topology.RSSecondary {
		return true
	}
	seconds, _ := pref.MaxStaleness.Seconds()
	staleness := Staleness(r, i)
	return staleness != nil && staleness.Cmp(new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1000))) <= 0
}

// Staleness returns the staleness of secondary i in milliseconds, or nil when
// it is unknown.
//
// What the specification leaves open: the primary, and the secondary with the
// greatest lastWriteDate, are those of the whole topology, deprioritized or not;
// a primary that sends no lastWriteDate counts as none.
func Staleness(r *Request, i int) *big.Int {
	write := func(s topology.Server) *big.Int {
		ms, ok := s.LastWriteDate.UnixMS()
		if !ok {
			return nil
		}
		return big.NewInt(ms)
	}
	s := r.Topology.Servers[i]
	if write(s) == nil {
		return nil
	}
	heartbeat := big.NewInt(r.HeartbeatFrequencyMS)
	lag := func(s topology.Server) *big.Int {
		return new(big.Int).Sub(big.NewInt(s.LastUpdateTimeMS), write(s))
	}
	if r.Topology.Type == topology.ReplicaSetWithPrimary {
		for _, p := range r.Topology.Servers {
			if p.Type != topology.RSPrimary {
				continue
			}
			if write(p) == nil {
				break
			}
			d := new(big.Int).Sub(lag(s), lag(p))
			return d.Add(d, heartbeat)
		}
	}
	var latest *big.Int
	for _, other := range r.Topology.Servers {
		if w := write(other); other.Type == topology.RSSecondary && w != nil && (latest == nil || w.Cmp(latest) > 0) {
			latest = w
		}
	}
	d := new(big.Int).Sub(latest, write(s))
	return d.Add(d, heartbeat)
}

// tagged returns the servers that the first matching tag set allows.
func tagged(r *Request, pref readpref.Preference, list []int) []int {
	if len(pref.TagSets) == 0 {
		return list
	}
	for _, set := range pref.TagSets {
		matched := keep(list, func(i int) bool { return subset(set, r.Topology.Servers[i].Tags) })
		if len(matched) > 0 {
			return matched
		}
	}
	return nil
}

func subset(asked, carried tag.Set) bool {
	has := map[string]string{}
	for _, t := range carried {
		has[t.Name] = t.Value
	}
	for _, t := range asked {
		if value, ok := has[t.Name]; !ok || value != t.Value {
			return false
		}
	}
	return true
}

// window returns the servers whose round-trip time is at most the smallest plus
// the threshold. One without a round-trip time is left out, unless no server has
// one.
func window(r *Request, list []int) []int {
	rtt := func(i int) *big.Int {
		ns, ok := r.Topology.Servers[i].RoundTripTime.Nanoseconds()
		if !ok {
			return nil
		}
		return big.NewInt(ns)
	}
	var end *big.Int
	for _, i := range list {
		if v := rtt(i); v != nil {
			if v.Add(v, big.NewInt(r.LocalThresholdNS)); end == nil || v.Cmp(end) < 0 {
				end = v
			}
		}
	}
	if end == nil {
		return list
	}
	return keep(list, func(i int) bool { return rtt(i) != nil && rtt(i).Cmp(end) <= 0 })
}

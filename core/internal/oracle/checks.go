package oracle

import (
	"math/big"

	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/topology"
)

// limited reports whether a preference has a maxStalenessSeconds; -1 is none.
func limited(p readpref.Preference) bool {
	seconds, ok := p.MaxStaleness.Seconds()
	return ok && seconds != -1
}

// problems names all that is wrong with a preference before any topology.
func problems(p readpref.Preference) []string {
	var found []string
	seconds, _ := p.MaxStaleness.Seconds()
	if p.Mode > readpref.Nearest {
		found = append(found, "unknownMode")
	}
	if limited(p) && seconds < -1 {
		found = append(found, "invalidMaxStaleness")
	}
	if p.Mode != readpref.Primary {
		return found
	}
	for _, set := range p.TagSets {
		if len(set) > 0 { // any non-empty tag set; {} is fine
			found = append(found, "tagsWithPrimary")
			break
		}
	}
	if limited(p) && seconds >= 0 {
		found = append(found, "maxStalenessWithPrimary")
	}
	if p.Hedge != readpref.HedgeAbsent {
		found = append(found, "hedgeWithPrimary")
	}
	return found
}

// compatible reports whether the client can talk to every server that has
// answered.
func compatible(r *Request) bool {
	if r.Topology.Type == topology.LoadBalanced {
		return true
	}
	for _, s := range r.Topology.Servers {
		if !available(s.Type) {
			continue
		}
		if lowest, known := s.MinWireVersion.Get(); known && lowest > r.MaxWire {
			return false
		}
		if highest, known := s.MaxWireVersion.Get(); known && highest < r.MinWire {
			return false
		}
	}
	return true
}

// effective returns the preference that an operation uses: primary for $out and
// $merge while an available server is older than wire version 13.
func effective(r *Request) (p readpref.Preference, replaced bool) {
	if r.Operation == AggregateWithWriteStage && r.Topology.Type != topology.LoadBalanced {
		for _, s := range r.Topology.Servers {
			if highest, known := s.MaxWireVersion.Get(); available(s.Type) && known && highest < 13 {
				return readpref.Preference{Mode: readpref.Primary}, true
			}
		}
	}
	return r.Preference, false
}

// smallest returns the least whole number of seconds that is at least 90 and,
// times 1000, at least the heartbeat and 10 seconds more.
func smallest(heartbeatMS int64) *big.Int {
	needed := new(big.Int).Add(big.NewInt(heartbeatMS), big.NewInt(10000))
	seconds := big.NewInt(90)
	if new(big.Int).Mul(seconds, big.NewInt(1000)).Cmp(needed) >= 0 {
		return seconds
	}
	rest := new(big.Int)
	seconds.DivMod(needed, big.NewInt(1000), rest)
	if rest.Sign() > 0 {
		seconds.Add(seconds, big.NewInt(1))
	}
	return seconds
}

package connstring

import (
	"github.com/readpref/readpref/core/internal/uri"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// minRescanMS is the shortest time between two successful scans.
const minRescanMS = 60_000

// Polls reports whether the SRV records are scanned again while the topology is
// of this type: for mongodb+srv:// and a topology Unknown or Sharded.
//
// Polling SRV Records specification, "Implementation".
func (c *ConnString) Polls(t topology.Type) bool {
	return c.SRV && (t == topology.Unknown || t == topology.Sharded)
}

// RescanMS returns the time from the end of the initial scan to the first one
// of Poll, in milliseconds: the shortest TTL, a minute at least.
func RescanMS(srv []SRVRecord) int64 {
	shortest := int64(0)
	for i, record := range srv {
		if ttl := int64(record.TTLSeconds) * 1000; i == 0 || ttl < shortest {
			shortest = ttl
		}
	}
	return max(shortest, minRescanMS)
}

// Rescan is what a scan of the SRV records changes.
type Rescan struct {
	// Added are addresses to add to the topology as Unknown; Removed are those
	// to remove from it, as they were given. All others stay as they are.
	Added, Removed []string
	// NextMS is the time from the end of this scan to the next, in milliseconds.
	NextMS int64
	// Warnings are records that were passed over, with paths such as srv[1].
	Warnings []status.Warning
}

// Poll compares the servers of a topology with the SRV records of a new answer.
// Records outside the domain are passed over. Without a valid record, and so
// after a DNS error, which is an answer of none, nothing changes and the next
// scan is due after heartbeatFrequencyMS.
//
// draw chooses new hosts, as in Resolve, where srvMaxHosts leaves room for only
// some of them.
//
// Polling SRV Records specification, "Implementation".
func (c *ConnString) Poll(current []string, srv []SRVRecord, heartbeatFrequencyMS int64, draw func() uint64) Rescan {
	r := Rescan{NextMS: heartbeatFrequencyMS}
	present := make(map[string]bool, len(current))
	for _, a := range current {
		present[topology.NormalizeAddress(a)] = true
	}
	known := map[string]bool{}
	var fresh []Host
	var valid []SRVRecord
	for i, record := range srv {
		h, problem := c.target(record)
		if problem == "" && len(valid) == MaxHosts {
			problem = "more than 65536 SRV records"
		}
		if problem != "" {
			if len(r.Warnings) < uri.MaxListed {
				r.Warnings = append(r.Warnings, status.Warning{Code: warnOutsideDomain, Message: problem, Path: element("srv", i)})
			}
			continue
		}
		valid = append(valid, record)
		a := h.Address()
		if !known[a] && !present[a] {
			fresh = append(fresh, h)
		}
		known[a] = true
	}
	if len(valid) == 0 {
		return r
	}
	r.NextMS = RescanMS(valid)
	for _, a := range current {
		if !known[topology.NormalizeAddress(a)] {
			r.Removed = append(r.Removed, a)
		}
	}
	if n := c.SRVMaxHosts.Value; n > 0 && n < int64(len(known)) {
		room := min(max(int(n)-(len(current)-len(r.Removed)), 0), len(fresh))
		chooseFirst(fresh, room, draw)
		fresh = fresh[:room]
	}
	for _, h := range fresh {
		r.Added = append(r.Added, h.Address())
	}
	return r
}

package sdam

import (
	"math"

	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/topology"
)

// What a single-threaded client decides: it has no monitors, and scans its
// servers when an operation needs one. Times are milliseconds of one clock of the
// client's; a Check's NowMS is of the same.

// The fixed times of the Server Monitoring specification, in milliseconds.
const (
	MinHeartbeatFrequencyMS = 500
	CooldownMS              = 5000
)

// NextToScan returns the server to check next in a scan that began at
// scanStartMS: the primary, else who may be the primary, else who was known and
// not checked for longest, else the rest in that order. ok is false when the scan
// is complete. Servers that are found while it goes on are scanned, too; those that failed
// within CooldownMS before it are not.
//
// Server Monitoring specification, "Scanning order".
func NextToScan(d *topology.Description, scanStartMS int64) (index int, ok bool) {
	const last = 4
	bestRank, best := last, int64(0)
	for i := range d.Servers {
		s := &d.Servers[i]
		checked := lastCheckMS(s)
		failed := !s.Type.IsAvailable() && s.Error != ""
		if checked >= scanStartMS || failed && checked > scanStartMS-CooldownMS {
			continue
		}
		rank := 2
		switch s.Type {
		case topology.RSPrimary:
			rank = 0
		case topology.PossiblePrimary:
			rank = 1
		case topology.ServerUnknown, topology.RSGhost:
			rank = 3
		}
		if rank < bestRank || rank == bestRank && checked < best {
			index, bestRank, best = i, rank, checked
		}
	}
	return index, bestRank < last
}

// lastCheckMS is when a server was last checked. One that never was has neither a
// type nor an error.
func lastCheckMS(s *topology.Server) int64 {
	if !s.Type.IsAvailable() && s.Error == "" {
		return math.MinInt64
	}
	return s.LastUpdateTimeMS
}

// MarksStale reports whether an error that an operation met makes the topology
// stale, so that the next selection begins with a scan: the server is no writable
// primary, or shutting down. One that is recovering otherwise does not.
//
// SDAM specification, "Not writable primary and node is recovering".
func (e *ApplicationError) MarksStale() bool {
	if e.Kind != CommandError {
		return false
	}
	if code, ok := e.Reply.Code.Get(); ok {
		return oneOf(notWritablePrimary[:], code) || oneOf(shutdown[:], code)
	}
	message := str.LowerASCII(e.Reply.Message)
	return str.Contains(message, "not master") && !str.Contains(message, "not master or secondary") && !str.Contains(message, "node is recovering")
}

// ScanIsDue reports whether the topology is stale, so that a selection begins with
// a scan: the last one is a heartbeatFrequencyMS ago or longer.
//
// Server Selection specification, "Single-threaded server selection".
func ScanIsDue(lastScanMS, nowMS, heartbeatFrequencyMS int64) bool {
	return nowMS-lastScanMS >= heartbeatFrequencyMS
}

// BeforeScan returns how long a selection sleeps before it scans, so that there
// are 500 ms between scans. ok is false where it fails instead, since that would
// be after its deadline; with tryOnce (serverSelectionTryOnce) there is none.
//
// Server Selection specification, "Single-threaded server selection".
func BeforeScan(lastScanMS, nowMS, deadlineMS int64, tryOnce bool) (sleepMS int64, ok bool) {
	ready := lastScanMS + MinHeartbeatFrequencyMS
	if !tryOnce && ready > deadlineMS {
		return 0, false
	}
	return max(ready-nowMS, 0), true
}

// AfterNone reports whether a selection that found no server marks the topology
// stale and goes on, rather than fail: with tryOnce until a scan was made since
// it started, else until its deadline.
//
// Server Selection specification, "Single-threaded server selection".
func AfterNone(lastScanMS, startMS, nowMS, deadlineMS int64, tryOnce bool) (goOn bool) {
	if tryOnce {
		return lastScanMS <= startMS
	}
	return nowMS <= deadlineMS
}

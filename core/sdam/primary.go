package sdam

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/topology"
)

// tupleWireVersion is MongoDB 6.0, from which electionId counts before
// setVersion.
const tupleWireVersion = 17

// stale reports whether s is a primary of the past, and otherwise remembers its
// electionId and setVersion.
//
// SDAM specification, "Using electionId and setVersion to detect stale
// primaries".
func (m *Machine) stale(s *topology.Server) bool {
	d := &m.description
	if v, _ := s.MaxWireVersion.Get(); v >= tupleWireVersion {
		c := compareIDs(s.ElectionID, d.MaxElectionID)
		if c == 0 {
			c = compareInts(s.SetVersion, d.MaxSetVersion)
		}
		if c < 0 {
			return true
		}
		// Both, so that the greatest setVersion may fall, or become unknown.
		d.MaxElectionID, d.MaxSetVersion = s.ElectionID, s.SetVersion
		return false
	}
	if s.SetVersion.IsDefined() && s.ElectionID.IsDefined() {
		if d.MaxSetVersion.IsDefined() && d.MaxElectionID.IsDefined() {
			c := compareInts(s.SetVersion, d.MaxSetVersion)
			if c < 0 || c == 0 && compareIDs(s.ElectionID, d.MaxElectionID) < 0 {
				return true
			}
		}
		d.MaxElectionID = s.ElectionID
	}
	if compareInts(s.SetVersion, d.MaxSetVersion) > 0 {
		d.MaxSetVersion = s.SetVersion
	}
	return false
}

// compareIDs compares bytewise; an absent id is smaller than any.
func compareIDs(a, b topology.ObjectID) int {
	x, okX := a.Bytes()
	y, okY := b.Bytes()
	if !okX || !okY {
		return order(okX) - order(okY)
	}
	for i := range x {
		if x[i] != y[i] {
			return int(x[i]) - int(y[i])
		}
	}
	return 0
}

// compareInts compares numbers; an absent one is smaller than any.
func compareInts(a, b topology.Int) int {
	x, okX := a.Get()
	y, okY := b.Get()
	switch {
	case !okX || !okY:
		return order(okX) - order(okY)
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func order(present bool) int {
	if present {
		return 1
	}
	return 0
}

func staleMessage(s *topology.Server, d *topology.Description) string {
	m := str.Append([]byte(nil), "primary marked stale due to electionId/setVersion mismatch: (")
	m = appendTuple(m, s.ElectionID, s.SetVersion)
	m = str.Append(m, ") is stale compared to (")
	m = appendTuple(m, d.MaxElectionID, d.MaxSetVersion)
	return string(append(m, ')'))
}

func appendTuple(dst []byte, id topology.ObjectID, version topology.Int) []byte {
	if id.IsDefined() {
		dst = id.AppendHex(dst)
	} else {
		dst = str.Append(dst, "null")
	}
	dst = str.Append(dst, ", ")
	if v, ok := version.Get(); ok {
		return decimal.Append(dst, v)
	}
	return str.Append(dst, "null")
}

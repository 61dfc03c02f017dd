package selection

import (
	"math"
	"math/bits"

	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// CheckMaxStaleness returns an error with code status.MaxStalenessTooSmall when a
// replica set does not allow this maximum at this heartbeat. Other topologies
// allow any.
//
// Max Staleness specification, "Smallest allowed value for maxStalenessSeconds".
func CheckMaxStaleness(t topology.Type, m readpref.MaxStaleness, heartbeatFrequencyMS int64) error {
	seconds, ok := m.Seconds()
	if !ok || !t.IsReplicaSet() {
		return nil
	}
	smallest := readpref.SmallestMaxStaleness(heartbeatFrequencyMS)
	if seconds >= smallest {
		return nil
	}
	return &status.Error{
		Code: status.MaxStalenessTooSmall,
		Message: "maxStalenessSeconds " + decimal.String(seconds) + " is too small: this topology allows " +
			decimal.String(smallest) + " or more (90, and heartbeatFrequencyMS " +
			decimal.String(heartbeatFrequencyMS) + " + 10 s)",
		Path:           "readPreference.maxStalenessSeconds",
		MinimumSeconds: smallest,
	}
}

// StalenessReference is what secondaries are measured against: the primary, or
// the secondary with the greatest lastWriteDate.
type StalenessReference struct {
	Server      int32 // index; -1 when there is none
	WithPrimary bool  // which of the two formulas

	updateMS, writeMS int64
}

// NewStalenessReference finds the reference in the whole topology: servers that
// are deprioritized, or that no tag set matches, count too. A primary without a
// lastWriteDate leaves the formula without primary.
//
// Max Staleness specification, "Client".
func NewStalenessReference(t *topology.Description) StalenessReference {
	if p := t.Primary(); p >= 0 {
		if w, ok := t.Servers[p].LastWriteDate.UnixMS(); ok {
			return StalenessReference{Server: int32(p), WithPrimary: true, updateMS: t.Servers[p].LastUpdateTimeMS, writeMS: w}
		}
	}
	ref := StalenessReference{Server: -1}
	for i := range t.Servers {
		s := &t.Servers[i]
		if w, ok := s.LastWriteDate.UnixMS(); ok && s.Type == topology.RSSecondary && (ref.Server < 0 || w > ref.writeMS) {
			ref = StalenessReference{Server: int32(i), writeMS: w}
		}
	}
	return ref
}

// terms returns what adds up to the staleness of s: two numbers to add and two
// to subtract.
//
//	with primary P:  (S.lastUpdate - S.lastWrite) - (P.lastUpdate - P.lastWrite) + heartbeat
//	without:         SMax.lastWrite - S.lastWrite + heartbeat
func (r *StalenessReference) terms(s *topology.Server, write int64) (plus [2]int64, minus [2]int64) {
	if r.WithPrimary {
		return [2]int64{s.LastUpdateTimeMS, r.writeMS}, [2]int64{write, r.updateMS}
	}
	return [2]int64{r.writeMS, 0}, [2]int64{write, 0}
}

// StalenessMS returns a secondary's estimated staleness in milliseconds, which
// may be negative, cut off at the ends of int64. ok is false when s has no lastWriteDate.
func (r *StalenessReference) StalenessMS(s *topology.Server, heartbeatFrequencyMS int64) (ms int64, ok bool) {
	w, ok := s.LastWriteDate.UnixMS()
	if !ok || r.Server < 0 {
		return 0, false
	}
	return r.sum(s, w, heartbeatFrequencyMS).clamp(), true
}

func (r *StalenessReference) sum(s *topology.Server, write, heartbeatFrequencyMS int64) int128 {
	plus, minus := r.terms(s, write)
	return int128{}.add(plus[0]).add(plus[1]).sub(minus[0]).sub(minus[1]).add(heartbeatFrequencyMS)
}

// fresh reports whether the staleness of s is at most maxSeconds.
func (r *StalenessReference) fresh(s *topology.Server, heartbeatFrequencyMS, maxSeconds int64) bool {
	write, ok := s.LastWriteDate.UnixMS()
	if !ok || r.Server < 0 {
		return false
	}
	plus, minus := r.terms(s, write)
	if small(plus[0]) && small(plus[1]) && small(minus[0]) && small(minus[1]) && small(heartbeatFrequencyMS) && maxSeconds < 1<<48 {
		return plus[0]+plus[1]-minus[0]-minus[1]+heartbeatFrequencyMS <= maxSeconds*millisecondsPerSecond
	}
	return r.sum(s, write, heartbeatFrequencyMS).atMost(maxSeconds)
}

// small reports whether five such numbers add up within int64.
func small(v int64) bool { return uint64(v)+1<<59 < 1<<60 }

// Fresh appends to dst the servers of view that maxStalenessSeconds allows.
// Only secondaries have a staleness; a secondary whose lastWriteDate is unknown
// is not allowed, since nobody can say that it is fresh.
//
// Server Selection specification, "maxStalenessSeconds".
func Fresh(t *topology.Description, ref *StalenessReference, m readpref.MaxStaleness, heartbeatFrequencyMS int64, view, dst []int32) []int32 {
	seconds, limited := m.Seconds()
	if !limited {
		return append(dst, view...)
	}
	for _, i := range view {
		s := &t.Servers[i]
		if s.Type != topology.RSSecondary || ref.fresh(s, heartbeatFrequencyMS, seconds) {
			dst = append(dst, i)
		}
	}
	return dst
}

// int128 holds sums that dates at the ends of int64 would overflow.
type int128 struct {
	hi int64
	lo uint64
}

func (a int128) add(v int64) int128 {
	lo, carry := bits.Add64(a.lo, uint64(v), 0)
	return int128{a.hi + v>>63 + int64(carry), lo}
}

func (a int128) sub(v int64) int128 {
	lo, borrow := bits.Sub64(a.lo, uint64(v), 0)
	return int128{a.hi - v>>63 - int64(borrow), lo}
}

func (a int128) less(b int128) bool {
	if a.hi != b.hi {
		return a.hi < b.hi
	}
	return a.lo < b.lo
}

// atMost reports whether a, in milliseconds, is at most seconds ≥ 0.
func (a int128) atMost(seconds int64) bool {
	hi, lo := bits.Mul64(uint64(seconds), millisecondsPerSecond)
	return !int128{int64(hi), lo}.less(a)
}

func (a int128) clamp() int64 {
	switch {
	case a.hi > 0 || a.hi == 0 && a.lo > math.MaxInt64:
		return math.MaxInt64
	case a.hi < -1 || a.hi == -1 && a.lo < 1<<63:
		return math.MinInt64
	}
	return int64(a.lo)
}

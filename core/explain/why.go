package explain

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/tag"
	"github.com/readpref/readpref/core/topology"
)

// AppendWhy appends why server i came as far as it did, as one line of text.
func (e *Explanation) AppendWhy(dst []byte, i int) []byte {
	t := e.Request.Topology
	s := &t.Servers[i]
	switch e.Stages[i] {
	case Type:
		return e.appendType(dst, s)
	case Deprioritized:
		if len(e.Result.Suitable) == 0 { // the custom selector kept none of them
			return str.Append(dst, "deprioritized, and others can serve the operation")
		}
		return str.Append(dst, "deprioritized, and others are suitable")
	case Mode:
		return e.appendMode(dst, s)
	case MaxStaleness:
		return e.appendStaleness(dst, s)
	case TagSets:
		return e.appendTagSets(dst, s)
	case CustomSelector:
		return str.Append(dst, "dropped by the custom selector")
	case LatencyWindow:
		return appendOutside(dst, s, e.Result.Window)
	case InLatencyWindow:
		dst = str.Append(dst, "in the latency window, not picked")
		return e.appendLoad(dst, s)
	case Selected:
		if len(e.Result.InLatencyWindow) == 1 {
			return str.Append(dst, "the only server in the latency window")
		}
		dst = str.Append(dst, "picked by ")
		dst = str.Append(dst, e.Pick.String())
		return e.appendLoad(dst, s)
	}
	return dst
}

func (e *Explanation) appendLoad(dst []byte, s *topology.Server) []byte {
	if e.Pick != selection.LeastBusyOfTwo {
		return dst
	}
	dst = str.Append(dst, " (operationCount ")
	dst = decimal.Append(dst, s.OperationCount)
	return str.AppendByte(dst, ')')
}

func (e *Explanation) appendType(dst []byte, s *topology.Server) []byte {
	if e.Request.Topology.Type == topology.Unknown {
		return str.Append(dst, "the topology type is Unknown: nothing can be selected yet")
	}
	if !s.Type.IsAvailable() {
		dst = str.Append(dst, "not available")
		if s.Error != "" {
			dst = str.Append(dst, ": ")
			dst = plain.Append(dst, s.Error)
		}
		return dst
	}
	dst = str.Append(dst, s.Type.String())
	dst = str.Append(dst, " serves nothing in topology type ")
	return str.Append(dst, e.Request.Topology.Type.String())
}

func (e *Explanation) appendMode(dst []byte, s *topology.Server) []byte {
	if e.Request.Operation == selection.Write {
		return str.Append(dst, "a write goes to the primary only")
	}
	if e.Request.Topology.Type == topology.ReplicaSetNoPrimary && s.Type == topology.RSPrimary {
		return str.Append(dst, "the topology has no primary")
	}
	dst = str.Append(dst, "mode ")
	dst = str.Append(dst, e.Result.Preference.Mode.String())
	own, other := selection.RoleSecondary, " uses the primary"
	never := " never uses a secondary"
	if s.Type == topology.RSPrimary {
		own, other, never = selection.RolePrimary, " uses the secondaries", " never uses the primary"
	}
	first, second := selection.Roles(e.Request.Topology.Type, e.Request.Operation, e.Result.Preference.Mode)
	if own != first && own != second && len(e.Result.Suitable) == 0 {
		return append(dst, never...)
	}
	return append(dst, other...)
}

func (e *Explanation) appendStaleness(dst []byte, s *topology.Server) []byte {
	seconds, _ := e.Result.Preference.MaxStaleness.Seconds()
	over, ok := e.OverMS(s)
	if _, known := e.StalenessMS(s); !ok && known { // beyond what int64 milliseconds tell
		return decimal.Append(str.Append(dst, "stale over maxStalenessSeconds "), seconds)
	}
	if !ok {
		dst = str.Append(dst, "staleness unknown: no lastWriteDate, maxStalenessSeconds ")
		return decimal.Append(dst, seconds)
	}
	dst = str.Append(dst, "stale by ")
	dst = appendSeconds(dst, over)
	dst = str.Append(dst, " s over maxStalenessSeconds ")
	return decimal.Append(dst, seconds)
}

// OverMS returns by how many milliseconds a secondary's staleness is over
// maxStalenessSeconds. ok is false when its staleness is unknown or there is no
// maximum.
func (e *Explanation) OverMS(s *topology.Server) (ms int64, ok bool) {
	seconds, limited := e.Result.Preference.MaxStaleness.Seconds()
	staleness, known := e.StalenessMS(s)
	if !limited || !known || seconds > 1<<48 {
		return 0, false
	}
	over := staleness - seconds*1000
	if over > staleness { // staleness is at the lower end of int64
		return 0, false
	}
	return over, true
}

// StalenessMS returns the estimated staleness of a secondary.
func (e *Explanation) StalenessMS(s *topology.Server) (ms int64, ok bool) {
	if s.Type != topology.RSSecondary {
		return 0, false
	}
	return e.Reference.StalenessMS(s, e.Request.Options.HeartbeatFrequencyMS)
}

func appendOutside(dst []byte, s *topology.Server, w selection.Window) []byte {
	if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
		dst = str.Append(dst, "RTT ")
		dst = topology.AppendMS(dst, ns)
		dst = str.Append(dst, " ms")
	} else {
		dst = str.Append(dst, "RTT not measured")
	}
	dst = str.Append(dst, ", window ends at ")
	dst = topology.AppendMS(dst, w.EndNS)
	return str.Append(dst, " ms")
}

// Miss is the first tag of a tag set that a server lacks.
type Miss struct {
	Set   int // index of the tag set
	Needs tag.Tag
	Has   string // the server's value of that tag
	Bare  bool   // the server has no tag of that name
}

// Misses calls yield for each tag set, up to eight, that does not match server
// i, and reports whether there were more.
func (e *Explanation) Misses(s *topology.Server, yield func(Miss)) (more bool) {
	shown := 0
	var index tag.Index
	index.Reset(s.Tags)
	for k, set := range e.Result.Preference.TagSets {
		needs, missing := index.Missing(set)
		if !missing {
			return false // this set matched others first, or the server itself
		}
		if shown == maxSetsShown {
			return true
		}
		shown++
		has, ok := s.Tags.Get(needs.Name)
		yield(Miss{Set: k, Needs: needs, Has: has, Bare: !ok})
	}
	return false
}

func (e *Explanation) appendTagSets(dst []byte, s *topology.Server) []byte {
	first := true
	more := e.Misses(s, func(m Miss) {
		if !first {
			dst = str.Append(dst, "; ")
		}
		first = false
		// As in paths, and as the document counts.
		dst = str.Append(dst, "tags[")
		dst = decimal.Append(dst, int64(m.Set))
		dst = str.Append(dst, "] needs ")
		dst = appendTag(dst, m.Needs)
		if m.Bare {
			dst = str.Append(dst, ", has no ")
			dst = plain.Append(dst, m.Needs.Name)
			return
		}
		dst = str.Append(dst, ", has ")
		dst = appendTag(dst, tag.Tag{Name: m.Needs.Name, Value: m.Has})
	})
	if more {
		dst = str.Append(dst, "; ...")
	}
	return dst
}

func appendTag(dst []byte, t tag.Tag) []byte {
	dst = plain.Append(dst, t.Name)
	dst = str.AppendByte(dst, '=')
	return plain.Append(dst, t.Value)
}

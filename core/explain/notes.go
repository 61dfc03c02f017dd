package explain

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// Note is something that people misread in a selection like this one.
type Note struct {
	Code    string // a stable camelCase name
	Message string
}

// Notes appends what there is to note.
func (e *Explanation) Notes(dst []Note) []Note {
	t, res := e.Request.Topology, e.Result
	asked := &e.Request.Preference
	add := func(is bool, code, message string) {
		if is {
			dst = append(dst, Note{code, message})
		}
	}
	plain := asked.Mode == readpref.Primary && !asked.MaxStaleness.IsDefined() && len(asked.TagSets) == 0
	add(!plain && !t.Type.IsReplicaSet() && t.Type != topology.Unknown, "readPreferenceIgnoredForSelection",
		"topology type "+t.Type.String()+": the read preference does not choose the server; it is sent to it where it has a meaning there")
	if !t.Type.IsReplicaSet() {
		return dst
	}
	add(!plain && e.Request.Operation == selection.Write, "readPreferenceIgnoredForWrite",
		"a write goes to the primary, whatever the read preference")
	add(!res.Preference.Equal(asked), "writeStageUsesPrimary",
		"$out and $merge run on the primary while an available server is older than MongoDB 5.0 (wire version 13)")

	last := &res.Passes[len(res.Passes)-1]
	filters := res.Preference.MaxStaleness.IsDefined() || len(res.Preference.TagSets) > 0
	add(e.Request.Operation != selection.Write && last.Role == selection.RolePrimary && filters && len(last.Tagged) > 0, "primaryNotFiltered",
		"tag sets and maxStalenessSeconds do not filter the primary in mode "+res.Preference.Mode.String())
	if res.Preference.MaxStaleness.IsDefined() && e.Request.Operation != selection.Write {
		missing := e.list(topology.RSSecondary, func(s *topology.Server) bool { return !s.LastWriteDate.IsDefined() })
		add(missing != "", "lastWriteDateMissing", "lastWriteDate missing on "+missing+": of unknown staleness, so not eligible")
		missing = e.list(topology.RSPrimary, func(s *topology.Server) bool { return !s.LastWriteDate.IsDefined() })
		add(missing != "" && !e.Reference.WithPrimary, "primaryLastWriteDateMissing",
			"lastWriteDate missing on the primary "+missing+": secondaries are measured against the freshest of them")
	}
	add(len(e.Request.Deprioritized) > 0 && !last.Deprioritized && len(res.Passes) > 0 && res.Passes[0].Deprioritized,
		"deprioritizedConsidered", "without the deprioritized servers nothing is suitable, so they were considered too")
	unmeasured := false
	for _, i := range res.Suitable {
		unmeasured = unmeasured || !t.Servers[i].RoundTripTime.IsDefined()
	}
	add(unmeasured && res.Window.Known, "roundTripTimeMissing", "a server whose round-trip time is not measured is outside the latency window")
	add(unmeasured && !res.Window.Known, "roundTripTimeMissing", "no suitable server's round-trip time is measured, so all are in the latency window")
	return dst
}

// list returns the addresses of the servers of a type that are so.
func (e *Explanation) list(of topology.ServerType, so func(*topology.Server) bool) string {
	var b []byte
	n := 0
	for i := range e.Request.Topology.Servers {
		s := &e.Request.Topology.Servers[i]
		if s.Type != of || !so(s) {
			continue
		}
		if n == maxErrorsShown {
			b = append(b, ", ..."...)
			break
		}
		if n > 0 {
			b = append(b, ", "...)
		}
		n++
		b = AppendPlain(b, s.Address)
	}
	return string(b)
}

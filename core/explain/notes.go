package explain

import (
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
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
	// Mode primary can have no parts that would be ignored.
	plain := asked.Mode == readpref.Primary
	if t.Type.IsReplicaSet() {
		e.replicaSetNotes(plain, add)
	} else {
		add(!plain && t.Type != topology.Unknown, "readPreferenceIgnoredForSelection",
			"topology type "+t.Type.String()+": the read preference does not choose the server; it is sent to it where it has a meaning there")
	}
	add(res.Passes[0].Deprioritized && !res.Passes[len(res.Passes)-1].Deprioritized,
		"deprioritizedConsidered", "without the deprioritized servers nothing is suitable, so they were considered too")
	unmeasured := false
	if t.Type.IsReplicaSet() || t.Type == topology.Sharded { // one server needs no round-trip time
		for _, i := range res.Suitable {
			unmeasured = unmeasured || !t.Servers[i].RoundTripTime.IsDefined()
		}
	}
	add(unmeasured && res.Window.Known, "roundTripTimeMissing", "a server whose round-trip time is not measured is outside the latency window")
	add(unmeasured && !res.Window.Known, "roundTripTimeMissing", "no suitable server's round-trip time is measured, so all are in the latency window")
	return dst
}

func (e *Explanation) replicaSetNotes(plain bool, add func(is bool, code, message string)) {
	res := e.Result
	write := e.Request.Operation == selection.Write
	add(!plain && write, "readPreferenceIgnoredForWrite", "a write goes to the primary, whatever the read preference")
	add(!plain && res.Preference.Mode == readpref.Primary, "writeStageUsesPrimary",
		"$out and $merge run on the primary while an available server is older than MongoDB 5.0 (wire version 13)")

	last := &res.Passes[len(res.Passes)-1]
	filters := !plain && (res.Preference.MaxStaleness.IsDefined() || len(res.Preference.TagSets) > 0)
	add(!write && last.Role == selection.RolePrimary && filters && len(last.Tagged) > 0, "primaryNotFiltered",
		"tag sets and maxStalenessSeconds do not filter the primary in mode "+res.Preference.Mode.String())
	if res.Preference.MaxStaleness.IsDefined() && !write {
		undated := func(s *topology.Server) bool { return !s.LastWriteDate.IsDefined() }
		missing := e.list(topology.RSSecondary, undated)
		add(missing != "", "lastWriteDateMissing", "lastWriteDate missing on "+missing+": of unknown staleness, so not eligible")
		missing = e.list(topology.RSPrimary, undated)
		add(missing != "" && !e.Reference.WithPrimary, "primaryLastWriteDateMissing",
			"lastWriteDate missing on the primary "+missing+": secondaries are measured against the freshest of them")
	}
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
			b = str.Append(b, ", ...")
			break
		}
		if n > 0 {
			b = str.Append(b, ", ")
		}
		n++
		b = plain.Append(b, s.Address)
	}
	return string(b)
}

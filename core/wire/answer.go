package wire

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// AppendSelection appends the answer of select for one topology. chosen is the
// index of the picked server, -1 for none.
func AppendSelection(dst []byte, r *selection.Request, res *selection.Result, chosen int32) []byte {
	dst = appendSelection(dst, r, res, chosen)
	return str.AppendByte(dst, '}')
}

func appendSelection(dst []byte, r *selection.Request, res *selection.Result, chosen int32) []byte {
	t := r.Topology
	dst = str.Append(dst, `{"server":`)
	if chosen >= 0 {
		s := &t.Servers[chosen]
		dst = appendCounted(dst, `{"index":`, int64(chosen))
		dst = appendNamed(dst, `,"address":`, s.Address)
		dst = appendNamed(dst, `,"type":`, s.Type.String())
		dst = str.AppendByte(dst, '}')
	} else {
		dst = str.Append(dst, "null")
	}
	dst = appendView(str.Append(dst, `,"candidates":`), t, res.Candidates)
	dst = appendView(str.Append(dst, `,"fresh":`), t, res.Fresh)
	dst = appendView(str.Append(dst, `,"suitable":`), t, res.Suitable)
	dst = appendView(str.Append(dst, `,"inLatencyWindow":`), t, res.InLatencyWindow)
	if r.Operation == selection.AggregateWithWriteStage {
		dst = AppendPreference(str.Append(dst, `,"effectiveReadPreference":`), &res.Preference)
	}
	if chosen < 0 {
		dst = appendNamed(dst, `,"reason":{"code":`, explain.WhyNone(r, res).String())
		dst = str.Append(dst, `,"message":`)
		dst = appendPlainText(dst, func(b []byte) []byte { return explain.AppendNone(b, r, res) })
		dst = str.AppendByte(dst, '}')
	}
	return appendWarnings(dst, &r.Preference, "readPreference.hedge")
}

// appendPlainText appends a text as a JSON string. The text is made behind dst
// and its string behind that, then moved to its place: nothing is allocated once
// dst is large enough.
func appendPlainText(dst []byte, text func([]byte) []byte) []byte {
	start := len(dst)
	dst = text(dst)
	end := len(dst)
	dst = AppendString(dst, alias(dst[start:end]))
	return append(dst[:start], dst[end:]...)
}

// appendView appends the addresses of a view.
func appendView(dst []byte, t *topology.Description, view []int32) []byte {
	dst = str.AppendByte(dst, '[')
	for n, i := range view {
		if n > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = AppendString(dst, t.Servers[i].Address)
	}
	return str.AppendByte(dst, ']')
}

// HedgeDeprecated is the code of the warning that a hedge document gives.
//
// Server Selection specification, "hedge".
const HedgeDeprecated = "hedgeDeprecated"

func appendWarnings(dst []byte, p *readpref.Preference, path string) []byte {
	if !p.Hedge.IsDefined() {
		return dst
	}
	dst = str.Append(dst, `,"warnings":[`)
	dst = appendWarning(dst, hedgeWarning(path))
	return str.AppendByte(dst, ']')
}

func hedgeWarning(path string) status.Warning {
	return status.Warning{Code: HedgeDeprecated, Message: "hedge is deprecated since MongoDB server 8.0 and will be removed", Path: path}
}

func appendWarning(dst []byte, w status.Warning) []byte {
	dst = appendNamed(dst, `{"code":`, w.Code)
	dst = appendNamed(dst, `,"message":`, w.Message)
	dst = appendNamed(dst, `,"path":`, w.Path)
	return str.AppendByte(dst, '}')
}

// AppendError appends an error document.
func AppendError(dst []byte, e *status.Error) []byte {
	dst = appendErrorFields(str.Append(dst, `{"error":`), e)
	return str.AppendByte(dst, '}')
}

func appendErrorFields(dst []byte, e *status.Error) []byte {
	message := e.Message
	if len(message) > maxMessageBytes {
		message = cutTo(message, maxMessageBytes)
	}
	dst = appendNamed(dst, `{"code":`, e.Code.String())
	dst = appendCounted(dst, `,"status":`, int64(e.Code))
	dst = appendNamed(dst, `,"message":`, message)
	dst = appendNamed(dst, `,"path":`, e.Path)
	if e.Code == status.MaxStalenessTooSmall {
		dst = appendCounted(dst, `,"minimumSeconds":`, e.MinimumSeconds)
	}
	return str.AppendByte(dst, '}')
}

// AppendExplanation appends the answer of explain: that of select, then each
// pass, each server with its stage and figures, notes, and all of it as text.
func AppendExplanation(dst []byte, e *explain.Explanation) []byte {
	r, res := e.Request, e.Result
	t := r.Topology
	dst = appendSelection(dst, r, res, e.Chosen)
	dst = str.Append(dst, `,"passes":[`)
	for i := range res.Passes {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = appendPass(dst, t, &res.Passes[i])
	}
	dst = str.AppendByte(dst, ']')
	if seconds, ok := res.Preference.MaxStaleness.Seconds(); ok && r.Operation != selection.Write && t.Type.IsReplicaSet() {
		formula := "withoutPrimary"
		if e.Reference.WithPrimary {
			formula = "withPrimary"
		}
		dst = appendNamed(dst, `,"staleness":{"formula":`, formula)
		dst = str.Append(dst, `,"reference":`)
		if e.Reference.Server >= 0 {
			dst = AppendString(dst, t.Servers[e.Reference.Server].Address)
		} else {
			dst = str.Append(dst, "null")
		}
		dst = appendCounted(dst, `,"heartbeatFrequencyMS":`, r.Options.HeartbeatFrequencyMS)
		dst = appendCounted(dst, `,"maxStalenessSeconds":`, seconds)
		dst = str.AppendByte(dst, '}')
	}
	if res.Window.Known {
		dst = topology.AppendMS(str.Append(dst, `,"latencyWindow":{"fastestMS":`), res.Window.FastestNS)
		dst = topology.AppendMS(str.Append(dst, `,"endMS":`), res.Window.EndNS)
		dst = str.AppendByte(dst, '}')
	}
	dst = str.Append(dst, `,"servers":[`)
	for i := range t.Servers {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		if dst = appendVerdict(dst, e, i); len(dst) > MaxAnswerBytes {
			return dst // too long to be an answer; whoever asked refuses it
		}
	}
	dst = str.Append(dst, `],"notes":[`)
	for i, n := range e.Notes(nil) {
		if i > 0 {
			dst = str.AppendByte(dst, ',')
		}
		dst = appendNamed(dst, `{"code":`, n.Code)
		dst = appendNamed(dst, `,"message":`, n.Message)
		dst = str.AppendByte(dst, '}')
	}
	dst = str.Append(dst, `],"text":`)
	dst = appendPlainText(dst, e.AppendText)
	return str.AppendByte(dst, '}')
}

func appendPass(dst []byte, t *topology.Description, p *selection.Pass) []byte {
	dst = appendNamed(dst, `{"role":`, p.Role.String())
	dst = str.AppendBool(str.Append(dst, `,"withoutDeprioritized":`), p.Deprioritized)
	dst = appendView(str.Append(dst, `,"candidates":`), t, p.Candidates)
	dst = appendView(str.Append(dst, `,"fresh":`), t, p.Fresh)
	dst = appendView(str.Append(dst, `,"tagged":`), t, p.Tagged)
	dst = str.Append(dst, `,"tagSet":`)
	if p.TagSet >= 0 && len(p.Tagged) > 0 {
		dst = appendInt(dst, int64(p.TagSet))
	} else {
		dst = str.Append(dst, "null")
	}
	return str.AppendByte(dst, '}')
}

// appendVerdict appends what became of one server, with the figures that
// decided.
func appendVerdict(dst []byte, e *explain.Explanation, i int) []byte {
	s := &e.Request.Topology.Servers[i]
	dst = appendCounted(dst, `{"index":`, int64(i))
	dst = appendNamed(dst, `,"address":`, s.Address)
	dst = appendNamed(dst, `,"type":`, s.Type.String())
	dst = appendNamed(dst, `,"stage":`, e.Stages[i].String())
	dst = str.Append(dst, `,"why":`)
	dst = appendPlainText(dst, func(b []byte) []byte { return e.AppendWhy(b, i) })
	if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
		dst = topology.AppendMS(str.Append(dst, `,"roundTripTimeMS":`), ns)
	}
	if e.Result.Preference.MaxStaleness.IsDefined() {
		if ms, ok := e.StalenessMS(s); ok {
			dst = appendCounted(dst, `,"stalenessMS":`, ms)
			if over, ok := e.OverMS(s); ok && e.Stages[i] == explain.MaxStaleness {
				dst = appendCounted(dst, `,"overMS":`, over)
			}
		}
	}
	if e.Stages[i] == explain.TagSets {
		dst = str.Append(dst, `,"tagSets":[`)
		first := true
		e.Misses(s, func(m explain.Miss) {
			if !first {
				dst = str.AppendByte(dst, ',')
			}
			first = false
			dst = appendCounted(dst, `{"set":`, int64(m.Set))
			dst = appendNamed(dst, `,"name":`, cutTag(m.Needs.Name))
			dst = appendNamed(dst, `,"needs":`, cutTag(m.Needs.Value))
			dst = str.Append(dst, `,"has":`)
			if m.Bare {
				dst = str.Append(dst, "null")
			} else {
				dst = AppendString(dst, cutTag(m.Has))
			}
			dst = str.AppendByte(dst, '}')
		})
		dst = str.AppendByte(dst, ']')
	}
	return str.AppendByte(dst, '}')
}

// maxTagBytes is how much of a tag an explanation repeats for each server.
const maxTagBytes = 200

func cutTag(s string) string { return cutTo(s, maxTagBytes) }

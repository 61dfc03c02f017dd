package wire

import (
	"github.com/readpref/readpref/core/diff"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// DiffRequest is a decoded request of diff. What After does not have is Question's.
type DiffRequest struct {
	Question
	After Question

	changed uint64 // the keys of afterKeys that After has
}

var diffKeys = []string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "format", "pick", "after"}

const (
	difPick = iota + queFormat + 1
	difAfter
)

var afterKeys = []string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "pick"}

const (
	aftTopology = iota
	aftWorkloads
	aftLocalThreshold
	aftHeartbeatFrequency
	aftWireVersions
	aftPick
)

// DiffRequest decodes {"topology", "workloads", "after", …}.
func (d *Decoder) DiffRequest(r *DiffRequest, in []byte) *status.Error {
	d.start(in)
	r.Question.reset()
	r.After.reset()
	r.changed = 0
	var f fields
	if !d.failed && d.object(&f, diffKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case difPick:
				d.requestKey(&r.Request, reqPick)
			case difAfter:
				d.after(r)
			default:
				d.questionKey(&r.Question, i)
			}
		}
		d.require(&f, 1<<queTopology|1<<queWorkloads|1<<difAfter)
	}
	return d.end()
}

func (d *Decoder) after(r *DiffRequest) {
	var f fields
	if !d.object(&f, afterKeys) {
		return
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		if i == aftPick {
			d.requestKey(&r.After.Request, reqPick)
		} else {
			d.questionKey(&r.After, i) // the keys before are the first of both
		}
	}
	if r.changed = f.given; r.changed == 0 {
		d.report(status.OutOfRange, f.at, "", "nothing is different after: give one of topology, workloads, localThresholdMS, heartbeatFrequencyMS, wireVersions, pick")
	}
}

// Sides returns what is compared. It borrows r.
func (r *DiffRequest) Sides() diff.Request {
	q := diff.Request{Format: r.Format, Before: diff.Side{Topology: &r.Topology, Workloads: r.Workloads, Options: r.Options, Pick: r.Pick}}
	q.After = q.Before
	has := func(key int) bool { return r.changed>>key&1 != 0 }
	if has(aftTopology) {
		q.After.Topology = &r.After.Topology
	}
	if has(aftWorkloads) {
		q.After.Workloads = r.After.Workloads
	}
	if has(aftLocalThreshold) {
		q.After.Options.LocalThresholdNS = r.After.Options.LocalThresholdNS
	}
	if has(aftHeartbeatFrequency) {
		q.After.Options.HeartbeatFrequencyMS = r.After.Options.HeartbeatFrequencyMS
	}
	if has(aftWireVersions) {
		q.After.Options.WireVersions = r.After.Options.WireVersions
	}
	if has(aftPick) {
		q.After.Pick = r.After.Pick
	}
	return q
}

// AppendDiff appends the answer of diff.
func AppendDiff(dst []byte, r *DiffRequest, q *diff.Request, res *diff.Result) []byte {
	dst = str.AppendBool(str.Append(dst, `{"changed":`), res.Changed())
	after := ""
	if r.changed>>aftWorkloads&1 != 0 {
		after = "after."
	}
	dst = str.Append(dst, `,"workloads":[`)
	for i := range res.Changes {
		b, a := &res.Before.Workloads[i], &res.After.Workloads[i]
		dst = str.Append(appendComma(dst, i), `{"before":`)
		dst = appendFate(dst, &q.Before.Workloads[i], b, i, "")
		dst = appendFate(str.Append(dst, `,"after":`), &q.After.Workloads[i], a, i, after)
		dst = appendCounted(dst, `,"failedChangePPM":`, a.FailedPPM-b.FailedPPM)
		if dst = appendChanges(dst, q, res, res.Changes[i]); len(dst) > MaxAnswerBytes {
			return dst // too long to be an answer; whoever asked refuses it
		}
	}
	dst = str.Append(dst, `],"servers":[`)
	for i, s := range res.Servers {
		dst = appendNamed(appendComma(dst, i), `{"address":`, s.Address(q))
		dst = appendDiffServer(str.Append(dst, `,"before":`), q.Before.Topology, res.Before, s.Before)
		dst = appendDiffServer(str.Append(dst, `,"after":`), q.After.Topology, res.After, s.After)
		dst = str.AppendByte(appendGain(dst, res, s.Before, s.After), '}')
	}
	n, m := len(q.Before.Topology.Servers), len(q.After.Topology.Servers)
	dst = appendLoad(str.Append(dst, `],"failed":{"before":{`), res.Before, n)
	dst = appendLoad(str.Append(dst, `,"after":{`), res.After, m)
	dst = str.Append(appendGain(dst, res, n, m), `},"text":`)
	dst = appendPlainText(dst, func(b []byte) []byte { return res.AppendText(b, q) })
	return str.AppendByte(dst, '}')
}

// appendFate appends what a workload is on one side, and what becomes of it.
// side begins the path of a warning.
func appendFate(dst []byte, w *workload.Workload, o *simulate.Outcome, i int, side string) []byte {
	dst = appendWorkload(dst, w, i)
	dst = appendCounted(dst, `,"failedPPM":`, o.FailedPPM)
	dst = appendMSOrNull(str.Append(dst, `,"roundTripTimeMS":`), o.RoundTripTime)
	dst = appendReason(dst, &o.Outcome)
	if w.Operation != selection.Write {
		dst = appendWarnings(dst, &w.Preference, side+workloadPath(i, "readPreference.hedge"))
	}
	return str.AppendByte(dst, '}')
}

// appendChanges appends the servers whose share of a workload changes, and
// closes the object.
func appendChanges(dst []byte, q *diff.Request, res *diff.Result, changes []diff.Change) []byte {
	dst = str.Append(dst, `,"servers":[`)
	for i := range changes {
		c := &changes[i]
		dst = appendNamed(appendComma(dst, i), `{"address":`, res.Servers[c.Server].Address(q))
		dst = appendReasonOf(str.Append(dst, `,"before":{`), res, &c.Before)
		dst = appendReasonOf(str.Append(dst, `,"after":{`), res, &c.After)
		dst = appendCounted(dst, `,"changePPM":`, c.After.SharePPM-c.Before.SharePPM)
		if dst = str.AppendByte(dst, '}'); len(dst) > MaxAnswerBytes {
			return dst
		}
	}
	return str.Append(dst, "]}")
}

func appendReasonOf(dst []byte, res *diff.Result, r *diff.Reason) []byte {
	dst = appendCounted(dst, `"sharePPM":`, r.SharePPM)
	dst = str.Append(dst, `,"stage":`)
	if r.Staged {
		dst = AppendString(dst, r.Stage.String())
	} else {
		dst = str.Append(dst, "null")
	}
	return str.AppendByte(appendNamed(dst, `,"why":`, alias(res.Why(r))), '}')
}

// appendDiffServer appends a server as one side has it, or null.
func appendDiffServer(dst []byte, t *topology.Description, res *simulate.Result, i int) []byte {
	if i < 0 {
		return str.Append(dst, "null")
	}
	dst = appendCounted(dst, `{"index":`, int64(i))
	dst = appendNamed(dst, `,"type":`, t.Servers[i].Type.String())
	return appendLoad(str.AppendByte(dst, ','), res, i)
}

// appendGain appends what a server has more after than before of each kind.
func appendGain(dst []byte, res *diff.Result, before, after int) []byte {
	dst = appendCounted(dst, `,"change":{"readsPPM":`, diff.At(res.After.Reads, after)-diff.At(res.Before.Reads, before))
	dst = appendCounted(dst, `,"writesPPM":`, diff.At(res.After.Writes, after)-diff.At(res.Before.Writes, before))
	dst = appendCounted(dst, `,"operationsPPM":`, diff.At(res.After.All, after)-diff.At(res.Before.All, before))
	return str.AppendByte(dst, '}')
}

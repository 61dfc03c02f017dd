package wire

import (
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// Question is what the requests of operators' methods share: a topology, what is
// done to it, and how the answer's text is written.
type Question struct {
	Request   // its topology, options, pick and seed
	Workloads []workload.Workload
	Format    table.Format
}

// questionKeys begin the keys of every such request.
var questionKeys = [...]string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "format"}

const (
	queTopology = iota
	queWorkloads
	queFormat = len(questionKeys) - 1
)

// questionToRequest maps questionKeys to the keys of a selection's request.
var questionToRequest = [...]int{queWorkloads + 1: reqLocalThreshold, reqHeartbeatFrequency, reqWireVersions}

// Asked returns what is asked about, which borrows q.
func (q *Question) Asked() workload.Question {
	return workload.Question{Topology: &q.Topology, Workloads: q.Workloads, Options: q.Options, Format: q.Format}
}

func (q *Question) reset() {
	q.Request.reset()
	q.Workloads, q.Format = nil, 0
}

func (d *Decoder) questionKey(q *Question, key int) {
	switch key {
	case queTopology:
		d.servedTopology(&q.Request)
	case queWorkloads:
		q.Workloads = d.workloads()
	case queFormat:
		i, _ := d.name(table.FormatNames[:], status.UnknownValue, "format")
		q.Format = table.Format(i)
	default:
		d.requestKey(&q.Request, questionToRequest[key])
	}
}

// servedTopology reads a topology of at least one server and no more than
// operators ask about.
func (d *Decoder) servedTopology(r *Request) {
	d.peek()
	off := d.pos
	d.requestKey(r, reqTopology)
	switch n := len(r.Topology.Servers); {
	case n == 0:
		d.report(status.OutOfRange, off, "servers", "a topology without servers serves nothing")
	case n > workload.MaxServers:
		d.report(status.LimitExceeded, off, "servers", "more than 1024 servers")
	}
}

func (d *Decoder) workloads() (list []workload.Workload) {
	off := d.pos
	if !d.list("workloads") {
		return nil
	}
	for d.more(']') {
		if !d.room(len(list), workload.MaxWorkloads, "more than 100 workloads") {
			return nil
		}
		list = append(list, workload.Workload{Weight: 1})
		d.workload(&list[len(list)-1])
	}
	if len(list) == 0 {
		d.report(status.OutOfRange, off, "", "there is no workload")
	}
	return list
}

var workloadKeys = []string{"name", "readPreference", "operation", "weight", "writesBack", "transaction"}

func (d *Decoder) workload(w *workload.Workload) {
	var f fields
	if !d.object(&f, workloadKeys) {
		return
	}
	for i := d.next(&f); i >= 0; i = d.next(&f) {
		switch i {
		case 0:
			w.Name, _ = d.text()
		case 1:
			d.preference(&w.Preference)
		case 2:
			op, _ := d.name(selection.OperationNames[:], status.UnknownValue, "operation")
			w.Operation = selection.Operation(op)
		case 3:
			w.Weight, _ = d.integer(1, workload.MaxWeight)
		case 4:
			w.WritesBack, _ = d.boolean()
		case 5:
			w.Transaction, _ = d.boolean()
		}
	}
}

// serverOf returns the index of the server with an address, in any spelling.
func serverOf(t *topology.Description, address string) (int, bool) {
	key := topology.KeyOfAddress(address)
	for i := range t.Servers {
		if topology.KeyOfAddress(t.Servers[i].Address).Compare(key) == 0 {
			return i, true
		}
	}
	return 0, false
}

const noSuchServer = "the topology has no server of this address"

// appendWorkload appends the keys of a workload, as it was asked about, and
// leaves the object open.
func appendWorkload(dst []byte, w *workload.Workload, i int) []byte {
	dst = str.Append(dst, `{"name":`)
	if w.Name != "" {
		dst = AppendString(dst, w.Name)
	} else {
		dst = AppendString(dst, alias(w.AppendName(nil, i)))
	}
	dst = appendNamed(dst, `,"operation":`, w.Operation.String())
	dst = AppendPreference(str.Append(dst, `,"readPreference":`), &w.Preference)
	return appendCounted(dst, `,"weight":`, w.Weight)
}

// appendReason appends why an operation finds no server.
func appendReason(dst []byte, o *workload.Outcome) []byte {
	if o.Code == "" {
		return dst
	}
	dst = appendNamed(dst, `,"reason":{"code":`, o.Code)
	return str.AppendByte(appendNamed(dst, `,"message":`, o.Message), '}')
}

// appendServerName appends which server something is about, and leaves the
// object open.
func appendServerName(dst []byte, t *topology.Description, i int) []byte {
	dst = appendCounted(dst, `{"index":`, int64(i))
	return appendNamed(dst, `,"address":`, t.Servers[i].Address)
}

// workloadPath is the path of a part of the i-th workload.
func workloadPath(i int, part string) string {
	return "workloads[" + decimal.String(int64(i)) + "]." + part
}

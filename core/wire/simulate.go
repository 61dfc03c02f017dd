package wire

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/workload"
)

// SimulateRequest is a decoded request of simulate.
type SimulateRequest struct {
	Question
	Picks        int64
	Clients      int
	ServiceTimes []int64 // nanoseconds, by server; nil where none are given
	State        string
}

var simulateKeys = []string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "format",
	"pick", "seed", "picks", "clients", "serviceTimesMS", "state"}

const (
	simPick = iota + queFormat + 1
	simSeed
	simPicks
	simClients
	simServiceTimes
	simState
	simCount
)

// serviceTime is a service time before the server is known that it belongs to.
type serviceTime struct {
	address string
	off     int
	ns      int64
}

// SimulateRequest decodes {"topology", "workloads", "picks", …}.
func (d *Decoder) SimulateRequest(r *SimulateRequest, in []byte) *status.Error {
	d.start(in)
	r.Question.reset()
	r.Picks, r.Clients, r.ServiceTimes, r.State = 0, 0, nil, ""
	var f fields
	var keyAt [simCount]int
	var times []serviceTime
	if !d.failed && d.object(&f, simulateKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			keyAt[i] = d.key
			switch i {
			case simPick:
				d.requestKey(&r.Request, reqPick)
			case simSeed:
				d.requestKey(&r.Request, reqSeed)
			case simPicks:
				r.Picks, _ = d.integer(1, simulate.MaxPicks)
			case simClients:
				n, _ := d.integer(1, simulate.MaxClients)
				r.Clients = int(n)
			case simServiceTimes:
				times = d.serviceTimes()
			case simState:
				r.State, _ = d.text()
			default:
				d.questionKey(&r.Question, i)
			}
		}
		d.require(&f, 1<<queTopology|1<<queWorkloads)
		d.needs(&f, &keyAt, simClients, simPicks)
		d.needs(&f, &keyAt, simServiceTimes, simClients)
		d.needs(&f, &keyAt, simState, simPicks)
		d.assignServiceTimes(r, times)
	}
	return d.end()
}

// needs reports a key that says nothing without another.
func (d *Decoder) needs(f *fields, keyAt *[simCount]int, key, other int) {
	if f.given>>key&1 != 0 && f.given>>other&1 == 0 {
		d.report(status.UnknownKey, keyAt[key], "", quote(f.names[key])+" goes with "+quote(f.names[other]))
	}
}

func (d *Decoder) serviceTimes() (list []serviceTime) {
	if d.peek() != '{' {
		d.wrongType("an object of milliseconds")
		return nil
	}
	d.open()
	mark := len(d.keys)
	for {
		address, ok := d.nextKey()
		if !ok {
			break
		}
		if len(list) == workload.MaxServers {
			d.fail(status.LimitExceeded, d.key, "more than 1024 servers")
			return nil
		}
		d.keys = append(d.keys, seenKey{address, d.key})
		s := serviceTime{address: address, off: d.key}
		d.peek()
		off := d.pos
		if s.ns, ok = d.decimalMS(); ok && s.ns > simulate.MaxServiceTimeNS {
			d.report(status.OutOfRange, off, "", "expected milliseconds from 0 to 60000")
		}
		list = append(list, s)
	}
	d.checkDuplicates(d.keys[mark:])
	d.keys = d.keys[:mark]
	return list
}

// assignServiceTimes finds the servers that the service times belong to.
func (d *Decoder) assignServiceTimes(r *SimulateRequest, times []serviceTime) {
	if d.failed || len(times) == 0 {
		return
	}
	r.ServiceTimes = make([]int64, len(r.Topology.Servers))
	given := make([]bool, len(r.Topology.Servers))
	for _, s := range times {
		i, ok := serverOf(&r.Topology, s.address)
		switch {
		case !ok:
			d.report(status.OutOfRange, s.off, "", noSuchServer)
			return
		case given[i]:
			d.report(status.DuplicateAddress, s.off, "", "another key names this server already")
			return
		}
		r.ServiceTimes[i], given[i] = s.ns, true
	}
}

// AppendSimulation appends the answer of simulate.
func AppendSimulation(dst []byte, r *simulate.Request, res *simulate.Result) []byte {
	t := r.Topology
	dst = str.Append(dst, `{"picks":`)
	if res.Exact {
		dst = str.Append(dst, "null")
	} else {
		dst = appendInt(dst, res.Picks)
	}
	dst = str.Append(dst, `,"workloads":[`)
	for i := range res.Workloads {
		dst = appendComma(dst, i)
		if dst = appendShares(dst, r, res, i); len(dst) > MaxAnswerBytes {
			return dst // too long to be an answer; whoever asked refuses it
		}
	}
	dst = str.Append(dst, `],"servers":[`)
	for i := range t.Servers {
		dst = appendServerName(appendComma(dst, i), t, i)
		dst = appendNamed(dst, `,"type":`, t.Servers[i].Type.String())
		dst = str.AppendByte(dst, ',')
		dst = appendLoad(dst, res, i)
	}
	dst = appendLoad(str.Append(dst, `],"failed":{`), res, len(t.Servers))
	if !res.Exact {
		dst = appendNamed(dst, `,"state":`, res.State)
	}
	dst = str.Append(dst, `,"text":`)
	dst = appendPlainText(dst, func(b []byte) []byte { return res.AppendText(b, r) })
	return str.AppendByte(dst, '}')
}

func appendLoad(dst []byte, res *simulate.Result, i int) []byte {
	dst = appendCounted(dst, `"readsPPM":`, res.Reads[i])
	dst = appendCounted(dst, `,"writesPPM":`, res.Writes[i])
	dst = appendCounted(dst, `,"operationsPPM":`, res.All[i])
	return str.AppendByte(dst, '}')
}

// appendShares appends where the operations of one workload went.
func appendShares(dst []byte, r *simulate.Request, res *simulate.Result, i int) []byte {
	w, o := &r.Workloads[i], &res.Workloads[i]
	dst = appendWorkload(dst, w, i)
	dst = str.Append(dst, `,"servers":[`)
	for k, server := range o.Window {
		dst = appendServerName(appendComma(dst, k), r.Topology, int(server))
		if !res.Exact {
			dst = appendCounted(dst, `,"picks":`, o.Picks[k])
		}
		dst = appendCounted(dst, `,"sharePPM":`, o.SharesPPM[k])
		if dst = str.AppendByte(dst, '}'); len(dst) > MaxAnswerBytes {
			return dst
		}
	}
	dst = str.AppendByte(dst, ']')
	if !res.Exact {
		dst = appendCounted(dst, `,"failed":`, o.Failed)
	}
	dst = appendCounted(dst, `,"failedPPM":`, o.FailedPPM)
	dst = appendMSOrNull(str.Append(dst, `,"roundTripTimeMS":`), o.RoundTripTime)
	dst = appendReason(dst, &o.Outcome)
	if w.Operation != selection.Write {
		dst = appendWarnings(dst, &w.Preference, workloadPath(i, "readPreference.hedge"))
	}
	return str.AppendByte(dst, '}')
}

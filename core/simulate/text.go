package simulate

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/decimal"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
)

// AppendText appends the result for people: what was simulated, the share of
// each server, and where each workload went.
func (res *Result) AppendText(dst []byte, r *Request) []byte {
	dst = res.appendHead(dst, r)
	dst = str.AppendByte(dst, '\n')
	dst = res.appendServers(dst, r)
	dst = str.AppendByte(dst, '\n')
	dst = res.appendWorkloads(dst, r)
	dst = str.AppendByte(dst, '\n')
	return res.appendAverages(dst, r)
}

func (res *Result) appendHead(dst []byte, r *Request) []byte {
	l := table.NewList(r.Format)
	l.Say("topology")
	l.Buf = explain.AppendTopology(l.Buf, r.Topology)
	l.End()
	l.Say("pick")
	l.Say(r.Pick.String())
	l.Say("shares")
	if res.Exact {
		l.Say("exact, for one client")
		return l.Append(dst)
	}
	l.Buf = decimal.Append(str.Append(l.Buf, "of "), res.Picks)
	l.Buf = decimal.AppendUint(str.Append(l.Buf, " picks, seed "), r.Seed)
	if r.Clients > 0 {
		l.Buf = decimal.Append(str.Append(l.Buf, ", clients "), int64(r.Clients))
	}
	l.End()
	return l.Append(dst)
}

func (res *Result) appendServers(dst []byte, r *Request) []byte {
	t := table.New(r.Format, "server", "type", "reads", "writes", "all")
	row := func(i int) {
		for _, column := range [...][]int64{res.Reads, res.Writes, res.All} {
			t.Buf = table.AppendPercent(t.Buf, column[i])
			t.End()
		}
	}
	n := len(r.Topology.Servers)
	for i := range n {
		s := &r.Topology.Servers[i]
		t.Buf = plain.Append(t.Buf, s.Address)
		t.End()
		t.Say(s.Type.String())
		row(i)
	}
	if res.All[n] > 0 {
		t.Say("no server")
		t.Say("")
		row(n)
	}
	return t.Append(dst)
}

func (res *Result) appendWorkloads(dst []byte, r *Request) []byte {
	t := table.New(r.Format, "workload", "operation", "weight", "share", "server", "RTT ms")
	for i := range res.Workloads {
		w, o := &r.Workloads[i], &res.Workloads[i]
		begin := func() {
			t.Buf = w.AppendName(t.Buf, i)
			t.End()
			t.Say(w.Operation.String())
			t.Buf = decimal.Append(t.Buf, w.Weight)
			t.End()
		}
		for k, server := range o.Window {
			s := &r.Topology.Servers[server]
			begin()
			t.Buf = table.AppendPercent(t.Buf, o.SharesPPM[k])
			t.End()
			t.Buf = plain.Append(t.Buf, s.Address)
			t.End()
			if ns, ok := s.RoundTripTime.Nanoseconds(); ok {
				t.Buf = topology.AppendMS(t.Buf, ns)
			} else {
				t.Buf = str.AppendByte(t.Buf, '-')
			}
			t.End()
		}
		if len(o.Window) == 0 {
			begin()
			t.Buf = table.AppendPercent(t.Buf, o.FailedPPM)
			t.End()
			t.Say("none")
			t.Say("-")
		}
	}
	return t.Append(dst)
}

// appendAverages appends a line for each workload: its read preference and its
// average round-trip time, or why it fails.
func (res *Result) appendAverages(dst []byte, r *Request) []byte {
	l := table.NewList(r.Format)
	for i := range res.Workloads {
		w, o := &r.Workloads[i], &res.Workloads[i]
		l.Buf = w.AppendName(l.Buf, i)
		l.End()
		l.Buf = w.AppendPreference(l.Buf)
		if o.Code != "" {
			l.Buf = str.Append(str.Append(l.Buf, ": "), o.Message)
		} else if ns, ok := o.RoundTripTime.Nanoseconds(); ok {
			l.Buf = topology.AppendMS(str.Append(l.Buf, ": on average RTT "), ns)
			l.Buf = str.Append(l.Buf, " ms")
		} else {
			l.Buf = str.Append(l.Buf, ": no RTT is known")
		}
		l.End()
	}
	return l.Append(dst)
}

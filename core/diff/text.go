package diff

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/table"
	"github.com/readpref/readpref/core/topology"
	"github.com/readpref/readpref/core/workload"
)

// AppendText appends the result for people: what is compared, what each server
// gains or loses, and why, workload by workload.
func (res *Result) AppendText(dst []byte, r *Request) []byte {
	dst = res.appendHead(dst, r)
	dst = res.appendServers(str.AppendByte(dst, '\n'), r)
	dst = str.AppendByte(dst, '\n')
	if !res.Changed() {
		return str.Append(dst, "no share changes\n")
	}
	return res.appendChanges(dst, r)
}

func (res *Result) appendHead(dst []byte, r *Request) []byte {
	l := table.NewList(r.Format)
	l.Say("topology")
	sayBoth(l, string(explain.AppendTopology(nil, r.Before.Topology)), string(explain.AppendTopology(nil, r.After.Topology)))
	l.Say("pick")
	sayBoth(l, r.Before.Pick.String(), r.After.Pick.String())
	l.Say("shares")
	l.Say("exact, for one client")
	for i := range r.Before.Workloads {
		w := &r.Before.Workloads[i]
		l.Say(string(w.AppendName(nil, i)))
		sayBoth(l, fate(w, &res.Before.Workloads[i]), fate(&r.After.Workloads[i], &res.After.Workloads[i]))
	}
	return l.Append(dst)
}

// sayBoth fills a cell with what was before and what is after, once where they
// are the same.
func sayBoth(t *table.Table, before, after string) {
	if before != after {
		before += " -> " + after
	}
	t.Say(before)
}

// fate says what a workload is, and what becomes of it.
func fate(w *workload.Workload, o *simulate.Outcome) string {
	text := "write"
	if w.Operation != selection.Write {
		text = string(w.AppendPreference(nil))
	}
	if o.Code != "" {
		return text + ", FAILS: " + o.Code
	}
	if ns, ok := o.RoundTripTime.Nanoseconds(); ok {
		return text + ", RTT " + string(topology.AppendMS(nil, ns)) + " ms"
	}
	return text
}

// Address returns the address of a server of either side.
//
//go:noinline
func (s Server) Address(r *Request) string {
	if s.Before >= 0 {
		return r.Before.Topology.Servers[s.Before].Address
	}
	return r.After.Topology.Servers[s.After].Address
}

// At returns the share of a server of a side, 0 where that side does not have it.
//
//go:noinline
func At(shares []int64, server int) int64 {
	if server < 0 {
		return 0
	}
	return shares[server]
}

func (res *Result) appendServers(dst []byte, r *Request) []byte {
	writes := hasWrites(&r.Before) || hasWrites(&r.After)
	headings := []string{"server", "reads before", "reads after", "reads change"}
	if writes {
		headings = append(headings, "writes before", "writes after", "writes change")
	}
	t := table.New(r.Format, headings...)
	row := func(before, after int) {
		appendShares(t, At(res.Before.Reads, before), At(res.After.Reads, after))
		if writes {
			appendShares(t, At(res.Before.Writes, before), At(res.After.Writes, after))
		}
	}
	for _, s := range res.Servers {
		t.Buf = plain.Append(t.Buf, s.Address(r))
		t.End()
		row(s.Before, s.After)
	}
	before, after := len(r.Before.Topology.Servers), len(r.After.Topology.Servers)
	if res.Before.All[before] > 0 || res.After.All[after] > 0 {
		t.Say("no server")
		row(before, after)
	}
	return t.Append(dst)
}

func hasWrites(s *Side) bool {
	for i := range s.Workloads {
		if s.Workloads[i].Operation == selection.Write {
			return true
		}
	}
	return false
}

// appendShares fills three cells.
func appendShares(t *table.Table, before, after int64) {
	t.Buf = table.AppendPercent(t.Buf, before)
	t.End()
	t.Buf = table.AppendPercent(t.Buf, after)
	t.End()
	t.Buf = table.AppendChange(t.Buf, after-before)
	t.End()
}

// appendChanges appends the servers whose shares of a workload change, and why.
func (res *Result) appendChanges(dst []byte, r *Request) []byte {
	t := table.New(r.Format, "workload", "server", "before", "after", "change", "why before -> why after")
	for i, changes := range res.Changes {
		name := string(r.Before.Workloads[i].AppendName(nil, i))
		for k := range changes {
			c := &changes[k]
			t.Say(name)
			t.Buf = plain.Append(t.Buf, res.Servers[c.Server].Address(r))
			t.End()
			appendShares(t, c.Before.SharePPM, c.After.SharePPM)
			t.Say(string(res.Why(&c.Before)) + " -> " + string(res.Why(&c.After)))
		}
		before, after := &res.Before.Workloads[i], &res.After.Workloads[i]
		if before.FailedPPM != after.FailedPPM {
			t.Say(name)
			t.Say("no server")
			appendShares(t, before.FailedPPM, after.FailedPPM)
			t.Say(found(before) + " -> " + found(after))
		}
	}
	return t.Append(dst)
}

// found says why operations find no server, or that they find one.
func found(o *simulate.Outcome) string {
	if o.Code == "" {
		return "a server is found"
	}
	return o.Message
}

package whatif

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/plain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/table"
)

// AppendName appends what happened, for people.
func (s *Scenario) AppendName(dst []byte) []byte {
	for i := range s.Events {
		if i > 0 {
			dst = str.Append(dst, " and ")
		}
		dst = s.Events[i].AppendText(dst)
	}
	return dst
}

// AppendText appends the result for people: the preferences, and a table of
// events and workloads.
func (res *Result) AppendText(dst []byte, r *Request) []byte {
	l := table.NewList(r.Format)
	l.Say("topology")
	l.Buf = explain.AppendTopology(l.Buf, r.Topology)
	l.End()
	headings := []string{"event", "primary"}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		name := string(w.AppendName(nil, i))
		headings = append(headings, name)
		l.Say(name)
		l.Buf = w.AppendPreference(l.Buf)
		l.End()
	}
	dst = str.AppendByte(l.Append(dst), '\n')

	t := table.New(r.Format, headings...)
	t.Say("none")
	before := Scenario{Primary: r.Topology.Primary()}
	before.appendPrimary(t, r)
	for i := range res.Before {
		o := Outcome{Outcome: res.Before[i]}
		if o.Code != "" {
			o.Status = Fails
		}
		o.appendCell(t, r, &before)
	}
	for i := range res.Scenarios {
		s := &res.Scenarios[i]
		t.Buf = s.AppendName(t.Buf)
		t.End()
		s.appendPrimary(t, r)
		for k := range s.Outcomes {
			s.Outcomes[k].appendCell(t, r, s)
		}
	}
	return t.Append(dst)
}

func (s *Scenario) appendPrimary(t *table.Table, r *Request) {
	switch {
	case s.Primary >= 0:
		t.Buf = plain.Append(t.Buf, s.Address(r, s.Primary))
	case s.Phase == NoPrimary:
		t.Buf = str.Append(t.Buf, "none until an election")
	case s.Phase == NoMajority:
		t.Buf = str.Append(t.Buf, "none: no majority")
	default:
		t.Buf = str.AppendByte(t.Buf, '-')
	}
	t.End()
}

const maxShown = 4 // servers in a cell, tags of an event

func (o *Outcome) appendCell(t *table.Table, r *Request, s *Scenario) {
	if o.Status == Fails {
		t.Buf = str.Append(str.Append(t.Buf, "FAILS: "), o.Code)
		t.End()
		return
	}
	if o.Status == Degraded {
		t.Buf = str.Append(t.Buf, "degraded (")
		first := true
		o.Reasons(func(name string) {
			if !first {
				t.Buf = str.Append(t.Buf, ", ")
			}
			first = false
			t.Buf = str.Append(t.Buf, name)
		})
		t.Buf = str.Append(t.Buf, "): ")
	}
	for k, i := range o.Window {
		if k > 0 {
			t.Buf = str.Append(t.Buf, ", ")
		}
		if k == maxShown {
			t.Buf = str.Append(t.Buf, "...")
			break
		}
		t.Buf = plain.Append(t.Buf, s.Address(r, int(i)))
	}
	t.End()
}

// Reasons calls yield for each name of Why.
func (o *Outcome) Reasons(yield func(string)) {
	for i, name := range WhyNames {
		if o.Why>>i&1 != 0 {
			yield(name)
		}
	}
}

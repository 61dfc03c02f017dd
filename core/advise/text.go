package advise

import (
	"github.com/readpref/readpref/core/explain"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/table"
)

// AppendText appends the findings for people.
func AppendText(dst []byte, r *Request, findings []Finding) []byte {
	l := table.NewList(r.Format)
	l.Say("topology")
	l.Buf = explain.AppendTopology(l.Buf, r.Topology)
	l.End()
	for i := range r.Workloads {
		w := &r.Workloads[i]
		l.Buf = w.AppendName(l.Buf, i)
		l.End()
		l.Buf = w.AppendPreference(l.Buf)
		l.End()
	}
	dst = str.AppendByte(l.Append(dst), '\n')
	if len(findings) == 0 {
		return str.Append(dst, "nothing to advise\n")
	}
	t := table.New(r.Format, "severity", "about", "code", "what", "advice")
	for i := range findings {
		f := &findings[i]
		t.Say(SeverityNames[f.Severity])
		if f.Workload >= 0 {
			t.Buf = r.Workloads[f.Workload].AppendName(t.Buf, f.Workload)
		} else {
			t.Buf = str.Append(t.Buf, "deployment")
		}
		t.End()
		t.Say(f.Code)
		t.Say(f.Message)
		t.Say(f.Fix)
	}
	return t.Append(dst)
}

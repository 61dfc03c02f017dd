package wire

import (
	"github.com/readpref/readpref/core/advise"
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/status"
)

// AdviseRequest is a decoded request of advise.
type AdviseRequest struct {
	Question
	DirectConnection, FlowControlOff bool
}

var adviseKeys = []string{"topology", "workloads", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions", "format",
	"directConnection", "flowControl"}

const (
	advDirectConnection = iota + queFormat + 1
	advFlowControl
)

// AdviseRequest decodes {"topology", "workloads", "directConnection", …}.
func (d *Decoder) AdviseRequest(r *AdviseRequest, in []byte) *status.Error {
	d.start(in)
	r.Question.reset()
	r.DirectConnection, r.FlowControlOff = false, false
	var f fields
	if !d.failed && d.object(&f, adviseKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case advDirectConnection:
				r.DirectConnection, _ = d.boolean()
			case advFlowControl:
				on, _ := d.boolean()
				r.FlowControlOff = !on
			default:
				d.questionKey(&r.Question, i)
			}
		}
		d.require(&f, 1<<queTopology|1<<queWorkloads)
	}
	return d.end()
}

// AppendAdvice appends the answer of advise.
func AppendAdvice(dst []byte, r *advise.Request, findings []advise.Finding) []byte {
	dst = str.Append(dst, `{"findings":[`)
	for i := range findings {
		f := &findings[i]
		dst = appendNamed(appendComma(dst, i), `{"code":`, f.Code)
		dst = appendNamed(dst, `,"severity":`, advise.SeverityNames[f.Severity])
		dst = str.Append(dst, `,"workload":`)
		if f.Workload < 0 {
			dst = str.Append(dst, "null")
		} else {
			dst = appendInt(dst, int64(f.Workload))
		}
		dst = appendNamed(dst, `,"path":`, f.Path)
		dst = appendNamed(dst, `,"message":`, f.Message)
		dst = appendNamed(dst, `,"fix":`, f.Fix)
		dst = str.AppendByte(appendNamed(dst, `,"see":`, f.See), '}')
	}
	dst = str.Append(dst, `],"text":`)
	dst = appendPlainText(dst, func(b []byte) []byte { return advise.AppendText(b, r, findings) })
	return str.AppendByte(dst, '}')
}

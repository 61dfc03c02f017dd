package wire

import (
	"github.com/readpref/readpref/core/internal/str"
	"github.com/readpref/readpref/core/sdam"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
)

// MaxSamples is the most samples one request of rtt has.
const MaxSamples = 65536

// RTTRequest is a decoded request of rtt. It keeps its memory.
type RTTRequest struct {
	Average topology.RTT   // before the samples
	Samples []topology.RTT // an unset one: the server became Unknown
}

var rttKeys = []string{"samplesMS", "roundTripTimeMS"}

// RTTRequest decodes {"roundTripTimeMS", "samplesMS"}.
func (d *Decoder) RTTRequest(r *RTTRequest, in []byte) *status.Error {
	d.start(in)
	*r = RTTRequest{Samples: r.Samples[:0]}
	var f fields
	if !d.failed && d.object(&f, rttKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			if i == 0 {
				d.samples(r)
			} else {
				d.rtt(&r.Average)
			}
		}
		d.require(&f, 1<<0)
	}
	return d.end()
}

func (d *Decoder) samples(r *RTTRequest) {
	if !d.list("milliseconds") {
		return
	}
	for d.more(']') {
		c := d.peek()
		if len(r.Samples) == MaxSamples {
			d.fail(status.LimitExceeded, d.pos, "more than 65536 samples")
			return
		}
		var sample topology.RTT
		if c == 'n' {
			d.scanWord("null")
		} else {
			d.rtt(&sample)
		}
		r.Samples = append(r.Samples, sample)
	}
}

// AppendAverages takes the samples of a request and appends the answer of rtt.
func AppendAverages(dst []byte, r *RTTRequest) []byte {
	rtt := sdam.ResumeRTT(r.Average)
	each := make([]topology.RTT, len(r.Samples))
	for i, sample := range r.Samples {
		if ns, ok := sample.Nanoseconds(); ok {
			rtt.Add(ns)
		} else {
			rtt.Reset()
		}
		each[i] = rtt.Average()
	}
	dst = appendMSOrNull(str.Append(dst, `{"roundTripTimeMS":`), rtt.Average())
	dst = appendMSOrNull(str.Append(dst, `,"minRoundTripTimeMS":`), rtt.Minimum())
	dst = str.Append(dst, `,"averagesMS":[`)
	for i, average := range each {
		dst = appendMSOrNull(appendComma(dst, i), average)
	}
	return str.Append(dst, "]}")
}

func appendMSOrNull(dst []byte, t topology.RTT) []byte {
	if ns, ok := t.Nanoseconds(); ok {
		return topology.AppendMS(dst, ns)
	}
	return str.Append(dst, "null")
}

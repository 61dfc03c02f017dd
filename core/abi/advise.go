package abi

import (
	"github.com/readpref/readpref/core/advise"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runAdvise(c *Context, dst, in []byte) ([]byte, *status.Error) {
	var r wire.AdviseRequest // asked rarely: its memory is not kept
	if err := c.decoder.AdviseRequest(&r, in); err != nil {
		return dst, err
	}
	q := advise.Request{Question: r.Asked(),
		DirectConnection: r.DirectConnection, FlowControlOff: r.FlowControlOff}
	findings, err := advise.Run(&q)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return bounded(wire.AppendAdvice(dst, &q, findings))
}

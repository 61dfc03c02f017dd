package abi

import (
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/whatif"
	"github.com/readpref/readpref/core/wire"
)

func runWhatIf(c *Context, dst, in []byte) ([]byte, *status.Error) {
	var r wire.WhatIfRequest // asked rarely: its memory is not kept
	if err := c.decoder.WhatIfRequest(&r, in); err != nil {
		return dst, err
	}
	q := whatif.Request{Question: r.Asked(),
		Events: r.Events, AtOnce: r.AtOnce, EverySingle: r.EverySingle, EveryPair: r.EveryPair}
	res, err := whatif.Run(&q)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return bounded(wire.AppendWhatIf(dst, &q, res))
}

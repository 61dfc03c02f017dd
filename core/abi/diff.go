package abi

import (
	"github.com/readpref/readpref/core/diff"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runDiff(c *Context, dst, in []byte) ([]byte, *status.Error) {
	var r wire.DiffRequest // asked rarely: its memory is not kept
	if err := c.decoder.DiffRequest(&r, in); err != nil {
		return dst, err
	}
	q := r.Sides()
	res, err := diff.Run(&q)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return bounded(wire.AppendDiff(dst, &r, &q, res))
}

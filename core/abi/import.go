package abi

import (
	"github.com/readpref/readpref/core/importer"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runImport(c *Context, dst, in []byte) ([]byte, *status.Error) {
	var r importer.Request // asked rarely: its memory is not kept
	if err := c.decoder.ImportRequest(&r, in); err != nil {
		return dst, err
	}
	res, err := importer.Run(&r)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return bounded(wire.AppendImport(dst, res))
}

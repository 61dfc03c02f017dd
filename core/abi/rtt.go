package abi

import (
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runRTT(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.rtt
	if err := c.decoder.RTTRequest(r, in); err != nil {
		return dst, err
	}
	return wire.AppendAverages(dst, r), nil
}

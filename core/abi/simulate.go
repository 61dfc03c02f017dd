package abi

import (
	"github.com/readpref/readpref/core/simulate"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runSimulate(c *Context, dst, in []byte) ([]byte, *status.Error) {
	var r wire.SimulateRequest // asked rarely: its memory is not kept
	if err := c.decoder.SimulateRequest(&r, in); err != nil {
		return dst, err
	}
	q := simulate.Request{Question: r.Asked(), Pick: r.Pick, Seed: r.Seed,
		Picks: r.Picks, Clients: r.Clients, ServiceTimesNS: r.ServiceTimes, State: r.State}
	res, err := simulate.Run(&q)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return bounded(wire.AppendSimulation(dst, &q, res))
}

// bounded refuses an answer that is too long.
func bounded(dst []byte) ([]byte, *status.Error) {
	if len(dst) > wire.MaxAnswerBytes {
		return dst, tooLong()
	}
	return dst, nil
}

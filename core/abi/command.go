package abi

import (
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/wire"
)

func runCommand(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.command
	if err := c.decoder.CommandRequest(r, in); err != nil {
		return dst, err
	}
	t := &r.Topology
	d := command.Decorate(t, t.TypeOf(r.Server), r.Preference, r.Operation, r.Opcode)
	return wire.AppendDecoration(dst, &d, &r.Preference, r.Operation, r.Opcode), nil
}

func runEffectivePreference(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.effective
	if err := c.decoder.EffectiveRequest(r, in); err != nil {
		return dst, err
	}
	use, err := command.Effective(&r.Call)
	if err != nil {
		return dst, err.(*status.Error)
	}
	return wire.AppendUse(dst, &use), nil
}

package abi

import (
	"unsafe"

	"github.com/readpref/readpref/core/cluster"
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/status"
	"github.com/readpref/readpref/core/topology"
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

// appendCommand answers command for two handles and a server's id.
func appendCommand(dst []byte, t *cluster.Topology, p *cluster.Preference, r *wire.HandleRequest) ([]byte, *status.Error) {
	address, ok := t.Address(int32(r.ID))
	if !ok {
		return dst, unknownID()
	}
	preference := p.Document()
	t.View(func(known *topology.Description, _ uint32) {
		d := command.Decorate(known, known.TypeOf(address), preference, r.Operation, r.Opcode)
		dst = wire.AppendDecoration(dst, &d, &preference, r.Operation, r.Opcode)
	})
	return dst, nil
}

func runTopologyCommand(c *Context, dst, in []byte) ([]byte, *status.Error) {
	r := &c.byHandle
	if err := c.decoder.Handles(r, in, wire.KeyTopology|wire.KeyReadPreference|wire.KeyID, wire.KeyOperation|wire.KeyOpcode); err != nil {
		return dst, err
	}
	t, p, err := c.both(r)
	if err != nil {
		return dst, err
	}
	return appendCommand(dst, t, p, r)
}

// CommandPointers is rp_command. The document may be empty, or have operation and
// opcode.
func (c *Context) CommandPointers(topology, preference, id uint32, in unsafe.Pointer, inLen uint64, out unsafe.Pointer, outCap uint64) int32 {
	return c.tell(in, inLen, out, outCap, func(dst, document []byte) ([]byte, *status.Error) {
		if len(document) == 0 {
			document = emptyObject
		}
		r := &c.byHandle
		if err := c.decoder.Handles(r, document, 0, wire.KeyOperation|wire.KeyOpcode); err != nil {
			return dst, err
		}
		r.Topology, r.ReadPreference, r.ID = topology, preference, int64(min(id, 1<<31-1))
		t, p, err := c.both(r)
		if err != nil {
			return dst, err
		}
		return appendCommand(dst, t, p, r)
	})
}

package wire

import (
	"github.com/readpref/readpref/core/command"
	"github.com/readpref/readpref/core/status"
)

// CommandRequest is a decoded request of command.
type CommandRequest struct {
	Request        // its topology, preference and operation
	Server  string // an address
	Opcode  command.Opcode
}

var commandKeys = []string{"topology", "server", "readPreference", "operation", "opcode"}

const (
	comTopology = iota
	comServer
	comReadPreference
	comOperation
	comOpcode
)

// CommandRequest decodes {"topology", "server", "readPreference", "operation",
// "opcode"}.
func (d *Decoder) CommandRequest(r *CommandRequest, in []byte) *status.Error {
	d.start(in)
	r.reset()
	r.Server, r.Opcode = "", 0
	var f fields
	if !d.failed && d.object(&f, commandKeys) {
		for i := d.next(&f); i >= 0; i = d.next(&f) {
			switch i {
			case comTopology:
				d.requestKey(&r.Request, reqTopology)
			case comServer:
				d.address(&r.Server)
			case comReadPreference:
				d.requestKey(&r.Request, reqReadPreference)
			case comOperation:
				d.requestKey(&r.Request, reqOperation)
			case comOpcode:
				r.Opcode = d.opcode()
			}
		}
		d.require(&f, 1<<comReadPreference-1)
	}
	return d.end()
}

// opcode reads OP_MSG or OP_QUERY.
func (d *Decoder) opcode() command.Opcode {
	i, _ := d.name(command.OpcodeNames[:], status.UnknownValue, "opcode")
	return command.Opcode(i)
}

package command

import (
	"github.com/readpref/readpref/core/readpref"
	"github.com/readpref/readpref/core/selection"
	"github.com/readpref/readpref/core/topology"
)

// Opcode is the wire protocol message that carries a command. The zero value is
// OpMsg, the only one of today's servers.
type Opcode uint8

// The opcodes.
const (
	OpMsg Opcode = iota
	OpQuery
)

// OpcodeNames lists the names of the opcodes, in the order of their values. Do
// not modify it.
var OpcodeNames = [...]string{"OP_MSG", "OP_QUERY"}

// String returns the wire protocol's name of the opcode.
func (o Opcode) String() string { return nameOf(OpcodeNames[:], int(o)) }

// Decoration is what a command carries besides its own arguments.
type Decoration struct {
	// Attach says that $readPreference is there: Document, in its normal form.
	// OP_QUERY then wraps the command in $query.
	Attach   bool
	Document readpref.Preference
	// SecondaryOk is the flag of an OP_QUERY; always false for OP_MSG.
	SecondaryOk bool
	// Effective is what the operation uses in place of the preference that was
	// given: another one for an aggregate with a write stage that must run on the
	// primary.
	Effective readpref.Preference
}

// Decorate returns what a command carries to a server of this type, which was
// selected from t with the preference p, a valid one. A server that is gone from
// the topology meanwhile is of type Unknown; TypeOf tells.
//
// Server Selection specification, "Topology type: Single", "Read operations",
// "Passing read preference to mongos and load balancers"; CRUD specification,
// "Read preferences and server selection".
func Decorate(t *topology.Description, server topology.ServerType, p readpref.Preference, op selection.Operation, opcode Opcode) Decoration {
	d := Decoration{Effective: selection.EffectivePreference(t, op, p)}
	router := server == topology.Mongos || server == topology.LoadBalancer || t.Type == topology.LoadBalanced
	direct := t.Type == topology.Single && !router
	switch {
	case op == selection.Write || server == topology.Standalone:
		return d
	case d.Effective.Mode != readpref.Primary:
		d.Attach, d.Document = true, d.Effective
	case direct && p.Mode == readpref.Primary:
		// Whatever the member's role, it must not refuse the read. A preference
		// that gave way to primary for a write stage is not sent at all.
		d.Attach, d.Document = true, readpref.Preference{Mode: readpref.PrimaryPreferred}
	}
	if opcode == OpQuery {
		d.SecondaryOk = direct || d.Attach
		// Only routers read the document, and the flag says secondaryPreferred.
		d.Attach = d.Attach && router && (d.Effective.Mode != readpref.SecondaryPreferred || hasMore(&d.Effective))
		if !d.Attach {
			d.Document = readpref.Preference{}
		}
	}
	return d
}

// hasMore reports whether a preference says more than its mode does.
//
// Server Selection specification, "For OP_QUERY".
func hasMore(p *readpref.Preference) bool {
	for _, set := range p.TagSets {
		if len(set) > 0 {
			return true
		}
	}
	seconds, _ := p.MaxStaleness.Seconds()
	return seconds > 0 || p.Hedge == readpref.HedgeEnabled || p.Hedge == readpref.HedgeDisabled
}
